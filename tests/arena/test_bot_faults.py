"""Whatever a bot does costs it the game at most: each cause of a forfeit, with real processes."""

import shutil
import subprocess

import pytest

from perfectplay import BadPlayer, load
from perfectplay.arena.bot_makers import close, isolated_maker, new_game, printed
from perfectplay.players import player_maker
from perfectplay.players.seat import BotLimits
from perfectplay.players.ugi import ugi_bot as programs
from perfectplay.words import FIRST, Cause
from ugi_bots import played, ugi_bot

GAME = load("tic-tac-toe")


FAULTS = [
    ("say('bestmove ' + moves[0])", Cause.ILLEGAL_MOVE, "'a1' is not a legal move for O in\n"),
    ("say('bestmove')", Cause.NONSENSE, "answered 'bestmove', which is no move; O was to move in\n"),
    ("say('bestmove zz99')", Cause.NONSENSE, "answered 'bestmove zz99', which is no move"),
    ("say('bestmove \\x1b[31mred')", Cause.NONSENSE, r"'bestmove \x1b[31mred'"),
    ("say('bestmove ' + 'z' * 10_000)", Cause.NONSENSE, "zzz...'"),
    ("os.write(1, b'bestmove \\xff\\xfe\\n')", Cause.NONSENSE, r"\\xff\\xfe"),
    ("os.write(1, bytes(range(256)) + b'\\n')", Cause.NONSENSE, "wrote '"),
    ("sleep()", Cause.TIME, "did not move within 0.1 s; O was"),
    ("os.kill(os.getpid(), signal.SIGSTOP)", Cause.TIME, "did not move within 0.1 s"),
    ("signal.signal(signal.SIGTERM, signal.SIG_IGN); sleep()", Cause.TIME, "did not move within 0.1 s"),
    ("ctypes.string_at(0)", Cause.CRASH, "was ended by SIGSEGV"),
    ("sys.exit(3)", Cause.CRASH, "ended with exit code 3"),
    ("1 // 0", Cause.CRASH, "ended with exit code 1 ('ZeroDivisionError:"),
    ("sys.exit()", Cause.EXIT, "ended with exit code 0"),
    ("hog = bytearray(150 << 20); sleep()", Cause.MEMORY, "took more than 100 MiB of memory"),
    ("hog = b'1' * (1 << 40)", Cause.MEMORY, "ran out of memory and ended with exit code 1 ('MemoryError')"),
    ("os.close(1); sleep()", Cause.PIPE, "closed its standard output"),
    ("[say('info ' + 'x' * 1000) for _ in range(100_000)]", Cause.FLOOD, "wrote more than 8 MiB to standard output"),
    ("while True: os.write(2, b'x' * 4096)", Cause.FLOOD, "wrote more than 8 MiB to standard error"),
    ("while True: os.write(1, b'x' * 4096)", Cause.FLOOD, "wrote a line of more than 1 MiB"),
]


@pytest.mark.parametrize(("at_go", "cause", "said"), FAULTS)
def test_every_fault_has_its_cause_and_the_position(tmp_path, makers, at_go, cause, said):
    maker = makers(ugi_bot(tmp_path, at_go))
    seconds = 0.1 if cause == Cause.TIME else 60
    record = played(maker, seconds=seconds, limits=BotLimits(memory=100))
    assert (record.cause, record.winner) == (cause, FIRST)
    assert said in record.forfeit
    assert record.forfeit.partition("\n")[2].count("X") == 1
    again = played(maker, seconds=seconds, limits=BotLimits(memory=100))
    assert again.forfeit == record.forfeit  # it was started again


def test_input_that_is_closed_is_seen_when_there_is_more_to_say(tmp_path, makers):
    record = played(makers(ugi_bot(tmp_path, "os.close(0); play(); sleep()")))
    assert (record.cause, len(record.moves)) == (Cause.PIPE, 3)
    assert "closed its standard input" in record.forfeit


GOOD = {
    "twice": "play(); play()",
    "too early": "play(); say('bestmove ' + moves[0])",
    "with CRLF": "os.write(1, f'bestmove {next(name for name in NAMES if name not in moves)}\\r\\n'.encode())",
    "with a remark in another encoding": "os.write(1, b'info string \\xe9t\\xe9\\n'); play()",
    "with lines that nobody knows": "say('hello'); say(''); say('  '); play()",
    "with a word more": "say('bestmove ' + next(name for name in NAMES if name not in moves) + ' ponder a1')",
    "by a child": "if os.fork() == 0:\n    play()\n    os._exit(0)\nos.wait()",
    "with much to standard error": "os.write(2, b'x' * 200_000); play()",
}


@pytest.mark.parametrize("at_go", GOOD.values(), ids=GOOD)
def test_answers_that_are_odd_and_yet_answers(tmp_path, makers, at_go):
    record = played(makers(ugi_bot(tmp_path, at_go)))
    assert not record.forfeit
    assert record.moves == (0, 1, 2, 3, 4, 5, 6)


def test_a_bot_that_exits_after_its_move_has_moved(tmp_path, makers):
    record = played(makers(ugi_bot(tmp_path, "play(); sys.exit()")))
    assert (record.cause, len(record.moves)) == (Cause.EXIT, 3)


def test_a_bot_that_leaves_a_child_to_answer_has_left(tmp_path, makers):
    fork = "if os.fork() == 0:\n    time.sleep(0.5)\n    play()\nos._exit(0)"
    assert played(makers(ugi_bot(tmp_path, fork))).cause == Cause.EXIT


@pytest.mark.parametrize(
    ("at_start", "said"),
    [
        ("sys.exit(4)", "ended with exit code 4 before the game began"),
        ("1 // 0", "('ZeroDivisionError: integer division or modulo by zero') before the game began"),
        ("sleep()", "sent no ugiok within 1 s before the game began"),
        ("os.write(1, bytes(256) + b'\\n')", r"wrote '\x00"),
        ("while True: os.write(1, b'hello\\n' * 10_000)", "wrote more than 100,000 lines"),
    ],
)
def test_a_bot_that_fails_to_start_three_times_is_out(tmp_path, makers, monkeypatch, at_start, said):
    if at_start == "sleep()":
        monkeypatch.setattr(programs, "TO_START", 1.0)
    counts = "with open(here / 'starts', 'a') as file: file.write('x')\n"
    maker = makers(ugi_bot(tmp_path, at_start=counts + at_start))
    for number in range(1, 6):
        record = played(maker)
        assert (record.cause, record.winner, record.moves) == (Cause.START, FIRST, (0,))
        assert said.partition(" before")[0] in record.forfeit
        assert ("is out after 3 failed starts" in record.forfeit) == (number > 3)
        assert len((tmp_path / "starts").read_text()) == min(number, 3)


def test_a_start_that_succeeds_makes_up_for_failures(tmp_path, makers):
    flaky = (
        "with open(here / 'starts', 'a') as file: file.write('x')\n"
        "if len((here / 'starts').read_text()) % 3: sys.exit(1)\n"
    )
    maker = makers(ugi_bot(tmp_path, "sys.exit(2)", flaky))
    causes = [played(maker).cause for _ in range(6)]
    assert causes == [Cause.START, Cause.START, Cause.CRASH] * 2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cmd:./typo", "cmd:./typo: there is no such program './typo'"),
        ("cmd:no-such-program --fast", "there is no program 'no-such-program' on the PATH"),
        ("cmd:", "'cmd:' needs a command, such as cmd:./mybot"),
        ("cmd:''", "needs a command"),
        ("cmd:./bot 'x", "cannot be split: no closing quotation"),
        ("cmd:{}/plain", "is not executable; chmod +x"),
        ("cmd:{}", "is a folder"),
    ],
)
def test_a_command_that_cannot_be_is_one_line(tmp_path, name, said):
    (tmp_path / "plain").write_text("text")
    with pytest.raises(BadPlayer) as fault:
        isolated_maker(name.format(tmp_path))
    assert said in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_file_that_the_system_cannot_run_fails_to_start(tmp_path, makers):
    (tmp_path / "odd").write_bytes(b"\x7fELF rubbish")
    (tmp_path / "odd").chmod(0o755)
    record = played(makers(f"cmd:{tmp_path}/odd"))
    assert record.cause == Cause.START
    assert "Exec format error" in record.forfeit


def test_each_game_has_its_own_standard_error(tmp_path, makers):
    maker = makers(ugi_bot(tmp_path, "print('thinking about', len(moves), file=sys.stderr, flush=True); play()"))
    for _ in range(2):
        played(maker)
        assert printed(maker) == "thinking about 1\nthinking about 3\nthinking about 5\n"
    assert printed(maker) == ""


def test_of_much_standard_error_the_beginning_is_kept(tmp_path, makers):
    maker = makers(ugi_bot(tmp_path, "os.write(2, b'0123456789' * 10_000); play()"))
    assert not played(maker).forfeit
    assert printed(maker) == "0123456789" * 200


C_BOT = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int count, char **words) {
    char line[4096];
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "ugi\\n", 4)) puts("ugiok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "quit", 4)) return 0;
        else if (!strncmp(line, "go", 2)) {
            if (!strcmp(words[1], "aborts")) abort();
            if (!strcmp(words[1], "null")) *(volatile int *)0 = 1;
            if (!strcmp(words[1], "hogs")) for (;;) memset(malloc(1 << 20), 1, 1 << 20);
            puts("bestmove c3");
        }
    }
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize(
    ("how", "cause", "said"),
    [
        ("aborts", Cause.CRASH, "was ended by SIGABRT"),
        ("null", Cause.CRASH, "was ended by SIGSEGV"),
        ("hogs", Cause.MEMORY, "memory"),
        ("plays", Cause.ILLEGAL_MOVE, "'c3' is not a legal move"),
    ],
)
def test_a_bot_in_c(tmp_path, makers, how, cause, said):
    (tmp_path / "bot.c").write_text(C_BOT)
    subprocess.run(["gcc", "-o", "bot", "bot.c"], cwd=tmp_path, check=True)
    record = played(makers(f"cmd:{tmp_path}/bot {how}"), limits=BotLimits(memory=64))
    assert record.cause == cause
    assert said in record.forfeit


FUNCTIONS = """
import ctypes, os, sys, time
def free(board): return [(r, c) for r in range(3) for c in range(3) if board[r][c] is None]
def illegal(board, side): return 0, 0
def writes_nonsense(board, side):
    for number in range(3, 20):
        try: os.write(number, b"nonsense\\n")
        except OSError: pass
    time.sleep(1000)
def sleeps(board, side): time.sleep(1000)
def raises(board, side): raise ValueError("no idea")
def crashes(board, side): ctypes.string_at(0)
def exits(board, side): sys.exit()
def leaves(board, side): os._exit(0)
def hogs(board, side):
    hog = bytearray(300 << 20)
    time.sleep(1000)
def wants(board, side): return b"1" * (1 << 40)
def closes(board, side):
    os.closerange(3, 256)
    time.sleep(1000)
def floods(board, side):
    while True: os.write(2, b"x" * 4096)
"""


@pytest.mark.parametrize(
    ("bot", "cause"),
    [
        ("illegal", Cause.ILLEGAL_MOVE),
        ("writes_nonsense", Cause.NONSENSE),
        ("sleeps", Cause.TIME),
        ("raises", Cause.CRASH),
        ("crashes", Cause.CRASH),
        ("exits", Cause.EXIT),
        ("leaves", Cause.EXIT),
        ("hogs", Cause.MEMORY),
        ("wants", Cause.MEMORY),
        ("closes", Cause.PIPE),
        ("floods", Cause.FLOOD),
    ],
)
def test_functions_have_the_same_causes(tmp_path, makers, bot, cause):
    (tmp_path / "bots.py").write_text(FUNCTIONS)
    seconds = 0.1 if cause == Cause.TIME else 60
    record = played(makers(f"{tmp_path}/bots.py:{bot}"), seconds=seconds, limits=BotLimits(memory=200))
    assert (record.cause, record.winner) == (cause, FIRST)
    assert record.forfeit.partition(" in\n")[2].count("X") == 1


def test_a_function_that_cannot_be_loaded_again_is_out(tmp_path, makers):
    path = tmp_path / "bots.py"
    path.write_text("import os\ndef ai(board, side): os._exit(1)\n")
    maker = makers(f"{path}:ai")
    assert played(maker).cause == Cause.CRASH
    path.write_text("import os\nos._exit(5)\n")
    said = [played(maker) for _ in range(4)]
    assert [record.cause for record in said] == [Cause.START] * 4
    assert "ended with exit code 5" in said[0].forfeit
    assert "is out after 3 failed starts" in said[3].forfeit


def test_functions_have_their_own_standard_error_in_each_game(tmp_path, makers):
    (tmp_path / "bots.py").write_text(
        FUNCTIONS + "def prints(board, side):\n    print('hm')\n    return free(board)[0]\n"
    )
    maker = makers(f"{tmp_path}/bots.py:prints")
    for _ in range(2):
        assert not played(maker).forfeit
        assert printed(maker) == "hm\n" * 3


def test_players_of_our_own_have_nothing_to_end():
    maker = player_maker("random")
    for function in (new_game, close):
        function(maker)
    assert printed(maker) == ""
