"""Games that were lost in a battle: their moves, and the move that gave the result away where the game is solved."""

from dataclasses import dataclass

from perfectplay.arena.tournaments.host import GameResult
from perfectplay.game import Game, after
from perfectplay.rules.notation import VALUE_NAMES, move_name
from perfectplay.solvers.oracle import Oracle, table_oracle
from perfectplay.words import FIRST, LOSS, SECOND, Brief, Move, Position, in_notebook


@dataclass(frozen=True)
class GivenAway(metaclass=Brief):
    """The move that turned a game which was not lost into a lost one: the number of the ply, from 1, and its name.

    `before` is the value of the position to the loser before the move, and `better` are the best moves there.
    """

    ply: int
    move: str
    before: int
    better: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """The move as in JSON."""
        facts = {"ply": self.ply, "move": self.move, "before": VALUE_NAMES[self.before]}
        return {**facts, "better": list(self.better)}

    _repr_html_ = in_notebook


@dataclass(frozen=True)
class LostGame(metaclass=Brief):
    """A game of a battle that its first player lost: its number, from 1, the side of the loser, and all moves by name.

    `given_away` is the move that lost it; None if the game is not solved, if the loser forfeited, or if it was lost
    from the start. `forfeit` is the illegal move or the fault that lost it, if there is one.
    """

    number: int
    side: int
    moves: tuple[str, ...]
    numbers: tuple[Move, ...]
    """The numbers of the moves."""
    given_away: GivenAway | None = None
    solved: bool = True
    forfeit: str = ""
    margin: int | None = None
    """The points by which it was lost, in a game for points."""

    def to_dict(self) -> dict[str, object]:
        """The game as in JSON."""
        facts: dict[str, object] = {"game": self.number, "side": self.side, "moves": list(self.moves)}
        facts["given_away"] = None if self.given_away is None else self.given_away.to_dict()
        if self.margin is not None:
            facts["margin"] = self.margin
        return {**facts, "forfeit": self.forfeit} if self.forfeit else facts

    _repr_html_ = in_notebook


def lost_games(game: Game, kept: tuple[GameResult, ...]) -> tuple[LostGame, ...]:
    """The games that A lost, with the move that gave each away if the game is solved or small."""
    if not kept:
        return ()
    oracle = table_oracle(game)
    return tuple(lost_game(game, played, oracle) for played in kept)


def lost_game(game: Game, played: GameResult, oracle: Oracle | None) -> LostGame:
    """One game that A lost."""
    loser = SECOND if played.swapped else FIRST
    position, side, names, given_away = game.start, FIRST, [], None
    for ply, move in enumerate(played.record.moves, 1):
        names.append(move_name(game, position, side, move))
        if side == loser and oracle is not None:
            given_away = gives_away(oracle, position, side, move, ply) or given_away
        position, side = after(game, position, side, move)
    forfeit = played.record.forfeit
    if forfeit:
        given_away = None
    moves, margin = played.record.moves, played.record.margin
    points = None if margin is None else abs(margin)
    return LostGame(played.number + 1, loser, tuple(names), moves, given_away, oracle is not None, forfeit, points)


def gives_away(oracle: Oracle, position: Position, side: int, move: Move, ply: int) -> GivenAway | None:
    """The move, if it loses a position that was not lost."""
    game, study = oracle.game, oracle.study(position)
    if study.here.least == LOSS or study.moves[move].value != LOSS:
        return None
    better = tuple(move_name(game, position, side, best) for best in sorted(study.best))
    return GivenAway(ply, move_name(game, position, side, move), study.here.least, better)
