"""A bot's fault costs its game, never the match, and what a bot starts ends with the program."""

import json
import os
import random
import signal
from pathlib import Path

import pytest

from command_line import started_battle, wait_until
from perfectplay import BadPlayer, load
from perfectplay.arena.battle import battle_of, match, summed, tallies
from perfectplay.arena.bot_process import BotMaker
from perfectplay.front.cli import main
from perfectplay.front.progress import overdue
from perfectplay.players import Seat, player_maker
from perfectplay.words import BotFault

BOTS = """
import ctypes, os, pathlib, random, signal, sys, threading, time
calls = 0
here = pathlib.Path(__file__).parent
def good(board, side):
    return random.choice([(r, c) for r in range(3) for c in range(3) if board[r][c] is None])
def seventh(board, side):
    global calls
    calls += 1
    if calls % 7 == 0:
        raise ValueError("the seventh")
    return good(board, side)
def exits(board, side): sys.exit(3)
def recurses(board, side): return recurses(board, side)
def wants_too_much(board, side): return [0] * 10**15
def interrupts(board, side): raise KeyboardInterrupt
def raises_more(board, side): raise BaseException("more than an Exception")
class Mute(Exception):
    def __str__(self): raise ValueError
def cannot_say(board, side): raise Mute
def dies(board, side): os._exit(7)
def crashes(board, side): ctypes.string_at(0)
def killed(board, side): os.kill(os.getpid(), signal.SIGKILL)
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
def threads(board, side):
    threading.Thread(target=time.sleep, args=(10_000,)).start()
    return good(board, side)
def reads(board, side):
    return len(sys.stdin.read()), 0
def odd(board, side): return "d4"
def own_rules(board, side):
    from perfectplay.classic import make_move
    return make_move(board, (3, 3), side)
def from_one(board, side): return 3, 3
def asks(board, side): return divmod(int(input("your move? ")), 3)
def huge(seat): return lambda position: 10**5000
def true(seat): return lambda position: True
def leaves(board, side):
    (here / f"pid-{os.getpid()}").touch()
    if os.fork() == 0:
        (here / f"pid-{os.getpid()}").touch()
        (here / "forked").touch()
        while True: time.sleep(100)
    while True: pass
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
    return summed(tallies(battle_of("tic-tac-toe", players, 1, games, **more), jobs))


def test_a_bot_that_raises_now_and_then_loses_those_games_only(bots):
    tally = fought((f"{bots}:seventh", "random"), 100)
    assert tally.games == 100
    assert 10 < tally.forfeits[0] < 100
    assert tally.wins[0] > 0
    number, text = tally.faults[0]
    assert number == 1
    assert "seventh raised an error (line 11): ValueError: the seventh; X was to move in\n  a b c\n1 " in text


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("exits", "SystemExit: 3"),
        ("recurses", "RecursionError"),
        ("wants_too_much", ": MemoryError;"),
        ("interrupts", ": KeyboardInterrupt;"),
        ("raises_more", "BaseException: more than an Exception"),
        ("cannot_say", "raised an error (line 19): ValueError"),
        ("dies", "ended with exit code 7"),
        ("crashes", "was ended by SIGSEGV"),
        ("killed", "was ended by SIGKILL"),
        ("bombs", "was ended by SIGKILL"),
        ("floods", "answers with nonsense"),
        ("closes", "ended with exit code"),
        ("asks", "EOFError: EOF when reading a line (nobody can answer it here; the player human asks a person);"),
        ("odd", "'d4' is not a legal move for O"),
        ("own_rules", "(3, 3) is no square; write (row, column), from (0, 0) to (2, 2); O was to move in\n"),
        (
            "from_one",
            "(3, 3) as (row, column) (rows and columns count from 0; did you mean (2, 2)?) is not a legal move",
        ),
        ("huge", "raised an error: ValueError: Exceeds the limit"),
    ],
)
def test_every_fault_is_a_forfeit_with_the_position(bots, bot, said):
    tally = fought(("random", f"{bots}:{bot}"), 2)
    assert (tally.games, tally.wins, tally.forfeits) == (2, (2, 0), (0, 2))
    number, text = tally.faults[1]
    assert number == 0
    assert said in text
    assert text.partition(" in\n")[2].count("X") == 1


@pytest.mark.parametrize(("bot", "jobs"), [("hangs", 1), ("holds_the_lock", 2)])
def test_a_bot_without_end_loses_on_time(bots, bot, jobs):
    tally = fought((f"{bots}:{bot}", "random"), 2, jobs, seconds=0.05, swap=True)
    assert (tally.games, tally.forfeits) == (2, (2, 0))
    assert f"{bot} did not move within 0.05 s; X was to move in\n" in tally.faults[0][1]


@pytest.mark.parametrize("bot", ["forks", "threads"])
def test_what_a_bot_starts_changes_no_result(bots, bot):
    assert fought((f"{bots}:{bot}", "random"), 5) == fought((f"{bots}:good", "random"), 5)


def test_a_bot_cannot_read_what_is_meant_for_its_worker(bots):
    assert fought((f"{bots}:reads", "random"), 1, max_plies=1) == fought(("random", "random"), 1, max_plies=1)


@pytest.mark.parametrize("names", [("good", "good"), (None, "dice")])
def test_the_same_seed_gives_the_same_games_as_in_one_process(bots, names):
    """Both bots may use Python's own dice, which are one and the same to all that plays in one process."""
    players = tuple("random" if name is None else f"{bots}:{name}" for name in names)
    makers = (player_maker(players[0]), player_maker(players[1]))
    here = summed(match(load("tic-tac-toe"), makers, seed=1, swap=True)(range(20)))
    assert fought(players, 20, swap=True) == here
    assert fought(players, 20, jobs=2, swap=True) == here


def test_what_a_bot_says_is_heard(bots):
    tally = fought((f"{bots}:tells", "random"), 4)
    assert tally.unproven[0] >= 12
    assert tally.unproven[1] == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("import os; os._exit(3)", "ended with exit code 3 before the game began"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("1 // 0", "(line 1) does not load: ZeroDivisionError"),
        ("def other(board, side): return 0, 0", "has no function 'ai'; there is other"),
        ("def ai(seat): raise KeyError(seat.side)", "raised an error (line 1): KeyError: 0"),
    ],
)
def test_a_bot_that_cannot_begin_ends_the_battle_with_one_line(tmp_path, line, said):
    (tmp_path / "bots.py").write_text(line + "\n")
    with pytest.raises(BadPlayer) as fault:
        fought((f"{tmp_path}/bots.py:ai", "random"))
    assert said in str(fault.value)
    assert "\n" not in str(fault.value)


def test_rules_that_break_down_are_not_the_bots_fault(tmp_path, bots, capsys):
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


def test_a_bot_puts_away_what_it_has(tmp_path):
    (tmp_path / "bots.py").write_text(
        "import atexit, pathlib\n"
        "atexit.register(lambda: (pathlib.Path(__file__).parent / 'log').write_text('seen'))\n"
        "def ai(board, side): return 0, 0\n"
    )
    fought((f"{tmp_path}/bots.py:ai", "random"))
    assert (tmp_path / "log").read_text() == "seen"


def test_a_bot_whose_match_has_ended_can_be_asked_again(bots):
    maker = BotMaker(f"{bots}:true")
    player = maker(Seat(load("tic-tac-toe"), 0, random.Random(1)))
    assert player((0, 0)) == 1
    maker.close()
    assert player((0, 0)) == 1
    maker.close()


def test_play_goes_on_after_a_fault(bots, monkeypatch, capsys):
    answers = iter(["b2", "n", "n"])
    monkeypatch.setattr("rich.console.Console.input", lambda self, prompt: next(answers))
    assert main(["play", "tic-tac-toe", "--second", f"{bots}:dies", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "dies ended with exit code 7; O was to move in\n  a b c\n1 . . .\n2 . X .\n" in out
    assert f"Score: human 1, {bots}:dies 0, drawn 0" in out


def test_a_fault_can_be_raised_as_well(bots):
    player = BotMaker(f"{bots}:exits")(Seat(load("tic-tac-toe"), 0, random.Random(1)))
    with pytest.raises(BotFault, match="SystemExit: 3; X was to move"):
        player((0, 0))


def is_there(process):
    """Whether the process runs: not ended, and not waiting for somebody to take note of its end."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


@needs_proc
@pytest.mark.parametrize(("sent", "jobs"), [("SIGTERM", 1), ("SIGKILL", 2)])
def test_all_that_bots_have_started_ends_with_the_program(bots, tmp_path, sent, jobs):
    battle = started_battle(f"{bots}:leaves", "random", "--jobs", str(jobs))
    wait_until((tmp_path / "forked").exists)
    os.kill(battle.pid, signal.Signals[sent])
    battle.communicate(timeout=60)
    processes = [int(file.name.partition("-")[2]) for file in tmp_path.glob("pid-*")]
    assert len(processes) >= 2
    wait_until(lambda: not any(map(is_there, processes)))


@needs_proc
@pytest.mark.parametrize("jobs", [1, 2])
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


def test_the_result_is_shown_for_people_too(tmp_path):
    (tmp_path / "bots.py").write_text(
        "import pathlib, time\ndef ai(board, side):\n"
        "    (pathlib.Path(__file__).parent / 'hangs').touch()\n    time.sleep(10_000)\n"
    )
    battle = started_battle(f"{tmp_path}/bots.py:ai", "random", "--seed", "1")
    wait_until((tmp_path / "hangs").exists)
    os.kill(battle.pid, signal.SIGINT)
    out, err = battle.communicate(timeout=60)
    assert battle.returncode == 130
    assert "against random, 0 games" in out
    assert "interrupted; 0 of 1,000 games" in err


def test_a_battle_that_waits_for_a_bot_says_how_to_limit_it(tmp_path, capsys, monkeypatch):
    path = tmp_path / "late.py"
    path.write_text("import time\ndef ai(position):\n    time.sleep(1)\n    return position[0].bit_count()\n")
    monkeypatch.setattr("perfectplay.front.commands.battle_command.PATIENCE", 0.1)
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
