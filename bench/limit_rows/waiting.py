"""Rows of the page of limits: waiting."""

from limit_rows.row import Row

ROWS: list[Row] = []
