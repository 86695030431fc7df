"""One file a game family; the file's name is the game's name.

A file has a docstring whose first line describes the game, a function `game(**sizes) -> Game`, and if it likes
`ALIASES`, well-known names for certain sizes.
"""
