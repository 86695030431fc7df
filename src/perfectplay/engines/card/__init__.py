"""Patterns of the loops that run on a graphics card, and what they use."""
