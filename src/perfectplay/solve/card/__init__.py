"""The solver on a graphics card."""
