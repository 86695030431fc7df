"""Games in notebooks: a board to play on in a cell."""
