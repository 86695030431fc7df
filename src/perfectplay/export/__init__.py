"""Solutions for other programs: JSON, C for a microcontroller, Parquet; `formats.py` has the table."""
