"""Exact odds between players."""
