"""An idea for the side to move, which leads to a good move without naming it."""

from collections.abc import Callable
from typing import NamedTuple

from perfectplay.insight.scene import Scene
from perfectplay.insight.threats import SOON
from perfectplay.rules.notation import VALUE_NAMES, plies_text
from perfectplay.words import DRAW, LOSS, WIN, Move, spelled


class Hint(NamedTuple):
    """An idea in a sentence or two, and the moves that it means; none if it means no certain ones."""

    text: str
    moves: tuple[Move, ...] = ()


def hint(scene: Scene) -> Hint:
    """The first idea that fits the position; the game is not over."""
    return next(idea for find in FINDERS if (idea := find(scene)) is not None)


def only_legal(scene: Scene) -> Hint | None:
    """There is no choice."""
    legal = tuple(scene.study.moves)
    return Hint("There is only one legal move.", legal) if len(legal) == 1 else None


def win_at_once(scene: Scene) -> Hint | None:
    """The side to move can win at once."""
    how = "in one way" if len(scene.wins) == 1 else f"in {spelled(len(scene.wins))} ways"
    return Hint(f"{scene.mover} can win at once, {how}.", tuple(scene.wins)) if scene.wins else None


def threat(scene: Scene) -> Hint | None:
    """The other side threatens to win at once."""
    if scene.threats is None or not scene.threats.at_once:
        return None
    if scene.double:
        ways = spelled(len(scene.threats.moves))
        return Hint(f"{scene.other} threatens to win in {ways} ways, and no move stops them all.")
    moves = tuple(move for move in scene.study.keeping if move in scene.answers)
    more = " in the right way" if len(moves) < len(scene.answers) else ""
    return Hint(f"{scene.other} threatens to win at once: stop it{more}.", moves)


def fork(scene: Scene) -> Hint | None:
    """A best move makes two threats at once."""
    forks = tuple(move for move in best_wins(scene) if scene.after(move).double)
    return Hint("Look for a move that makes two threats at once.", forks) if forks else None


def attack(scene: Scene) -> Hint | None:
    """Each best move of a win threatens to win at once."""
    moves = best_wins(scene)
    threats = [scene.after(move).threats for move in moves]
    attacks = bool(moves) and all(one is not None and one.at_once for one in threats)
    return Hint("Look for a move that threatens to win at once.", moves) if attacks else None


def best_wins(scene: Scene) -> tuple[Move, ...]:
    """The best moves of a position that is won, after which the other side is to move."""
    if scene.study.here.value != WIN or len(scene.study.keeping) == len(scene.study.moves):
        return ()
    return tuple(move for move in scene.study.best if scene.after(move).side != scene.side)


def slow_threat(scene: Scene) -> Hint | None:
    """The other side would win soon if nothing were done about it."""
    threats = scene.threats
    if threats is None or not threats.soon or scene.study.here.value not in (DRAW, None):
        return None
    how = f"{scene.other} would win in {plies_text(threats.plies or 0)} if {scene.mover} did nothing"
    return Hint(f"{how}: see what {scene.other} wants to play.")


def lost(scene: Scene) -> Hint | None:
    """The side to move is lost."""
    study = scene.study
    if study.here.value != LOSS:
        return None
    if len(study.best) == len(study.moves) or study.here.entry is None:
        return Hint(f"{scene.mover} loses against best play. Make it hard for {scene.other}.")
    one = len(study.best) == 1
    what = "by the least" if scene.game.margin is not None else "latest"
    many = f"{spelled(len(study.best))} of the {spelled(len(study.moves))} moves {'loses' if one else 'lose'} {what}"
    return Hint(f"{scene.mover} loses against best play; {many}.", tuple(study.best))


def sharp(scene: Scene) -> Hint | None:
    """Some moves worsen the result."""
    study, traps = scene.study, scene.traps
    if not study.failing or not study.decided:
        return None
    keeping, bad, all_of = study.keeping, study.failing, spelled(len(study.moves))
    result = VALUE_NAMES[study.here.least]
    if len(keeping) == 1:
        text = f"Only one of the {all_of} moves keeps the {result}."
    elif len(keeping) <= len(bad):
        text = f"{spelled(len(keeping)).capitalize()} of the {all_of} moves keep the {result}."
    else:
        verb = f"{'gives' if len(bad) == 1 else 'give'} the {result} away"
        text = f"{spelled(len(bad)).capitalize()} of the {all_of} moves {verb}."
    depth_text = f" Look {plies_text(max(traps.values()))} ahead." if traps and max(traps.values()) <= SOON + 1 else ""
    return Hint(text + (depth_text or f" Ask what {scene.other} would answer."), tuple(study.best))


def quick(scene: Scene) -> Hint | None:
    """Every move wins, or draws."""
    study = scene.study
    if not study.decided:
        return None
    if study.here.value == DRAW:
        return Hint(f"Every move keeps the draw: choose one that is hard for {scene.other} to answer.")
    if len(study.best) == len(study.moves):
        return Hint("Every move wins, and all are equally good.")
    what = "wins by the most" if scene.game.margin is not None else "is the quickest"
    return Hint(f"Every move wins: find the one that {what}.", tuple(study.best))


def uncertain(scene: Scene) -> Hint | None:
    """Nothing is proven of some moves."""
    losing = [move for move, worth in scene.study.moves.items() if worth.value == LOSS]
    rest = len(scene.study.moves) - len(losing)
    if losing and rest <= len(losing):
        return Hint(f"All but {spelled(rest)} of the {spelled(len(scene.study.moves))} moves lose.")
    return Hint(f"Nothing is proven here. Make a threat, or take the place that {scene.other} would like best.")


FINDERS: tuple[Callable[[Scene], Hint | None], ...] = (
    only_legal,
    win_at_once,
    threat,
    fork,
    attack,
    slow_threat,
    lost,
    sharp,
    quick,
    uncertain,
)
"""The ideas, the most urgent first; the last always fits."""
