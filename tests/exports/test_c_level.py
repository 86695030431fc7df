"""The opponent in C: in every position it chooses with exactly the move probabilities of the player `level:N`."""

import re
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from test_c import CHIP, FLAGS, compile_c, needs_chip, needs_gcc, sections

import perfectplay
from command_line import complaint, output
from export_files import export
from perfectplay.exports.c.c_file import prefix_of
from perfectplay.exports.c.c_level import QUICK, opponent_of
from perfectplay.game import legal_moves, levels
from perfectplay.players.models.game_graph import graph_for
from perfectplay.players.named.policy_player import probabilities_function
from perfectplay.players.registry import player_entry
from perfectplay.rules.loading import load_game

HARNESS = Path(__file__).with_name("level_harness.c")
SMALL = "lines:3,2,2"


def weights_in_c(tmp_path, file, name, level, positions):
    """For each position the sum of weights and the weight of each move, as the compiled file says."""
    prefix = f"{prefix_of(name)}_level_{level}"
    names = [f'-DSOLVED="{file}"', f"-DNAME(x)={prefix}_##x", f"-DSTART={prefix.upper()}_START"]
    checks = ["-fsanitize=undefined", "-fno-sanitize-recover"]
    program = tmp_path / "harness"
    compile_c("gcc", *FLAGS, *checks, *names, f"-DMOVES={prefix.upper()}_MOVES", HARNESS, "-o", program)
    asked = "".join(f"{mine} {theirs}\n" for mine, theirs in positions)
    done = subprocess.run([program], input=asked, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


def check_probabilities(game, level, positions, said):
    """The weights are the move probabilities of the player `level:N`."""
    kind, player = player_entry(f"level:{level}")
    at = probabilities_function(game, kind.policy, player, True)
    for position, (total, *weights) in zip(positions, said, strict=True):
        if legal_moves(game, position):
            chances = {move: Fraction(weight, total) for move, weight in enumerate(weights) if weight}
            assert chances == {move: share for move, share in at(position).items() if share}, (level, position)
        else:
            assert total == sum(weights) == 0


QUICKLY = [
    *((SMALL, level, 1, None) for level in (1, 10)),
    *(("lines:4,2,3", 9, 5, 1_600), ("ponghauki", 6, 1, None)),
    *(("examples/hexapawn.py", 7, 1, None), ("lines:34,1,1", 4, 1, None)),
]
MORE = [
    *(("tic-tac-toe", level, 1, None) for level in range(1, 11)),
    *(("tactic-toe", 9, 23, None), *(("tactic-toe", level, 1, None) for level in (1, 2, 5, 6, 7, 10))),
    *(("kingpawns", 6, 1, None), ("kingpawns", 9, 1, None), ("tic-tac-toe", 9, 11, 3_000)),
]


@needs_gcc
@pytest.mark.parametrize(
    ("name", "level", "every", "budget"), [*QUICKLY, *(pytest.param(*one, marks=pytest.mark.nightly) for one in MORE)]
)
def test_every_position_has_the_move_probabilities_of_the_level(tmp_path, capsys, name, level, every, budget):
    file = tmp_path / "opponent.c"
    facts = export(capsys, name, file, "--level", str(level), *(["--budget", str(budget)] if budget else []))
    assert facts["level"] == level
    if budget:
        assert facts["table_bytes"] + facts["code_bytes"] <= budget
    game = load_game(name)
    positions = [position for one in levels(game) for position in one][::every]
    check_probabilities(game, level, positions, weights_in_c(tmp_path, file, name, level, positions))
    sizes = sections(["gcc"], file, tmp_path / "opponent.o")
    flash = sizes["text"] + sizes["rodata"]
    assert facts["table_bytes"] <= flash <= facts["table_bytes"] + facts["code_bytes"]
    assert sizes["data"] == sizes["bss"] == 0


@needs_chip
@pytest.mark.nightly
@pytest.mark.parametrize("level", [3, 9])
@pytest.mark.parametrize("name", ["tic-tac-toe", "kingpawns"])
def test_size_and_memory_on_a_chip(tmp_path, capsys, name, level):
    facts = export(capsys, name, tmp_path / "opponent.c", "--level", str(level))
    sizes = sections(CHIP, tmp_path / "opponent.c", tmp_path / "opponent.o")
    flash = sizes["text"] + sizes["rodata"]
    assert facts["table_bytes"] <= flash <= facts["table_bytes"] + facts["code_bytes"]
    assert sizes["data"] == sizes["bss"] == 0


@pytest.mark.parametrize("name", ["examples/hexapawn.py", pytest.param("tactic-toe", marks=pytest.mark.nightly)])
def test_what_a_level_sees_is_all_that_is_stored(tmp_path, capsys, name):
    """A level that sees two plies needs a search of one ply after its move, and no table."""
    graph = graph_for(load_game(name))
    for level in range(1, 11):
        facts = export(capsys, name, tmp_path / "a.h", "--level", str(level))
        noise, sight = opponent_of(graph, level).level
        assert (facts["noise"], facts["sight"]) == (float(noise), None if sight > 1000 else sight)
        assert facts["looked_at"] <= QUICK
        if sight <= 4:
            assert facts["plies"] == max(0, sight - 1)
            assert facts["rows"] == facts["table_bytes"] == 0


@needs_gcc
def test_several_levels_fit_into_one_program(tmp_path, capsys):
    """Names carry the level, so that a program can have an easy and a hard opponent."""
    for level in (2, 8):
        export(capsys, SMALL, tmp_path / f"level_{level}.h", "--level", str(level))
    export(capsys, SMALL, tmp_path / "best.h")
    source = tmp_path / "main.c"
    source.write_text(
        '#include "level_2.h"\n#include "level_8.h"\n#include "best.h"\n'
        "int main(void)\n{\n    lines_3_2_2_level_2_position p = LINES_3_2_2_LEVEL_2_START;\n"
        "    lines_3_2_2_level_8_position q = LINES_3_2_2_LEVEL_8_START;\n"
        "    lines_3_2_2_position r = LINES_3_2_2_START;\n"
        "    return lines_3_2_2_level_2_choose(p, 0) < 0 || lines_3_2_2_level_8_choose(q, 0) < 0"
        " || lines_3_2_2_best(r, 0) < 0;\n}\n"
    )
    flags = [flag for flag in FLAGS if flag != "-Wextra"]
    compile_c("gcc", *flags, "-Wno-unused-function", source, "-o", tmp_path / "main")
    assert subprocess.run([tmp_path / "main"]).returncode == 0


def test_the_report_says_what_the_opponent_does(tmp_path, capsys):
    out = output(capsys, f"export {SMALL} --to {tmp_path / 'a.h'} --level 5")
    assert re.match(rf"{SMALL}, level 5, the best move within \d pl\w+, but \d+% of the time any legal move\n", out)
    assert "lines_3_2_2_level_5_choose" in (tmp_path / "a.h").read_text()
    assert "lines_3_2_2_level_5_best" not in (tmp_path / "a.h").read_text()


@pytest.mark.parametrize("kind", ["json", "html", "parquet"])
def test_levels_are_for_c(tmp_path, capsys, kind):
    target = tmp_path / f"a.{kind}"
    assert "--level is for C, .h or .c, and" in complaint(capsys, f"export tic-tac-toe --to {target} --level 3")
    with pytest.raises(perfectplay.BadArgument, match=r"level=\.\.\. is for C"):
        perfectplay.export("tic-tac-toe", target, level=3)
    assert not target.exists()


@pytest.mark.parametrize("level", [0, 11, "3", 2.0, True])
def test_levels_that_cannot_be(tmp_path, level):
    with pytest.raises(perfectplay.BadArgument, match="is not a whole number from 1 to 10"):
        perfectplay.export("tic-tac-toe", tmp_path / "a.h", level=level)
