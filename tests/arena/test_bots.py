"""A function's fault costs its game, never the match, and what a bot starts ends with the program."""

import json
import os
import random
import signal
from io import StringIO

import pytest

from command_line import started_battle, wait_until
from perfectplay import BadPlayer, load
from perfectplay.__main__ import main
from perfectplay.arena.battle import battle_of, match, sum_of, tallies
from perfectplay.arena.bot_makers import close, new_game, printed
from perfectplay.arena.bot_process import BotMaker
from perfectplay.commands.terminal.progress import overdue
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import BotLimits, Seat
from perfectplay.words import FIRST, BotFault, Cause
from rings import nightly
from ugi_bots import played

BOTS = """
import ctypes, os, random, sys, time
calls = 0
def good(board, side):
    return random.choice([(r, c) for r in range(3) for c in range(3) if board[r][c] is None])
def seventh(board, side):
    global calls
    calls += 1
    if calls % 7 == 0:
        raise ValueError("the seventh")
    return good(board, side)
def exits(board, side): sys.exit(3)
def leaves_politely(board, side): sys.exit()
def recurses(board, side): return recurses(board, side)
def wants_too_much(board, side): return [0] * 10**15
def interrupts(board, side): raise KeyboardInterrupt
def raises_more(board, side): raise BaseException("more than an Exception")
class Mute(Exception):
    def __str__(self): raise ValueError
def cannot_say(board, side): raise Mute
def dies(board, side): os._exit(7)
def crashes(board, side): ctypes.string_at(0)
def hangs(board, side):
    while True: pass
def holds_the_lock(board, side): return 10 ** 10 ** 10
def bombs(board, side):
    while True: os.fork()
def floods(board, side):
    for number in range(3, 20):
        try: os.write(number, b"nonsense" * 10)
        except OSError: pass
    return good(board, side)
def closes(board, side):
    os.closerange(3, 256)
    return good(board, side)
def forks(board, side):
    os.fork()
    return good(board, side)
def hogs(board, side):
    hog = bytearray(300 << 20)
    time.sleep(1000)
def errs_on_and_on(board, side):
    while True: os.write(2, b"x" * 4096)
def prints(board, side):
    print("hm", flush=True)
    return good(board, side)
def odd(board, side): return "d4"
def own_rules(board, side):
    from perfectplay.classic import make_move
    return make_move(board, (3, 3), side)
def from_one(board, side): return 3, 3
def asks(board, side): return divmod(int(input("your move? ")), 3)
def huge(seat): return lambda position: 10**5000
def true(seat): return lambda position: True
def dice(seat): return lambda position: seat.rng.choice([m for m in range(9) if seat.game.moves(*position) >> m & 1])
def tells(seat):
    def move(position):
        seat.say("is not sure")
        return dice(seat)(position)
    return move
"""


@pytest.fixture
def bots(tmp_path):
    """The file of bots, by its name before the colon."""
    file = tmp_path / "bots.py"
    file.write_text(BOTS)
    return str(file)


def fought(players, games=3, jobs=1, **more):
    return sum_of(tallies(battle_of("tic-tac-toe", players, 1, games, **more), jobs))


def test_a_bot_that_raises_now_and_then_loses_those_games_only(bots, bots_here):
    tally = fought((f"{bots}:seventh", "random"), 100)
    assert tally.games == 100
    assert 10 < tally.forfeits[0] < 100
    assert tally.wins[0] > 0
    number, text = tally.faults[0]
    assert number == 1
    assert "seventh raised an error (line 10): ValueError: the seventh; X was to move in\n  a b c\n1 " in text


@pytest.mark.parametrize(
    ("bot", "cause", "said"),
    [
        ("exits", Cause.CRASH, "SystemExit: 3"),
        ("leaves_politely", Cause.EXIT, "SystemExit"),
        ("recurses", Cause.CRASH, "RecursionError"),
        ("wants_too_much", Cause.MEMORY, ": MemoryError;"),
        ("interrupts", Cause.CRASH, ": KeyboardInterrupt;"),
        ("raises_more", Cause.CRASH, "BaseException: more than an Exception"),
        ("cannot_say", Cause.CRASH, "raised an error (line 19): ValueError"),
        ("asks", Cause.CRASH, "EOFError: EOF when reading a line (nobody can answer it here; the player human asks"),
        ("odd", Cause.ILLEGAL_MOVE, "'d4' is not a legal move for O"),
        ("own_rules", Cause.CRASH, "(3, 3) is no square; write (row, column), from (0, 0) to (2, 2); O was to"),
        ("from_one", Cause.ILLEGAL_MOVE, "(rows and columns count from 0; did you mean (2, 2)?) is not a legal move"),
        ("huge", Cause.CRASH, "raised an error: ValueError: Exceeds the limit"),
    ],
)
def test_every_fault_is_a_forfeit_with_the_position(bots, bots_here, monkeypatch, makers, bot, cause, said):
    monkeypatch.setattr("sys.stdin", StringIO())
    record = played(makers(f"{bots}:{bot}"))
    assert (record.cause, record.winner) == (cause, FIRST)
    assert said in record.forfeit
    assert record.forfeit.partition(" in\n")[2].count("X") == 1


@pytest.mark.parametrize(
    ("bot", "cause", "said"),
    [
        ("dies", Cause.CRASH, "ended with exit code 7"),
        ("floods", Cause.NONSENSE, "answers with nonsense"),
        ("hogs", Cause.MEMORY, "took more than 200 MiB of memory"),
        ("hangs", Cause.TIME, "did not move within 0.1 s; O was to move in\n"),
        *nightly(
            ("asks", Cause.CRASH, "EOFError: EOF when reading a line"),
            ("bombs", Cause.CRASH, "was ended by SIGKILL"),
            ("crashes", Cause.CRASH, "was ended by SIGSEGV"),
            ("closes", Cause.EXIT, "ended with exit code 0"),
            ("errs_on_and_on", Cause.FLOOD, "to standard error"),
            ("holds_the_lock", Cause.TIME, "did not move within 0.1 s"),
        ),
    ],
)
def test_a_process_that_ends_or_misbehaves_is_a_forfeit_too(bots, makers, bot, cause, said):
    record = played(makers(f"{bots}:{bot}"), seconds=0.1 if cause == Cause.TIME else 60, limits=BotLimits(memory=200))
    assert (record.cause, record.winner) == (cause, FIRST)
    assert said in record.forfeit


@pytest.mark.parametrize(("bot", "opponent", "jobs"), [("forks", "good", 1), *nightly(("good", "dice", 2))])
def test_the_same_seed_gives_the_same_games_as_in_one_process(bots, bot, opponent, jobs):
    """Both bots may use Python's own dice, which are one and the same to all that plays in one process."""
    makers = tuple(player_maker(f"{bots}:{name}") for name in ("good", opponent))
    here = sum_of(match(load("tic-tac-toe"), makers, seed=1, swap=True)(range(6)))
    assert fought((f"{bots}:{bot}", f"{bots}:{opponent}"), 6, jobs, swap=True) == here


def test_what_a_bot_says_is_heard(bots, bots_here):
    tally = fought((f"{bots}:tells", "random"), 4)
    assert tally.unproven[0] >= 12
    assert tally.unproven[1] == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("1 // 0", "(line 1) does not load: ZeroDivisionError"),
        ("def other(board, side): return 0, 0", "has no function 'ai'; there is other"),
        ("def ai(seat): raise KeyError(seat.side)", "raised an error (line 1): KeyError: 0"),
    ],
)
def test_a_bot_that_cannot_begin_ends_the_battle_with_one_line(tmp_path, bots_here, line, said):
    (tmp_path / "bots.py").write_text(line + "\n")
    with pytest.raises(BadPlayer) as fault:
        fought((f"{tmp_path}/bots.py:ai", "random"))
    assert said in str(fault.value)
    assert "\n" not in str(fault.value)


def test_rules_that_break_down_are_not_the_bots_fault(tmp_path, bots, bots_here, capsys):
    (tmp_path / "late.py").write_text(
        "from perfectplay import DRAW, ONGOING, Game\n"
        "def moves(mine, theirs): return 1 // 0 if mine == 1 else 511 & ~(mine | theirs)\n"
        "def play(mine, theirs, move): return theirs, mine | 1 << move\n"
        "def outcome(mine, theirs): return DRAW if mine | theirs == 511 else ONGOING\n"
        "def game(): return Game(moves=moves, play=play, outcome=outcome, bits=9, shape=(3, 3))\n"
    )
    arguments = ["battle", f"{tmp_path}/late.py", f"{bots}:good", f"{bots}:good", "--games", "100", "--seed", "1"]
    assert main(arguments) == 2
    assert "late.py (line 2) raised an error: ZeroDivisionError" in capsys.readouterr().err


def test_a_bot_puts_away_what_it_has_and_can_be_asked_again(tmp_path):
    (tmp_path / "bots.py").write_text(
        "import atexit, pathlib\n"
        "atexit.register(lambda: (pathlib.Path(__file__).parent / 'log').write_text('seen'))\n"
        "def ai(seat): return lambda position: True\n"
    )
    maker = BotMaker(f"{tmp_path}/bots.py:ai")
    player = maker(Seat(load("tic-tac-toe"), 0, random.Random(1)))
    for _ in range(2):
        assert player((0, 0)) == 1
        maker.close()
        assert (tmp_path / "log").read_text() == "seen"
        (tmp_path / "log").unlink()


def test_a_function_that_cannot_be_loaded_again_is_out(tmp_path, makers):
    path = tmp_path / "bots.py"
    path.write_text("import os\ndef ai(board, side): os._exit(1)\n")
    maker = makers(f"{path}:ai")
    assert played(maker).cause == Cause.CRASH
    path.write_text("import os\nos._exit(5)\n")
    said = [played(maker) for _ in range(4)]
    assert [record.cause for record in said] == [Cause.START] * 4
    assert "ended with exit code 5 before the game began" in said[0].forfeit
    assert "is out after 3 failed starts" in said[3].forfeit


def test_functions_have_their_own_standard_error_in_each_game(bots, makers):
    maker = makers(f"{bots}:prints")
    for _ in range(2):
        moves = len(played(maker).moves)
        assert printed(maker) == "hm\n" * (moves // 2)


def test_players_of_our_own_have_nothing_to_end():
    maker = player_maker("random")
    for function in (new_game, close):
        function(maker)
    assert printed(maker) == ""


def test_play_goes_on_after_a_fault(bots, bots_here, monkeypatch, capsys):
    answers = iter(["b2", "n", "n"])
    monkeypatch.setattr("rich.console.Console.input", lambda self, prompt: next(answers))
    assert main(["play", "tic-tac-toe", "--second", f"{bots}:exits", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "SystemExit: 3; O was to move in\n  a b c\n1 . . .\n2 . X .\n" in out
    assert f"Score: human 1, {bots}:exits 0, drawn 0" in out


def test_a_fault_can_be_raised_as_well(bots, bots_here):
    player = BotMaker(f"{bots}:exits")(Seat(load("tic-tac-toe"), 0, random.Random(1)))
    with pytest.raises(BotFault, match="SystemExit: 3; X was to move"):
        player((0, 0))


@pytest.mark.parametrize("jobs", [1, *nightly(2)])
def test_ctrl_c_shows_the_tally_so_far(tmp_path, jobs):
    (tmp_path / "bots.py").write_text(
        "import pathlib, random\n"
        "def ai(seat):\n"
        "    def move(position):\n"
        "        if random.getstate() == random.Random('1/40').getstate():  # game 40 begins\n"
        "            (pathlib.Path(__file__).parent / 'hangs').touch()\n"
        "            while True: pass\n"
        "        return seat.rng.choice([m for m in range(9) if seat.game.moves(*position) >> m & 1])\n"
        "    return move\n"
    )
    battle = started_battle(
        f"{tmp_path}/bots.py:ai", "random", "--seed", "1", "--json", "--jobs", str(jobs), "--games", "41"
    )
    wait_until((tmp_path / "hangs").exists)
    os.kill(battle.pid, signal.SIGINT)
    out, err = battle.communicate(timeout=60)
    assert battle.returncode == 130
    found = json.loads(out)
    assert found["games"] == sum(found["wins"]) + found["draws"]
    assert found["games"] == 40 if jobs == 1 else found["games"] <= 40
    assert f"interrupted; {found['games']} of 41 games" in err


def test_a_battle_that_waits_for_a_bot_says_how_to_limit_it(tmp_path, capsys, monkeypatch):
    path = tmp_path / "late.py"
    path.write_text("import time\ndef ai(position):\n    time.sleep(1)\n    return position[0].bit_count()\n")
    monkeypatch.setattr("perfectplay.commands.battle.PATIENCE", 0.1)
    assert main(["battle", "lines:2,1,1", f"{path}:ai", "random", "--games", "1"]) == 0
    hint = f"no game has ended for 0.1 s; --seconds limits the time per move of {path}:ai\n"
    assert capsys.readouterr().err.count(hint) == 1
    assert main(["battle", "lines:2,1,1", f"{path}:ai", "random", "--games", "1", "--seconds", "9"]) == 0
    assert capsys.readouterr().err == ""


def test_nothing_is_overdue_while_results_come_in(capsys):
    with overdue("nothing comes", 60) as came:
        came()
    with overdue("something is late", 0.01):
        wait_until(lambda: "something is late" in capsys.readouterr().err)
