"""`perfectplay compare`: the algorithms of the ladder on one game, what each finds and what it costs."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator

from perfectplay.commands.compete.compared_players import ComparedPlayer, labels, move_text, player_lines
from perfectplay.commands.compete.comparing import Comparison, compare
from perfectplay.commands.compete.comparing_cycles import CyclicComparison, is_right, right_from
from perfectplay.commands.terminal.draw_many import draw_classes, heading, short_text
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.commands.terminal.streams import can_print
from perfectplay.insight.ladder import ALGORITHMS, REPAIRS, Algorithm, Measured
from perfectplay.insight.ladder.algorithms import Trial, alphabeta, symmetric_cache, worth
from perfectplay.insight.ladder.bounds import value_entry
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import draw_position, number_of, value_name
from perfectplay.solvers.search.tree_size import cycle_text
from perfectplay.words import Entry

BOARDS = 1000
"""The boards to draw, unless a number is given."""
LABEL = 12
"""The width of the first column, unless a player's name is longer."""


def show_compare(options: Namespace) -> int:
    """Prints what each algorithm finds; where play can repeat for ever, what the usual repairs find instead."""
    if options.boards is not None and not options.show:
        print("perfectplay: --boards has no effect without --show", file=sys.stderr)
    with shown_progress("searches") as progress:
        found = compare(
            load_game(options.game),
            *options.moves,
            position=options.position,
            nodes=options.nodes,
            seconds=options.seconds,
            depth=options.depth,
            boards=(options.boards or BOARDS) if options.show else 0,
            players=options.players,
            progress=progress,
        )
    if options.depth is not None and isinstance(found, Comparison):
        print("perfectplay: --depth has no effect in a game without cycles", file=sys.stderr)
    if options.json:
        print(json.dumps(found.to_dict()))
    else:
        top = heading(options, found)
        print("\n".join(as_text(found, top) if isinstance(found, Comparison) else endless_text(found, top)))
    return 0


def as_text(found: Comparison, top: str) -> Iterator[str]:
    """The comparison as people read it, line by line."""
    yield top
    yield ""
    yield from table_lines(found)
    yield ""
    pruned = found.found_by(alphabeta)
    below = f"; without it alpha-beta has {pruned.meter.nodes - 1:,}" if pruned.entry else ""
    yield f"nodes: visits of a position, the root included{below}"
    yield "fewer, faster: how many times, against minimax" + (", at least" if stopped(found) else "")
    yield "plays: the move it would make, and the result that follows with best play from there on"
    yield ""
    yield from (f"{algorithm.name:<{LABEL}}{algorithm.about}" for algorithm in found.rows)
    yield from player_lines(found.players)
    for algorithm, trial in found.trials.items():
        yield ""
        yield from trial_lines(found, algorithm, trial)
    if found.boards:
        row = found.found_by(symmetric_cache)
        if row.entry is None:
            yield f"\nno cache to show: symmetry {row.stopped}; allow it more --nodes or --seconds"
        else:
            yield from draw_classes(found.game, found.side, row.meter.cache, found.boards)


def table_lines(found: Comparison) -> Iterator[str]:
    """The table: a line for each algorithm and each player."""
    names = labels(found.players)
    wide = max(LABEL, *(len(name) + 1 for name in names), 0)
    yield f"{'algorithm':<{wide}}{'nodes':>10}{'entries':>9}{'time':>10}{'fewer':>9}{'faster':>9}  {'finds':<11} plays"
    for algorithm, row in found.rows.items():
        entries = f"{len(row.meter.cache):,}" if row.meter.cache else "-"
        cost = f"{row.meter.nodes:>10,}{entries:>9}{time_text(row.seconds):>10}"
        yield f"{algorithm.name:<{wide}}{cost}{gain_text(found, found.gain(row))}  {finding(found, row)}".rstrip()
    for name, player in zip(names, found.players, strict=True):
        calls = "-" if player.calls is None else f"{player.calls:,}"
        cost = f"{calls:>10}{'-':>9}{time_text(player.seconds):>10}"
        yield f"{name:<{wide}}{cost}{gain_text(found, gain_of(found, player))}  {playing(player)}".rstrip()


def stopped(found: Comparison) -> bool:
    """Whether plain minimax was stopped."""
    return found.rows[ALGORITHMS[0]].stopped is not None


def time_text(seconds: float) -> str:
    """The time, as long as it is short in thousandths of a second."""
    return f"{seconds:,.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def gain_of(found: Comparison, player: ComparedPlayer) -> dict[str, float] | None:
    """How many times fewer calls and less time than plain minimax a player takes; None if it has no move."""
    return None if player.fault or not player.calls else found.times_minimax(player.calls, player.seconds)


def gain_text(found: Comparison, times: dict[str, float] | None) -> str:
    """The two columns of the speed-up."""
    if times is None:
        return f"{'-':>9}{'-':>9}"
    least = ("≥ " if can_print("≥") else ">= ") if stopped(found) else ""
    return "".join(f"{least + format(factor, ',.1f' if factor < 1000 else ',.0f'):>9}" for factor in times.values())


def finding(found: Comparison, row: Measured) -> str:
    """What the algorithm found and the move it would play; or why it was stopped."""
    if row.entry is None:
        return str(row.stopped)
    wrong = found.best is not None and worth(row.entry) != worth(found.best)
    text = short_text(row.entry) + (" WRONG" if wrong else "")
    move = row.meter.move
    return f"{text:<11} " + (
        "-" if move is None else move_text(found.move_name(move), found.moves.get(move), found.best)
    )


def playing(player: ComparedPlayer) -> str:
    """The move that a player plays; or why it has none."""
    return f"{'-':<11} {move_text(player.move, player.leads_to, player.best)}" if player.move else player.fault


def trial_lines(found: Comparison, algorithm: Algorithm, trial: Trial) -> Iterator[str]:
    """Where an unsound algorithm is wrong, drawn; or that no such position was found."""
    name, count = algorithm.name, trial.tried
    if trial.wrong is None:
        each = "the only unfinished position" if count == 1 else f"any of the {count:,} unfinished positions"
        part = f"the {number_of(count, 'position')} tried; more --nodes or --seconds may find one"
        yield f"{name}: no wrong value in {f'{each} from here on' if trial.complete else part}"
        return
    wrong, game = trial.wrong, found.game
    side = found.side ^ wrong.turned
    finds, truth = (short_text(value_entry(game, number)) for number in (wrong.value, wrong.true))
    values = f"it finds a {finds}, the truth is a {truth}"
    yield f"{name} is wrong here, {game.look.sides[side]} to move: {values}"
    yield ""
    yield from draw_position(game, wrong.position, side).splitlines()


# `perfectplay compare` where play can repeat for ever: what the usual repairs find, depth by depth.


def endless_text(found: CyclicComparison, top: str) -> Iterator[str]:
    """The comparison as people read it, line by line."""
    game, side, here = found.game, found.side, found.here
    yield top
    yield f"can repeat for ever, {cycle_text(game, found.cycle, side)}:"
    yield f"plain minimax would never end; use perfectplay solve {game.name}; the truth here: {short_text(here)}"
    yield ""
    yield "".join(["depth", *(f" {repair.name:<16}" for repair in REPAIRS), f"{'wrong':>9}"])
    entries = found.truth.values()
    for depth, line in found.rows.items():
        cells = [cell(line.get(repair), here) for repair in REPAIRS]
        wrong = sum(right_from(entry) > depth for entry in entries)
        yield "".join([f"{depth:>5}", *(f" {text:<16}" for text in cells), f"{wrong:>9,}"])
    yield ""
    right, not_right = marks()
    yield f"{right} right, {not_right} wrong value, or wrong distance; then the nodes, the root included"
    yield f"wrong: the canonical positions in which horizon is wrong at that depth, of {len(entries):,}"
    everywhere = max(right_from(entry) for entry in entries)
    yield f"horizon is right here from depth {right_from(here)} on, everywhere from depth {everywhere} on"
    yield "a win or loss that is found is real; a draw may be a win or a loss beyond the horizon"
    yield ""
    yield from (f"{repair.name:<12}{repair.about}" for repair in REPAIRS)
    yield from unequal_lines(found)
    yield from ([""] if found.players else [])
    for name, player in zip(labels(found.players), found.players, strict=True):
        yield f"{name} {played_text(player)}" if player.move else f"{player.player} {player.fault}"
    yield from player_lines(found.players)
    if found.boards:
        yield from draw_classes(game, side, found.truth, found.boards)


def unequal_lines(found: CyclicComparison) -> Iterator[str]:
    """Which repairs give symmetric moves different scores, and at which depths."""
    for repair in REPAIRS:
        rows = {depth: line[repair] for depth, line in found.rows.items() if repair in line}
        unequal = {depth: scores for depth, row in rows.items() if (scores := found.unequal(row))}
        if unequal:
            depths = f"depth{'s' * (len(unequal) > 1)} {', '.join(map(str, unequal))}"
            first = ", ".join(f"{move} {score}" for move, score in next(iter(unequal.values())).items())
            yield f"\n{repair.name} gives symmetric moves different scores at {depths}, first {first}"


def played_text(player: ComparedPlayer) -> str:
    """The move of a player, what it leads to, and the nodes if they were counted."""
    nodes = "" if player.calls is None else f"; {number_of(player.calls, 'node')}"
    return f"plays {move_text(player.move or '', player.leads_to, player.best)}{nodes}"


def cell(row: Measured | None, truth: Entry) -> str:
    """What a repair found, whether that is right, and the nodes."""
    if row is None:
        return "-"
    if row.entry is None:
        return f"stopped{row.meter.nodes:>9,}"
    right, wrong = marks()
    return f"{value_name(row.entry):<4} {right if is_right(row.entry, truth) else wrong}{row.meter.nodes:>10,}"


def marks() -> tuple[str, str]:
    """The signs for right and wrong."""
    return ("✓", "✗") if can_print("✓✗") else ("+", "-")
