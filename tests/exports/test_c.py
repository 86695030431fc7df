"""The C file: compiled without a warning, it says what the table says, in every reachable position."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from command_line import complaint
from export_files import export, truth
from perfectplay.exports.c.c_file import prefix_of, thinnings
from perfectplay.exports.c.static_function import (
    INCREMENT,
    MULTIPLIER,
    bits_needed,
    bucket_of,
    code_for,
    hash_of,
    jumps,
    parts_of,
    quick_solution,
    size_bound,
    solution,
)
from perfectplay.game import legal_moves
from perfectplay.players.models.game_graph import graph_for
from perfectplay.rules.loading import load_game
from perfectplay.words import LOSS, ONGOING, WIN

FLAGS = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Os"]
HARNESS = Path(__file__).with_name("harness.c")
CHIP = ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"]
BUDGETS = {"tic-tac-toe": 1_500, "kingpawns": 2_600, "tactic-toe": 3_300, "drop:4,4,4": 7_000}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Writes C files, each once: the file and the facts about it."""
    folder, known = tmp_path_factory.mktemp("c"), {}

    def write(capsys, game, budget=None):
        if (game, budget) not in known:
            path = folder / f"{len(known)}.c"
            known[game, budget] = path, export(capsys, game, path, *(["--budget", str(budget)] if budget else []))
        return known[game, budget]

    return write


needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")
needs_chip = pytest.mark.skipif(not shutil.which(CHIP[0]), reason="gcc-arm-none-eabi is not installed")


def compile_c(*arguments):
    """Compiles something without a warning."""
    done = subprocess.run([*map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def answers(tmp_path, header, game, positions, *flags):
    """For each position what the compiled file says: value, distance, legal moves, best moves in turn."""
    prefix, program = prefix_of(game), tmp_path / "harness"
    names = [f'-DSOLVED="{header}"', f"-DNAME(x)={prefix}_##x", f"-DSTART={prefix.upper()}_START"]
    compile_c("gcc", *FLAGS, *flags, *names, HARNESS, "-o", program)
    asked = "".join(f"{mine} {theirs}\n" for mine, theirs in positions)
    done = subprocess.run([program], input=asked, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert tuple(map(int, lines[0].split())) == load_game(game).start
    return [tuple(map(int, line.split())) for line in lines[1:]]


def expected(game, position, entry, best):
    """What it should say."""
    distance = -1 if entry.distance is None else entry.distance
    return (entry.value, distance, *legal_moves(game, position), -1, *best, -1)


def sections(compiler, source, compiled, *flags):
    """The bytes of each kind of section of the compiled file."""
    compile_c(*compiler, *FLAGS, *flags, "-c", source, "-o", compiled)
    size = "arm-none-eabi-size" if compiler == CHIP else "size"
    listed, found = subprocess.run([size, "-A", compiled], capture_output=True, text=True, check=True).stdout, Counter()
    for section, count in re.findall(r"^\.(\w+)\S*\s+(\d+)", listed, re.MULTILINE):
        found[section] += int(count)
    return found


ALL = [
    *(("tic-tac-toe", None, 1), ("ponghauki", None, 1), ("lines:34,1,1", None, 1)),
    *(("examples/hexapawn.py", None, 1), ("tic-tac-toe", 1_500, 97)),
]
MORE = [
    *(
        ("tactic-toe", None, 1),
        ("tactic-toe", 3_300, 11),
        ("examples/hexapawn.py:4,4", 1_900, 1),
        ("kingpawns", None, 1),
    ),
    *(("kingpawns", 2_600, 1), ("drop:4,4,4", None, 1), ("drop:4,4,4", 7_000, 97), ("misere", None, 1)),
    *(("kingpawns:1,true", None, 1), ("examples/tictactoe.py", None, 1), ("fading:4,2", None, 7)),
]


@needs_gcc
@pytest.mark.parametrize(
    ("name", "budget", "every"), [*ALL, *(pytest.param(*one, marks=pytest.mark.nightly) for one in MORE)]
)
def test_every_position(tmp_path, capsys, written, name, budget, every):
    file, facts = written(capsys, name, budget)
    assert (facts["plies"] > 0) == (budget is not None)
    if budget:
        assert facts["table_bytes"] + facts["code_bytes"] <= budget
    game, known = load_game(name), truth(name, every)
    said = answers(tmp_path, file, name, list(known), "-fsanitize=undefined", "-fno-sanitize-recover")
    for (position, entry), line in zip(known.items(), said, strict=True):
        assert line == expected(game, position, *entry), position


@needs_gcc
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.nightly if name != "tic-tac-toe" else ()) for name in BUDGETS]
)
@pytest.mark.parametrize("compiler", [["gcc"], pytest.param(CHIP, marks=needs_chip)], ids=["gcc", "cortex-m0"])
def test_size_and_stack(tmp_path, capsys, written, name, compiler):
    for budget in (None, BUDGETS[name]):
        source, facts = written(capsys, name, budget)
        found = sections(compiler, source, tmp_path / "solved.o", "-fstack-usage")
        flash = found["text"] + found["rodata"]
        assert facts["table_bytes"] <= flash <= facts["table_bytes"] + facts["code_bytes"]
        assert found["data"] == found["bss"] == 0
        assert budget is None or flash <= budget
        frames = re.findall(r":(\w+)\s+(\d+)\s+static", (tmp_path / "solved.su").read_text())
        stack = sum(int(size) * (facts["plies"] + 1 if "searched" in name else 1) for name, size in frames)
        assert 0 < stack < 1_500  # all functions at once, and the search as deep as it goes


@pytest.mark.nightly
def test_tactic_toe_is_smaller_than_made_by_hand(capsys, written):
    _, facts = written(capsys, "tactic-toe")
    assert (facts["plies"], facts["classes"], facts["rows"]) == (0, 9_190, 8_344)
    assert facts["table_bytes"] == 3_464  # 2,284 rows of 6 bytes with a search, made by hand: 13.4 KB


def test_line_games_that_a_search_finds():
    game = load_game("tic-tac-toe")
    graph = graph_for(game)

    def searched(position, plies):
        """The value and the distance as a search of so many plies finds them, or None."""
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return outcome, 0
        if plies == 0:
            return None
        after = [searched(game.play(*position, move), plies - 1) for move in legal_moves(game, position)]
        known = [(-one[0], one[1] + 1) for one in after if one is not None]
        won = [distance for value, distance in known if value == WIN]
        if won:
            return WIN, min(won)
        if len(known) < len(after):
            return None
        drawn = [distance for value, distance in known if value == 0]
        return (0, min(drawn)) if drawn else (LOSS, max(distance for _, distance in known))

    for thinning in thinnings(graph):
        if thinning.plies > 3:
            break
        for number in range(0, graph.counts.size, 5):
            found = searched(graph.position(number), thinning.plies)
            assert (found is None) == thinning.unsolved[number]
            if found is not None:
                assert found == (graph.values[number], graph.distances[number])


def test_left_out_rows():
    steps = list(thinnings(graph_for(load_game("tic-tac-toe"))))
    left_out = [int(one.unsolved.sum()) for one in steps]
    assert [one.plies for one in steps] == [*range(10)]
    assert left_out[9] == 0  # a search to the end needs no table
    assert all(left_out[plies] > left_out[plies + 1] for plies in range(9))


def test_a_code_takes_few_bits():
    frequencies = Counter({7: 8, 3: 4, 9: 2, 1: 1, 2: 1})
    code = code_for(frequencies)
    words = code.words()
    assert {value: length for value, (_, length) in words.items()} == {7: 1, 3: 2, 9: 3, 1: 4, 2: 4}
    texts = [f"{word:0{length}b}" for word, length in words.values()]
    assert not any(a != b and b.startswith(a) for a in texts for b in texts)
    assert bits_needed(frequencies) == 8 + 8 + 6 + 4 + 4
    assert code_for(Counter({5: 100})).words() == {5: (0, 0)}
    assert size_bound(Counter({5: 100})) == 1
    assert size_bound(Counter()) == 0


def test_hashes_are_spread():
    positions = [(i & 63, i >> 6) for i in range(4096)]
    hashes = hash_of(parts_of(positions, 12), 1)
    assert len(set(hashes.tolist())) == len(positions)
    counts = Counter(bucket_of(hashes, 8).tolist())
    assert sorted(counts) == list(range(8))
    assert max(counts.values()) < 620
    wide = parts_of([(1 << 40, 0), (0, 1 << 40)], 41)
    assert len(wide) == 4
    assert len(set(hash_of(wide, 0).tolist())) == 2


@pytest.mark.parametrize("make", [lambda: solution, quick_solution], ids=["interpreted", "compiled"])
def test_equations(make):
    solve = make()

    def solved(*equations):
        picked, sums = zip(*equations, strict=True)
        return solve(np.array(picked, np.uint8)[:, None], np.array(sums, np.uint8))

    assert solved((0b11, 1), (0b01, 0)) == bytes([0b10])  # x1 + x0 = 1, x0 = 0
    assert solved((0b11, 1), (0b11, 0)) is None
    assert solved((0b11, 1), (0b11, 1)) is not None
    assert solved((0, 0), (0b1000_0000, 1)) == bytes([0b1000_0000])
    assert solved((0, 1)) is None


@pytest.mark.parametrize("size", [1, 7, 8, 9, 30])
def test_compiled_equations_have_the_same_solutions(size):
    rng, quick, solvable = np.random.default_rng(size), quick_solution(), 0
    for more in (-20, -3, 0, 0, 0, 0, 1, 4):
        count = max(1, 8 * size + more)
        picked = rng.integers(0, 256, (count, size), np.uint8)
        sums = rng.integers(0, 2, count, np.uint8)
        found = solution(picked, sums.copy())
        assert quick(picked.copy(), sums.copy()) == found
        if found is not None:
            solvable += 1
            parities = np.bitwise_count(picked & np.frombuffer(found, np.uint8)).sum(axis=1) & 1
            assert (parities == sums).all()
    assert 0 < solvable < 8


def test_the_generator_jumps_where_its_steps_lead():
    factors, terms = jumps(1000)
    for state in (0, 1, 0xDEADBEEF):
        here = state
        for factor, term in zip(factors.tolist(), terms.tolist(), strict=True):
            here = (here * MULTIPLIER + INCREMENT) & 0xFFFFFFFF
            assert here == (state * factor + term) & 0xFFFFFFFF


def test_a_budget_too_small_names_the_smallest(tmp_path, capsys):
    target, name = tmp_path / "small.h", "examples/hexapawn.py:4,4"
    line = complaint(capsys, f"export {name} --to {target} --budget 500")
    least = int(re.search(r"the smallest budget is ([\d,]+), with a search of \d+ pl", line)[1].replace(",", ""))
    assert not list(tmp_path.iterdir())
    export(capsys, "lines:3,2,2", target)
    complaint(capsys, f"export {name} --to {target} --budget {least - 1}")
    assert "lines:3,2,2" in target.read_text()  # what was there is still there
    facts = export(capsys, name, target, "--budget", str(least))
    assert facts["table_bytes"] + facts["code_bytes"] <= least


@pytest.mark.parametrize(
    ("name", "prefix"),
    [("tactic-toe", "tactic_toe"), ("./My Games/my-game.py:5,5", "my_game_5_5"), ("3d.py", "game_3d")],
)
def test_names(name, prefix):
    assert prefix_of(name) == prefix


def test_rules_that_are_not_integer_code(tmp_path, capsys):
    body = "return {0: 511}[0] & ~(mine | theirs)"
    file = tmp_path / "odd.py"
    file.write_text(Path("examples/tictactoe.py").read_text().replace("return FULL & ~(mine | theirs)", body))
    line = complaint(capsys, f"export {file} --to {tmp_path / 'odd.c'}")
    assert "cannot be written in C" in line
    assert "moves" in line
    assert not (tmp_path / "odd.c").exists()


@needs_gcc
@pytest.mark.nightly
def test_very_long_games(tmp_path, capsys):
    """One line of 30,000 plies: grades need more than 16 bits."""
    file = tmp_path / "chain.py"
    file.write_text(
        "from perfectplay import LOSS, ONGOING, Game\n"
        "def moves(mine, theirs):\n    return 1\n"
        "def play(mine, theirs, move):\n    return theirs, mine + 1\n"
        "def outcome(mine, theirs):\n    return LOSS if mine + theirs == 30_000 else ONGOING\n"
        "def game():\n    return Game(moves=moves, play=play, outcome=outcome, bits=16, shape=(1, 1), cells=(0,))\n"
    )
    header = tmp_path / "chain.h"
    export(capsys, str(file), header)
    positions = [(n // 2, n - n // 2) for n in range(0, 30_001, 100)]
    said = answers(tmp_path, header, str(file), positions)
    for n, line in zip(range(0, 30_001, 100), said, strict=True):
        assert line[:2] == (-1 if n % 2 == 0 else 1, 30_000 - n)
