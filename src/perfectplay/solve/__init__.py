"""Who wins: solvers that take a game's functions and know no game."""
