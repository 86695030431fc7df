"""Rows of the page of limits: gpu."""

from limit_rows.row import Row

ROWS: list[Row] = []
