"""A kind of player as one value: its name, what it does, which games it suits, how it is made and how it chooses."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from perfectplay.compiler.line_rules import is_searchable
from perfectplay.game import Game, legal_moves
from perfectplay.players.seat import Maker, Seat
from perfectplay.words import BadPlayer, Move, Player, Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from perfectplay.players.models.game_graph import Graph, Numbers
    from perfectplay.players.models.policies import Policy


ANY_GAME, SOLVED_GAMES, LINE_GAMES = "any game", "solved games", "line games on boards of up to 1,024 squares"
"""What kinds of players suit."""
NUMBER = re.compile(r"-?\d{0,12}(\.\d{0,12})?|\d{1,12}/\d{1,12}", re.ASCII)
"""A number as people write it, 0.25 or 1/4; no more digits than anybody means."""


class PlayerName(NamedTuple):
    """A player's name as it was written, what follows its colon, and an example of how to write it."""

    text: str
    parameter: str
    example: str

    def needs(self, what: str) -> BadPlayer:
        """The error that the parameter is not what it should be."""
        return BadPlayer(f"{self.text!r} needs {what}, such as {self.example}")

    def number(self, least: Fraction | int, most: int) -> Fraction:
        """The parameter as a number within these limits."""
        number = number_in(self.parameter)
        if number is None or not least <= number <= most:
            raise self.needs(f"a number from {float(least):g} to {most}")
        return number

    def whole_number(self, least: int, most: int) -> int:
        """The parameter as a whole number within these limits."""
        number = number_in(self.parameter)
        if number is None or number.denominator != 1 or not least <= number <= most:
            raise self.needs(f"a whole number from {least} to {most}")
        return number.numerator

    def seconds(self) -> float | None:
        """The parameter as seconds per move; None without one."""
        if ":" not in self.text:
            return None
        number = number_in(self.parameter)
        if number is None or not 0 < number < 10**6:
            raise self.needs("seconds per move, up to a million")
        return float(number)


def number_in(text: str) -> Fraction | None:
    """The number that the text is, None if it is none."""
    try:
        return Fraction(text) if text and NUMBER.fullmatch(text) else None
    except (ValueError, ZeroDivisionError):
        return None


PolicyMaker = Callable[[PlayerName, Game], "Policy"]
"""The policy that a player of that name follows in a game."""


def suits_solved(game: Game, solved: bool) -> str:
    """Why a player that needs a solution cannot play the game."""
    return "" if solved else "it is not solved"


def suits_searched(game: Game, solved: bool) -> str:
    """Why a player that needs a solution or a search cannot play the game."""
    return "" if solved or is_searchable(game) else "it is too large to solve and to search"


def never_served(name: PlayerName) -> bool:
    """No request may ask a server for such a player."""
    return False


def served_plain(name: PlayerName) -> bool:
    """A request may ask for the player, but not set its time."""
    return ":" not in name.text


@dataclass(frozen=True)
class PlayerKind:
    """A kind of player; the table of all of them is in `registry.py`."""

    name: str
    about: str
    """What it does, in one line."""
    maker: Callable[[PlayerName], Maker]
    """Makes the players of that name; raises BadPlayer for a parameter that cannot be used."""
    example: str = ""
    """How a name with a parameter is written; empty for players that take none."""
    bare: bool = False
    """Whether the name alone means a player, although it takes a parameter."""
    aliases: tuple[str, ...] = ()
    policy: PolicyMaker | None = None
    """How it chooses, as move probabilities; None where these are not known."""
    games: str = ANY_GAME
    fault: Callable[[Game, bool], str] = lambda game, solved: ""
    """Why it cannot play the game, which is solved or not; empty if it can, as far as sizes tell."""
    label: str = ""
    """What a menu calls it; empty for players that no menu offers."""
    timed: bool = False
    """Whether it always thinks for all of its time, and so is offered only where a game is not solved."""
    compiles: bool = False
    """Whether it needs compiled code where a game is not solved: the first time, it waits for a compiler."""
    served: Callable[[PlayerName], bool] = lambda name: True
    """Whether a request from anywhere may ask for it: it reads no file and takes no time of its own choice."""

    @property
    def usage(self) -> str:
        """How the name is written: `wins`, `noisy:0.1`, or `mcts[:0.5]` where the parameter can be left out."""
        if not self.example or not self.bare:
            return self.example or self.name
        return f"{self.name}[{self.example.removeprefix(self.name)}]"

    @property
    def names(self) -> tuple[str, ...]:
        """All names that mean this kind."""
        return self.name, *self.aliases


# Players that pick any of the moves they like best: defined once, for one position and for a whole graph.


MovesAt = Callable[[Position], list[Move]]
"""The moves that a player picks from in a position, in order."""


class Liking(NamedTuple):
    """A number for a move, the greater the better: of one move, and of all edges of a graph if that is faster."""

    of_move: Callable[[Game, Position, Move], float]
    of_edges: "Callable[[Graph], Numbers] | None" = None


class MoveSet(NamedTuple):
    """The moves that a player picks from, all with the same probability: in one position, and as edges of a graph."""

    moves: Callable[[Seat], MovesAt]
    edges: "Callable[[Graph], NDArray[np.bool_]]"
    suits: Callable[[Game], None] = lambda game: None
    """Raises BadPlayer for a game that the player cannot play."""

    def preferring(self, liking: Liking) -> "MoveSet":
        """Of these moves those that are liked best."""

        def moves(seat: Seat) -> MovesAt:
            before, game, of_move = self.moves(seat), seat.game, liking.of_move

            def liked(position: Position) -> list[Move]:
                numbers = {move: of_move(game, position, move) for move in before(position)}
                most = max(numbers.values())
                return [move for move, number in numbers.items() if number == most]

            return liked

        def edges(graph: "Graph") -> "NDArray[np.bool_]":
            among = self.edges(graph)
            numbers = graph.rated(among, liking.of_move) if liking.of_edges is None else liking.of_edges(graph)
            return graph.best(numbers, among)

        return MoveSet(moves, edges, self.suits)

    def make(self, seat: Seat) -> Player:
        """The player in that seat."""
        self.suits(seat.game)
        moves, rng = self.moves(seat), seat.rng
        return lambda position: rng.choice(moves(position))

    def maker(self, name: PlayerName) -> Maker:
        """The maker of these players."""
        return self.make

    def policy(self, name: PlayerName, game: Game) -> "Policy":
        """The probability of each move."""
        from perfectplay.players.models.policies import Policy, any_of  # numpy: only when it is wanted

        self.suits(game)
        return Policy(any_of(self.edges))


ANY_MOVE = MoveSet(lambda seat: partial(legal_moves, seat.game), lambda graph: graph.every)


# `human`: a person, whom only a front end can ask.


HUMAN = "human"


def refuse(name: PlayerName) -> Maker:
    """Nobody: a library cannot ask a person."""
    raise BadPlayer("human can only play in the terminal and on the page")


PERSON = PlayerKind(HUMAN, "a person at the terminal", refuse, aliases=("human_player",), served=never_served)
