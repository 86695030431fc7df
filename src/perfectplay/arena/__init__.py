"""Games between players: the referee, which alone judges legality, and battles of many games."""
