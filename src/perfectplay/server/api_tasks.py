"""The requests by name: the answer of each, and when the server itself gives it at once."""

from collections.abc import Callable
from typing import NamedTuple

from perfectplay.exports.page.game_data import Fields
from perfectplay.server import api_answers, catalogue, why_answers
from perfectplay.server.api_answers import RequestHandler, Values


def never(handler: RequestHandler, values: Values) -> bool:
    """A worker answers it."""
    return False


class Task(NamedTuple):
    """A request: the function that answers it, and whether that takes no time by what the handler has open.

    `check` refuses wrong values before a worker hears of them.
    """

    answer: Callable[[RequestHandler, Values], Fields]
    is_instant: Callable[[RequestHandler, Values], bool] = never
    check: Callable[[RequestHandler, Values], object] = never


TASKS: dict[str, Task] = {
    "analysis": Task(
        api_answers.analysis, api_answers.analysis_is_instant, lambda handler, values: api_answers.seconds_in(values)
    ),
    "line": Task(api_answers.line, api_answers.line_is_instant, api_answers.check_seats),
    "reply": Task(api_answers.reply, check=lambda handler, values: handler.allowed.player(values["player"])),
    "best-line": Task(api_answers.best_line, api_answers.best_line_is_instant),
    "game": Task(catalogue.game, catalogue.game_is_instant),
    "games": Task(catalogue.games, lambda handler, values: True),
    "card": Task(catalogue.card_of, catalogue.card_is_instant),
    "review": Task(why_answers.review, check=lambda handler, values: api_answers.moves_in(values)),
    "explain": Task(why_answers.explain, check=lambda handler, values: api_answers.seconds_in(values)),
    "reload": Task(catalogue.reload),
    "classroom": Task(why_answers.lesson, check=lambda handler, values: why_answers.depth_in(values)),
    "puzzles": Task(why_answers.puzzles),
    "forecast": Task(api_answers.forecast),
}
