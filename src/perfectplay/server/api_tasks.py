"""The requests by name: what each takes, its answer, and when the server itself gives it at once."""

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from perfectplay.exports.page.game_data import Fields
from perfectplay.server import api_answers, catalogue, why_answers
from perfectplay.server.api_answers import KINDS_OF_FILES, RequestHandler
from perfectplay.server.parameters import DEEPEST, Moves, Number, Text, Time, Values, Wanted, Word, described


def never(handler: RequestHandler, values: Values) -> bool:
    """A worker answers it."""
    return False


class Task(NamedTuple):
    """A request: what it takes, the function that answers it, and whether that takes no time by what is open.

    `check` refuses wrong values before a worker hears of them.
    """

    wanted: Wanted
    answer: Callable[[RequestHandler, Values], Fields]
    is_instant: Callable[[RequestHandler, Values], bool] = never
    check: Callable[[RequestHandler, Values], object] = never


GAME = {"game": Text("A game's name, with sizes", "tic-tac-toe")}
POSITION = {
    "position": Text("The side to move and the board row by row; the start if left out", "O:.../.X./..."),
}
SEARCH = {"seconds": Time("Time limit of a search", 0.1)}
MOVES = {"moves": Moves("Moves by name, separated by commas", "b2,a1")}

TASKS: dict[str, Task] = {
    "analysis": Task(
        Wanted(
            GAME,
            POSITION
            | {
                "chance": Text(
                    "A model of an imperfect opponent, such as uniform or noisy:0.1, to add win probabilities; "
                    "for solved games"
                )
            }
            | SEARCH,
        ),
        api_answers.analysis,
        api_answers.analysis_is_instant,
    ),
    "line": Task(
        Wanted(
            GAME,
            POSITION
            | MOVES
            | {
                "first": Text("The first player; an unknown name is refused", "human"),
                "second": Text("The second player", "level:5"),
                "partial": Text(
                    "If given, moves up to the first illegal one are played, and `refused` names that one", "1"
                ),
            },
        ),
        api_answers.line,
        api_answers.line_is_instant,
        api_answers.check_seats,
    ),
    "reply": Task(
        Wanted(
            GAME | {"player": Text("A player's name, such as perfect or level:5", "perfect")},
            POSITION
            | {
                "moves": Moves(
                    "Moves by name, separated by commas, made from the position; the player moves after them", "b2,a1"
                )
            }
            | SEARCH,
        ),
        api_answers.reply,
        check=lambda handler, values: handler.allowed.player(values["player"]),
    ),
    "best-line": Task(Wanted(GAME, POSITION), api_answers.best_line, api_answers.best_line_is_instant),
    "game": Task(Wanted(GAME), catalogue.game, catalogue.game_is_instant),
    "games": Task(Wanted(), catalogue.games, lambda handler, values: True),
    "card": Task(Wanted(GAME), catalogue.card_of, catalogue.card_is_instant),
    "review": Task(
        Wanted(GAME | {"moves": Moves("Moves by name, separated by commas", "b2,b1,a1")}, POSITION), why_answers.review
    ),
    "explain": Task(Wanted(GAME, POSITION | SEARCH), why_answers.explain),
    "reload": Task(Wanted(GAME, POSITION | MOVES), catalogue.reload),
    "classroom": Task(
        Wanted(
            GAME,
            {
                "position": Text(
                    "The side to move and the board row by row; if left out, a small position is chosen",
                    "O:X../O.X/XO.",
                ),
                "depth": Number("Plies to look ahead; to the end if left out", 4, least=1, most=DEEPEST),
            },
        ),
        why_answers.lesson,
    ),
    "puzzles": Task(Wanted(GAME), why_answers.puzzles),
    "forecast": Task(Wanted(GAME), api_answers.forecast),
}
FORMATS = "`html`: a single page that needs no server; `json.gz`: JSON, compressed by gzip; `h`: C99"
WANTED: dict[str, Wanted] = {
    **{name: task.wanted for name, task in TASKS.items()},
    "saved": Wanted(GAME),
    "check": Wanted(GAME),
    "solve": Wanted(GAME),
    "export": Wanted(GAME | {"format": Word(FORMATS, words=tuple(KINDS_OF_FILES))}),
    "tournament": Wanted({}, {"since": Number("How many of the first games to leave out", 40)}),
    "tournament-game": Wanted({"number": Number("The number of the game in the record", 7)}),
}
"""What each request takes; with `rules` answers may be cached."""


@lru_cache(maxsize=1)
def description() -> Fields:
    """The description of all requests in OpenAPI: answers as they are written down, parameters as they are read."""
    found: Fields = json.loads(Path(__file__).with_name("openapi.json").read_text(encoding="utf-8"))
    for path, methods in found["paths"].items():
        if "get" in methods:
            wanted = WANTED[path.rpartition("/")[2]]
            told = [described(name, one, name in wanted.needs) for name, one in wanted.all.items()]
            methods["get"]["parameters"] = told + methods["get"].get("parameters", [])
    return found
