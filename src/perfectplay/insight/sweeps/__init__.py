"""Sweeps over variants of rules: which there are, what is found out about each, what is kept, how it looks."""
