"""Who wins, how soon and why: at most eight sentences about a position, each with claims that can be checked."""

from collections.abc import Iterator
from random import Random

from perfectplay.insight.scene import Scene
from perfectplay.insight.sentences import (
    NAMED,
    Claim,
    Effect,
    Sentence,
    both,
    claim,
    double_claim,
    effect,
    list_or_count,
    moves_do,
    refutation,
    result_sentence,
    subject,
    threat_claim,
    with_line,
)
from perfectplay.players.models.grundy import grundy_values
from perfectplay.players.registry import strongest
from perfectplay.players.seat import Seat
from perfectplay.rules.notation import VALUE_NAMES, either, plies_text
from perfectplay.solvers.search.best_line import Line
from perfectplay.views.game_pieces import capital
from perfectplay.words import DRAW, LOSS, WIN, Move, TooBig, spelled

MOST = 8
"""The most sentences of an explanation."""
REFUTED = 3
"""The most moves whose refutation has a sentence of its own."""
OPINION_SECONDS = 1.0
"""The time in which the strongest player forms an opinion."""


def sentences_about(scene: Scene) -> list[Sentence]:
    """The sentences about a position, the most important first."""
    if scene.over:
        return [result_sentence(scene)]
    if scene.wins:
        sentences = [result_sentence(scene), wins_sentence(scene)]
        return [*sentences, *refutations(scene, MOST - len(sentences))]
    facts = [result_sentence(scene), *tactics(scene), *choice(scene), *balance(scene)]
    plan = plan_sentence(scene, scene.oracle.line(scene.position))
    plans = [] if plan is None else [plan]
    last = [*closing(scene), *opinion(scene)]
    room = MOST - len(facts) - len(plans) - len(last)
    return [*facts, *plans, *refutations(scene, room), *last][:MOST]


def wins_sentence(scene: Scene) -> Sentence:
    """The moves that win at once."""
    names, lines = scene.names(scene.wins), {scene.name(move): scene.lines(move) for move in scene.wins}
    facts = claim("wins_at_once", scene, moves=names, lines=lines)
    if len(scene.wins) == 1:
        return Sentence(f"{with_line(scene, scene.wins[0])} wins at once.", (facts,))
    return Sentence(f"{moves_do(names, 'win')} at once.", (facts,))


def tactics(scene: Scene) -> Iterator[Sentence]:
    """The threats of the other side, and zugzwang."""
    threats = scene.threats
    if threats is not None and threats.value == WIN and scene.double:
        names = scene.if_passed.names(threats.moves)
        how = f"{capital(scene.other)} has {spelled(len(names))} threats at once, {list_or_count(names)}"
        yield Sentence(f"{how}: no move stops them all.", (threat_claim(scene), double_claim(scene)))
    elif threats is not None and threats.at_once:
        passed = scene.if_passed
        each = [with_line(passed, move) for move in sorted(threats.moves)]
        yield Sentence(f"{capital(scene.other)} threatens to win with {list_or_count(each)}.", (threat_claim(scene),))
    elif threats is not None and threats.soon and scene.study.here.value != LOSS:
        names = scene.if_passed.names(threats.moves)
        text = f"If {scene.mover} did nothing, {scene.other} would win in {plies_text(threats.plies or 0)} with"
        yield Sentence(f"{text} {either(names) if len(names) <= NAMED else 'the right move'}.", (threat_claim(scene),))
    if scene.zugzwang:
        yield Sentence(
            f"{capital(scene.mover)} would rather pass: every move makes things worse. That is zugzwang.",
            (claim("zugzwang", scene),),
        )


def choice(scene: Scene) -> Iterator[Sentence]:
    """The moves that keep the result, if some do not; or the move that holds out longest."""
    study = scene.study
    if study.here.value is None:
        yield from still_open(scene)
    elif study.here.value == LOSS:
        yield from holding_out(scene)
    elif len(study.moves) == 1:
        name = scene.name(study.keeping[0])
        facts = claim("only_legal", scene, move=name)
        yield Sentence(f"{capital(scene.mover)} has only one legal move, {name}.", (facts,))
    elif study.keeping:
        yield keeping_sentence(scene, scene.names(study.keeping))


def holding_out(scene: Scene) -> Iterator[Sentence]:
    """The moves of a lost side that lose latest, if some lose sooner."""
    study, longest = scene.study, scene.names(scene.study.best)
    if len(study.best) < len(study.moves) and study.here.distance is not None:
        yield Sentence(f"{moves_do(longest, 'hold')} out longest.", (claim("longest", scene, moves=longest),))


def keeping_sentence(scene: Scene, names: list[str]) -> Sentence:
    """The moves that keep a win or a draw: one alone with what it does, some, or all."""
    study, bad = scene.study, len(scene.study.failing)
    result = VALUE_NAMES[study.here.least]
    does = effect(scene, study.keeping[0]) if len(names) == 1 else Effect("")
    how = f": it {does.text}" if does.text else ""
    if not study.decided:
        text = f"{moves_do(names, 'keep')} the {result}{how}; of the others it is not proven."
        return Sentence(text, (claim("keeps", scene, moves=names), *does.claims))
    if scene.only_move is not None:
        facts = claim("only_move", scene, move=names[0])
        return Sentence(f"Only {names[0]} keeps the {result}{how}.", (facts, *does.claims))
    facts = claim("safe_moves", scene, moves=names)
    if not bad:
        return Sentence(f"Every move keeps the {result}.", (facts,))
    rest = f"the other {spelled(bad)} {'does' if bad == 1 else 'do'} not"
    return Sentence(f"{moves_do(names, 'keep')} the {result}; {rest}.", (facts,))


def balance(scene: Scene) -> Iterator[Sentence]:
    """In an impartial game the Grundy values that decide it."""
    if not scene.game.impartial:
        return
    try:
        here, after = grundy_values(scene.game, scene.position)
    except TooBig:
        return
    facts = claim("grundy", scene, value=here, moves={scene.name(move): value for move, value in after.items()})
    if here == 0:
        text = f"The Grundy value is 0: whatever {scene.mover} plays, {scene.other} can make it 0 again."
    else:
        zero = scene.names(move for move, value in after.items() if value == 0)
        makes = f"{list_or_count(zero)} {'makes' if len(zero) == 1 else 'make'} it 0"
        text = f"The Grundy value is {here}; {makes}, and whoever must move at 0 loses."
    yield Sentence(text, (facts,))


def still_open(scene: Scene) -> Iterator[Sentence]:
    """The moves that are proven to lose, where the result is not proven."""
    losing = [move for move, worth in scene.study.moves.items() if worth.value == LOSS]
    if losing and len(losing) < len(scene.study.moves):
        names, rest = scene.names(losing), scene.names(set(scene.study.moves) - set(losing))
        facts = claim("loses", scene, moves=names)
        more = f"; {both(rest)} may not" if len(rest) <= NAMED else ""
        yield Sentence(f"{moves_do(names, 'lose')}{more}.", (facts,))


def refutations(scene: Scene, room: int) -> Iterator[Sentence]:
    """Why the moves that worsen the result are bad, as far as there is room, and the other moves that fail.

    Those with the same refutation stand together, the traps first.
    """
    depths = scene.traps
    alike: dict[tuple[str, int], list[tuple[Move, Effect]]] = {}
    for move in sorted(scene.study.failing, key=lambda move: (-depths.get(move, 0), move)):
        bad = refutation(scene, move)
        alike.setdefault((bad.text, depths.get(move, 0)), []).append((move, bad))
    groups = [*alike.items()]
    most = max(0, min(REFUTED, room if len(groups) <= min(REFUTED, room) else room - 1))
    for (text, depth), group in groups[:most]:
        yield joint_refutation(scene, text, depth, group)
    others = scene.names(move for _, group in groups[most:] for move, _ in group)
    if others and room > 0:
        text = f"{moves_do(others, 'do')} not keep the {VALUE_NAMES[scene.study.here.least]} either."
        yield Sentence(text, (claim("fails", scene, moves=others),))


def joint_refutation(scene: Scene, text: str, depth: int, group: list[tuple[Move, Effect]]) -> Sentence:
    """The refutation of several moves, and of traps the depth from which on one sees it."""
    moves = [move for move, _ in group]
    claims = [fact for _, bad in group for fact in bad.claims]
    if len(moves) > 1:
        for one, many in (("misses", "miss"), ("loses", "lose"), ("gives", "give")):
            text = text.replace(one, many, 1)
    if depth:
        text += f"; you have to look {plies_text(depth)} ahead to see it"
        claims += [claim("trap", scene, move=scene.name(move), depth=depth) for move in moves]
    return Sentence(f"{subject(scene.names(moves))} {text}.", tuple(claims))


def closing(scene: Scene) -> Iterator[Sentence]:
    """For a draw what both sides hold: after the best move, the other side's moves that keep it."""
    best = next(iter(scene.study.best), None)
    if scene.study.here.value != DRAW or best is None:
        return
    after = scene.after(best)
    if after.over or after.side == scene.side or not after.study.decided:
        return
    names, name = after.names(after.study.keeping), scene.name(best)
    facts = claim("safe_moves", after, moves=names)
    whole = len(after.study.failing) == 0
    how = "with any move" if whole else f"only with {names[0]}" if len(names) == 1 else f"with {list_or_count(names)}"
    yield Sentence(f"Both sides can hold: after {name}, {scene.other} keeps the draw {how}.", (facts,))


def opinion(scene: Scene) -> Iterator[Sentence]:
    """The move of the strongest player where nothing is proven, which is an opinion."""
    if scene.study.here.value is not None:
        return
    name, player = strongest(Seat(scene.game, scene.side, Random(0), OPINION_SECONDS))
    move = scene.name(player(scene.position))
    facts = claim("opinion", scene, player=name, move=move)
    yield Sentence(f"An opinion, not a proof: the player {name} would play {move}.", (facts,))


# The plan: best play from a position, move by move, with the reason for each forced reply.


SHOWN = 9
"""The most plies of a plan that are told; the rest is counted."""
HEADS = {WIN: "The plan", LOSS: "The longest resistance", DRAW: "Best play"}
"""The name of a best line, by its value to the side to move."""


def plan_sentence(scene: Scene, line: Line) -> Sentence | None:
    """Best play, move by move, with the reason for each forced reply; None if it is not known or too short to tell."""
    if len(line.moves) < 2:
        return None
    parts, claims = [], [claim("line", scene, moves=move_names(scene, line), repeats=line.repeats)]
    at, before = scene, -1
    count = SHOWN if len(line.moves) > SHOWN + 1 else len(line.moves)
    for move in line.moves[:count]:
        text, facts = step(at, move)
        parts.append(text if at.side == before else f"{at.mover} {text}")
        claims += facts
        at, before = at.after(move), at.side
    rest = len(line.moves) - count
    head = HEADS[scene.study.here.value or DRAW] if scene.game.margin is None else HEADS[DRAW]
    if line.repeats is not None:
        end = "; then it repeats" if rest <= 0 else "; and so on, without end"
    else:
        end = "" if rest <= 0 else f"; {plies_text(rest)} more to the end"
    return Sentence(f"{head}: {', '.join(parts)}{end}.", tuple(claims))


def move_names(scene: Scene, line: Line) -> list[str]:
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
    elif scene.only_move == move:
        reasons.append("the only move")
        claims.append(claim("only_move", scene, move=name))
    if after.side != scene.side and not after.over and after.threats is not None and after.threats.at_once:
        if after.double:
            reasons.append(f"{spelled(len(after.threats.moves))} threats")
            claims += [threat_claim(after), double_claim(after)]
        elif not after.wins:
            names = after.if_passed.names(after.threats.moves)
            reasons.append(f"threatens {list_or_count(names, 'wins')}")
            claims.append(threat_claim(after))
    return f"{name} ({', '.join(reasons)})" if reasons else name, claims
