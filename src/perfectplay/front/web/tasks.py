"""The requests that there are, by name: each a function of a desk and of what the request says."""

from collections.abc import Callable

from perfectplay.front.web import answers, catalogue
from perfectplay.front.web.answers import Desk, Fields, Values

TASKS: dict[str, Callable[[Desk, Values], Fields]] = {
    "games": catalogue.games,
    "game": catalogue.game,
    "line": answers.line,
    "analysis": answers.analysis,
    "best-line": answers.best_line,
    "reply": answers.reply,
}
