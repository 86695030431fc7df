"""What there is to play: the games with their sizes, and a game's data, from which the page draws everything."""

import hashlib
import inspect
from functools import lru_cache
from types import ModuleType

from perfectplay import __version__
from perfectplay.front.web.allowed_names import LONGEST_SIDE
from perfectplay.front.web.api_answers import MOST_SECONDS, Fields, RequestHandler, Values
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.loading import describe_games, load_family, load_file, parse_sizes, split_path
from perfectplay.notation import example
from perfectplay.players.registry import menu_kinds
from perfectplay.players.strongest import by_strength
from perfectplay.words import BadGame

MODELS = {
    "uniform": "anybody: every legal move is as likely",
    "blocks": "takes a win, blocks a loss, else any move",
    "noisy:0.1": "plays perfectly, but every tenth move is any move",
    "noisy:0.3": "plays perfectly, but three moves of ten are any move",
    "shallow:2": "sees two plies",
    "shallow:4": "sees four plies",
    "level:3": "level 3",
    "level:5": "level 5",
    "level:8": "level 8",
}
"""Models of opponents to choose from."""


def games(handler: RequestHandler, values: Values) -> Fields:
    """All games, their sizes and well-known names, and the user's own."""
    families = [
        {
            "name": known.name,
            "about": known.summary,
            "sizes": sizes_of(load_family(known.name)),
            "known": [{"name": alias, "sizes": sizes} for alias, sizes in known.aliases.items()],
        }
        for known in describe_games()
    ]
    own = [
        {
            "name": name,
            "about": summary_of(module),
            "sizes": sizes_of(module, handler.menu.sizes.get(name, "")),
            "known": [],
        }
        for name, path in handler.menu.games.items()
        if (module := own_module(path))
    ]
    models = [{"name": name, "about": about} for name, about in MODELS.items()]
    return {
        "games": own + families,
        "opened": handler.menu.opened,
        "opens": handler.menu.opens,
        "models": models,
        "longest_side": LONGEST_SIDE,
        "version": __version__,
    }


def own_module(path: str) -> ModuleType:
    """The user's game file."""
    found = split_path(path)[0]
    assert found is not None
    return load_file(found, BadGame)


def summary_of(module: ModuleType | None) -> str:
    """The first line of what a file says about itself."""
    return (inspect.getdoc(module) or "").partition("\n")[0]


def sizes_of(module: ModuleType, started: str = "") -> list[Fields]:
    """The sizes that a game file takes: a switch or a number each, as the server was started or with its default."""
    signature = inspect.signature(module.game)
    positional, named = parse_sizes(module.__name__, started)
    given = {name: one.default for name, one in signature.parameters.items()}
    given |= signature.bind_partial(*positional, **named).arguments
    return [
        {
            "name": name,
            "kind": "switch" if isinstance(value, bool) else "number",
            "default": value if isinstance(value, int) else None,
        }
        for name, value in given.items()
    ]


def game(handler: RequestHandler, values: Values) -> Fields:
    """The data of a game."""
    return data_of(handler, values["game"], handler.menu.game(values["game"]))


def data_of(handler: RequestHandler, name: str, game: Game) -> Fields:
    """How a game is drawn, who can play it, and whether it is solved."""
    solved = handler.truth(game) is not None
    look = game.look
    return {
        "game": name,
        "rules": rules_of(game),
        "shape": list(game.shape),
        "columns": list(look.columns),
        "rows": list(look.rows),
        "sides": [look.sides.first, look.sides.second],
        "pieces": [list(look.pieces.first), list(look.pieces.second)],
        "note": look.note,
        "start": example(game),
        "solved": solved,
        "solvable": not solved and game.bits <= COMPILED_BITS and game.key is not None,
        "players": players_for(handler, game, solved),
        "most_seconds": MOST_SECONDS,
    }


def players_for(handler: RequestHandler, game: Game, solved: bool) -> list[Fields]:
    """The players that can play the game."""
    best = by_strength(game, solved)[0]
    found = [
        {"name": kind.name, "label": kind.label, "about": kind.about, "best": kind.name == best}
        for kind in menu_kinds(game, solved)
    ]
    own = [
        {"name": name, "label": name, "about": "a player of your own", "best": False} for name in handler.menu.players
    ]
    return found + own


@lru_cache(maxsize=64)
def rules_of(game: Game) -> str:
    """A mark that changes when the rules do, or what we say about them: with it an answer may be kept for ever."""
    try:
        source = inspect.getsource(inspect.getmodule(game.moves) or game.moves)
    except (OSError, TypeError):
        source = ""
    return hashlib.sha256(f"{__version__}/{game.name}/{source}".encode()).hexdigest()[:16]
