"""What there is to play: the games with their sizes, and each game's data."""

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType

from perfectplay.commands.prove.checking import checking
from perfectplay.commands.prove.random_play import random_games
from perfectplay.commands.terminal.rule_limit import RuleLimit, rule_limit
from perfectplay.exports.page.cards import card
from perfectplay.exports.page.game_data import Fields, catalogue, game_data, player_fields, summary_of, titled, told
from perfectplay.players.registry import by_strength, menu_kinds
from perfectplay.rules.families import describe_games, family_of, known_name, load_family, parse_sizes
from perfectplay.rules.loading import files_beside, load_file, split_game
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.api_answers import RequestHandler, given_position, line
from perfectplay.server.game_faults import tidy
from perfectplay.server.parameters import Values
from perfectplay.words import BadGame, BadPosition

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
    table = None if texts["known"] and not own else handler.table(game)
    return card(name, game, texts, None if table is None else table.lookup(game.start), own)


def card_is_instant(handler: RequestHandler, values: Values) -> bool:
    """Whether the file of the game tells its result, or it is known whether it is solved."""
    name = values["game"]
    told_there = about(handler, name)["known"] and not handler.allowed.is_own(name)
    return bool(told_there) or handler.knows(handler.allowed.game(name))


def about(handler: RequestHandler, name: str) -> Fields:
    """What the file of a game tells people about it."""
    family, _, sizes = name.partition(":")
    if handler.allowed.is_own(name):
        return told(own_module(handler.allowed.games[family]), sizes or handler.allowed.sizes.get(family, ""))
    known = family_of(known_name(family) or family)
    return told(load_family(known.name), known.aliases.get(family) or sizes)


def own_module(path: str) -> ModuleType:
    """The user's game file."""
    found = split_game(path)[0]
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
    solved = handler.table(game) is not None
    names = [kind.name for kind in menu_kinds(game, solved)]
    players = player_fields(game, names, best=by_strength(game, solved)[0])
    own = [
        {"name": name, "label": name, "about": "a player of your own", "best": False, "own": True}
        for name in handler.allowed.players
    ]
    data = {**game_data(values["game"], game, solved, players + own), "about": about(handler, values["game"])}
    return {**data, **own_facts(handler, values["game"])}


def game_is_instant(handler: RequestHandler, values: Values) -> bool:
    """Whether it is known whether the game is solved."""
    return handler.knows(handler.allowed.game(values["game"]))


def own_facts(handler: RequestHandler, name: str) -> Fields:
    """What the page needs to know about a user's own game besides: its family, and the modules that it imports."""
    family = name.partition(":")[0]
    if not handler.allowed.is_own(name):
        return {}
    folder = (split_game(handler.allowed.games[family])[0] or Path()).resolve().parent
    return {"own": {"family": own_family(handler, family), "files": [str(path) for path in files_beside(folder)]}}


# A user's own game in a worker: its rules as they are saved now, and what is found when they are checked.


WALKS, SEED = 50, 1
"""How many random games a check plays, as on the command line."""


def check_own(allowed: AllowedNames, name: str) -> None:
    """Raises BadGame for a game that comes with the package."""
    if not allowed.is_own(name):
        raise BadGame(f"{name!r} is not a game file that the server was started with")


def broken_card(name: str) -> Fields:
    """The card of a game whose file does not work at the moment; its page tells why."""
    about = "This file does not work at the moment. Open it to see why."
    texts = {"about": about, "known": "", "value": "", "picture": "", "group": ""}
    return {"name": name, "title": name, **texts, "names": [], "tags": ["yours"]}


def limited(allowed: AllowedNames, name: str, say: Callable[[str], None]) -> AbstractContextManager[RuleLimit | None]:
    """Ends the call of a rule function that does not return; the error tells which, or `say` does before the end."""
    return rule_limit(allowed.games.get(name.partition(":")[0], ""), say)


def reload(handler: RequestHandler, values: Values) -> Fields:
    """The data of the game, and its moves as far as the rules still allow them; `kept` counts these."""
    name = values["game"]
    check_own(handler.allowed, name)
    data = game(handler, values)
    wanted = values if is_possible(handler, values) else {"game": name}
    found = line(handler, {**wanted, "partial": "1"})
    found.pop("refused", None)
    return {"game": data, "line": found, "position": wanted.get("position", ""), "kept": len(found["plies"]) - 1}


def is_possible(handler: RequestHandler, values: Values) -> bool:
    """Whether the rules still know the position from which the moves are made."""
    try:
        given_position(handler, handler.allowed.game(values["game"]), values)
    except BadPosition:
        return False
    return True


def check(handler: RequestHandler, values: Values, send: Callable[[Fields], None]) -> Fields:
    """How random games end; what each check finds is sent as soon as it is known."""
    from perfectplay.compiler.checks.contract import CHECKS

    check_own(handler.allowed, values["game"])
    rules = handler.allowed.game(values["game"])
    send({"finding": None, "done": 0, "total": len(CHECKS)})
    for done, found in enumerate(checking(rules, WALKS, SEED), 1):
        line = tidy(found.fault or found.note or "", handler.allowed)
        finding = {"check": found.sentence, "status": found.status, "line": line}
        send({"finding": finding, "done": done, "total": len(CHECKS)})
    games = random_games(rules, WALKS, SEED)
    return {"game": values["game"], "games": None if games is None else games.line}
