"""The style of drawings without custom properties, for programs that draw SVG and know no `var()`."""

import re
from collections.abc import Mapping

from perfectplay.views.board_svg import STYLE

RULE = re.compile(r"([^{}]+)\{([^}]*)\}")
PIECE = re.compile(r"\.piece\.(\w+)")
VARIABLE = re.compile(r"var\(--(\w[\w-]*)(?:, *([^()]+))?\)")

Rule = tuple[str, str]
"""A selector and its declarations."""


def plain_style(style: str = STYLE) -> str:
    """The style in light colours."""
    return "\n".join(f"{head} {{ {body} }}" for head, body in plain_rules(style))


def plain_rules(style: str = STYLE, theme: Mapping[str, str] | None = None) -> list[Rule]:
    """The rules where each variable is the theme's colour or else its fallback, those of pieces for each colour."""
    theme = theme or {}
    rules = [(head.strip(), body.strip()) for head, body in RULE.findall(re.sub(r"/\*.*?\*/", "", style, flags=re.S))]
    colours = {
        match[1]: variables_in(body, theme) for head, body in rules if (match := PIECE.fullmatch(head)) and "--" in body
    }
    plain: list[Rule] = []
    for head, body in rules:
        if "--" in VARIABLE.sub("", body):  # it defines variables
            continue
        if any(name in ("c", "edge", "on") for name, _ in VARIABLE.findall(body)):
            for colour, values in colours.items():
                plain.append((head.replace(".piece", f".{colour}"), resolve(body, {**theme, **values})))
        else:
            plain.append((head, resolve(body, theme)))
    return plain


def variables_in(body: str, theme: Mapping[str, str]) -> dict[str, str]:
    """The variables that a rule defines, with their values."""
    pairs = (part.partition(":") for part in body.split(";") if "--" in part)
    return {name.strip().removeprefix("--"): resolve(value.strip(), theme) for name, _, value in pairs}


def resolve(body: str, values: Mapping[str, str]) -> str:
    """The text with each variable's value in its place."""
    return VARIABLE.sub(lambda match: values.get(match[1], match[2] or "none"), body)
