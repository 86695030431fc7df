"""The requests by name: each is a function of a request handler and the request's parameters."""

from collections.abc import Callable

from perfectplay.exports.page.game_data import Fields
from perfectplay.server import api_answers, catalogue, why_answers
from perfectplay.server.api_answers import RequestHandler, Values

TASKS: dict[str, Callable[[RequestHandler, Values], Fields]] = {
    "analysis": api_answers.analysis,
    "line": api_answers.line,
    "reply": api_answers.reply,
    "best-line": api_answers.best_line,
    "game": catalogue.game,
    "games": catalogue.games,
    "card": catalogue.card_of,
    "review": why_answers.review,
    "explain": why_answers.explain,
    "reload": catalogue.reload,
    "classroom": why_answers.lesson,
    "puzzles": why_answers.puzzles,
    "forecast": api_answers.forecast,
}
