"""The moves of a game in a notebook, of which some may be taken back and played again."""

from perfectplay.commands.play.match import Match
from perfectplay.exports.page.game_data import Fields
from perfectplay.views.board_squares import change_of
from perfectplay.words import BadArgument, Move


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
