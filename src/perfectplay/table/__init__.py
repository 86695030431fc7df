"""Solved games: entries as numbers, the file format, look-up, and the table folder where tables are kept."""
