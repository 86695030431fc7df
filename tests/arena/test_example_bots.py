"""The bots in examples/bots: teaching material that plays legal moves, and plays them well."""

import shlex
import shutil
import subprocess
import sys

import pytest

import perfectplay
from foreign_manager import ENGINE, engine, position
from homes import ROOT
from perfectplay import Match

FOLDER = ROOT / "examples/bots"
GCC, NODE = shutil.which("gcc"), shutil.which("node")


@pytest.fixture(scope="module")
def c_bot(tmp_path_factory):
    """The bot in C, built as its first lines say, without a warning."""
    if GCC is None:
        pytest.skip("there is no gcc")
    program = tmp_path_factory.mktemp("bots") / "tictactoe"
    strict = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")
    subprocess.run([GCC, "-O2", *strict, "-o", program, FOLDER / "tictactoe.c"], check=True)
    return str(program)


@pytest.fixture(params=["python", "c", "javascript"])
def bot(request):
    """The command of each of the bots."""
    if request.param == "c":
        return (request.getfixturevalue("c_bot"),)
    if request.param == "python":
        return sys.executable, str(FOLDER / "tictactoe.py")
    if NODE is None:
        pytest.skip("there is no node")
    return NODE, str(FOLDER / "tictactoe.js")


def test_every_game_of_a_bot_is_legal_and_those_that_search_never_lose(bot):
    """Against all replies, as far as one choice of the bot leads."""
    careful = not bot[-1].endswith(".py")
    with engine(*bot) as it:
        for side in (0, 1):
            waiting = [Match("tic-tac-toe")]
            while waiting:
                match = waiting.pop()
                if match.is_over:
                    assert not careful or match.result.winner in (None, side)
                    continue
                if match.turn == side:
                    it.send(position(match.moves))
                    waiting.append(match.copy().play(it.ask("go movetime 100", "bestmove")))
                elif careful or len(match.moves) < 3:
                    waiting += [match.copy().play(move) for move in match.legal_moves()]
                else:
                    waiting.append(match.copy().play(match.legal_moves()[0]))


def test_a_bot_takes_wins_and_blocks(bot):
    with engine(*bot) as it:
        for moves, best in (("a1 b1 a2 b2", "a3"), ("a1 b1 c3 b2", "b3"), ("b2 a1 c1", "a3"), ("a1 b2 a2", "a3")):
            it.send(position(moves.split()))
            assert it.ask("go movetime 100", "bestmove") == best


@pytest.mark.nightly
def test_the_bot_in_c_varies_with_its_seed(c_bot):
    def moves(*words, options=()):
        with engine(c_bot, *words) as it:
            it.send(*options, "position startpos")
            return [it.ask("go", "bestmove") for _ in range(8)]

    assert len({*moves()}) == 1
    assert moves("7") == moves("7") == moves(options=("setoption name Seed value 7",))
    assert moves("7") != moves("8")
    assert len({*moves("7")}) > 1
    with engine(c_bot, "3", "100") as it:
        it.send(position(["a1", "b1", "a2", "b2"]))
        assert len({it.ask("go", "bestmove") for _ in range(30)}) == 5, "with noise it plays any move"


def test_a_bot_in_a_match_of_our_own(bot):
    """Under our own manager, against our players and against itself, on either side."""
    name = f"cmd:{shlex.join(bot)}"
    result = perfectplay.battle("tic-tac-toe", name, "perfect", games=6, seed=1, swap=True)
    assert (result.games, result.forfeits, result.wins[0]) == (6, (0, 0), 0)
    if not bot[-1].endswith(".py"):
        assert result.draws == 6
    mirrored = perfectplay.battle("tic-tac-toe", name, name, games=2, seed=1, swap=True)
    assert (mirrored.games, mirrored.forfeits) == (2, (0, 0))


def test_our_engine_under_our_own_manager():
    """An engine under a manager, both ours, plays the moves of the player itself."""
    name = f"cmd:{shlex.join(ENGINE)} tic-tac-toe perfect"
    result = perfectplay.battle("tic-tac-toe", name, "perfect", games=2, seed=1, swap=True)
    assert (result.draws, result.forfeits) == (2, (0, 0))
