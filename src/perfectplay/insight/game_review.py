"""A game judged move by move: what was better, why, and where it was decided."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from perfectplay.game import Game
from perfectplay.insight.puzzles.difficulty import depth_to_see
from perfectplay.insight.scene import Scene
from perfectplay.insight.sentences import Sentence, why_move
from perfectplay.players.named.policy_player import USUAL
from perfectplay.players.registry import policy_named
from perfectplay.rules.notation import plies_text
from perfectplay.solvers.memory.interpreted import SMALL
from perfectplay.solvers.oracle import Oracle, table_oracle
from perfectplay.solvers.search.best_line import Line
from perfectplay.solvers.steps import Step, Steps, finished
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.solvers.worth import Study
from perfectplay.words import DRAW, LOSS, WIN, Entry, Move, Position, spelled

if TYPE_CHECKING:
    from perfectplay.players.models.win_probability import WinProbabilities

# Win probabilities against the usual opponent, the one that the player `streetwise` expects: a random one.


Chances = dict[Move, float]
"""The win probability of the side to move after each of its moves, if all its later moves keep the result."""


def chances_at(game: Game, position: Position) -> Chances | None:
    """The win probabilities after the moves of a position; None in games where they are not cheap to compute."""
    if not is_cheap(game):
        return None
    from perfectplay.players.models.win_probability import move_probabilities  # numpy: only when it is wanted

    chances = move_probabilities(game, probabilities(game), position)
    return {move: float(probability.win) for move, probability in chances.moves.items()}


@lru_cache(maxsize=8)
def is_cheap(game: Game) -> bool:
    """Whether the game is solved and has few enough positions to compute all win probabilities in a second or two."""
    table = kept_table(game)
    return table_oracle(game) is not None and (table is None or table.header.positions <= SMALL)


@lru_cache(maxsize=4)
def probabilities(game: Game) -> "WinProbabilities":
    """The win probabilities in all positions."""
    from perfectplay.players.models.win_probability import win_probabilities_against

    return finished(win_probabilities_against(game, policy_named(USUAL, game)))


BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = "best", "good", "inaccuracy", "mistake", "blunder"
COSTS = {BEST: 0.0, GOOD: 0.1, INACCURACY: 0.25, MISTAKE: 0.5, BLUNDER: 1.0}
"""The judgements, the best first, and what each costs in accuracy: a mistake is half a game, a blunder a whole one."""
SERIOUS = (MISTAKE, BLUNDER)
"""The judgements of moves that worsen the result."""
PART = 3
"""A move that gives away more than a third of the distance, the points or the win probability is an inaccuracy."""

ALIKE = 1e-9
"""Win probabilities that differ by less are taken for equal."""


def judge(study: Study, move: Move, chances: Chances | None = None) -> str | None:
    """The judgement of a move; None if it is not proven.

    `chances` are the win probabilities against the usual opponent; they tell moves apart that keep a draw.
    """
    before, after = study.here, study.moves[move]
    if len(study.moves) == 1:
        return BEST
    if after.most < before.least:
        return BLUNDER if before.least - after.most == WIN - LOSS else MISTAKE
    if before.value is None or after.least < before.value:
        return None
    if before.value == DRAW:
        return INACCURACY if chances and is_timid(study, move, chances) else BEST
    if before.entry is None or after.entry is None:
        return None
    if after.entry.as_good_as(before.entry):
        return BEST
    cost, whole = given_away(before.entry, after.entry)
    return INACCURACY if PART * cost > whole else GOOD


def given_away(best: Entry, entry: Entry) -> tuple[int, int]:
    """The plies or points that are given away by a move that keeps the result, and those of the best move."""
    if best.margin is not None and entry.margin is not None:
        return best.margin - entry.margin, abs(best.margin)
    return abs((best.distance or 0) - (entry.distance or 0)), best.distance or 0


def is_timid(study: Study, move: Move, chances: Chances) -> bool:
    """Whether a move that keeps the draw gives away more than a third of the win probability."""
    return PART * chances[move] < (PART - 1) * max(chances[one] for one in study.keeping) - ALIKE


def better_moves(study: Study, move: Move, judgement: str | None, chances: Chances | None = None) -> list[Move]:
    """The moves that were better, the best first; none if the move was best, or if nothing is proven.

    Of a move that worsens the result, these are the moves that keep it.
    """
    after = study.moves[move]
    if judgement in SERIOUS:
        keeping = study.keeping or [one for one, worth in study.moves.items() if worth.least > after.most]
        return [one for one in keeping if one != move]
    if judgement in (None, BEST) or after.entry is None:
        return []
    if after.value == DRAW and chances:
        bold = [one for one in study.keeping if not is_timid(study, one, chances)]
        return sorted(bold, key=lambda one: -chances[one])
    bound, entries = after.entry, [(one, study.moves[one].entry) for one in study.keeping]
    better = [(one, entry) for one, entry in entries if entry is not None and not entry.as_good_as(bound)]
    return [one for one, entry in better if entry.preference() > bound.preference()]


GameMove = tuple[Position, int, Move]
"""A move, with the position in which it was made and the side that made it."""


class JudgedMove(NamedTuple):
    """A move of a game, the scene in which it was made, and how good it was.

    `judgement` is None if it is not proven. `better` are the moves that were better, the best first, and `line` is best
    play with the first of them.
    """

    scene: Scene
    move: Move
    judgement: str | None
    better: tuple[Move, ...]
    line: Line
    why: Sentence


def reviewing(oracle: Oracle, moves: Sequence[GameMove]) -> Steps[list[JudgedMove]]:
    """The moves of a game, judged.

    A search begins with the last position, so that its transposition table helps with those before.
    """
    for done, (position, _, _) in enumerate(reversed(moves)):
        yield Step("looking at positions", done, len(moves))
        oracle.study(position)
    review = []
    for done, move in enumerate(moves):
        yield Step("judging moves", done, len(moves))
        review.append(judge_move(oracle, move))
    return review


def judge_move(oracle: Oracle, game_move: GameMove) -> JudgedMove:
    """One move, judged."""
    position, side, move = game_move
    scene = Scene(oracle, position, side)
    chances: Chances | None = None
    if oracle.proves and scene.study.here.value == DRAW and len(scene.study.keeping) > 1:  # where they tell moves apart
        chances = chances_at(scene.game, position)
    judgement = judge(scene.study, move, chances)
    better = better_moves(scene.study, move, judgement, chances)
    line = Line(())
    if better:
        moves, repeats = oracle.line(scene.after(better[0]).position)
        line = Line((better[0], *moves), None if repeats is None else repeats + 1)
    why = why_move(scene, move)
    if judgement == INACCURACY and chances and better:
        name, bold = scene.name(move), scene.name(better[0])
        often = f"{chances[better[0]]:.0%} of the time, after {name} {chances[move]:.0%}"
        why = Sentence(f"{name} keeps the draw, but after {bold} a random opponent loses {often}.")
    return JudgedMove(scene, move, judgement, tuple(better), line, why)


def turning_point(moves: Sequence[JudgedMove]) -> int | None:
    """The number of the last move that changed the result, from 1; None if nobody gave anything away."""
    return max((ply for ply, one in enumerate(moves, 1) if one.judgement in SERIOUS), default=None)


# The advice to a side: the kind of error that cost it most, in a sentence.


FLAWLESS = "Nothing. No move was better than those that were played."
NEAR = 8
"""The plies that a person can look ahead; deeper mistakes are called deep."""


class ErrorKind(NamedTuple):
    """A kind of error: whether a flaw is of it, and the advice, for the flaws of this kind."""

    fits: Callable[[JudgedMove], bool]
    advice: Callable[[Sequence[JudgedMove]], str]


def is_serious(flaw: JudgedMove) -> bool:
    """Whether it worsened the result."""
    return flaw.judgement in SERIOUS


def times(flaws: Sequence[JudgedMove]) -> str:
    """Once, twice, three times."""
    count = len(flaws)
    return {1: "once", 2: "twice"}.get(count, f"{spelled(count)} times")


def look_ahead(flaws: Sequence[JudgedMove]) -> str:
    """The advice to look as far ahead as the mistakes ask for."""
    known = [flaw for flaw in flaws if flaw.scene.study.decided]
    depths = [depth for flaw in known if (depth := depth_to_see(flaw.scene.study, flaw.move))]
    if depths and min(depths) > NEAR:
        return f"Your mistakes were deep: one must look {plies_text(min(depths))} ahead to see the nearest of them."
    near, deep = min(depths, default=0), max(depths, default=0)
    far = (
        f"{plies_text(near) if near == deep else f'{near} to {plies_text(deep)}'} ahead" if depths else "farther ahead"
    )
    return f"Look {far} before you move: you walked into a trap {times(flaws)}."


KINDS = (
    ErrorKind(
        lambda flaw: bool(flaw.scene.wins),
        lambda flaws: f"Look for a move that wins at once: you overlooked it {times(flaws)}.",
    ),
    ErrorKind(
        lambda flaw: is_serious(flaw) and flaw.move not in flaw.scene.answers,
        lambda flaws: f"Ask what the other side can do after your move: {times(flaws)} you let it win at once.",
    ),
    ErrorKind(
        lambda flaw: flaw.scene.game.margin is not None,
        lambda flaws: f"Count the points: you gave some away {times(flaws)}.",
    ),
    ErrorKind(is_serious, look_ahead),
    ErrorKind(
        lambda flaw: flaw.scene.study.here.value == DRAW,
        lambda flaws: f"In a drawn position, set problems: {times(flaws)} you chose a move that is too easy to answer.",
    ),
    ErrorKind(
        lambda flaw: flaw.scene.study.here.value == LOSS,
        lambda flaws: f"Hold out longer in lost positions: {times(flaws)} you lost sooner than you had to.",
    ),
    ErrorKind(lambda flaw: True, lambda flaws: f"Win sooner: {times(flaws)} you took longer than you had to."),
)
"""The kinds of errors; a flaw is of the first that fits."""


def what_to_practise(moves: Sequence[JudgedMove]) -> str | None:
    """The advice about the kind of error that cost most in these moves; None if none of them is judged."""
    move_costs = [(one, COSTS[one.judgement]) for one in moves if one.judgement is not None]
    if not move_costs:
        return None
    costs: Counter[int] = Counter()
    kinds: dict[int, list[JudgedMove]] = {}
    for flaw, cost in move_costs:
        if flaw.judgement != BEST:
            number = next(number for number, kind in enumerate(KINDS) if kind.fits(flaw))
            costs[number] += round(100 * cost)
            kinds.setdefault(number, []).append(flaw)
    if not kinds:
        return FLAWLESS
    worst = max(sorted(kinds), key=lambda number: costs[number])
    return KINDS[worst].advice(kinds[worst])
