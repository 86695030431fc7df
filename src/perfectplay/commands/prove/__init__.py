"""Tables and books: solved, counted, checked, kept."""
