"""Search trees as text, SVG and HTML."""
