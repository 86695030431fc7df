"""Sentences that say why, each with its claims as data, so that every claim can be checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from perfectplay.game import moves_again
from perfectplay.insight.scene import Scene
from perfectplay.rules.notation import VALUE_NAMES, either, plies_text
from perfectplay.solvers.worth import Worth
from perfectplay.views.game_pieces import capital
from perfectplay.views.json_facts import json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import DRAW, LOSS, WIN, Move, spelled

Claim = dict[str, object]
"""A claim: what kind it is, the position it is about, and what is claimed, moves by name."""

NAMED = 4
"""More moves than this are counted, not named."""


@dataclass(frozen=True)
class Sentence(metaclass=ResultClass):
    """A sentence and what it claims, as data."""

    text: str
    claims: tuple[Claim, ...] = ()

    to_dict = json_facts()


def claim(kind: str, scene: Scene, **facts: object) -> Claim:
    """A claim about this scene."""
    return {"claim": kind, "position": scene.text, **facts}


def both(words: Sequence[str]) -> str:
    """a1, b2 and c3."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def list_or_count(words: Sequence[str], what: str = "moves") -> str:
    """a1, b2 and c3; or, if there are many, their number."""
    return both(words) if len(words) <= NAMED else f"{len(words)} {what}"


def subject(names: Sequence[str]) -> str:
    """The same at the beginning of a sentence: Six moves."""
    return both(names) if len(names) <= NAMED else f"{spelled(len(names)).capitalize()} moves"


def moves_do(names: Sequence[str], verb: str) -> str:
    """What moves do, as the beginning of a sentence: a1 keeps; a1, b2 and c3 keep."""
    return f"{subject(names)} {verb}{'' if len(names) > 1 else 'es' if verb == 'do' else 's'}"


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
            (LOSS, DRAW): f"{capital(mover)} is to move and cannot win; whether {mover} can draw is not proven.",
            (DRAW, WIN): f"{capital(mover)} is to move and cannot lose; whether {mover} can win is not proven.",
        }
        unknown = f"{capital(mover)} is to move. Who wins is not proven within the time given."
        return Sentence(bound_texts.get((here.least, here.most), unknown), claims)
    how, at_least = how_soon(scene), " at least" if here.margin else ""
    texts = {
        WIN: f"{capital(mover)} is to move and wins{how}.",
        LOSS: f"{capital(mover)} is to move and loses{how}{at_least}, whatever {mover} plays.",
        DRAW: f"{capital(mover)} is to move. With best play nobody wins{how}.",
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


# Why a move is good or bad: what it does, what it stops, what it allows.


class Effect(NamedTuple):
    """The effect of a move, in words that follow the move or the side (`makes two threats: a1 and c3`), with claims."""

    text: str
    claims: tuple[Claim, ...] = ()


def effect(scene: Scene, move: Move) -> Effect:
    """The effect of a move: it wins, stops a threat, makes a double threat or another; empty if none of these."""
    if move in scene.wins:
        name, lines = scene.name(move), scene.lines(move)
        facts = claim("wins_at_once", scene, moves=[name], lines={name: lines})
        return Effect(f"wins at once{f' with {both(sorted({*lines}))}' if lines else ''}", (facts,))
    after = scene.after(move)
    if after.over:
        return Effect("ends the game", (result_claim(after),))
    if after.side == scene.side:  # nothing special where every move is only part of a turn
        if all(moves_again(scene.game, scene.position, other) for other in scene.study.moves):
            return Effect("")
        return Effect("earns another turn", (claim("moves_again", scene, move=scene.name(move)),))
    parts = defence(scene, move), new_threat(after)
    text = " and ".join(part.text for part in parts if part.text)
    return Effect(text, tuple(fact for part in parts for fact in part.claims))


def new_threat(after: Scene) -> Effect:
    """The threat of the side that has just moved."""
    threats = after.threats
    if threats is None or threats.value != WIN or (threats.at_once and after.wins):
        return Effect("")
    names = after.if_passed.names(threats.moves)
    if after.double:
        text = f"makes {spelled(len(names))} threats at once, {list_or_count(names, 'of them')}"
        return Effect(text, (threat_claim(after), double_claim(after)))
    if threats.at_once:
        return Effect(f"threatens {either(names) if len(names) <= NAMED else 'to win'}", (threat_claim(after),))
    if threats.plies is None or after.study.here.value == LOSS:
        return Effect("")
    return Effect(f"threatens to win in {plies_text(threats.plies)}", (threat_claim(after),))


def defence(scene: Scene, move: Move) -> Effect:
    """The threats to win at once that a move stops."""
    threats = scene.threats
    if threats is None or not threats.at_once or move not in scene.answers:
        return Effect("")
    facts = threat_claim(scene), claim("answers", scene, move=scene.name(move))
    return Effect(f"stops {scene.other}'s threat{'s' if len(threats.moves) > 1 else ''}", facts)


def threat_claim(scene: Scene) -> Claim:
    """The claim of the threats."""
    threats = scene.threats
    assert threats is not None
    passed = scene.if_passed
    lines = {passed.name(move): passed.lines(move) for move in threats.moves} if threats.at_once else {}
    value, moves = VALUE_NAMES[threats.value], passed.names(threats.moves)
    return claim("threat", scene, by=scene.other, moves=moves, value=value, plies=threats.plies, lines=lines)


def double_claim(scene: Scene) -> Claim:
    """The claim that no single move answers the threats."""
    assert scene.threats is not None
    return claim("double_threat", scene, by=scene.other, moves=scene.if_passed.names(scene.threats.moves))


def refutation(scene: Scene, move: Move) -> Effect:
    """Why a move is bad: what it gives away, the other side's reply, and what that does; the words follow the move."""
    worth, name, after = scene.study.moves[move], scene.name(move), scene.after(move)
    value = None if worth.value is None else VALUE_NAMES[worth.value]
    facts = claim("worsens", scene, moves=[name], value=value, distance=worth.distance)
    soon = "" if worth.value != LOSS or worth.distance is None else f" in {plies_text(worth.distance)}"
    what = f"loses{soon}" if worth.value == LOSS else "gives the win away"
    claims = [facts]
    if scene.wins:
        what = f"misses {either(scene.names(scene.wins))} and {what}"
        claims.append(claim("wins_at_once", scene, moves=scene.names(scene.wins), lines={}))
    reply = None if after.side == scene.side or after.over else next(iter(after.study.best), None)
    if reply is None:
        return Effect(what, tuple(claims))
    does, answer = effect(after, reply), claim("refutation", scene, move=name, reply=after.name(reply))
    more = does.text or ("holds the draw" if after.study.here.value == DRAW else "")
    conjunction = ", " if more.startswith("stops") and " and " in more else " and "
    text = f"{what}: {scene.other} answers {after.name(reply)}{conjunction if more else ''}{more}"
    return Effect(text, (*claims, answer, *does.claims))


def why_move(scene: Scene, move: Move) -> Sentence:
    """Why a move is good or bad, in a sentence."""
    study, name = scene.study, scene.name(move)
    does = refutation(scene, move) if move in study.failing else effect(scene, move)
    if move in study.failing or move in scene.wins:
        return Sentence(f"{name} {does.text}.", does.claims)
    if move not in study.keeping:
        text = f"{name} {does.text}; more is not proven." if does.text else f"What {name} is worth is not proven."
        return Sentence(text, does.claims)
    if study.here.value == LOSS:
        return lost_sentence(scene, move)
    only = scene.only_move == move
    facts = claim("only_move", scene, move=name) if only else claim("keeps", scene, moves=[name])
    if late := slower(scene, move):
        return Sentence(f"{name} still wins, but {late}.", (facts,))
    head = f"{'Only ' if only else ''}{name} keeps the {VALUE_NAMES[study.here.least]}"
    return Sentence(f"{head}{f': it {does.text}' if does.text else ''}.", (facts, *does.claims))


def lost_sentence(scene: Scene, move: Move) -> Sentence:
    """How long a move of a lost side holds out, and which holds out longest."""
    best, entry, name = scene.study.best, scene.study.moves[move].entry, scene.name(move)
    facts = result_claim(scene)
    if entry is None or entry.margin is not None:
        by = "" if entry is None or entry.margin is None else f" by {-entry.margin}"
        return Sentence(f"Every move loses; {name} loses{by}{' at least' if by and move in best else ''}.", (facts,))
    if move in best:
        return Sentence(f"Every move loses; {name} holds out longest, {plies_text(entry.distance or 0)}.", (facts,))
    longest = plies_text(scene.study.here.distance or 0)
    soon = plies_text(entry.distance or 0)
    return Sentence(f"{name} loses in {soon}; {scene.name(best[0])} holds out longest, {longest}.", (facts,))


def slower(scene: Scene, move: Move) -> str:
    """The cost in plies or points of a move that keeps a win, in words; empty if it is one of the best."""
    best, entry = scene.study.best, scene.study.moves[move].entry
    quick = None if not best else scene.study.moves[best[0]].entry
    if move in best or quick is None or entry is None or entry.value == DRAW:
        return ""
    if entry.margin is not None:
        return f"by {entry.margin}; {scene.name(best[0])} wins by {quick.margin}"
    soon = "at once" if quick.distance == 1 else f"in {quick.distance}"
    return f"takes {plies_text(entry.distance or 0)}; {scene.name(best[0])} wins {soon}"
