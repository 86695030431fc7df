"""Solutions for other programs: JSON, C, Parquet, a single-file page; `formats.py` has the table."""
