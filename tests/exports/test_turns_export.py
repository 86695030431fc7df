"""Exports of games with extra turns and points say what a plain solution over dictionaries says, of every position."""

import json
import random
import subprocess
from functools import cache
from pathlib import Path

import pytest
from test_c import FLAGS, compile_c, needs_gcc, sections
from test_c_level import check_probabilities, weights_in_c

import brute_force
from export_files import export
from perfectplay.exports.c.c_file import prefix_of
from perfectplay.game import after, canonical, legal_moves
from perfectplay.players.bots.json_player import choices
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import move_name, parse_position, value_name
from perfectplay.solvers.table.json_reader import best_moves_in

HARNESS = Path(__file__).with_name("turns_harness.c")
DRAWN = """from perfectplay import ONGOING, Game

ARROWS = {arrows}
TURNS = {turns}
ENDS = {ends}


def moves(mine, theirs):
    return 7 if ENDS[mine] == ONGOING else 0


def play(mine, theirs, move):
    return ARROWS[mine][move], 0


def again(mine, theirs, move):
    return TURNS[mine] >> move & 1 == 1


def margin(mine, theirs):
    return {factor} * ENDS[mine]


def outcome(mine, theirs):
    return ENDS[mine]


def game():
    return Game(moves=moves, play=play, outcome=outcome, again=again, bits=4, shape=(4, 1), {points})
"""


def drawn_game(path, seed):
    """The file of a game of 16 places, with three arrows from each and extra turns; even seeds have circles."""
    rng = random.Random(seed)
    forward = seed % 2 == 1
    arrows = tuple(tuple(rng.randint(place + 1 if forward else 0, 15) for _ in range(3)) for place in range(15))
    file = path / f"drawn_{seed}.py"
    text = DRAWN.format(
        arrows=(*arrows, (0, 0, 0)),
        turns=tuple(rng.randrange(8) for _ in range(16)),
        ends=(*[2] * 11, *(rng.choice((-1, 0, 1)) for _ in range(5))),
        factor=rng.randint(1, 9),
        points="margin=margin" if forward else "",
    )
    file.write_text(text)
    return str(file)


def named(path, name):
    """The name of a game, or the file of the one that was drawn with this number."""
    kind, _, seed = name.partition(":")
    return drawn_game(path, int(seed)) if kind == "drawn" else name


def nightly(*cases):
    """These cases in the nightly ring."""
    return [pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=pytest.mark.nightly) for one in cases]


@cache
def truth(name):
    """The game, the entry of each of its positions, and the best moves."""
    game = load_game(name)
    entries = brute_force.solved(game)
    return game, {position: (entry, best(game, entries, position)) for position, entry in entries.items()}


def best(game, entries, position):
    """The moves that keep the most: points, or else the quickest win, any draw or the latest loss."""
    moves = brute_force.move_entries(game, entries, position)
    top = max((entry.preference() for entry in moves.values() if entry.value or entry.margin is not None), default=None)
    draws = [move for move, entry in moves.items() if entry.margin is None and entry.value == 0]
    if draws and (top is None or top[0] <= 0):
        return draws
    return [move for move, entry in moves.items() if entry.preference() == top]


def said_in_c(tmp_path, file, name, positions):
    """For each position what the compiled file says."""
    prefix, program = prefix_of(name), tmp_path / "harness"
    names = [f'-DSOLVED="{file}"', f"-DNAME(x)={prefix}_##x", f"-DSTART={prefix.upper()}_START"]
    compile_c("gcc", *FLAGS, "-fsanitize=undefined", "-fno-sanitize-recover", *names, HARNESS, "-o", program)
    asked = "".join(f"{mine} {theirs}\n" for mine, theirs in positions)
    done = subprocess.run([program], input=asked, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


def expected(game, position, entry, best):
    """What it should say."""
    worth = entry.margin if entry.margin is not None else -1 if entry.distance is None else entry.distance
    moves = brute_force.edges_at(game, position).items()
    played = [number for move, (child, again) in moves for number in (move, 2 if again else 1, *child)]
    return (entry.value, worth, *played, -1, *best, -1)


def check_every_position(tmp_path, capsys, name, *more):
    """Compares the C file with the truth; returns the facts about it."""
    file = tmp_path / "solved.c"
    facts = export(capsys, name, file, *more)
    game, known = truth(name)
    said = said_in_c(tmp_path, file, name, known)
    assert len(said) == len(known)
    for position, line in zip(known, said, strict=True):
        assert line == expected(game, position, *known[position]), position
    return facts


@needs_gcc
@pytest.mark.parametrize("name", ["dots:2,1", "kalah:2,2", "drawn:1", "drawn:2", *nightly("dots:2,2", "kalah:3,2")])
def test_c_says_the_margin_and_who_moves_next(tmp_path, capsys, name):
    name = named(tmp_path, name)
    facts = check_every_position(tmp_path, capsys, name)
    assert facts["plies"] == 0
    sizes = sections(["gcc"], tmp_path / "solved.c", tmp_path / "solved.o")
    assert facts["table_bytes"] <= sizes["text"] + sizes["rodata"] <= facts["table_bytes"] + facts["code_bytes"]


@needs_gcc
@pytest.mark.nightly
@pytest.mark.parametrize("name", ["dots:1,1", *(f"drawn:{seed}" for seed in (0, *range(3, 8))), "morris:3,2"])
def test_more_games_in_c(tmp_path, capsys, name):
    """Odd seeds are for points, even ones have circles: their distances count every move."""
    check_every_position(tmp_path, capsys, named(tmp_path, name))


@needs_gcc
@pytest.mark.parametrize(
    ("name", "budget"), [("dots:2,1", 1_330), pytest.param("kalah:2,2", 1_310, marks=pytest.mark.nightly)]
)
def test_a_search_in_c_knows_extra_turns(tmp_path, capsys, name, budget):
    facts = check_every_position(tmp_path, capsys, name, "--budget", str(budget))
    assert facts["plies"] > 0
    assert facts["table_bytes"] + facts["code_bytes"] <= budget


@needs_gcc
@pytest.mark.parametrize(
    ("name", "levels"),
    [
        *(("dots:2,1", (4,)), ("drawn:1", (6,)), ("drawn:2", (8,))),
        *nightly(
            ("dots:2,1", range(1, 11)), ("kalah:2,2", (1, 4, 8)), *((f"drawn:{i}", (5, 6, 7, 8)) for i in range(5))
        ),
    ],
)
def test_levels_in_c_have_the_move_probabilities_of_the_players(tmp_path, capsys, name, levels):
    """Some look values up, others search."""
    name = named(tmp_path, name)
    game, known = truth(name)
    for level in levels:
        file = tmp_path / f"level_{level}.c"
        export(capsys, name, file, "--level", str(level))
        check_probabilities(game, level, known, weights_in_c(tmp_path, file, name, level, list(known)))


def reachable_turns(game):
    """All positions with the sides that can be to move there."""
    seen, waiting = {(game.start, 0)}, [(game.start, 0)]
    for position, side in waiting:  # it grows meanwhile
        fresh = {after(game, position, side, move) for move in legal_moves(game, position)} - seen
        seen |= fresh
        waiting += sorted(fresh)
    return seen


GAMES = ["dots:2,1", "kalah:2,2", *nightly("dots:2,2", "kalah:3,2")]


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_json(tmp_path, capsys, name, everything):
    path = tmp_path / "solved.json"
    facts = export(capsys, name, path, *(["--all"] if everything else []))
    solved, (game, known), smallest = json.loads(path.read_text()), truth(name), canonical(load_game(name))
    first = known[game.start][0]
    assert (solved["value"], solved["distance"], solved["margin"]) == (value_name(first), None, first.margin)
    turns, seen, told = reachable_turns(game), set(), best_moves_in(path, game)
    for text, said in solved["positions"].items():
        position, side = parse_position(game, text)
        assert (position, side) in turns
        entry, best = known[position]
        names = [move_name(game, position, side, move) for move in best]
        assert said == {"value": value_name(entry), "distance": None, "margin": entry.margin, "best": names}
        seen.add(position if everything else smallest(*position))
    assert seen == (set(known) if everything else {smallest(*position) for position in known})
    assert facts["rows"] == solved["count"] == len(seen)
    for position, (_, best) in known.items():  # what the player `json:` chooses from
        assert not best or choices(game, position, told[smallest(*position)]) == best


@pytest.mark.parametrize("name", [*GAMES, "drawn:2"])
def test_parquet(tmp_path, capsys, name):
    parquet = pytest.importorskip("pyarrow.parquet")
    name, path = named(tmp_path, name), tmp_path / "solved.parquet"
    export(capsys, name, path)
    file = parquet.ParquetFile(path)
    (game, known), turns = truth(name), reachable_turns(load_game(name))
    smallest, at = canonical(game), {}
    for position in known:
        at.setdefault(game.key(*smallest(*position)), set()).add(position)
    rows = file.read().to_pylist()
    assert {row["key"] for row in rows} == at.keys()
    assert ("margin" in file.schema_arrow.names) == (game.margin is not None)
    for row in rows:
        position, side = parse_position(game, row["position"])
        assert position in at[row["key"]]
        assert (position, side) in turns
        entry, best = known[position]
        assert (row["value"], row["distance"], row.get("margin")) == (*entry, entry.margin)
        assert row["best_moves"] == sum(1 << move for move in best)
