"""The convergence of retrograde analysis, the farthest positions, and the best lines from them."""

import json
from collections import Counter

import pytest
from hypothesis import given

import perfectplay
from command_line import complaint, output
from graph_games import drawn_games
from perfectplay.game import legal_moves
from perfectplay.solvers.memory.interpreted import solved_positions
from perfectplay.solvers.table.summary import trace_of, trace_parts
from perfectplay.views.document import Document
from perfectplay.views.document_text import text
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Entry


def iterated(game, positions):
    """The positions that each pass over all positions decides, wins and losses before draws, and those left over."""
    children = {p: [game.play(*p, move) for move in legal_moves(game, p)] for p in positions}
    ended = {p: value for p in positions if (value := game.outcome(*p)) != ONGOING}
    decided = {p: value for p, value in ended.items() if value != DRAW}
    fresh, passes = decided, []
    while fresh:
        passes.append(len(fresh))
        fresh = {}
        for position in positions:
            if position not in ended and position not in decided:
                values = [decided.get(child) for child in children[position]]
                if LOSS in values or all(value == WIN for value in values):
                    fresh[position] = WIN if LOSS in values else LOSS
        decided = decided | fresh
    drawn = newest = {p for p, value in ended.items() if value == DRAW}
    while newest:
        passes.append(len(newest))
        open_positions = (p for p in positions if p not in decided and p not in drawn)
        newest = {p for p in open_positions if newest & {*children[p]}}
        drawn = drawn | newest
    return passes, len(positions) - len(decided) - len(drawn)


@given(drawn_games())
def test_an_iteration_decides_what_a_pass_over_all_positions_does(game):
    entries = solved_positions(game)
    counts = Counter(entries.values())
    trace = trace_of(counts)
    passes, rest = iterated(game, [*entries])
    assert [iteration.decided for iteration in trace] == passes
    assert counts.get(Entry(DRAW, None), 0) == rest
    assert (trace[-1].total if trace else 0) + rest == len(entries)


@pytest.mark.parametrize("name", ["tic-tac-toe", "kingpawns:1", "examples/hexapawn.py:3,3"])
def test_a_table_has_the_trace_of_the_solve_without_one(name):
    table, summary = perfectplay.solve(name), perfectplay.summarise(name)
    assert table.counts() == summary.counts
    assert table.trace() == summary.trace()
    rest = f"the rest, {summary.endless:,} positions, are endless draws"
    *_, last = text(Document(None, *trace_parts(table.counts()))).splitlines()
    assert last == (rest if summary.endless else "every position is decided")


@pytest.mark.nightly
def test_the_engines_have_the_same_trace(capsys):
    traces = [
        json.loads(output(capsys, f"solve kingpawns:1 --no-table --trace --engine {engine} --json"))["trace"]
        for engine in ("python", "numba")
    ]
    assert traces[0] == traces[1]
    assert traces[0][0] == {"iteration": 0, "distance": 0, "decided": 263, "total": 263} | traces[0][0]


def test_a_summary_of_a_table_has_no_trace():
    with pytest.raises(perfectplay.BadArgument, match=r"table\.trace\(\)"):
        perfectplay.solve("tic-tac-toe").summary().trace()


@pytest.mark.nightly
def test_the_farthest_positions_of_tactic_toe(capsys):
    table = perfectplay.solve("tactic-toe")
    (position, entry), (_, second) = table.longest(2)
    assert (entry, second) == (Entry(WIN, 17), Entry(LOSS, 16))
    assert table.lookup(position) == entry
    facts = json.loads(output(capsys, "solve tactic-toe --longest 1 --json"))["farthest"][0]
    match = perfectplay.Match("tactic-toe", facts["line"]["moves"], facts["position"])
    assert (match.is_over, len(match.moves), facts["distance"]) == (True, 17, 17)


def test_the_farthest_positions_need_a_table_and_a_whole_number(capsys):
    said = output(capsys, "solve tic-tac-toe --longest 1")
    assert "the position farthest from the end" in said
    assert "draw in 9" in said
    assert "--no-table" in complaint(capsys, "solve tic-tac-toe --longest --no-table")
    for count in (-1, None, 1.5):
        with pytest.raises(perfectplay.BadArgument, match="count="):
            perfectplay.solve("tic-tac-toe").longest(count)
