"""A game as one C99 file: its rules translated from Python, its solution packed to a few bits a position.

`ranges`, `values` and `meaning` find out how large every number in the rules can get; `scope`, `expressions`, `loops`,
`text` and `tidy` write them in C with types that hold these. `store` packs the values, `thinning` says which of them a
search of k plies finds by itself, and `file` puts it all together.
"""
