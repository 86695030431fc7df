"""Solving on a GPU: tables equal those of the CPU byte for byte, whatever the GPU's memory, and faults are found."""

from dataclasses import replace

import pytest

from both_gpus import cpu_table, gpu_table, on_both
from perfectplay import DRAW, LOSS, ONGOING, WIN, BadGame, Entry, Game, TooBig, load, solve
from perfectplay.compiler import cuda
from perfectplay.compiler.checks.sample_positions import random_positions
from perfectplay.compiler.compiled import guard_sites, rule_set
from perfectplay.compiler.cuda import fault_on_gpu, find_gpu, load_gpu_kernels
from perfectplay.solvers.gpu import gpu_cyclic, gpu_layered, gpu_tables, gpu_tiered
from rings import nightly
from tier_games import endless_above, from_two, half, marks, one
from turn_game_files import written

HEXAPAWN = "./examples/hexapawn.py"
SLOW = ["drop:3,3,3", "lines:3,2,2", "fading:3,2", HEXAPAWN, "tic-tac-toe", "dots:2,1", "kalah:2,2", "dots:2,2"]
REAL = [
    *("tic-tac-toe", "misere", "tactic-toe", "kingpawns", "drop:4,4,4", "drop:5,4,4", "drop:5,5,4", "drop:6,4,4"),
    *("fading:4,3", "lines:4,4,4", f"{HEXAPAWN}:5,5", "dots:2,2", "dots:3,2", "kalah:3,2", "kalah:4,2"),
    *("kalah:4,3", "morris:3,2", "morris:4,2", "morris:6"),
]
WALKED = [
    *("tic-tac-toe", "lines:4,4,4", "lines:7,9,5", "lines:5,3,3", "misere", "drop:7,6,4", "drop:6,6,4", "drop:5,7,4"),
    *("tactic-toe", "fading:4,4", "fading:6,3", "fading:5,4", "kingpawns", HEXAPAWN, f"{HEXAPAWN}:7,4"),
    *("./examples/tictactoe.py", "dots:3,3", "kalah:4,3", "morris:6"),
]


@pytest.mark.parametrize("name", on_both(["dots:1,1"], REAL, SLOW))
def test_tables_equal_those_of_the_cpu(name):
    game = load(name)
    assert gpu_table(game, memory=1 << 36) == cpu_table(game)


def drawn_ends():
    """A game with cycles, drawn ends and endless draws: places 6, 7 and 8 are finished, 9 leads to itself."""
    children = (1, 2, 3, 0, 4, 5, 0, 9, 6, 1, 2, 7)

    def moves(mine, theirs):
        return 3

    def play(mine, theirs, move):
        return (children[2 * mine + move] if mine < 6 else 9 - move), 0

    def outcome(mine, theirs):
        return DRAW if mine == 6 else LOSS if mine == 7 else WIN if mine == 8 else ONGOING

    return Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(4, 1), name="a drawn game")


def take_away():
    """A game with moves of more than 32 bits."""

    def moves(mine, theirs):
        return 1 << 32 | 1 << 45 | 1 << 62

    def play(mine, theirs, move):
        return mine + 1 + (move > 32) + (move > 45), 0

    def outcome(mine, theirs):
        return ONGOING if mine < 7 else LOSS

    names = tuple(map(str, range(63)))
    return Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(4, 1), name="take away", move_names=names)


def test_the_games_of_one_kind_each_are_what_they_are_said_to_be():
    header = solve(drawn_ends(), engine="python").header
    assert header.draws > header.endless > 0
    assert solve(take_away(), engine="python").lookup((0, 0)) == Entry(WIN, 3)


def alternating(mine, theirs, move):
    """The next position where nobody moves again."""
    return theirs, mine | 1 << move


def coins(folder, **fields):
    """The game of coins, which has layers, extra turns and points, with other fields."""
    return replace(load(written(folder, "coins")), **fields)


KINDS = {
    "drawn ends": lambda folder: drawn_ends(),
    "wide moves": lambda folder: take_away(),
    "marks": lambda folder: replace(load("lines:2,2,2"), tier=marks),
    "endless draw in a higher tier": lambda folder: endless_above(from_two),
    "asymmetric start": lambda folder: replace(load("lines:2,2,2"), start=(0b1, 0b10)),
    "asymmetric start, tiers": lambda folder: replace(load("lines:2,2,2"), start=(0, 1), tier=marks),
    "marks of a larger board": lambda folder: replace(load("lines:3,2,2"), tier=marks),
    "asymmetric start, cycles": lambda folder: replace(load("fading:3,2"), start=(1, 0)),
    "coins": coins,
    "coins without points": lambda folder: coins(folder, margin=None),
    "coins without extra turns": lambda folder: coins(folder, again=None, play=alternating),
    "cycles and extra turns": lambda folder: load(written(folder, "centre")),
    "half": lambda folder: replace(load("lines:3,2,2"), tier=half),
    "cycles in one tier": lambda folder: replace(load("fading:3,2"), tier=one),
    "points in one tier": lambda folder: replace(load("dots:2,1"), tier=one),
    "morris without tiers": lambda folder: replace(load("morris:3,2"), tier=None),
}


@pytest.mark.parametrize("kind", on_both([*KINDS][:6], KINDS, [*KINDS][6:-1]))
def test_tables_of_each_kind_of_game_equal_those_of_the_cpu(kind, tmp_path):
    game = KINDS[kind](tmp_path)
    assert gpu_table(game) == cpu_table(replace(game, tier=None))


@pytest.mark.parametrize("name", on_both(["drop:3,2,2"], ["drop:5,4,4", "tactic-toe"], ["fading:3,2"]))
def test_wide_entries_give_the_same_tables(name, monkeypatch):
    monkeypatch.setattr(cuda, "NARROW", cuda.WIDE)
    game = load(name)
    assert gpu_table(game) == cpu_table(game)


def with_memory(monkeypatch, memory):
    """A GPU with this much memory and narrow entries."""
    found = cuda.find_gpu()
    monkeypatch.setattr("perfectplay.solvers.gpu.gpu_engine.find_gpu", lambda: found._replace(memory=memory))
    monkeypatch.setattr(cuda, "SMALLEST", 1)


@pytest.mark.parametrize(
    ("name", "memory", "moves_out"),
    [
        *nightly(("drop:3,3,3", 5000, True), ("drop:3,3,3", 6500, False)),
        pytest.param("drop:5,4,4", 9 << 20, False, marks=pytest.mark.gpu),
        pytest.param("drop:5,4,4", 5 << 20, True, marks=pytest.mark.gpu),
    ],
)
def test_layers_are_packed_and_move_out_when_the_gpu_is_full(name, memory, moves_out, monkeypatch):
    monkeypatch.setattr(gpu_tables, "AT_ONCE", 1 << 16)
    monkeypatch.setattr(gpu_layered, "AMPLE", 100)
    packed, moved = [], []
    pack, outside = gpu_tables.Room.pack, gpu_tables.Room.outside
    monkeypatch.setattr(gpu_tables.Room, "pack", lambda room, table: (packed.append(table), pack(room, table)))
    monkeypatch.setattr(gpu_tables.Room, "outside", lambda room, part: (moved.append(part), outside(room, part))[1])
    with_memory(monkeypatch, memory)
    game = load(name)
    assert gpu_table(game) == cpu_table(game)
    assert len(packed) > 3
    assert len(set(map(id, packed))) == len(packed)
    assert bool(moved) == moves_out


@pytest.mark.parametrize(
    ("name", "memory"),
    [*nightly(("fading:3,2", 3500)), pytest.param("tactic-toe", 1 << 17, marks=pytest.mark.gpu)],
)
def test_children_that_do_not_fit_are_generated_again(name, memory, monkeypatch):
    game = load(name)
    kept = []
    backward = gpu_cyclic.backward
    monkeypatch.setattr(gpu_cyclic, "backward", lambda room, web: (kept.append(room.kept), backward(room, web))[1])
    with_memory(monkeypatch, memory)
    assert gpu_table(game) == cpu_table(game)
    assert kept == [True, False]  # the first is the warm-up


@pytest.mark.parametrize(
    "name",
    on_both(["endless draw in a higher tier", "dots:1,1"], ["dots:3,2", "morris:3,2"], ["drawn ends", "dots:2,1"]),
)
def test_children_that_are_not_stored_are_generated_again(name, monkeypatch):
    new_graph = gpu_cyclic.new_graph

    def without_edges(room, *arguments):
        graph = new_graph(room, *arguments)
        room.memory.give(graph.edges)
        return graph._replace(edges=room.memory.take(0, graph.edges.dtype))

    monkeypatch.setattr(gpu_cyclic, "new_graph", without_edges)
    monkeypatch.setattr(gpu_tiered, "new_graph", without_edges)
    game = KINDS[name]("") if name in KINDS else load(name)
    assert gpu_table(game) == cpu_table(replace(game, tier=None))


@pytest.mark.parametrize(
    ("name", "start"),
    [("drop:3,3,3", (0, 0)), *nightly(("lines:4,2,3", (1, 0)), ("fading:3,2", (1, 0)))],
)
def test_tables_that_are_too_small_are_enlarged(name, start, monkeypatch):
    monkeypatch.setattr(gpu_tables, "LOAD", 3.0)
    monkeypatch.setattr(gpu_layered, "AMPLE", 2)
    dropped = []
    drop = gpu_tables.Room.drop
    monkeypatch.setattr(gpu_tables.Room, "drop", lambda room, table: (dropped.append(table.count), drop(room, table)))
    game = replace(load(name), start=start)
    assert gpu_table(game) == cpu_table(game)
    assert dropped.count(0) > 2  # besides those of the warm-up


@pytest.mark.parametrize("name", on_both(["drop:3,3,3", "kalah:2,2"], WALKED, ["fading:3,3", "kingpawns", HEXAPAWN]))
def test_rules_answer_the_same_on_the_gpu(name):
    game, gpu = load(name), find_gpu()
    if game.key is None:  # a dummy, so that the other rules can be called
        game = replace(game, key=lambda mine, theirs: mine ^ theirs, unkey=lambda number: (number, 0))
    positions = [met.position for met in random_positions(game, 3 if gpu.threads == 2 else 300, seed=7)]
    assert len(positions) > 5
    assert fault_on_gpu(game, gpu, load_gpu_kernels(game, gpu), positions) is None


def test_a_wrong_answer_on_the_gpu_is_reported(gpu):
    game = load("drop:3,3,3")
    other = load_gpu_kernels(load("drop:3,3,2"), gpu)
    positions = [met.position for met in random_positions(game, 5, seed=7)]
    fault = fault_on_gpu(game, gpu, other, positions)
    assert fault is not None
    assert fault.startswith("outcome in (")
    assert fault.endswith(" interpreted")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"outcome": lambda mine, theirs: 7}, "an outcome is invalid"),
        ({"moves": lambda mine, theirs: 0}, "no legal move"),
        ({"unkey": lambda number: (number, 1)}, "unkey does not invert"),
        ({"play": lambda mine, theirs, move: (theirs, mine | 1 << 40)}, "too wide"),
        ({"key_bits": 5}, "a key of lines:3,2,3 is wider than key_bits = 5 bits"),
        ({"tier": lambda mine, theirs: -(mine | theirs).bit_count()}, "decreases from 0 to -1"),
        ({"margin": lambda mine, theirs: 1}, "contract"),
    ],
)
def test_broken_rules_are_refused(change, words):
    with pytest.raises(BadGame, match=words):
        gpu_table(replace(load("lines:3,2,3"), **change))


@pytest.mark.usefixtures("gpu")
def test_points_with_cycles_are_refused():
    with pytest.raises(BadGame, match="can repeat"):
        gpu_table(replace(endless_above(), margin=lambda mine, theirs: 1))


@pytest.mark.nightly
def test_wrong_symmetries_are_refused():
    swapped = (1, 0, 2, 3, 4, 5, 6, 7, 8)  # not a symmetry of the board
    game = replace(load("tic-tac-toe"), symmetries=(tuple(range(9)), swapped), start=(0o401, 0o022))
    with pytest.raises(BadGame, match="symmetries are wrong"):
        gpu_table(game)


@pytest.mark.usefixtures("gpu")
def test_rules_that_fail_at_a_position_are_reported(monkeypatch):
    """With BadGame on a real GPU, with Python's error on a simulated one."""
    monkeypatch.setattr("perfectplay.solvers.gpu.gpu_engine.check_rules", lambda room: None)
    few = (1, 1, 1, 1, 1)

    def looks_beyond(mine, theirs):
        return 0b111111 & ~(mine | theirs) & -few[(mine | theirs).bit_count()]

    def raises(mine, theirs):
        if (mine | theirs) == 0b11111:
            raise ValueError("never")
        return 0b111111 & ~(mine | theirs)

    for moves in (looks_beyond, raises):
        with pytest.raises((BadGame, IndexError, ValueError)):
            gpu_table(replace(load("lines:3,2,3"), moves=moves))


def test_stopped_threads_are_noticed(monkeypatch):
    tally = gpu_tables.Room.tally

    def one_less(room):
        tallies = tally(room)
        tallies[room.kernels.FRESH] -= tallies[room.kernels.FRESH] > 1
        return tallies

    monkeypatch.setattr(gpu_tables.Room, "tally", one_less)
    with pytest.raises(BadGame, match="the rules of drop:3,2,2 failed on the GPU at some position"):
        gpu_table(load("drop:3,2,2"))


def test_divisions_that_could_be_by_zero_are_guarded():
    def outcome(mine, theirs):
        return 2 if 7 // theirs else mine // -7

    game = replace(load("lines:3,2,3"), outcome=outcome)
    (place,) = guard_sites(rule_set(game), cuda.GPU)  # a negative divisor needs no guard
    assert place.startswith("a division by what can be 0: 7 // theirs, line")


@pytest.mark.parametrize(
    ("name", "memory", "said"),
    [
        ("drop:3,3,3", 2000, r".* are needed beside .* has 1.95 KiB"),
        *nightly(("fading:3,2", 1500, r"it has more than \d+ positions")),
    ],
)
def test_a_gpu_that_is_too_small_is_reported_with_figures(name, memory, said, monkeypatch):
    with_memory(monkeypatch, memory)
    with pytest.raises(TooBig, match=f"{name} will not fit the GPU: {said}"):
        gpu_table(load(name))


def test_too_little_memory_for_a_table_is_reported_before_solving():
    with pytest.raises(TooBig, match=r"canonical positions takes .*; solve it without a table"):
        gpu_table(load("drop:3,2,2"), memory=50)
