"""Sentences that say why, each with its claims as data, so that every claim can be checked."""

from collections.abc import Sequence
from dataclasses import dataclass

from perfectplay.insight.scene import Scene
from perfectplay.rules.notation import VALUE_NAMES, plies_text
from perfectplay.solvers.worth import Worth
from perfectplay.words import DRAW, LOSS, WIN, Brief, Move, in_notebook

Claim = dict[str, object]
"""A claim: what kind it is, the position it is about, and what is claimed, moves by name."""

NAMED = 4
"""More moves than this are counted, not named."""


@dataclass(frozen=True)
class Sentence(metaclass=Brief):
    """A sentence and what it claims, as data."""

    text: str
    claims: tuple[Claim, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The sentence as in JSON."""
        return {"text": self.text, "claims": [dict(claim) for claim in self.claims]}

    _repr_html_ = in_notebook


def claim(kind: str, scene: Scene, **facts: object) -> Claim:
    """A claim about this scene."""
    return {"claim": kind, "position": scene.text, **facts}


def both(words: Sequence[str]) -> str:
    """a1, b2 and c3."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def list_or_count(words: Sequence[str], what: str = "moves") -> str:
    """a1, b2 and c3; or, if there are many, their number."""
    return both(words) if len(words) <= NAMED else f"{len(words)} {what}"


def with_line(scene: Scene, move: Move) -> str:
    """The name of a winning move, and the line that it completes: c3 (completes a3-b3-c3)."""
    lines = scene.lines(move)
    return f"{scene.name(move)} (completes {both(lines)})" if lines else scene.name(move)


def worth_fields(worth: Worth) -> dict[str, object]:
    """The proven value and distance, and points where the game has them, as in JSON."""
    value = None if worth.value is None else VALUE_NAMES[worth.value]
    return {"value": value, "distance": worth.distance, **({} if worth.margin is None else {"margin": worth.margin})}


def result_claim(scene: Scene) -> Claim:
    """The claim of the value and the distance, or points, of the scene."""
    here = scene.study.here
    bounds = {"at_least": VALUE_NAMES[here.least], "at_most": VALUE_NAMES[here.most]} if here.value is None else {}
    return claim("result", scene, **worth_fields(here), **bounds)


def result_sentence(scene: Scene) -> Sentence:
    """Who wins and how soon."""
    here, mover, other = scene.study.here, scene.mover, scene.other
    claims = (result_claim(scene),)
    if scene.over:
        ended = {WIN: f"{mover} has won", LOSS: f"{other} has won", DRAW: "it is a draw"}
        return Sentence(f"The game is over: {ended[here.least]}.", claims)
    if here.value is None:
        bound_texts = {
            (LOSS, DRAW): f"{mover} is to move and cannot win; whether {mover} can draw is not proven.",
            (DRAW, WIN): f"{mover} is to move and cannot lose; whether {mover} can win is not proven.",
        }
        unknown = f"{mover} is to move. Who wins is not proven within the time given."
        return Sentence(bound_texts.get((here.least, here.most), unknown), claims)
    how, at_least = how_soon(scene), " at least" if here.margin else ""
    texts = {
        WIN: f"{mover} is to move and wins{how}.",
        LOSS: f"{mover} is to move and loses{how}{at_least}, whatever {mover} plays.",
        DRAW: f"{mover} is to move. With best play nobody wins{how}.",
    }
    return Sentence(texts[here.value], claims)


def how_soon(scene: Scene) -> str:
    """` in 5 plies`, ` by 3`, or nothing where it is not known."""
    entry = scene.study.here.entry
    if entry is None:
        return ""
    if entry.margin is not None:
        return f" by {abs(entry.margin)}" if entry.margin else ""
    if entry.endless:
        return ", and the game never ends"
    return "" if entry.value == DRAW else f" in {plies_text(entry.distance or 0)}"
