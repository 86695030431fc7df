"""Rows of the page of limits: cyclic."""

from limit_rows.row import Row

ROWS: list[Row] = []
