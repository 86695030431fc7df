"""Patterns of the loops that run on a GPU."""
