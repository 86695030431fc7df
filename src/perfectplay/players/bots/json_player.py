"""`json:FILE`: plays from an exported solution, and from nothing else."""

from functools import lru_cache
from pathlib import Path

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, canonical, legal_moves, moves_again
from perfectplay.players.player_kind import PlayerKind, PlayerName, never_served
from perfectplay.players.seat import Maker, Seat
from perfectplay.solvers.table.json_reader import JsonEntry, best_moves_in
from perfectplay.words import BadPlayer, Move, Player, Position


def json_maker(name: PlayerName) -> Maker:
    """The maker of players from the file that the name names: `json:tic-tac-toe.json.gz`."""
    path = name.parameter
    if not path:
        raise name.needs("a file that perfectplay exported")

    def make(seat: Seat) -> Player:
        game, known = seat.game, kept(Path(path), seat.game)
        smallest = canonical(game)

        def choose(position: Position) -> Move:
            here = known.get(smallest(*position))
            if here is None:
                raise BadPlayer(f"{path!r} does not have the position {position}")
            return seat.rng.choice(choices(game, position, here))

        return choose

    return make


def choices(game: Game, position: Position, known: JsonEntry) -> list[Move]:
    """The best moves of a position, from those of an image of it: they lead to images of the same positions."""
    if known.position == position:
        return bit_numbers(known.best)
    smallest = canonical(game)

    def reached(position: Position, move: Move) -> tuple[Position, bool]:
        return smallest(*game.play(*position, move)), moves_again(game, position, move)

    best = {reached(known.position, move) for move in bit_numbers(known.best)}
    return [move for move in legal_moves(game, position) if reached(position, move) in best]


@lru_cache(maxsize=4)
def kept(path: Path, game: Game) -> dict[Position, JsonEntry]:
    """What the file says, kept for the next player."""
    return best_moves_in(path, game)


JSON = PlayerKind(
    "json",
    "plays from a solution exported as JSON",
    json_maker,
    "json:tic-tac-toe.json",
    served=never_served,
)
