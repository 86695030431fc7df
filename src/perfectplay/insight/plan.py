"""The plan: best play from a position, move by move, with the reason for each forced reply."""

from perfectplay.insight.reasons import double_claim, threat_claim
from perfectplay.insight.scene import Scene
from perfectplay.insight.sentences import Claim, Sentence, claim, listed
from perfectplay.rules.notation import plies_text
from perfectplay.solvers.search.best_line import Line
from perfectplay.words import DRAW, LOSS, WIN, Move, spelled

SHOWN = 9
"""The most plies of a plan that are told; the rest is counted."""
HEADS = {WIN: "The plan", LOSS: "The longest resistance", DRAW: "Best play"}
"""What a best line is to the side to move."""


def plan_sentence(scene: Scene, line: Line) -> Sentence | None:
    """Best play, move by move, with the reason for each forced reply; None if it is not known or too short to tell."""
    if len(line.moves) < 2:
        return None
    parts, claims = [], [claim("line", scene, moves=named(scene, line), repeats=line.repeats)]
    at, before = scene, -1
    shown = SHOWN if len(line.moves) > SHOWN + 1 else len(line.moves)
    for move in line.moves[:shown]:
        text, facts = step(at, move)
        parts.append(text if at.side == before else f"{at.mover} {text}")
        claims += facts
        at, before = at.after(move), at.side
    left = len(line.moves) - shown
    head = HEADS[scene.study.here.value or DRAW] if scene.game.margin is None else HEADS[DRAW]
    if line.repeats is not None:
        end = "; then it repeats" if left <= 0 else "; and so on, without end"
    else:
        end = "" if left <= 0 else f"; {plies_text(left)} more to the end"
    return Sentence(f"{head}: {', '.join(parts)}{end}.", tuple(claims))


def named(scene: Scene, line: Line) -> list[str]:
    """The names of the moves of a line from this scene."""
    names = []
    for move in line.moves:
        names.append(scene.name(move))
        scene = scene.after(move)
    return names


def step(scene: Scene, move: Move) -> tuple[str, list[Claim]]:
    """A move of a plan with its reason in brackets: b2 (forced), a1 (two threats)."""
    name = scene.name(move)
    if move in scene.wins:
        return f"{name} wins", [claim("wins_at_once", scene, moves=[name], lines={})]
    if len(scene.study.moves) == 1:
        return f"{name} (no other move)", [claim("only_legal", scene, move=name)]
    after = scene.after(move)
    reasons, claims = [], []
    if scene.answers == [move] and scene.threats is not None and scene.threats.at_once:
        reasons.append("forced")
        claims.append(claim("forced", scene, move=name))
    elif scene.ideas.only_move == move:
        reasons.append("the only move")
        claims.append(claim("only_move", scene, move=name))
    if after.side != scene.side and not after.over and after.threats is not None and after.threats.at_once:
        if after.double:
            reasons.append(f"{spelled(len(after.threats.moves))} threats")
            claims += [threat_claim(after), double_claim(after)]
        elif not after.wins:
            names = after.if_passed.names(after.threats.moves)
            reasons.append(f"threatens {listed(names, 'wins')}")
            claims.append(threat_claim(after))
    return f"{name} ({', '.join(reasons)})" if reasons else name, claims
