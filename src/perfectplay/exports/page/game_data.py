"""The data of a game from which the page draws everything, as JSON objects."""

import hashlib
import inspect
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from types import ModuleType
from typing import Any

from perfectplay import __version__
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.rules.board_layout import fixed_texts, is_grid, layout, separator, squares_by_row
from perfectplay.rules.families import all_sizes, describe_family, results
from perfectplay.rules.loading import load_file, split_game
from perfectplay.rules.notation import can_stand, example, spots
from perfectplay.views.board_art import art_of
from perfectplay.views.game_pieces import capital, nobodys, side_names, spoken_names
from perfectplay.words import FIRST, SECOND, BadGame

Fields = dict[str, Any]
"""What becomes a JSON object."""

OTHERS = "*"
"""Sizes that are not named."""
MOST_SECONDS = 10.0
"""The longest search that a request may ask for."""
LONGEST_SIDE = 19
"""Squares in a row or a column of the built-in boards."""

PLAYERS = {
    "level": ("Level 1 to 10", "from random (1) to the strongest (10)"),
    "streetwise": ("Street-smart", "keeps the result and sets traps"),
    "perfect": ("Perfect", "keeps the result, wins fast, loses slowly"),
    "threats": ("Threats", "engine for large boards"),
    "mcts": ("Monte Carlo", "plays out random games and prefers moves that win them"),
    "blocks": ("Blocks", "takes a win, blocks a loss"),
    "wins": ("Takes wins", "takes a win, else a random move"),
    "random": ("Random", "any legal move"),
}
"""The label of each player on the page, and what it does."""
FOR_POINTS = {"perfect": "gets as many points as it can"}
"""What players do in games for points, where it is something else."""
SOLVED_PLAYERS = ("level", "streetwise", "perfect", "blocks", "wins", "random")
"""The players of a solved game."""


def catalogue(games: list[Fields], opened: list[str], models: list[Fields]) -> Fields:
    """The games to choose from, those that the page opens with, and models of opponents."""
    return {
        "games": games,
        "opened": opened,
        "opens": opened[0],
        "models": models,
        "longest_side": LONGEST_SIDE,
        "version": __version__,
    }


def game_data(name: str, game: Game, solved: bool, players: list[Fields]) -> Fields:
    """How a game is drawn, who can play it, and whether it is solved."""
    look = game.look
    return {
        "game": name,
        "rules": rules_hash(game),
        "shape": list(game.shape),
        "columns": list(look.columns),
        "rows": list(look.rows),
        "sides": [look.sides.first, look.sides.second],
        "names": list(side_names(look)),
        "pieces": [list(look.pieces.first), list(look.pieces.second)],
        "text": {
            "rows": squares_by_row(game),
            "comma": separator(game),
            "lines": [] if is_grid(game) else layout(game),
        },
        "fixed": [*fixed_texts(game)],
        "beside": list(look.beside),
        "nobodys": sorted(nobodys(game)),
        **stands(game),
        "spoken": [spoken_names(look, side) for side in (FIRST, SECOND)],
        "art": art_of(game).to_dict(),
        "note": look.note,
        "title": look.title or titled(name),
        "start": example(game),
        "points": game.margin is not None,
        "solved": solved,
        "solvable": not solved and game.bits <= COMPILED_BITS and game.key is not None,
        "players": players,
        "most_seconds": MOST_SECONDS,
    }


def stands(game: Game) -> Fields:
    """Where pieces share a name: for each side to move and each square the owners and kinds that can stand there."""
    names = [*game.look.pieces.first, *game.look.pieces.second]
    if len(set(names)) == len(names):
        return {}
    kinds = [(owner, kind) for owner in (FIRST, SECOND) for kind in range(len(game.look.pieces[owner]))]
    return {
        "stands": [
            [[one for one in kinds if can_stand(square, *one)] for square in spots(game, side)]
            for side in (FIRST, SECOND)
        ]
    }


def titled(name: str) -> str:
    """A name as a title: Kingpawns; a file's stays."""
    return name if ".py" in name else capital(name)


def told(module: ModuleType | None, sizes: str) -> Fields:
    """What a game's file tells people: rules, history, the known result; and if it is ours, its group and names."""
    folder, _, name = getattr(module, "__name__", "").rpartition(".")
    family = describe_family(name) if folder == "perfectplay.games" else None
    return {
        "rules": by_sizes(getattr(module, "RULES", ""), sizes) or summary_of(module),
        "history": by_sizes(getattr(module, "HISTORY", ""), sizes),
        "known": "" if module is None else known_result(module, sizes),
        "group": "" if family is None else family.group,
        "names": [] if family is None else [family.name, *(one for one, own in family.aliases.items() if not own)],
    }


def known_result(module: ModuleType, sizes: str) -> str:
    """The result with best play that the file tells for these sizes, empty without one."""
    for one in results(module, ""):
        with suppress(TypeError, BadGame):  # sizes that the game does not take
            if all_sizes(module, one.game[1:]) == all_sizes(module, sizes):
                return one.text
    return ""


def by_sizes(texts: object, sizes: str) -> str:
    """The text for these sizes, or the one under OTHERS; a plain text is for all sizes."""
    return str(texts.get(sizes, texts.get(OTHERS, "")) if isinstance(texts, dict) else texts)


def about_game(game: Game) -> Fields:
    """The same for a game by its name."""
    path, rest = split_game(game.name)
    module = load_file(path, BadGame) if path and path.is_file() else inspect.getmodule(game.moves)
    sizes = rest if path else getattr(module, "ALIASES", {}).get(rest, rest.partition(":")[2])
    return told(module, sizes)


def player_fields(game: Game, names: Collection[str], best: str) -> list[Fields]:
    """The players of these names, in the order of the page."""
    texts = {} if game.margin is None else FOR_POINTS
    return [
        {"name": name, "label": label, "about": texts.get(name, about), "best": name == best}
        for name, (label, about) in PLAYERS.items()
        if name in names
    ]


def summary_of(module: ModuleType | None) -> str:
    """The first line of a file's docstring."""
    return (inspect.getdoc(module) or "").partition("\n")[0]


@lru_cache(maxsize=64)
def rules_hash(game: Game) -> str:
    """A hash that changes with the rules and with our version: with it an answer may be cached for ever."""
    try:
        source = inspect.getsource(inspect.getmodule(game.moves) or game.moves)
    except (OSError, TypeError):
        source = ""
    return hashlib.sha256(f"{__version__}/{game.name}/{source}".encode()).hexdigest()[:16]
