"""What there is to play: the games with their sizes, and each game's data."""

import inspect
from pathlib import Path
from types import ModuleType

from perfectplay.exports.page.cards import card
from perfectplay.exports.page.game_data import Fields, catalogue, game_data, player_fields, summary_of, titled, told
from perfectplay.players.registry import menu_kinds
from perfectplay.players.strongest import by_strength
from perfectplay.rules.families import describe_games, family_of, known_name, load_family, parse_sizes
from perfectplay.rules.loading import load_file, split_path
from perfectplay.rules.neighbours import files_beside
from perfectplay.server.api_answers import RequestHandler, Values
from perfectplay.words import BadGame

MODELS = {
    "uniform": "Plays any legal move",
    "blocks": "Takes a win, blocks a loss, else plays any move",
    "noisy:0.1": "Plays perfectly, but 1 move in 10 is random",
    "noisy:0.3": "Plays perfectly, but 3 moves in 10 are random",
    "shallow:2": "Looks 2 moves ahead",
    "shallow:4": "Looks 4 moves ahead",
    "level:3": "Level 3",
    "level:5": "Level 5",
    "level:8": "Level 8",
}
"""Models of opponents to choose from."""


def games(handler: RequestHandler, values: Values) -> Fields:
    """All games with their sizes and aliases, the user's own first."""
    families = [
        {
            "name": known.name,
            "about": known.summary,
            "sizes": sizes_of(load_family(known.name)),
            "known": [
                {"name": alias, "sizes": sizes, "title": handler.allowed.game(alias).look.title or titled(alias)}
                for alias, sizes in known.aliases.items()
                if sizes
            ],
        }
        for known in describe_games()
    ]
    own = [own_family(handler, name) for name in handler.allowed.games]
    models = [{"name": name, "about": about} for name, about in MODELS.items()]
    return catalogue(own + families, handler.allowed.opened, models)


def own_family(handler: RequestHandler, name: str) -> Fields:
    """A game file of the user's, with its sizes; without them as long as the file does not load."""
    try:
        module = own_module(handler.allowed.games[name])
        sizes = sizes_of(module, handler.allowed.sizes.get(name, ""))
    except (BadGame, AttributeError, TypeError):
        return {"name": name, "about": "", "sizes": [], "known": []}
    return {"name": name, "about": summary_of(module), "sizes": sizes, "known": []}


def card_of(handler: RequestHandler, values: Values) -> Fields:
    """The card of a game in the gallery; what its file tells about it need not be looked up."""
    name = values["game"]
    game, own = handler.allowed.game(name), handler.allowed.is_own(name)
    texts = about(handler, name)
    lookup = None if texts["known"] and not own else handler.solution(game)
    return card(name, game, texts, lookup and lookup(game.start), own)


def about(handler: RequestHandler, name: str) -> Fields:
    """What the file of a game tells people about it."""
    family, _, sizes = name.partition(":")
    if handler.allowed.is_own(name):
        return told(own_module(handler.allowed.games[family]), sizes or handler.allowed.sizes.get(family, ""))
    known = family_of(known_name(family) or family)
    return told(load_family(known.name), known.aliases.get(family) or sizes)


def own_module(path: str) -> ModuleType:
    """The user's game file."""
    found = split_path(path)[0]
    assert found is not None
    return load_file(found, BadGame)


def sizes_of(module: ModuleType, started: str = "") -> list[Fields]:
    """The sizes that a game file takes: each a switch, a number or any number of them; as started, or by default.

    Numbers without a default are those that the game file takes if none are given.
    """
    signature = inspect.signature(module.game)
    positional, named = parse_sizes(module.__name__, started)
    given = {name: one.default for name, one in signature.parameters.items()}
    given |= signature.bind_partial(*positional, **named).arguments
    many = [name for name, one in signature.parameters.items() if one.kind == one.VAR_POSITIONAL]
    return [
        {
            "name": name,
            "kind": "numbers" if name in many else "switch" if isinstance(value, bool) else "number",
            "default": value
            if isinstance(value, int)
            else ",".join(map(str, value))
            if isinstance(value, tuple)
            else None,
        }
        for name, value in given.items()
    ]


def game(handler: RequestHandler, values: Values) -> Fields:
    """The data of a game."""
    game = handler.allowed.game(values["game"])
    solved = handler.solution(game) is not None
    names = [kind.name for kind in menu_kinds(game, solved)]
    players = player_fields(game, names, best=by_strength(game, solved)[0])
    own = [
        {"name": name, "label": name, "about": "a player of your own", "best": False, "own": True}
        for name in handler.allowed.players
    ]
    data = {**game_data(values["game"], game, solved, players + own), "about": about(handler, values["game"])}
    return {**data, **own_facts(handler, values["game"])}


def own_facts(handler: RequestHandler, name: str) -> Fields:
    """What the page needs to know about a user's own game besides: its family, and the modules that it imports."""
    family = name.partition(":")[0]
    if not handler.allowed.is_own(name):
        return {}
    folder = (split_path(handler.allowed.games[family])[0] or Path()).resolve().parent
    return {"own": {"family": own_family(handler, family), "files": [str(path) for path in files_beside(folder)]}}
