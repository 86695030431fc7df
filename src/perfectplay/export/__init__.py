"""A solution to carry away: JSON, C for a microcontroller, Parquet. The page that needs no server is in front.web."""
