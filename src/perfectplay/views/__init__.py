"""How it looks: boards and games as text, SVG, PNG and GIF."""
