"""The solver on a GPU."""
