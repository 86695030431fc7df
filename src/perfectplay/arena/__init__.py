"""Games between players: the referee, who alone judges legality, and battles of many games."""
