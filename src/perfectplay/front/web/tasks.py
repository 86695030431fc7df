"""The requests that there are, by name: each a function of a desk and of what the request says."""

from collections.abc import Callable

from perfectplay.front.web import answers, catalogue
from perfectplay.front.web.answers import Desk, Fields, Values

TASKS: dict[str, Callable[[Desk, Values], Fields]] = {
    "analysis": answers.analysis,
    "line": answers.line,
    "reply": answers.reply,
    "best-line": answers.best_line,
    "game": catalogue.game,
    "games": catalogue.games,
}
