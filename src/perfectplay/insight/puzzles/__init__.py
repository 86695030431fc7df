"""Puzzles: positions in which exactly one move keeps the result, where they come from and how hard they are."""
