"""The terminal: streams, signals, progress, arguments, boards side by side."""
