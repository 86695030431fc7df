"""Numbers of the rules as machine words: guards where they might not fit, and words wider than 63 bits."""
