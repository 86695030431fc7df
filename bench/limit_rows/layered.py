"""Rows of the page of limits: layered."""

from limit_rows.row import Row

ROWS: list[Row] = []
