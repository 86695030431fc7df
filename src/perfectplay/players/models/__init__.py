"""Models of imperfect opponents, and exact odds against them."""
