"""What follows from a solution: winning chances against those who err, and exact odds."""
