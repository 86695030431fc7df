"""Rows of the page of limits: tables."""

from limit_rows.row import Row

ROWS: list[Row] = []
