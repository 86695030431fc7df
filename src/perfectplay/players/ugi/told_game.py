"""The game as a UGI program is told it: a beginning and the names of the moves since."""

from perfectplay.game import Game, after, legal_moves
from perfectplay.players.seat import SoFar
from perfectplay.rules.notation import move_name, show_position
from perfectplay.words import FIRST, Move, Turn

MOST_TRIED = 2_000
"""The positions that are looked at to find the moves of the opponent."""


class ToldGame:
    """What a program was told last: where the game began, the moves since, and where they have led."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.begin_at((game.start, FIRST))

    def begin_at(self, begin: Turn) -> None:
        """Forgets all moves."""
        self.begin = self.turn = begin
        self.moves: list[Move] = []
        self.names: list[str] = []

    def add(self, move: Move) -> None:
        """Adds a move."""
        position, side = self.turn
        self.names.append(move_name(self.game, position, side, move))
        self.moves.append(move)
        self.turn = after(self.game, position, side, move)

    def follow(self, turn: Turn, so_far: SoFar | None) -> bool:
        """Makes this the game that has led to the turn; whether it is the same game as before."""
        same = self.follow_told(so_far) if so_far is not None else self.follow_found(turn)
        if self.turn != turn:
            same = False
            self.begin_at(turn)
        return same

    def follow_told(self, so_far: SoFar) -> bool:
        """Follows the game that somebody has kept; whether it goes on from what was told."""
        known, goes_on = len(self.moves), so_far.begin == self.begin
        goes_on = goes_on and len(so_far.moves) >= known and list(so_far.moves[:known]) == self.moves
        if not goes_on:
            self.begin_at(so_far.begin)
        for move in so_far.moves[len(self.moves) :]:
            self.add(move)
        return goes_on

    def follow_found(self, turn: Turn) -> bool:
        """Looks for the moves of the opponent, from what was told last, else from the start."""
        moves = found_moves(self.game, self.turn, turn)
        goes_on = moves is not None
        if moves is None:
            self.begin_at((self.game.start, FIRST))
            moves = found_moves(self.game, self.turn, turn)
        for move in moves or ():
            self.add(move)
        return goes_on

    @property
    def text(self) -> str:
        """What follows `position`: `startpos moves a1 b2`, or `fen TEXT`."""
        fresh = self.begin == (self.game.start, FIRST)
        begin = "startpos" if fresh else f"fen {show_position(self.game, *self.begin)}"
        return f"{begin} moves {' '.join(self.names)}" if self.names else begin


def found_moves(game: Game, begin: Turn, end: Turn) -> list[Move] | None:
    """The moves of one side that lead from one turn to the other, none if they are the same; None if there are none."""
    if begin == end:
        return []
    lines: list[tuple[Turn, list[Move]]] = [(begin, [])]
    tried = 0
    for (position, side), moves in lines:
        for move in legal_moves(game, position):
            turn = after(game, position, side, move)
            if turn == end:
                return [*moves, move]
            tried += 1
            if turn[1] == side:  # the same side moves again
                lines.append((turn, [*moves, move]))
        if tried > MOST_TRIED:
            return None
    return None
