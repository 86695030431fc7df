"""Pictures as SVG text: boards and search trees."""
