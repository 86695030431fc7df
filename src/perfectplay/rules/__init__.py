"""From a file to a game: loading, families, source, fingerprint, notation, and what games share."""
