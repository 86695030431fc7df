"""Players for games in which any empty square may be taken and a full line wins, on boards of any size."""
