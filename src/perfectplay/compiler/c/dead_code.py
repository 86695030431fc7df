"""The lines of a function in C, put in order: what is never read is left out, what is left is declared."""

import re

from perfectplay.compiler.c.c_syntax import mentions

KEPT = re.compile(r"\s*const \w+ (\w+) = ")
"""A line that keeps something for the next lines."""


def pruned(body: list[str], variables: list[str]) -> list[str]:
    """The lines without values that are never read: all is pure."""
    lines = list(body)
    while True:
        kept = [found[1] for line in lines if (found := KEPT.match(line))]
        for name in (*variables, *kept):
            here = [line for line in lines if mentions(line, name)]
            only = re.compile(rf"\s*(?:const \w+ )?{name} =(?!=) (?!.*\b{name}\b).*;$")
            if here and all(only.match(line) for line in here):
                lines = [line for line in lines if line not in here]
                break
        else:
            return lines


def declared(types: dict[str, str], body: list[str]) -> list[str]:
    """The lines with variables declared: where they first get a value, or if that is deep inside, at the top."""
    lines, top = list(body), []
    for name, kind in types.items():
        first = next((i for i, line in enumerate(lines) if mentions(line, name)), None)
        if first is None:
            continue
        if lines[first].startswith(f"    {name} = "):
            lines[first] = f"    {kind} {lines[first].strip()}"
        else:
            top.append(f"    {kind} {name} = 0;")
    return [*top, *lines]
