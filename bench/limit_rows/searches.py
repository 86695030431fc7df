"""Rows of the page of limits: searches."""

from limit_rows.row import Row

ROWS: list[Row] = []
