"""Rows of the page of limits: tests."""

from limit_rows.row import Row

ROWS: list[Row] = []
