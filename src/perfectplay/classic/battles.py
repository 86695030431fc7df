"""Games between the players of the classic exercise, one or a thousand."""

import random
import sys
from enum import IntEnum
from functools import partial
from typing import NamedTuple, cast

from perfectplay.arena.battle import match, sum_of
from perfectplay.arena.referee import Record, fault_line, play_game, play_move
from perfectplay.classic.grids import in_a_row, new_board, render
from perfectplay.game import Game, after
from perfectplay.players.bots.classic_player import Classic, grid_of
from perfectplay.players.bots.player_functions import POSITION, recognised
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Maker, Seat, nobody
from perfectplay.rules.notation import illegal_move, number_of, refused_move
from perfectplay.views.json_facts import each, json_facts
from perfectplay.words import FIRST, SECOND, BadArgument, Brief, BriefEnum, IllegalMove, Move, Player, Position

# How games end, in numbers that have names.


class GameOutcome(IntEnum, metaclass=BriefEnum):
    """A draw or the player who wins, 1 or 2."""

    Draw = 0
    P1win = 1
    P2win = 2


class Counts(NamedTuple):
    """How many games were drawn, won by the first and by the second."""

    draws: int
    first: int
    second: int


class Tally(Counts, metaclass=Brief):
    """How many games were drawn, won by the first and by the second: `tally[play(...)]` is where a game counts.

    `forfeits` has how many games each player forfeited, and `reasons` why it forfeited the first of them.
    """

    forfeits: tuple[int, int] = (0, 0)
    reasons: tuple[str, str] = ("", "")

    def with_forfeits(self, forfeits: tuple[int, int], reasons: tuple[str, str]) -> "Tally":
        """The same counts, with the forfeits among them."""
        tally = Tally(*self)
        tally.forfeits, tally.reasons = forfeits, reasons
        return tally

    def __repr__(self) -> str:
        counts = super().__repr__()
        return f"{counts[:-1]}, forfeits={self.forfeits})" if any(self.forfeits) else counts

    def __str__(self) -> str:
        return "; ".join([super().__repr__(), *self.forfeit_lines()])

    def forfeit_lines(self) -> list[str]:
        """How many games each player forfeited and why, in a line; none for a player without forfeits."""
        return [
            f"the {which} player forfeited {number_of(count, 'game')}: {reason}"
            for which, count, reason in zip(("first", "second"), self.forfeits, self.reasons, strict=True)
            if count
        ]

    to_dict = json_facts("draws", "first", "second", *each("forfeits", "reasons", rare=True))


SHOWN = ("last", "all", "none")


def play(
    first: Classic | str, second: Classic | str, *, size: int = 3, k: int | None = None, show: str = "last"
) -> GameOutcome:
    """0 if the game is drawn, 1 if the first player wins, 2 if the second does; a name stands for a player, too.

    Prints the last board and the winner, or all boards with show="all", or nothing with show="none". The board has
    size x size squares, and k in a row win, `size` if it is not given. An illegal move raises IllegalMove.
    """
    if show not in SHOWN:
        raise BadArgument(f"show={show!r} is not 'last', 'all' or 'none'")
    game = game_of(size, k)
    players = []
    for side, player in enumerate((first, second)):
        say = nobody if show == "none" else partial(remark, player)
        seat = Seat(game, side, cast(random.Random, random), say=say)
        players.append(with_boards(game, side, maker_of(player)(seat), show == "all"))
    record = play_game(game, players[FIRST], players[SECOND])
    outcome = GameOutcome.Draw if record.winner is None else GameOutcome(record.winner + 1)
    if show != "none":
        print(last_board(game, record))
        print("Draw." if record.winner is None else f"{game.look.sides[record.winner]} wins.")
    return outcome


def repeated_battle(
    first: Classic | str, second: Classic | str, games: int = 1000, *, size: int = 3, k: int | None = None
) -> Tally:
    """How many of the games end in a draw and how many each player wins; an illegal move loses the game.

    `forfeits` and `reasons` of the tally tell how many were lost like that and why; `str()` has them, too.
    """
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    seed = random.getrandbits(32)
    tally = sum_of(match(game_of(size, k), (maker_of(first), maker_of(second)), seed)(range(games)))
    first, second = ("" if fault is None else fault_line(fault[1]) for fault in tally.faults)
    return Tally(tally.draws, *tally.wins).with_forfeits(tally.forfeits, (first, second))


def game_of(size: int, k: int | None) -> Game:
    """The game on size x size squares in which k in a row win."""
    new_board(size)
    return in_a_row(size, size, size if k is None else k)


def maker_of(player: Classic | str) -> Maker:
    """The maker for a function of (board, side), or of another known form, or for a player's name."""
    if isinstance(player, str):
        return player_maker(player)
    return recognised(player, player_name(player), otherwise=POSITION).form.maker(player)


def player_name(player: Classic | str) -> str:
    """What a player is called."""
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)


def remark(player: Classic | str, text: str) -> None:
    """Shows a text of a player, or about it."""
    print(f"{player_name(player)}: {text}", file=sys.stderr)


def with_boards(game: Game, side: int, player: Player, every: bool) -> Player:
    """The player, whose illegal moves are shown on a board as `render` draws it, as is each board if `every` is set."""

    def choose(position: Position) -> Move:
        picture = render(grid_of(game, position, side))
        if every:
            print(picture + "\n")
        try:
            move = player(position)
            play_move(game, position, side, move)
        except IllegalMove as fault:
            text = refused_move(fault)
            if not text:  # raised by the player itself
                raise
            raise illegal_move(game, position, side, text, picture) from None
        return move

    return choose


def last_board(game: Game, record: Record) -> str:
    """The board at the end of a game, as text."""
    position, side = game.start, FIRST
    for move in record.moves:
        position, side = after(game, position, side, move)
    return render(grid_of(game, position, side))
