"""Puzzles: every condition checked by plain code against the table, difficulty against players, the command."""

import io
import json
from collections import defaultdict
from functools import cache

import pytest
from rich.console import Console

import perfectplay
from command_line import complaint, output
from homes import ROOT
from perfectplay import LOSS, WIN, BadArgument, PuzzleSet, TooBig, load
from perfectplay.commands.learn.solve_puzzles import Solving
from perfectplay.game import after, canonical, legal_moves, turn_levels
from perfectplay.insight.puzzles.puzzle_choice import Wish, is_puzzle
from perfectplay.insight.puzzles.puzzle_kinds import KINDS, kind_named
from perfectplay.insight.puzzles.puzzle_lines import MOST_CHOICES, MOST_PLIES, line_from, success
from perfectplay.insight.puzzles.puzzle_scan import Scan
from perfectplay.players.models.game_graph import graph_for
from perfectplay.players.named.one_ply_players import hasty_moves, winning_moves
from perfectplay.rules.notation import move_name, parse_position, replay, show_position
from perfectplay.solvers.oracle import oracle_for
from rings import nightly

LARGE = ("tactic-toe", "kingpawns", "drop:4,4,3", "dots:2,2", "notakto", "picaria")
GAMES = ["tic-tac-toe", "nim", "mutorere", "dots:1,2", *nightly(*LARGE)]
"""With and without cycles, for points, with extra turns, impartial, misere."""


@cache
def some(game, kind=None, count=25, **options):
    """Puzzles of the game."""
    return perfectplay.puzzles(game, kind, count=count, **options)


@cache
def oracle(game):
    """The table of the game."""
    return oracle_for(load(game))


def place(game, puzzle):
    """The position of a puzzle and the side to move."""
    return parse_position(load(game), puzzle.position)


def worth(game, position, move):
    """What a move is worth to the side that makes it."""
    return oracle(game).study(position).moves[move].value


def sensible(game, position):
    """The moves that take a win at once, else those that leave the fewest wins at once, in plain words."""
    wins = winning_moves(game, position)
    if wins:
        return wins
    left = {}
    for move in legal_moves(game, position):
        child, mover = after(game, position, 0, move)
        lost = (mover == 1 and game.outcome(*child) == WIN) or (mover == 0 and game.outcome(*child) == LOSS)
        left[move] = 10**6 if lost else len(winning_moves(game, child)) if mover == 1 else 0
    return [move for move in left if left[move] == min(left.values())]


@cache
def reached(name):
    """The positions that sensible play of both sides can reach."""
    game = load(name)
    seen, newest = {(game.start, 0)}, [(game.start, 0)]
    while newest:
        fresh = {
            after(game, *turn, move)
            for turn in newest
            if legal_moves(game, turn[0])
            for move in sensible(game, turn[0])
        }
        newest = [*(fresh - seen)]
        seen |= fresh
    return seen


@cache
def classes_reached(name):
    """The same up to symmetry."""
    images = canonical(load(name))
    return {(images(*position), side) for position, side in reached(name)}


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
@pytest.mark.parametrize("game", GAMES)
def test_every_puzzle_is_one(game, kind):
    rules = load(game)
    for puzzle in some(game, kind):
        position, side = place(game, puzzle)
        value = oracle(game).study(position).here.value
        legal = legal_moves(rules, position)
        kept = [move for move in legal if worth(game, position, move) == value]
        assert value == puzzle.entry.value in kind_named(kind).values
        assert len(kept) == 1 < len(legal)
        assert not winning_moves(rules, position)
        assert sensible(rules, position) != kept
        assert (canonical(rules)(*position), side) in classes_reached(game)
        assert [move_name(rules, position, side, move) for move in kept] == list(puzzle.solution)
        assert value != WIN or rules.margin is not None or puzzle.entry.distance <= MOST_PLIES
        if kind == "trap":
            assert all(worth(game, position, move) < value for move in hasty_moves(rules, position))
        if kind == "fork":
            child, other = after(rules, position, side, *kept)
            assert not winning_moves(rules, child)
            assert all(
                winning_moves(rules, after(rules, child, other, reply)[0]) for reply in legal_moves(rules, child)
            )


def test_there_are_puzzles_of_every_kind():
    assert all(some("tic-tac-toe", kind.name).puzzles for kind in KINDS)


@pytest.mark.parametrize("game", GAMES)
def test_lines_are_best_play_against_the_longest_resistance_and_no_two_are_alike(game):
    rules, begins, ends = load(game), set(), set()
    for puzzle in some(game):
        turn = place(game, puzzle)
        begins.add(canonical(rules)(*turn[0]))
        solver, turns = turn[1], 0
        timed = puzzle.entry.value == WIN and rules.margin is None
        for position, side, move in replay(rules, *turn, puzzle.line):
            study = oracle(game).study(position)
            if side == solver and turns and not timed:
                assert len(study.keeping) == 1
            turns += side == solver
            assert move in (study.best if timed else study.keeping)
            turn = after(rules, position, side, move)
        ends.add(canonical(rules)(*turn[0]))
        if timed:
            assert len(puzzle.line) == puzzle.entry.distance
            end = rules.outcome(*turn[0])
            assert (end if turn[1] == solver else -end) == WIN
        else:
            over = not legal_moves(rules, turn[0])
            assert over or turns == MOST_CHOICES or len(oracle(game).study(turn[0]).keeping) > 1
    assert len(begins) == len(ends) == len(some(game))


@pytest.mark.parametrize("kind", ["only", "trap"])
@pytest.mark.parametrize("game", GAMES)
def test_the_scan_of_arrays_finds_what_plain_code_finds(game, kind):
    rules, images = load(game), canonical(load(game))
    scan, wanted = Scan(graph_for(rules)), kind_named(kind)
    found = scan.puzzles(wanted.values, wanted.among(scan), None).places.tolist()
    plain = {
        images(*position)
        for level in turn_levels(rules)
        for position, side in level
        if (position, side) in reached(game)
        and legal_moves(rules, position)
        and is_puzzle(oracle(game), position, Wish(wanted, None, 1, 10))
        and wanted.holds(oracle(game), position, side, oracle(game).study(position).keeping[0])
    }
    seen = {images(*scan.graph.position(number)) for number in found}
    assert plain <= seen
    assert all(scan.sides[number] >= 0 for number in found)
    assert len(seen - plain) <= len(seen) // 20  # those reached with the other side to move only


@pytest.mark.parametrize("game", ["tic-tac-toe", "dots:1,2", *nightly("kingpawns", "tactic-toe")])
def test_difficulty_is_how_often_levels_fail_counted_position_by_position(game):
    for puzzle in some(game, count=50):
        line = line_from(oracle(game), *place(game, puzzle))
        line.moves, line.before = [], []
        for position, side, move in replay(load(game), *place(game, puzzle), puzzle.line):
            line.play(load(game), position, side, move)
        assert success(oracle(game), line) == pytest.approx(puzzle.success)
        failure = 10 - 10 * sum(puzzle.success[:9]) / 9
        assert puzzle.difficulty - 1 - 1e-6 <= failure <= puzzle.difficulty + 1e-6


def test_the_json_contract_and_a_set_in_a_file(capsys, tmp_path):
    found = json.loads(output(capsys, "puzzles tic-tac-toe --count 5 --kind win --json"))
    assert (found["game"], found["kind"], len(found["puzzles"])) == ("tic-tac-toe", "win", 5)
    for puzzle in found["puzzles"]:
        assert set(puzzle) == {"position", "value", "distance", "solution", "line", "difficulty"}
        known = perfectplay.analyse("tic-tac-toe", position=puzzle["position"]).to_dict()
        assert puzzle["value"] == known["value"] == "win"
        assert puzzle["distance"] == known["distance"] == len(puzzle["line"])
        assert [move["move"] for move in known["moves"] if move["value"] == "win"] == puzzle["solution"]
    path = tmp_path / "set.json"
    assert "5 puzzles" in output(capsys, f"puzzles tic-tac-toe --count 5 --kind win --to {path}")
    assert json.loads(path.read_text()) == {"perfectplay": perfectplay.__version__, **found}


def test_the_seed_decides():
    positions = [puzzle.position for puzzle in perfectplay.puzzles("tic-tac-toe", count=3, seed=5)]
    assert positions == ["X:OXO/O.X/X..", "X:OOX/X.O/.X.", "X:OXO/.../X.."]  # on every machine
    assert [puzzle.position for puzzle in perfectplay.puzzles("tic-tac-toe", count=3, seed=2)] != positions


def test_wishes_are_kept():
    for game, plies in (("tic-tac-toe", 1), ("kingpawns", 5)):
        assert {puzzle.entry.distance for puzzle in some(game, plies=plies)} == {plies}
    assert {puzzle.difficulty for puzzle in some("kingpawns", difficulty=(5, 6))} == {5, 6}
    grades = [puzzle.difficulty for puzzle in some("kingpawns", count=50)]
    assert grades == sorted(grades)
    assert len({*grades}) > 3
    with pytest.raises(BadArgument, match="points"):
        perfectplay.puzzles("dots:1,2", plies=3)


def test_too_few_are_counted(capsys):
    found = some("tic-tac-toe", "fork", count=1000)
    assert 5 < len(found) < 1000
    assert found.all
    assert f"only {len(found)} such puzzles" in found.remark
    assert "no such puzzle" in output(capsys, "puzzles nim:1,2 --kind fork")


def test_recorded_games(tmp_path, capsys):
    record, lines = tmp_path / "games.txt", ["c3 c1 a3 b3 c2 b1 a1 b2", "b2 a1 c3"]
    record.write_text("# won\n" + "\n".join(lines))
    found = perfectplay.puzzles("tic-tac-toe", "win", games=record)
    assert (found.source, [puzzle.position for puzzle in found]) == ("games", ["X:..O/.../XOX"])
    rules = load("tic-tac-toe")
    assert found.puzzles[0].position in {
        show_position(rules, *turn[:2]) for turn in replay(rules, rules.start, 0, lines[0].split())
    }
    record.write_text("a1 a1\n")
    assert "line 1" in complaint(capsys, f"puzzles tic-tac-toe --games {record}")


def test_games_without_a_table_are_searched():
    found = perfectplay.puzzles("connect-four", count=1, seed=4)
    assert found.source == "search"
    assert "not solved" in found.remark
    (puzzle,) = found
    known = perfectplay.analyse("connect-four", position=puzzle.position)
    assert [move.move for move in known.moves if move.value == known.value] == [*puzzle.solution]
    with pytest.raises(TooBig, match="recorded"):
        perfectplay.puzzles("gomoku")


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"difficulty": (9, 2)}, "the lower first"),
        ({"difficulty": (0, 2)}, "from 1 to 10"),
        ({"difficulty": 5}, "range"),
        ({"plies": True}, "whole number from 1"),
        ({"count": 0}, "whole number from 1"),
        ({"seed": -1}, "whole number from 0"),
        ({"kind": "foo"}, "win, save, only, trap, fork"),
        ({"kind": "save", "plies": 3}, "no wins"),
    ],
)
def test_nonsense_is_refused(options, word):
    with pytest.raises(BadArgument, match=word):
        perfectplay.puzzles("tic-tac-toe", **options)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("--difficulty x", "range such as 3..5"),
        ("--in 0", "whole number from 1"),
        ("--kind foo", "choose from"),
        ("--to set.txt", ".json"),
        ("--solve --json", "leave --json out"),
        ("--solve --to set.json", "leave --to out"),
        ("--games nowhere.txt", "cannot be read"),
    ],
)
def test_the_command_refuses_nonsense(line, word, capsys):
    assert word in complaint(capsys, f"puzzles tic-tac-toe {line}")


def solving(monkeypatch, found, typed):
    """What a person sees who types these lines."""
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed) + "\n"))
    console = Console(file=io.StringIO(), width=100, color_system=None)
    Solving(load(found.game), found, console).run()
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("kingpawns", {"plies": 5}, ("Solved!",)),
        ("tic-tac-toe", {"kind": "save"}, ("save the draw", "you kept the draw")),
    ],
)
def test_the_whole_line_is_solved(game, options, words, monkeypatch):
    found = perfectplay.puzzles(game, count=1, **options)
    line = found.puzzles[0].line
    shown = solving(monkeypatch, found, line[::2])
    for word in (*words, f"answers {line[1]}", "Solved 1 of 1, 1 of them without help"):
        assert word in shown


def test_wrong_moves_are_refuted_and_hints_help(monkeypatch):
    game, found = load("tic-tac-toe"), perfectplay.puzzles("tic-tac-toe", "fork", count=1)
    (puzzle,) = found
    position, side = place("tic-tac-toe", puzzle)
    wrong = [move for move in legal_moves(game, position) if worth("tic-tac-toe", position, move) < WIN]
    name = move_name(game, position, side, wrong[0])
    shown = solving(monkeypatch, found, [name, "zz", "help", "hint", "hint", *puzzle.line[::2]])
    for word in (f"Not this one. {name} ", "not a legal move", "two threats", f"Play {puzzle.solution[0]}"):
        assert word in shown
    assert "Solved 1 of 1, 0 of them without help" in shown


def test_a_slower_win_is_not_wrong(monkeypatch):
    game = load("kingpawns")
    for puzzle in perfectplay.puzzles("kingpawns", "win", count=100):
        for number, (position, side, _) in enumerate([*replay(game, *place("kingpawns", puzzle), puzzle.line)][::2]):
            study = oracle("kingpawns").study(position)
            for move in {*study.keeping} - {*study.best}:
                name = move_name(game, position, side, move)
                typed = [*puzzle.line[: 2 * number : 2], name, *puzzle.line[2 * number :: 2]]
                shown = solving(monkeypatch, PuzzleSet("kingpawns", "win", (puzzle,)), typed)
                assert "takes longer" in shown
                assert "1 of them without help" in shown
                return
    pytest.fail("there is no slower win")


def test_a_puzzle_keeps_its_solution_to_itself_and_a_long_set_is_cut_where_it_is_drawn():
    found = perfectplay.puzzles("tic-tac-toe", count=14)
    assert " ".join(found.puzzles[0].line) not in str(found.puzzles[0])
    assert found.puzzles[0].position in str(found.puzzles[0])
    assert all(puzzle.position in str(found) and " ".join(puzzle.line) in str(found) for puzzle in found)
    assert "and 2 more boards" in found._repr_html_()


def test_skip_and_quit(monkeypatch):
    shown = solving(monkeypatch, perfectplay.puzzles("tic-tac-toe", count=3), ["skip", "quit"])
    assert all(words in shown for words in ("The solution: ", "Puzzle 2 of 3", "Solved 0 of 3"))
    assert "Puzzle 3" not in shown


@pytest.mark.nightly
def test_the_table_in_the_docs():
    page = (ROOT / "docs" / "how-to" / "make-puzzles.md").read_text()
    rates = defaultdict(list)
    for puzzle in some("tactic-toe", count=1000):
        rates[puzzle.difficulty].append(puzzle.success)
    for grade, found in rates.items():
        means = [f"{100 * sum(level) / len(found):.0f}%" for level in zip(*found, strict=True)]
        assert f"| {grade} | {len(found)} | {' | '.join(means)} |" in page
