"""The page of games: an entry per family, from what its file tells and from the figures of docs/reference/results.md.

`make tables` writes the page into the repository; a build of the site writes it anew, with pictures, so that a new game
is there as soon as its file is.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from perfectplay.exports.page.cards import typical_position
from perfectplay.exports.page.game_data import OTHERS
from perfectplay.rules.families import (
    Family,
    Result,
    describe_games,
    groups,
    load_family,
    signature_text,
    size_example,
)
from perfectplay.rules.loading import load_game
from perfectplay.views.scoped_style import plain_style, position_svg

FOLDER = Path(__file__).parent / "reference"
GAMES, RESULTS = FOLDER / "games.md", FOLDER / "results.md"
BEGIN, END = "<!-- written by docs/tables.py -->\n", "<!-- end -->"
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|.*\| ([^|]+) \|$", re.MULTILINE)
HEAD = ["| game | with best play | published | positions | up to symmetry | seconds |", "|---|---|---|---|---|---|"]
STYLE = ".board { max-width: 12rem; padding: 0.5rem; border-radius: 0.3rem; background: #fffefb; }"


class Figures(NamedTuple):
    """What was computed about a game, as the page of results has it."""

    verdict: str
    positions: str
    classes: str
    seconds: str


@cache
def figures() -> dict[str, Figures]:
    """The rows of the page of results."""
    return {name: Figures(*cells) for name, *cells in ROW.findall(RESULTS.read_text(encoding="utf-8"))}


def result_row(result: Result) -> str:
    """A row of an entry; figures that have not been computed are left out."""
    found = Figures(result.text[0].lower() + result.text[1:], "reported" if result.reported else "-", "-", "-")
    found = figures().get(result.game, found)
    return f"| `{result.game}` | {found.verdict} | {result.source or '-'} | " + " | ".join(found[1:]) + " |"


def texts(told: object) -> list[str]:
    """The texts of a constant: one for all sizes, or several; those for other sizes come last."""
    several = told if isinstance(told, dict) else {OTHERS: told}
    order = sorted(several, key=lambda sizes: sizes == OTHERS)
    return list(dict.fromkeys(" ".join(str(several[sizes]).split()) for sizes in order))


def rules(told: object) -> str:
    """The rules: those for any sizes, where there are several."""
    return texts(told)[-1]


def names_of(known: Family) -> str:
    """The sizes that the family takes, and the names that stand for some of them."""
    sizes = signature_text(load_family(known.name))
    others = [f"`{alias}` is `{known.name}:{at}`" if at else f"also `{alias}`" for alias, at in known.aliases.items()]
    example = re.sub(r"\S+:\S+", r"`\g<0>`", size_example(known.name))
    return "; ".join([f"Arguments: `{sizes}`" if sizes else "No arguments", *filter(None, [example]), *others]) + "."


def picture(name: str) -> str:
    """A position of the game as it may stand in the middle."""
    game = load_game(name)
    return f'<div class="board">{position_svg(game, *typical_position(game))}</div>'


def entry(known: Family, pictures: bool = False) -> str:
    """The entry of a family."""
    module = load_family(known.name)
    parts = [f"### {known.name}", known.summary, *([picture(known.name)] if pictures else [])]
    parts += [f"**Rules.** {rules(module.RULES)}", f"**History.** {' '.join(texts(module.HISTORY))}", names_of(known)]
    return "\n\n".join([*parts, "\n".join([*HEAD, *map(result_row, known.results)])]) + "\n"


def contents(families: list[Family]) -> Iterator[str]:
    """The families by group, each with a link to its entry."""
    yield from ["| group | games |", "|---|---|"]
    for group in groups():
        names = [f"[`{one.name}`](#{one.name})" for one in families if one.group == group]
        if names:
            yield f"| [{group}](#{group.lower()}) | {', '.join(names)} |"


def games_part(pictures: bool = False) -> str:
    """What stands between the marks of the page of games."""
    families = list(describe_games())
    parts = [f"<style>{plain_style()}{STYLE}</style>\n".replace("\n\n", "\n")] if pictures else []
    parts.append("\n".join(contents(families)) + "\n")
    for group in groups():
        members = [one for one in families if one.group == group]
        parts += [f"## {group}\n"] if members else []
        parts += [entry(one, pictures) for one in members]
    return "\n".join(parts)


def entries_in(page: str) -> dict[str, str]:
    """The entries of a page by the names of their families."""
    part = page.partition(BEGIN)[2].partition(END)[0]
    found = re.split(r"^### (\w+)\n", re.sub(r"^## .*\n\n", "", part, flags=re.MULTILINE), flags=re.MULTILINE)
    return {name: f"### {name}\n{text.rstrip()}\n" for name, text in zip(found[1::2], found[2::2], strict=True)}


def written(text: str, part: str) -> str:
    """The text with what stands between its marks replaced."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + part.rstrip() + "\n" + END + rest.partition(END)[2]


def on_page_markdown(markdown: str, page, **_) -> str | None:  # type: ignore[no-untyped-def]
    """Called by MkDocs: the page of games as the files tell it now."""
    return written(markdown, games_part(pictures=True)) if page.file.src_uri == "reference/games.md" else None


if __name__ == "__main__":
    GAMES.write_text(written(GAMES.read_text(encoding="utf-8"), games_part()), encoding="utf-8")
    print(f"wrote {GAMES.name}")
