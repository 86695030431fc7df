"""Tables of solved games: grades, the file format, lookups, and the table folder."""
