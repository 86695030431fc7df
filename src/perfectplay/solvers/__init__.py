"""Solvers: they take a game's functions and know no particular game."""
