"""Tournaments, certificates and comparisons."""
