"""The page's requests."""
