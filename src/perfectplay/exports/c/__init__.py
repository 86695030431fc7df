"""A game as one C99 file: its rules translated from Python, its solution packed to a few bits a position.

Interval analysis (`perfectplay.compiler.intervals`, by `c_analysis`) finds how large every number in the rules can get;
`c_rules`, `c_scope`, `c_expressions` and `c_loops` write the rules in C with types that hold these. `static_function`
packs the values, `c_level` has what differs with extra turns, points and an opponent of one level, and `c_file` puts it
all together.
"""
