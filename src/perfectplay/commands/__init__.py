"""One file a verb: its function in Python and its command."""
