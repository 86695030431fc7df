"""Solving on a GPU: the tables equal those of the CPU byte for byte, whatever the GPU's memory."""

import dataclasses
from io import BytesIO
from pathlib import Path

import pytest

from command_line import output
from perfectplay import DRAW, LOSS, ONGOING, WIN, BadGame, Entry, Game, TooBig, load, solve
from perfectplay.engines import cuda
from perfectplay.engines.compiled import guarded_places, rule_set
from perfectplay.engines.cuda import fault_on_gpu, load_gpu_kernels
from perfectplay.engines.sample_positions import random_positions
from perfectplay.solvers.engine import Options
from perfectplay.solvers.gpu import gpu_cyclic, gpu_layered, gpu_tables
from perfectplay.solvers.gpu.gpu_engine import solve_on_gpu
from perfectplay.solvers.steps import finished

HEXAPAWN = "./examples/hexapawn.py"
SIMULATED = ["drop:3,3,3", "lines:3,2,2", "fading:3,2", HEXAPAWN]
SLOW = ["tic-tac-toe", "tactic-toe", "kingpawns"]
REAL = [
    *("tic-tac-toe", "misere", "tactic-toe", "kingpawns", "drop:4,4,4", "drop:5,4,4", "drop:5,5,4", "drop:6,4,4"),
    *("fading:4,3", "lines:4,4,4", f"{HEXAPAWN}:5,5"),
]
WALKED = [
    *("tic-tac-toe", "lines:4,4,4", "lines:7,9,5", "lines:5,3,3", "misere", "drop:7,6,4", "drop:6,6,4", "drop:5,7,4"),
    *("tactic-toe", "fading:4,4", "fading:6,3", "fading:5,4", "kingpawns", HEXAPAWN, f"{HEXAPAWN}:7,4"),
    "./examples/tictactoe.py",
]


def on_both(simulated, real, slow=()):
    """Parameters: some for the simulated GPU, more for a real one."""
    return [
        *simulated,
        *(pytest.param(name, marks=pytest.mark.nightly) for name in slow),
        *(pytest.param(name, marks=pytest.mark.gpu, id=f"{name}-real") for name in real),
    ]


def gpu_table(game, tmp_path, memory=1 << 32):
    """The bytes of the table that the GPU writes."""
    sink = BytesIO()
    finished(solve_on_gpu(game, sink, Options("cuda", memory=memory, threads=2)))
    return sink.getvalue()


def cpu_table(game):
    """The bytes of the CPU's table; games for a simulated GPU take longer to compile than to solve."""
    return bytes(solve(game, engine="python" if cuda.CONFIG.ENABLE_CUDASIM else "numba").reader.data)


@pytest.mark.parametrize("name", on_both(SIMULATED, REAL, SLOW))
def test_tables_equal_those_of_the_cpu(name, tmp_path):
    game = load(name)
    assert gpu_table(game, tmp_path) == cpu_table(game)


@pytest.mark.parametrize("name", on_both(["drop:3,3,3", "fading:3,2"], ["drop:5,4,4", "tactic-toe"]))
def test_wide_entries_give_the_same_tables(name, tmp_path, monkeypatch):
    monkeypatch.setattr(cuda, "NARROW", cuda.WIDE)
    game = load(name)
    assert gpu_table(game, tmp_path) == cpu_table(game)


@pytest.mark.parametrize(
    ("name", "memory", "moves_out"),
    [
        ("drop:3,3,3", 6500, False),
        ("drop:3,3,3", 5000, True),
        pytest.param("drop:5,4,4", 9 << 20, False, marks=pytest.mark.gpu),
        pytest.param("drop:5,4,4", 5 << 20, True, marks=pytest.mark.gpu),
    ],
)
def test_layers_are_packed_and_move_out_when_the_gpu_is_full(name, memory, moves_out, tmp_path, monkeypatch):
    monkeypatch.setattr(gpu_tables, "AT_ONCE", 1 << 16)
    monkeypatch.setattr(gpu_layered, "AMPLE", 100)
    packed, moved = [], []
    pack, outside = gpu_tables.Room.pack, gpu_tables.Room.outside
    monkeypatch.setattr(gpu_tables.Room, "pack", lambda room, table: (packed.append(table), pack(room, table)))
    monkeypatch.setattr(gpu_tables.Room, "outside", lambda room, part: (moved.append(part), outside(room, part))[1])
    with_memory(monkeypatch, memory)
    game = load(name)
    assert gpu_table(game, tmp_path) == cpu_table(game)
    assert len(packed) > 3
    assert len(set(map(id, packed))) == len(packed)
    assert bool(moved) == moves_out


def with_memory(monkeypatch, memory):
    """A GPU with this much memory and narrow entries."""
    found = cuda.find_gpu()
    monkeypatch.setattr("perfectplay.solvers.gpu.gpu_engine.find_gpu", lambda: found._replace(memory=memory))
    monkeypatch.setattr(cuda, "SMALLEST", 1)


@pytest.mark.parametrize(
    ("name", "memory"), [("fading:3,2", 3500), pytest.param("tactic-toe", 1 << 17, marks=pytest.mark.gpu)]
)
def test_children_that_do_not_fit_are_generated_again(name, memory, tmp_path, monkeypatch):
    game = load(name)
    kept = []
    backward = gpu_cyclic.backward
    monkeypatch.setattr(gpu_cyclic, "backward", lambda room, web: (kept.append(room.kept), backward(room, web))[1])
    with_memory(monkeypatch, memory)
    assert gpu_table(game, tmp_path) == cpu_table(game)
    assert kept == [True, False]  # the first is the warm-up


@pytest.mark.parametrize("where", on_both(["simulated"], ["real"]))
def test_drawn_ends_and_endless_draws(where, tmp_path):
    children = (
        1,
        2,
        3,
        0,
        4,
        5,
        0,
        9,
        6,
        1,
        2,
        7,
    )  # two for each place up to 5; 6, 7 and 8 are finished, 9 has a cycle

    def moves(mine, theirs):
        return 3

    def play(mine, theirs, move):
        return (children[2 * mine + move] if mine < 6 else 9 - move), 0

    def outcome(mine, theirs):
        return DRAW if mine == 6 else LOSS if mine == 7 else WIN if mine == 8 else ONGOING

    game = Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(4, 1), name="a drawn game")
    assert gpu_table(game, tmp_path) == cpu_table(game)
    header = solve(game, engine="python").header
    assert header.draws > header.endless > 0


@pytest.mark.parametrize("where", on_both(["simulated"], ["real"]))
def test_moves_of_more_than_32_bits(where, tmp_path):
    def moves(mine, theirs):
        return 1 << 32 | 1 << 45 | 1 << 62

    def play(mine, theirs, move):
        return mine + 1 + (move > 32) + (move > 45), 0

    def outcome(mine, theirs):
        return ONGOING if mine < 7 else LOSS

    names = tuple(map(str, range(63)))
    game = Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(4, 1), name="take away", move_names=names)
    assert gpu_table(game, tmp_path) == cpu_table(game)
    assert solve(game, engine="python").lookup((0, 0)) == Entry(WIN, 3)


@pytest.mark.parametrize("where", on_both(["simulated"], ["real"]))
@pytest.mark.parametrize("start", [(0b1, 0), (0b1, 0b10)])
def test_an_asymmetric_start_of_a_layered_game(where, start, tmp_path):
    game = dataclasses.replace(load("lines:3,2,3"), start=start)
    assert gpu_table(game, tmp_path) == cpu_table(game)


@pytest.mark.nightly  # tables of cyclic games from their usual start are compared above
def test_an_asymmetric_start_of_a_cyclic_game(tmp_path):
    game = dataclasses.replace(load("fading:3,2"), start=(1, 0))
    assert gpu_table(game, tmp_path) == cpu_table(game)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("drop:3,3,3", (0, 0)),
        *(pytest.param(name, (1, 0), marks=pytest.mark.nightly) for name in ("lines:4,2,3", "fading:3,2")),
    ],
)
def test_tables_that_are_too_small_are_enlarged(name, start, tmp_path, monkeypatch):
    monkeypatch.setattr(gpu_tables, "LOAD", 3.0)
    monkeypatch.setattr(gpu_layered, "AMPLE", 2)
    dropped = []
    drop = gpu_tables.Room.drop
    monkeypatch.setattr(gpu_tables.Room, "drop", lambda room, table: (dropped.append(table.count), drop(room, table)))
    game = dataclasses.replace(load(name), start=start)
    assert gpu_table(game, tmp_path) == cpu_table(game)
    assert dropped.count(0) > 2  # besides those of the warm-up


@pytest.mark.parametrize("name", on_both(["drop:3,3,3", "fading:3,3", "kingpawns", HEXAPAWN], WALKED))
def test_rules_answer_the_same_on_the_gpu(name, gpu):
    game = keyed(load(name))
    positions = [met.position for met in random_positions(game, 3 if gpu.threads == 2 else 300, seed=7)]
    kernels = load_gpu_kernels(game, gpu)
    assert len(positions) > 5
    assert fault_on_gpu(game, gpu, kernels, positions) is None


def keyed(game):
    """The game with a dummy key if its own would be too long, so that the other rules can be called."""
    if game.key is not None:
        return game
    return dataclasses.replace(game, key=lambda mine, theirs: mine ^ theirs, unkey=lambda number: (number, 0))


def test_a_wrong_answer_on_the_gpu_is_reported(gpu):
    game = load("drop:3,3,3")
    other = load_gpu_kernels(load("drop:3,3,2"), gpu)
    positions = [met.position for met in random_positions(game, 5, seed=7)]
    fault = fault_on_gpu(game, gpu, other, positions)
    assert fault is not None
    assert fault.startswith("outcome in (")
    assert fault.endswith(" interpreted")


def test_wrong_symmetries_are_refused(tmp_path):
    swapped = (1, 0, 2, 3, 4, 5, 6, 7, 8)  # not a symmetry of the board
    game = dataclasses.replace(load("tic-tac-toe"), symmetries=(tuple(range(9)), swapped), start=(0o401, 0o022))
    with pytest.raises(BadGame, match="symmetries are wrong"):
        gpu_table(game, tmp_path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"outcome": lambda mine, theirs: 7}, "an outcome is invalid"),
        ({"moves": lambda mine, theirs: 0}, "no legal move"),
        ({"unkey": lambda number: (number, 1)}, "unkey does not invert"),
        ({"play": lambda mine, theirs, move: (theirs, mine | 1 << 40)}, "too wide"),
    ],
)
def test_broken_rules_are_refused(change, words, tmp_path):
    game = dataclasses.replace(load("lines:3,2,3"), **change)
    with pytest.raises(BadGame, match=words):
        gpu_table(game, tmp_path)


@pytest.mark.parametrize("where", on_both(["simulated"], ["real"]))
def test_rules_that_fail_at_a_position_are_reported(where, tmp_path, monkeypatch):
    monkeypatch.setattr("perfectplay.solvers.gpu.gpu_engine.check_rules", lambda room: None)
    few = (1, 1, 1, 1, 1)

    def looks_beyond(mine, theirs):
        return 0b111111 & ~(mine | theirs) & -few[(mine | theirs).bit_count()]

    def raises(mine, theirs):
        if (mine | theirs) == 0b11111:
            raise ValueError("never")
        return 0b111111 & ~(mine | theirs)

    for moves in (looks_beyond, raises):
        game = dataclasses.replace(load("lines:3,2,3"), moves=moves)
        with pytest.raises(
            (BadGame, IndexError, ValueError)
        ):  # BadGame on a real GPU, Python's error on a simulated one
            gpu_table(game, tmp_path)


def test_stopped_threads_are_noticed(tmp_path, monkeypatch):
    tally = gpu_tables.Room.tally

    def one_less(room):
        tallies = tally(room)
        tallies[room.kernels.FRESH] -= tallies[room.kernels.FRESH] > 1
        return tallies

    monkeypatch.setattr(gpu_tables.Room, "tally", one_less)
    for name in ("drop:3,3,3", "fading:3,2"):
        with pytest.raises(BadGame, match=f"the rules of {name} failed on the GPU at some position"):
            gpu_table(load(name), tmp_path)


def test_divisions_that_could_be_by_zero_are_guarded():
    def outcome(mine, theirs):
        return 2 if 7 // theirs else mine // -7

    game = dataclasses.replace(load("lines:3,2,3"), outcome=outcome)
    (place,) = guarded_places(rule_set(game), cuda.GPU)  # a negative divisor needs no guard
    assert place.startswith("a division by what can be 0: 7 // theirs, line")


def test_keys_longer_than_key_bits_are_refused(tmp_path):
    with pytest.raises(BadGame, match="a key of drop:3,3,3 is wider than key_bits = 11 bits"):
        gpu_table(dataclasses.replace(load("drop:3,3,3"), key_bits=11), tmp_path)
    with pytest.raises(BadGame, match="more than the 8 bits of key_bits"):
        gpu_table(dataclasses.replace(load("drop:3,3,3"), key_bits=8), tmp_path)


def test_a_gpu_that_is_too_small_is_reported_with_figures(tmp_path, monkeypatch):
    with_memory(monkeypatch, 2000)
    with pytest.raises(TooBig, match=r"drop:3,3,3 will not fit the GPU: .* are needed beside .* has 1.95 KiB"):
        gpu_table(load("drop:3,3,3"), tmp_path)
    with_memory(monkeypatch, 1500)
    with pytest.raises(TooBig, match=r"fading:3,2 will not fit the GPU: it has more than \d+ positions"):
        gpu_table(load("fading:3,2"), tmp_path)


def test_too_little_memory_for_a_table_is_reported_before_solving(tmp_path):
    with pytest.raises(TooBig, match=r"359 canonical positions takes .*; solve it without a table"):
        gpu_table(load("drop:3,3,3"), tmp_path, memory=500)


def test_the_command_on_a_simulated_gpu(capsys, tmp_path):
    table = tmp_path / "a.table"
    told = output(capsys, f"solve drop:3,3,3 --engine cuda --table {table}")
    assert "by the cuda engine" in told
    assert table.read_bytes() == cpu_table(load("drop:3,3,3"))
    assert Path(tmp_path / "data" / "progress").exists() is False
