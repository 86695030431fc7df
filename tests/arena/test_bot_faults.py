"""Whatever a program does costs it the game at most: each cause of a forfeit, few of them with a bot that plays."""

import shlex
import sys
import time
from collections import deque

import pytest

from perfectplay import BadPlayer
from perfectplay.arena.bot_makers import isolated_maker, printed
from perfectplay.players.ugi import ugi_bot as programs
from perfectplay.processes.running_program import Program, ProgramFault
from perfectplay.processes.supervised_processes import supervisor
from perfectplay.words import FIRST, Cause
from rings import nightly
from ugi_bots import played, ugi_bot


@pytest.fixture(scope="module", autouse=True)
def one_supervisor():
    """Starts all programs here."""
    return supervisor()


def python(line):
    return f"exec {shlex.quote(sys.executable)} -S -E -c {shlex.quote(line)}"


@pytest.mark.parametrize(
    ("script", "cause", "said"),
    [
        ("kill -SEGV $$", Cause.CRASH, "was ended by SIGSEGV"),
        ("exit 3", Cause.CRASH, "ended with exit code 3"),
        ("exit 0", Cause.EXIT, "ended with exit code 0"),
        ("echo bad_alloc >&2; exit 1", Cause.MEMORY, "ran out of memory and ended with exit code 1"),
        (python("import time; hog = bytearray(90 << 20); time.sleep(100)"), Cause.MEMORY, "took more than 64 MiB of"),
        (python("hog = b'1' * (1 << 40)"), Cause.MEMORY, "ran out of memory and ended with exit code 1"),
        ("exec >&-; sleep 100", Cause.PIPE, "closed its standard output"),
        ("yes $(head -c 999 /dev/zero | tr '\\0' x)", Cause.FLOOD, "wrote more than 8 MiB to standard output"),
        ("yes", Cause.FLOOD, "wrote more than 100,000 lines to standard output"),
        ("cat /dev/zero", Cause.FLOOD, "wrote a line of more than 1 MiB"),
        ("yes >&2", Cause.FLOOD, "wrote more than 8 MiB to standard error"),
    ],
)
def test_every_fault_of_a_program_has_its_cause(script, cause, said):
    program = Program(supervisor(), ["sh", "-c", f"read line; {script}"], 64)
    deadline = time.monotonic() + 60
    try:
        program.send(b"go\n", deadline)
        with pytest.raises(ProgramFault) as fault:
            list(iter(lambda: program.line(deadline), None))
        assert fault.value.cause == cause
        assert said in str(fault.value)
    finally:
        program.kill()


@pytest.mark.parametrize("script", ["kill -STOP $$", "trap '' TERM INT HUP; sleep 100"])
def test_a_program_that_is_silent_is_late_and_can_be_killed(script):
    program = Program(supervisor(), ["sh", "-c", script], 64)
    with pytest.raises(TimeoutError):
        program.line(time.monotonic() + 0.05)
    program.kill()


def test_input_that_is_closed_is_seen_when_there_is_more_to_say():
    program = Program(supervisor(), ["sh", "-c", "exec <&-; echo closed; sleep 100"], 64)
    deadline = time.monotonic() + 60
    assert program.line(deadline) == b"closed"
    with pytest.raises(ProgramFault, match="closed its standard input") as fault:
        list(iter(lambda: program.send(b"go\n", deadline), True))
    assert fault.value.cause == Cause.PIPE
    program.kill()


class Scripted:
    """The program of a bot, without a process: what it writes when it is to move, with {} for a legal move."""

    ended = False

    def __init__(self, *lines):
        self.script, self.running = lines, None

    def __call__(self, command, limits, capture):
        return self

    def started(self, greet):
        self.lines, self.running = deque(), self
        greet(self)
        return self

    def send(self, text, deadline):
        for line in text.splitlines():
            word, *words = line.decode().split()
            if word == "position":
                self.made = words[2:]
            elif word == "go":
                move = next(name for name in ("a1", "b1", "c1", "a2", "b2", "c2") if name not in self.made)
                self.lines.extend(line.replace(b"{}", move.encode()) for line in self.script)
            else:
                self.lines.extend({"ugi": [b"ugiok"], "isready": [b"readyok"]}.get(word, []))

    def line(self, deadline):
        if not self.lines:
            raise TimeoutError
        return self.lines.popleft()

    def end(self, *_):
        self.running = None

    def told(self, fault):
        return str(fault)

    close = end


def scripted(monkeypatch, *lines, **more):
    """The record of a game of such a bot."""
    monkeypatch.setattr(programs, "BotProgram", Scripted(*lines))
    return played(programs.UgiMaker("cmd:bot", ["bot"]), **more)


@pytest.mark.parametrize(
    ("line", "cause", "said"),
    [
        (b"bestmove a1", Cause.ILLEGAL_MOVE, "'a1' is not a legal move for O in\n"),
        (b"bestmove", Cause.NONSENSE, "answered 'bestmove', which is no move; O was to move in\n"),
        (b"bestmove zz99", Cause.NONSENSE, "answered 'bestmove zz99', which is no move"),
        (b"bestmove \x1b[31mred", Cause.NONSENSE, r"'bestmove \x1b[31mred'"),
        (b"bestmove " + b"z" * 10_000, Cause.NONSENSE, "zzz...'"),
        (b"bestmove \xff\xfe", Cause.NONSENSE, r"\\xff\\xfe"),
        (bytes(range(256)), Cause.NONSENSE, "wrote '"),
        (b"info depth 1", Cause.TIME, "did not move within 0.1 s; O was"),
    ],
)
def test_what_is_no_move_has_its_cause_and_the_position(monkeypatch, line, cause, said):
    record = scripted(monkeypatch, line, seconds=0.1)
    assert (record.cause, record.winner) == (cause, FIRST)
    assert said in record.forfeit
    assert record.forfeit.partition("\n")[2].count("X") == 1


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param((b"bestmove {}", b"bestmove {}"), id="twice"),
        pytest.param((b"bestmove {}", b"bestmove a1"), id="too early"),
        pytest.param((b"bestmove {}\r",), id="with CRLF"),
        pytest.param((b"info string \xe9t\xe9", b"bestmove {}"), id="with a remark in another encoding"),
        pytest.param((b"hello", b"", b"  ", b"bestmove {}"), id="with lines that nobody knows"),
        pytest.param((b"bestmove {} ponder a1",), id="with a word more"),
    ],
)
def test_answers_that_are_odd_and_yet_answers(monkeypatch, lines):
    record = scripted(monkeypatch, *lines)
    assert not record.forfeit
    assert record.moves == (0, 1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    "at_go",
    ["if os.fork() == 0:\n    play()\n    os._exit(0)\nos.wait()", "os.write(2, b'x' * 200_000); play()"],
    ids=["by a child", "with much to standard error"],
)
def test_answers_of_programs_with_odd_ways(tmp_path, makers, at_go):
    assert played(makers(ugi_bot(tmp_path, at_go))).moves == (0, 1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    ("at_go", "cause", "said"),
    [
        ("sleep()", Cause.TIME, "did not move within 0.1 s; O was"),
        ("1 // 0", Cause.CRASH, "ended with exit code 1 ('ZeroDivisionError:"),
        ("hog = b'1' * (1 << 40)", Cause.MEMORY, "ran out of memory and ended with exit code 1 ('MemoryError')"),
        ("os._exit(0 if os.fork() else time.sleep(0.3) or play() or 0)", Cause.EXIT, "ended with exit code 0"),
    ],
)
def test_a_bot_that_has_ended_loses_and_is_started_again(tmp_path, makers, at_go, cause, said):
    maker = makers(ugi_bot(tmp_path, at_go))
    first, again = (played(maker, seconds=0.1 if cause == Cause.TIME else 60) for _ in range(2))
    assert (first.cause, first.winner) == (cause, FIRST)
    assert said in first.forfeit
    assert first.forfeit.partition("\n")[2].count("X") == 1
    assert again.forfeit == first.forfeit


def test_a_bot_that_exits_after_its_move_has_moved(tmp_path, makers):
    record = played(makers(ugi_bot(tmp_path, "play(); sys.exit()")))
    assert (record.cause, len(record.moves)) == (Cause.EXIT, 3)


@pytest.mark.parametrize(
    ("at_start", "said"),
    [
        ("1 // 0", "('ZeroDivisionError: integer division or modulo by zero') before the game began"),
        ("sleep()", "sent no ugiok within 0.3 s before the game began"),
        *nightly(
            ("os.write(1, bytes(256) + b'\\n')", r"wrote '\x00"),
            ("while True: os.write(1, b'hello\\n' * 10_000)", "wrote more than 100,000 lines"),
        ),
    ],
)
def test_a_bot_that_fails_to_start_three_times_is_out(tmp_path, makers, monkeypatch, at_start, said):
    if at_start == "sleep()":
        monkeypatch.setattr(programs, "TO_START", 0.3)
    counts = "with open(here / 'starts', 'a') as file: file.write('x')\n"
    maker = makers(ugi_bot(tmp_path, at_start=counts + at_start))
    for number in range(1, 5):
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
