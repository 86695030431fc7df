"""A board in a cell of a notebook: Python keeps the game and judges the rules, a script draws and sends clicks."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self

import anywidget
from traitlets import Dict, TraitType, Tuple

from perfectplay.bridges.notebook.rival import READY_SECONDS, Rival, WarmEngine
from perfectplay.bridges.notebook.shown_board import hint_fields, host_style, result_text, script, still_picture
from perfectplay.commands.matches.match import Match
from perfectplay.commands.terminal.arguments import check_seconds, check_side, whole
from perfectplay.exports.page.game_data import Fields, game_data
from perfectplay.exports.page.shown_position import here
from perfectplay.game import Game
from perfectplay.views.board_squares import change_of
from perfectplay.views.game_pieces import capital
from perfectplay.words import FIRST, SECOND, BadArgument, Move, PerfectplayError

# Traits of a widget whose values are checked when they are set, with errors of our own.


class Checked(TraitType):  # type: ignore[misc]
    """A trait whose values a function of the widget and the value checks: it returns the one to keep, or raises."""

    def __init__(self, default: object, check: Callable[[Any, Any], object], help: str) -> None:  # noqa: A002
        super().__init__(default, help=help)
        self.check = check

    if TYPE_CHECKING:  # what type checkers cannot read in traitlets

        def __get__(self, widget: object, kind: object = None) -> Any: ...

        def __set__(self, widget: object, value: object) -> None: ...

    def validate(self, widget: object, value: object) -> object:
        """The value to keep."""
        return self.check(widget, value)


def hints_or_none(_: object, hints: object) -> bool:
    """Whether there are hints, True or False."""
    if not isinstance(hints, bool):
        raise BadArgument(f"hints={hints!r} is neither True nor False")
    return hints


def one_of_the_sides(_: object, side: int) -> int:
    """The side, FIRST or SECOND."""
    check_side(side)
    return int(side)


def time_limit(_: object, seconds: float) -> float:
    """The time in seconds."""
    check_seconds(seconds, optional=False)
    return float(seconds)


PREPARING = "Preparing the engine, first time only …"


class BoardWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """A board to play on in a notebook.

    `position`, `moves`, `hints`, `opponent`, `side` and `seconds` can be observed; all but `moves` can be set. What is
    illegal raises an error and leaves the board as it was.
    """

    _esm = script()
    _css = host_style()
    _game = Dict().tag(sync=True)
    _shown = Dict().tag(sync=True)
    _rival: Rival | None = None

    position = Checked("", lambda board, text: board._text_of(text), "The position as text; set, it begins anew.")
    moves = Tuple(read_only=True, help="The names of the moves that led to the position on the board.")
    hints = Checked(False, hints_or_none, "Whether the value of each move is shown.")
    opponent = Checked(None, lambda board, name: board._checked_opponent(name), "The name of the player that answers.")
    side = Checked(FIRST, one_of_the_sides, "Your side, FIRST or SECOND.")
    seconds = Checked(1.0, time_limit, "The time limit of the opponent and of hints.")

    def __init__(self, match: Match, *, seed: int | None = None, **settings: Any) -> None:
        whole("seed", seed, 0, 2**63 - 1)
        self._line, self._seed, self._running = LineOfPlay(match), seed, not match.moves
        self._engine: WarmEngine | None = None
        self._known: dict[str, Fields] = {}
        self._busy = self._note = self._fault = ""
        super().__init__(_game=game_data(self.game.name, self.game, solved=False, players=[]))
        try:
            for name in ("seconds", "side", "opponent", "hints"):
                setattr(self, name, settings[name])
        except PerfectplayError:
            self.close()
            raise
        self.on_msg(self._told)
        self.observe(self._moved, "position")
        self.observe(self._changed, ["hints", "opponent", "side", "seconds"])
        self._go_on()

    @property
    def game(self) -> Game:
        """The game on the board."""
        return self._line.whole.game

    @property
    def match(self) -> Match:
        """An independent match with the moves up to the position on the board."""
        return self._line.match

    def play(self, *moves: str | Move) -> Self:
        """Plays these moves, then lets the opponent answer; if one is illegal, raises IllegalMove and plays none."""
        self._line.play(*moves)
        self._running = True
        self._go_on()
        return self

    def undo(self, plies: int | None = None) -> Self:
        """Takes back that many plies, or all back to your last turn; `redo` plays them again."""
        to = self._turn(-1) if plies is None else self._line.ply - whole_plies(plies)
        if to is None or to < 0:
            raise BadArgument(
                f"cannot undo {'a move' if plies is None else plies}; the board has {self._line.ply} plies"
            )
        return self.go_to(to)

    def redo(self) -> Self:
        """Plays moves that were taken back again, up to your next turn."""
        to = self._turn(1)
        if to is None:
            raise BadArgument("cannot redo; no move was taken back")
        return self.go_to(to)

    def go_to(self, ply: int) -> Self:
        """Shows the position after that many plies; the next move continues from there."""
        self._line.go_to(ply)
        self._running = False
        self._go_on()
        return self

    def new_game(self) -> Self:
        """Begins again from the start of the game."""
        self._begin(Match(self.game), running=True)
        return self

    def let_opponent_move(self) -> Self:
        """Lets the opponent move where it waits: after undo, or in a position that was set."""
        self._running = True
        self._go_on()
        return self

    def close(self) -> None:
        """Removes the board from the notebook, and ends the processes of an opponent from a file."""
        if self._rival is not None:
            self._rival.close()
        super().close()

    def __repr__(self) -> str:
        match = self.match
        over = result_text(match, self.opponent, self.side)
        return f"{match}\n{over or f'{match.game.look.sides[match.turn]} to move'}"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        found = super()._repr_mimebundle_(**options)
        data, *more = found if isinstance(found, tuple) else (found,)
        last = self._line.plies[self._line.ply]
        still = still_picture(self.match, [*last.get("to", ()), *last.get("from", ())])
        data = {**data, "text/plain": repr(self), "text/html": still}
        return (data, *more) if more else data

    def _text_of(self, text: object) -> str:
        """The position as the board writes it; raises BadPosition."""
        now = self.match
        return now.text() if text == now.text() else Match.from_text(self.game, text).text()  # type: ignore[arg-type]

    def _checked_opponent(self, name: str | None) -> str | None:
        """The name of a player, who takes its seat."""
        self._seat(name)
        return name

    def _moved(self, _: Fields) -> None:
        """Begins a new history where the position was set."""
        if self.position != self.match.text():
            self._begin(Match.from_text(self.game, self.position), running=False)

    def _changed(self, change: Fields) -> None:
        """Shows the board by the new setting; an opponent that is chosen now moves if it is its turn."""
        if change["name"] == "seconds":
            self._known.clear()
            self._seat(self.opponent)
        self._running |= change["name"] in ("opponent", "side")
        self._go_on()

    def _seat(self, name: str | None) -> None:
        """Seats the opponent; raises BadPlayer and leaves the one who sits there."""
        rival = None if name is None else Rival(name, self.game, self.seconds, self._seed)
        if self._rival is not None:
            self._rival.close()
        self._rival = rival

    def _begin(self, match: Match, running: bool) -> None:
        """Begins a new history with this match."""
        self._line, self._running = LineOfPlay(match), running
        self._go_on()

    def _turn(self, way: int) -> int | None:
        """The ply of your last turn, with -1, or of your next one, with 1."""
        return self._line.nearest(way, None if self.opponent is None else self.side)

    def _go_on(self) -> None:
        """Shows the position, lets the opponent answer, then finds what hints tell."""
        self._note = self._fault = ""
        self._show()
        while self._rival is not None and self._running and self._opponent_to_move():
            self._answer(self._rival)
        self._look()

    def _opponent_to_move(self) -> bool:
        """Whether the opponent is to move."""
        match = self.match
        return self.opponent is not None and match.turn != self.side and not match.is_over

    def _answer(self, rival: Rival) -> None:
        """Plays the opponent's move; where it has none, says why and waits."""
        with self._doing(f"{capital(rival.name)} is thinking …"):
            self._line.play(rival.choose(self.match))
            self._note = rival.note

    def _look(self) -> None:
        """Finds what hints tell about the position, as far as it is proven in time; once the engine is ready."""
        match = self.match
        if not self.hints or match.is_over or match.text() in self._known:
            return
        if self._engine is None:
            begin = Match(self.game)
            self._engine = WarmEngine(lambda: begin.analyse(seconds=READY_SECONDS), soon(self._look))
        if not self._engine.is_ready():
            self._note = PREPARING
            self._show()
            return
        with self._doing("Analysing …"):
            self._known[match.text()] = hint_fields(match.analyse(seconds=self.seconds))
            self._note = "" if self._note == PREPARING else self._note

    @contextmanager
    def _doing(self, what: str) -> Iterator[None]:
        """Shows what is being done; an error is shown, too, and stops the opponent."""
        self._busy = what
        self._show()
        try:
            yield
        except PerfectplayError as fault:
            self._fault, self._running = str(fault), False
        finally:
            self._busy = ""
            self._show()

    def _show(self) -> None:
        """Draws the board, and tells those who observe it."""
        line, match = self._line, self.match
        rivals = [self.opponent if self.opponent and side != self.side else "" for side in (FIRST, SECOND)]
        waits = self._opponent_to_move()
        self._shown = {
            "plies": line.plies,
            "ply": line.ply,
            "here": here(self.game, match.position, match.turn),
            "mine": not waits and not match.is_over,
            "players": rivals,
            "side": self.side,
            "hints": self.hints,
            "known": self._known.get(match.text()) if self.hints else None,
            "busy": self._busy,
            "note": self._note,
            "fault": self._fault,
            "undo": self._turn(-1),
            "redo": self._turn(1),
            "waits": waits and not self._running,
            "result": result_text(match, self.opponent, self.side),
        }
        with self.hold_trait_notifications():
            self.set_trait("moves", match.moves)
            self.position = match.text()

    def _told(self, _: object, told: Fields, buffers: object) -> None:
        """Does what the user did on the screen; what is wrong is shown there."""
        deeds: dict[object, Callable[[], object]] = {
            "play": lambda: told["at"] == self.position and self.play(told["move"]),
            "go": lambda: self.go_to(told["ply"]),
            "new": self.new_game,
            "let": self.let_opponent_move,
            "hints": lambda: setattr(self, "hints", told["on"]),
            "side": lambda: setattr(self, "side", told["side"]),
            "opponent": lambda: setattr(self, "opponent", told["name"] or None),
        }
        try:
            deeds[told["do"]]()
        except PerfectplayError as fault:
            self._fault = str(fault)
            self._show()


def whole_plies(plies: int) -> int:
    """The number of plies; raises BadArgument for what is none."""
    whole("plies", plies, 0, optional=False)
    return plies


def soon(act: Callable[[], object]) -> Callable[[], object]:
    """A function that other threads call so that the kernel does this soon; nothing outside a kernel."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return lambda: None

    def call() -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(act)

    return call


# The moves of a game in a notebook, of which some may be taken back and played again.


class LineOfPlay:
    """A match, each of its positions as the board draws it, and which of them is on the board."""

    def __init__(self, match: Match) -> None:
        self.whole = match.copy().undo(len(match.moves))
        self.plies: list[Fields] = [{"position": self.whole.text(), "side": self.whole.turn}]
        self.ply = 0
        self.play(*match.moves)

    @property
    def match(self) -> Match:
        """An independent match up to the position on the board."""
        return self.whole.copy().undo(len(self.whole.moves) - self.ply)

    def play(self, *moves: str | Move) -> None:
        """Plays these moves from the position on the board and drops later ones; if one is illegal, plays none."""
        match, plies = self.match, self.plies[: self.ply + 1]
        for move in moves:
            before = match.position, match.turn
            match.play(move)
            change = change_of(match.game, before, (match.position, match.turn))
            plies.append(
                {
                    "position": match.text(),
                    "side": match.turn,
                    "move": match.moves[-1],
                    "to": change.to,
                    "from": [*change.left],
                }
            )
        if moves:
            self.whole, self.plies, self.ply = match, plies, len(plies) - 1

    def go_to(self, ply: int) -> None:
        """Puts the position after that many moves on the board; raises BadArgument where there are fewer."""
        if not isinstance(ply, int) or isinstance(ply, bool) or not 0 <= ply < len(self.plies):
            raise BadArgument(f"cannot go to ply {ply!r}; the game has 0 to {len(self.plies) - 1}")
        self.ply = ply

    def nearest(self, way: int, side: int | None) -> int | None:
        """The nearest ply before, with -1, or after the one on the board where that side is to move, or any at an end.

        None where there is none; any side will do if it is None.
        """
        last = len(self.plies) - 1
        plies = range(self.ply + way, last + 1 if way > 0 else -1, way)
        return next((ply for ply in plies if side in (None, self.plies[ply]["side"]) or ply == last), None)
