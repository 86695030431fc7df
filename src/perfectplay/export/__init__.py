"""Solutions for other programs: JSON, C for a microcontroller, Parquet, and a single-file page that needs no server."""
