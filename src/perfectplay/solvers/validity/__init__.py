"""Checks of rules before a solve, and of tables after it."""
