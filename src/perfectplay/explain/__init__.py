"""What follows from a solution: win probabilities against imperfect opponents, and exact odds."""
