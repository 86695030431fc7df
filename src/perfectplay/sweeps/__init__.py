"""Sweeps: many variants of a game, each with the best that can be found out about it within its limits."""
