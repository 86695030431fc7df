"""Monte Carlo tree search: the player, its tree and its compiled loops."""
