"""Rules translated to C."""
