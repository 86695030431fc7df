"""A game and a player for perfectplay."""
