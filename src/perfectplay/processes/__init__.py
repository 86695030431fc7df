"""Work elsewhere: supervised programs, child processes, and files that are written whole."""
