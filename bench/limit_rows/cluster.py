"""Rows of the page of limits: cluster."""

from limit_rows.row import Row

ROWS: list[Row] = []
