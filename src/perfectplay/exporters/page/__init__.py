"""The single-file page: a solved game as one HTML file that needs no server."""
