"""Other people's libraries and programs."""
