"""Why a game has no table, and what to do: solve it or search it, by a forecast."""

from functools import cached_property

from perfectplay.game import COMPILED_BITS, Game, images, start_is_symmetric
from perfectplay.solvers.engine import Options
from perfectplay.solvers.forecast import NEAR, SEARCH, Forecast, refuse
from perfectplay.solvers.memory.interpreted import size_of


class Unsolved:
    """`why_unsolved` as the message of an error: the forecast is made, once, only if somebody reads it."""

    def __init__(self, game: Game, begin: str = "") -> None:
        self.game, self.begin = game, begin

    @cached_property
    def text(self) -> str:
        """The message; a forecast asks rules, which may raise anything, and a message may not."""
        try:
            return self.begin + why_unsolved(self.game)
        except Exception:
            return f"{self.begin}{self.game.name} is not solved yet, and a forecast fails; perfectplay check says why"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)


def why_unsolved(game: Game) -> str:
    """Why there is no table of a game, and what to do, by a forecast that may take a second or two.

    It never names a solve that will be refused here.
    """
    if game.bits > COMPILED_BITS:
        wide = f"it needs {game.bits} bits per word of at most {COMPILED_BITS}"
        return f"{game.name} is too large to solve: {wide}; {SEARCH}"
    forecast, memory = forecast_of(game), Options().allowed_memory
    if forecast.memory > memory:
        return str(refuse(game, forecast, memory))
    if forecast.least:
        return f"{game.name} is not solved yet, and may be too large; perfectplay solve {game.name} finds out"
    return f"{game.name} is not solved yet; {advice(game)}"


def advice(game: Game) -> str:
    """The command for questions about the game: a complete solution if that surely fits, else a search."""
    return f"run: perfectplay solve {game.name}" if can_solve(game) else SEARCH


def can_solve(game: Game) -> bool:
    """Whether a complete solution will not be refused here, by the same forecast."""
    if game.bits > COMPILED_BITS:
        return False
    forecast = forecast_of(game)
    return not forecast.least and forecast.memory <= Options().allowed_memory


def is_hopeless(game: Game) -> bool:
    """Whether a complete solution needs far more memory than there is here, by the same forecast."""
    return game.bits > COMPILED_BITS or forecast_of(game).memory > NEAR * Options().allowed_memory


def forecast_of(game: Game) -> Forecast:
    """The forecast of a solve in memory, from the first plies; its time is not known."""
    from perfectplay.solvers.memory.work import memory_at_once, memory_by_layer  # numpy: only when it is wanted
    from perfectplay.solvers.python_engine import BYTES_EACH

    size = size_of(game)
    if game.key is None:  # only interpreted rules can solve it
        return Forecast(size.positions, size.positions * BYTES_EACH, 0.0, size.least)
    classes = -(-size.positions // (images(game).count if start_is_symmetric(game) else 1))
    memory = memory_at_once if size.cyclic else memory_by_layer
    return Forecast(classes, memory(classes, size.moves, 4 if game.key_bits < 32 else 8), 0.0, size.least)
