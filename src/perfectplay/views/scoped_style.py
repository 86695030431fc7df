"""The style of a picture that stands among others: only the rules that it needs, for nothing but itself.

Its classes get a prefix, and its rules begin with a class named by the digest of the style. So pictures of the same
style share a name, and pictures of different styles, or of different versions, never touch each other or the page.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from perfectplay.game import Game
from perfectplay.rules.notation import pieces_on
from perfectplay.views.board_art import art_of, text_svg
from perfectplay.views.game_pieces import is_new
from perfectplay.words import Position, Turn

# A position as SVG: the drawing of the game's board with the pieces that stand there.


STYLE = (Path(__file__).parent / "board.css").read_text(encoding="utf-8")
"""The rules of style that the drawings need."""
SCALE = 2
"""The size of drawings among other things: a square is 20 wide."""


def board_size(game: Game) -> tuple[int, int]:
    """The width and the height of a drawn board without labels."""
    _, _, width, height = art_of(game, labels=False).box
    return round(width * SCALE), round(height * SCALE)


def board_svg(game: Game, position: Position, side: int, changed: Collection[int] = ()) -> str:
    """A group with the board without labels, its top left corner at (0, 0); `changed` squares are tinted."""
    x, y, _, _ = art_of(game, labels=False).box
    inner = board_elements(game, position, side, changed, labels=False)
    return f'<g class="art {game.look.board}" transform="scale({SCALE}) translate({-x:g} {-y:g})">{inner}</g>'


def position_svg(game: Game, position: Position, side: int, changed: Collection[int] = (), labels: bool = False) -> str:
    """The board as an SVG element of its own, as large as there is room."""
    box = " ".join(f"{number:.4g}" for number in art_of(game, labels).box)
    inner = board_elements(game, position, side, changed, labels)
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="art {game.look.board}" viewBox="{box}">{inner}</svg>'


def board_elements(game: Game, position: Position, side: int, changed: Collection[int], labels: bool) -> str:
    """The elements of the drawing."""
    art = art_of(game, labels)
    if game.texts is not None:
        return text_svg(game.texts.draw(*position), art.box)
    parts = [art.under]
    for square, at in enumerate(pieces_on(game, position, side)):
        x, y = art.places[square]
        piece = "" if at is None else art.pieces[at[0]][at[1]]
        new = ' class="new"' if square in changed else ""
        parts.append(f'<g{new} transform="translate({x:g} {y:g})">{art.grounds[square]}{piece}</g>')
    return "".join([*parts, art.over])


def changed_squares(game: Game, before: Turn, following: Turn) -> list[int]:
    """The squares that bear something else after a move from one turn to the following, and are not empty."""
    old, new = pieces_on(game, *before), pieces_on(game, *following)
    return [square for square, at in enumerate(new) if is_new(game, old[square], at)]


# The style of drawings without custom properties, for programs that draw SVG and know no `var()`.


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


PREFIX = "pp-"
ALL = STYLE + (Path(__file__).parent / "picture.css").read_text(encoding="utf-8")
"""The rules of style of boards and of what pictures add."""
CLASSES = re.compile(r' class="([^"]*)"')
NAMED = re.compile(r"\.([a-z][\w-]*)")
OWN = re.compile(rf"\.{PREFIX}([\w-]+)")
ROOT = "ROOT"
"""What stands for the picture's own class until the digest is known."""
LIGHT_PAGES = (
    "[data-jp-theme-light=true]",
    ".vscode-light",
    ".vscode-high-contrast-light",
    "[theme=light]",
    "[data-theme=light]",
    "[data-md-color-scheme=default]",
)
DARK_PAGES = (
    "[data-jp-theme-light=false]",
    ".vscode-dark",
    ".vscode-high-contrast:not(.vscode-high-contrast-light)",
    "[theme=dark]",
    "[data-theme=dark]",
    "[data-md-color-scheme=slate]",
)
"""How notebooks and sites say which theme they have: JupyterLab, VS Code, Colab, Sphinx, Material for MkDocs."""
SCHEMES = (
    f".{ROOT}{{color-scheme:light dark}}:is({','.join(LIGHT_PAGES)}) .{ROOT}{{color-scheme:light}}"
    f":is({','.join(DARK_PAGES)}) .{ROOT}{{color-scheme:dark}}"
)


def scope_style(shapes: str, board: str, dark: bool | None, more: str = "") -> tuple[str, str, str]:
    """The picture's classes, its style and its shapes, with classes of its own; dark=None follows the page.

    `more` are rules for this picture, in which ROOT stands for its own class and the others have their prefix.
    """
    present = frozenset(name for match in CLASSES.findall(shapes) for name in match.split()) | {"art", board}
    style, classes = style_for(present, dark)
    style, classes = style + more, classes | {*OWN.findall(more)}
    root = f"{PREFIX}{sha256(style.encode()).hexdigest()[:6]}"
    shapes = CLASSES.sub(lambda match: class_attribute(match[1], classes), shapes)
    return f"{root} {PREFIX}{board}" if board in classes else root, style.replace(ROOT, root), shapes


def class_attribute(names: str, classes: frozenset[str]) -> str:
    """The attribute with those of the classes that the style has."""
    mine = " ".join(PREFIX + name for name in names.split() if name in classes)
    return f' class="{mine}"' if mine else ""


@lru_cache(maxsize=256)
def style_for(present: frozenset[str], dark: bool | None) -> tuple[str, frozenset[str]]:
    """The rules for these classes, and those of the classes that they have."""
    light_rules, dark_rules = (list(rules_for(present, which)) for which in (False, True))
    classes = frozenset(name for head, _ in light_rules for name in NAMED.findall(head))
    if dark is not None:
        return rules_text(dark_rules if dark else light_rules), classes
    differing = [
        (head, both)
        for (head, body), (_, other) in zip(light_rules, dark_rules, strict=True)
        if (both := in_both(body, other))
    ]
    either = f"@supports (color:light-dark(#000,#fff)){{{rules_text(differing)}}}"
    return rules_text(light_rules) + SCHEMES + either, classes


def rules_for(present: frozenset[str], dark: bool) -> Iterator[Rule]:
    """The rules of which all classes are there, in the order of the style."""
    for head, body in rules_of(dark):
        mine = [one.strip() for one in head.split(",") if {*NAMED.findall(one)} <= present]
        if mine:
            yield ",".join(mine), body


@lru_cache(maxsize=2)
def rules_of(dark: bool) -> list[Rule]:
    """All rules, in dark or in light colours."""
    return plain_rules(ALL, {**DARK, "paper": PAPER[1]} if dark else {"paper": PAPER[0], "hole": PAPER[0]})


def in_both(light: str, dark: str) -> str:
    """The declarations that differ, each with both of its colours."""
    pairs = zip(declarations(light), declarations(dark), strict=True)
    return ";".join(f"{a[0]}:light-dark({a[1]},{b[1]})" for a, b in pairs if a != b)


def declarations(body: str) -> list[tuple[str, str]]:
    """The properties and their values."""
    parts = (part.partition(":") for part in body.split(";") if part.strip())
    return [(name.strip(), value.strip()) for name, _, value in parts]


def rules_text(rules: list[Rule]) -> str:
    """The rules as text, for the picture alone."""
    lines = []
    for head, body in rules:
        heads = ",".join(within(one) for one in head.split(","))
        lines.append(f"{heads}{{{';'.join(f'{name}:{value}' for name, value in declarations(body))}}}")
    return "".join(lines)


def within(selector: str) -> str:
    """The selector for elements of the picture."""
    own = NAMED.sub(lambda match: f".{ROOT}" if match[1] == "art" else f".{PREFIX}{match[1]}", selector)
    return own if own.startswith(f".{ROOT}") else f".{ROOT} {own}"


# The colours of drawings in dark; those in light are in the style itself, as what its variables fall back to.


PAPER = ("#ffffff", "#14171c")
"""What a picture of its own is drawn on: in light, in dark."""
DARK = {
    "sheet": "#1c2028",
    "ink": "#eceef3",
    "soft": "#a3abba",
    "rule": "#313743",
    "accent": "#8fb0ff",
    "win": "#7fb0ff",
    "draw": "#a9b0bd",
    "loss": "#ff9d66",
    "win-tint": "#1d2f4d",
    "draw-tint": "#2a2f38",
    "loss-tint": "#43291b",
    "last": "#3d3820",
    "square": "#20252d",
    "lines": "#545c6a",
    "light-square": "#6d6f78",
    "dark-square": "#474b57",
    "checks-edge": "#343842",
    "plate": "#6f5c3a",
    "point-lines": "#2c2415",
    "hole": "#14171c",
    "frame": "#2b4c9b",
    "frame-edge": "#1d3470",
    "felt": "#2c6146",
    "felt-lines": "#1c4330",
    "pit": "#5c4b2e",
    "pit-edge": "#3c301b",
    "seed": "#e4c38f",
    "ink-piece": "#e9eef3",
    "plum": "#f08fc4",
    "red": "#f0705b",
    "red-edge": "#b23c29",
    "yellow": "#f4c553",
    "yellow-edge": "#a77b18",
    "blue": "#7aa5ff",
    "blue-edge": "#3d68c2",
    "white-edge": "#0d0f12",
    "black-edge": "#6a7382",
}
"""The page's dark theme; a name that is missing is the same in both."""
