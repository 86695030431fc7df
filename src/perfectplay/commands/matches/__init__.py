"""Games: played, drawn, reviewed, and played many times."""
