"""Tournaments: who meets whom, the games, their record, and what they prove: standings, ratings, exact regret."""
