"""Exports: JSON, Parquet, C, and the page."""
