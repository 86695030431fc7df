"""The style of drawings without custom properties, for programs that draw SVG and know no `var()`."""

import re

from perfectplay.pictures.board_svg import STYLE

RULE = re.compile(r"([^{}]+)\{([^}]*)\}")
OWN = re.compile(r"\.piece\.(\w+)")
VARIABLE = re.compile(r"var\(--(\w[\w-]*)(?:, *([^()]+))?\)")


def plain_style(style: str = STYLE) -> str:
    """The style in light colours: each variable is its fallback, and the rules of pieces are there for each colour."""
    rules = [(head.strip(), body.strip()) for head, body in RULE.findall(re.sub(r"/\*.*?\*/", "", style, flags=re.S))]
    colours = {found[1]: defined(body) for head, body in rules if (found := OWN.fullmatch(head)) and "--" in body}
    lines = []
    for head, body in rules:
        if "--" in VARIABLE.sub("", body):  # it defines variables
            continue
        if any(name in ("c", "edge", "on") for name, _ in VARIABLE.findall(body)):
            for colour, values in colours.items():
                lines.append(f"{head.replace('.piece', f'.{colour}')} {{ {resolved(body, values)} }}")
        else:
            lines.append(f"{head} {{ {resolved(body, {})} }}")
    return "\n".join(lines)


def defined(body: str) -> dict[str, str]:
    """The variables that a rule defines, with their values."""
    pairs = (part.partition(":") for part in body.split(";") if "--" in part)
    return {name.strip().removeprefix("--"): resolved(value.strip(), {}) for name, _, value in pairs}


def resolved(body: str, values: dict[str, str]) -> str:
    """The text with each variable's value in its place."""
    return VARIABLE.sub(lambda found: values.get(found[1], found[2] or "none"), body)
