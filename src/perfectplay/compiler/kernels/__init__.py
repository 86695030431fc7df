"""Loops that are compiled with the rules of a game; text below a line is the same for every game."""
