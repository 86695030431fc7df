"""A user's own game in a worker: its rules as they are saved now, and what is found when they are checked."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from perfectplay.commands.prove.checking import checking
from perfectplay.commands.prove.random_play import random_games
from perfectplay.commands.terminal.rule_limit import RuleLimit, rule_limit
from perfectplay.exports.page.game_data import Fields
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.api_answers import RequestHandler, Values, given_position, line
from perfectplay.server.catalogue import game
from perfectplay.server.own_faults import tidy
from perfectplay.words import BadGame, BadPosition

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
    return {"game": values["game"], "games": None if games is None else str(games)}
