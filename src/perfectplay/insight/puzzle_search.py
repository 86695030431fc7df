"""Puzzles from games that were played: recorded ones, or random ones of sensible players where no table fits."""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from random import Random

from perfectplay.game import WIDE_BITS, Game, after, legal_moves
from perfectplay.insight.puzzle_choice import Candidate, Wish
from perfectplay.insight.puzzle_lines import MOST_PLIES, Guide, line_from, success
from perfectplay.players.named.hasty import sensible_moves
from perfectplay.players.named.wins import winning_moves
from perfectplay.solvers.oracle import Oracle
from perfectplay.words import FIRST, WIN, Position, TooBig, Turn

GAMES, LONGEST = 300, 120
"""Random games at most, and their plies."""
BARREN = 8
"""Games of which no position is known, one after another, after which there is no hope."""


def random_games(game: Game, rng: Random) -> Iterator[list[Turn]]:
    """The positions of random games in which both sides take wins at once and stop wins at once; raises TooBig."""
    if game.bits > WIDE_BITS:
        raise TooBig(f"{game.name} is too large for puzzles from random games; take recorded ones: games=FILE")
    for _ in range(GAMES):
        turn, turns = (game.start, FIRST), list[Turn]()
        while legal_moves(game, turn[0]) and len(turns) < LONGEST:
            turns.append(turn)
            turn = after(game, *turn, rng.choice(sensible_moves(game, turn[0])))
        yield turns


def candidates(oracle: Oracle, games: Iterable[list[Turn]], wish: Wish) -> Iterator[Candidate | None]:
    """The puzzles in these games, of each the earliest first, as far back as results are known; None for no puzzle."""
    barren = 0
    for number, turns in enumerate(games):
        known = [*takewhile(lambda turn: oracle.study(turn[0]).here.value is not None, reversed(turns))]
        barren = 0 if known else barren + 1
        if barren == BARREN:
            return
        for position, side in reversed(known):
            found = candidate(oracle, position, side, wish)
            yield found and found._replace(origin=number)


def candidate(oracle: Oracle, position: Position, side: int, wish: Wish) -> Candidate | None:
    """The position as a puzzle; None if it is none of this kind."""
    if not is_puzzle(oracle, position, wish):
        return None
    line = line_from(oracle, position, side)
    whole = Guide(oracle, position, side).solved(line.end, line.end_side, line.turns)
    proven = all(oracle.study(here).decided for here, mover in line.before if mover == side)
    return Candidate(line, success(oracle, line)) if whole and proven else None


def is_puzzle(oracle: Oracle, position: Position, wish: Wish) -> bool:
    """Whether exactly one of several moves keeps a result of this kind, and not obviously."""
    study, game = oracle.study(position), oracle.game
    if not study.decided or len(study.keeping) != 1 or len(study.moves) < 2 or study.here.entry is None:
        return False
    value, distance = study.here.value, study.here.distance
    if value not in wish.kind.values:
        return False
    obvious = sensible_moves(game, position) == study.keeping
    if wish.plies is not None:
        return value == WIN and distance == wish.plies and (wish.plies == 1 or not obvious)
    short = value != WIN or distance is None or distance <= MOST_PLIES
    return short and not obvious and not winning_moves(game, position)
