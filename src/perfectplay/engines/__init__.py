"""Ways to run the same rules, and the check that they agree."""
