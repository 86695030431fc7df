"""Players by name, a file each."""
