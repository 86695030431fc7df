"""Models of imperfect players: how they choose, the win probabilities against them, and exact odds."""
