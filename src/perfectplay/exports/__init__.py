"""What leaves: JSON, Parquet, C, and the page."""
