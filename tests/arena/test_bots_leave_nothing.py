"""Nothing is left of a bot and of what it has started, however the program that it played for ended; and sandboxes."""

import os
import random
import signal
import socket
import sys
from pathlib import Path

import pytest

from command_line import started_battle, wait_until
from perfectplay import BadPlayer, load
from perfectplay.arena.bot_makers import close, isolated_maker, new_game, printed
from perfectplay.players.bots.bot_program import BUBBLEWRAP, Sandbox, fault_of, sandbox_fault, usual_sandbox
from perfectplay.players.seat import BotLimits, Seat
from perfectplay.processes.supervised_processes import supervisor
from perfectplay.words import WrongSystem
from rings import nightly
from ugi_bots import ugi_bot

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")

ESCAPES = """
mark()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.SIG_IGN)
if os.fork() == 0:  # a child in the group
    mark()
    sleep()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:  # a grandchild that has left group, session and parent
        mark()
        os.environ.clear()
        (here / "escaped").touch()
        sleep()
    os._exit(0)
os.wait()
"""
ESCAPES_MARKED = ESCAPES + "while len(list(here.glob('pid-*'))) < 3: time.sleep(0.01)\n"
HANGS = "(here / 'asked').touch(); sleep()"


def seat(**limits):
    """A seat of the first side."""
    return Seat(load("tic-tac-toe"), 0, random.Random(1), limits=BotLimits(**limits))


@pytest.fixture
def seated(tmp_path):
    """A bot in its seat, with the maker, which is closed in the end."""
    makers = []

    def sit(at_go="play()", at_start=ESCAPES_MARKED, more="", **limits):
        makers.append(isolated_maker(ugi_bot(tmp_path, at_go, at_start) + more, []))
        return makers[-1], makers[-1](seat(**limits))

    yield sit
    for maker in makers:
        close(maker)


def is_there(process):
    """Whether the process exists, even if it has ended and nobody has taken note of it."""
    return Path(f"/proc/{process}").exists()


def marked(folder):
    """The processes that have marked themselves in the folder."""
    return [int(file.name.partition("-")[2]) for file in folder.glob("pid-*")]


@needs_proc
@pytest.mark.parametrize(
    ("sent", "jobs"),
    [("SIGTERM", 1), ("SIGKILL", 2), *nightly(("SIGINT", 1), ("SIGKILL", 1), ("SIGINT", 2), ("SIGTERM", 2))],
)
def test_all_that_a_bot_has_started_ends_with_the_program(tmp_path, sent, jobs):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    bot = ugi_bot(tmp_path, HANGS, ESCAPES_MARKED)
    battle = started_battle(bot, "random", "--jobs", str(jobs), TMPDIR=str(temporary))
    wait_until(lambda: (tmp_path / "asked").exists() and (tmp_path / "escaped").exists())
    os.kill(battle.pid, signal.Signals[sent])
    battle.communicate(timeout=60)
    processes = marked(tmp_path)
    assert len(processes) >= 3
    wait_until(lambda: not any(map(is_there, processes)))
    assert list(temporary.iterdir()) == []


@needs_proc
@pytest.mark.parametrize(
    ("at_go", "said"),
    [("sys.exit(1)", "exit code 1"), ("os.kill(os.getppid(), signal.SIGKILL); sleep()", "was ended by SIGKILL")],
    ids=["that has failed", "that has killed its keeper"],
)
def test_what_is_left_of_a_bot_ends_at_once(seated, tmp_path, at_go, said):
    _, player = seated(at_go)
    with pytest.raises(BadPlayer, match=said):
        player((0, 0))
    assert len(marked(tmp_path)) == 3
    wait_until(lambda: not any(map(is_there, marked(tmp_path))))


@needs_proc
@pytest.mark.parametrize(("at_quit", "left"), [("(here / 'left').touch()", True), ("sleep()", False)])
def test_a_bot_may_end_in_peace_and_is_killed_if_it_does_not(seated, tmp_path, at_quit, left):
    maker, player = seated(at_start=f"import atexit\nmark()\natexit.register(lambda: {at_quit})")
    assert player((0, 0)) == 0
    close(maker)
    assert (tmp_path / "left").exists() is left
    assert not any(map(is_there, marked(tmp_path)))


@pytest.mark.nightly
@needs_proc
def test_a_supervisor_that_was_killed_is_replaced(seated, tmp_path):
    maker, player = seated()
    assert player((0, 0)) == 0
    before = supervisor().process.pid
    os.kill(before, signal.SIGKILL)
    supervisor().process.wait()
    close(maker)
    assert not any(map(is_there, marked(tmp_path)))
    assert player((0, 0)) == 0
    assert supervisor().process.pid != before


def test_one_supervisor_starts_all_programs(seated):
    bots = [seated(at_start="") for _ in range(2)]
    assert [player((0, 0)) for _, player in bots] == [0, 0]
    assert {bot.program.by for maker, _ in bots for bot in maker.bots.values()} == {supervisor()}


def test_a_system_without_such_processes_is_told(monkeypatch):
    monkeypatch.delattr(os, "fork")
    with pytest.raises(WrongSystem, match="need Linux or macOS"):
        supervisor()


needs_sandbox = pytest.mark.skipif(bool(sandbox_fault()), reason=f"no sandbox here: {sandbox_fault()}")

SPIES = """
def tried(what):
    try:
        return what()
    except OSError as fault:
        return type(fault).__name__
def write(path):
    with open(path, "w") as file: file.write("x")
    return "written"
print(tried(lambda: socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5) and "connected"), file=sys.stderr)
print(tried(lambda: write(here / "written")), file=sys.stderr)
print(tried(lambda: write("written-here")), file=sys.stderr)
print(tried(lambda: (here / "readable").read_text()), file=sys.stderr)
import tempfile
print(tried(lambda: write(tempfile.gettempdir() + "/scratch")), flush=True, file=sys.stderr)
"""


@needs_sandbox
@pytest.mark.parametrize("sandbox", [False, True])
def test_a_sandbox_has_no_network_and_files_that_can_only_be_read(seated, tmp_path, monkeypatch, sandbox):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "readable").write_text("read")
    with socket.create_server(("127.0.0.1", 0)) as server:
        maker, player = seated(at_start=SPIES, more=f" {server.getsockname()[1]}", memory=256, sandbox=sandbox)
        new_game(maker)
        assert player((0, 0)) == 0
        network, beside, here, read, scratch = printed(maker).splitlines()
    assert (read, scratch) == ("read", "written")
    refused = ["OSError", "OSError"] if sandbox else ["written", "written"]
    assert [beside, here] == refused
    assert (network == "connected") is not sandbox
    assert (tmp_path / "written").exists() is not sandbox


@pytest.mark.nightly
@needs_sandbox
def test_a_function_can_play_in_a_sandbox(tmp_path, makers):
    (tmp_path / "bots.py").write_text(
        "def ai(board, side):\n    open(__file__ + '.log', 'w')\n    return 0, 0\ndef good(board, side): return 1, 1\n"
    )
    with pytest.raises(BadPlayer, match="Read-only file system"):
        makers(f"{tmp_path}/bots.py:ai")(seat(sandbox=True))((0, 0))
    assert makers(f"{tmp_path}/bots.py:good")(seat(sandbox=True))((0, 0)) == 4


@needs_sandbox
@needs_proc
def test_nothing_is_left_of_a_sandbox(seated):
    escapes = ESCAPES.replace("mark()", "0").replace('(here / "escaped").touch()', "print('escaped', file=sys.stderr)")
    mark = f"tictactoe-{os.getpid()}-{random.getrandbits(64)}"
    maker, player = seated(at_start=escapes, more=f" {mark}", sandbox=True)
    assert player((0, 0)) == 0
    assert len(with_word(mark)) == 3
    close(maker)
    assert with_word(mark) == []


def with_word(word):
    """The processes that were started with this word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word in path.read_text():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def test_a_sandbox_that_is_asked_for_and_not_there_is_one_line(seated, monkeypatch):
    monkeypatch.setattr("perfectplay.players.bots.bot_program.usual_sandbox", lambda: Sandbox(fault="it needs Linux"))
    with pytest.raises(BadPlayer, match=r"^there is no sandbox on this machine: it needs Linux$"):
        seated(sandbox=True)


def test_why_there_is_no_sandbox_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert usual_sandbox.__wrapped__().fault == "it needs Linux"
    monkeypatch.undo()
    monkeypatch.setattr("perfectplay.players.bots.bot_program.fault_of", lambda way: "unshare: Operation not permitted")
    monkeypatch.setattr("shutil.which", lambda name: None)
    fault = usual_sandbox.__wrapped__().fault
    assert "user namespaces are not allowed here (unshare: Operation not permitted)" in fault
    assert "there is no bubblewrap" in fault


def test_bubblewrap_is_called_with_the_command_behind_its_words(tmp_path, monkeypatch):
    wrapper = tmp_path / "bwrap"
    wrapper.write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert fault_of(Sandbox(BUBBLEWRAP)) == ""
    wrapper.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    assert fault_of(Sandbox(BUBBLEWRAP)) == "bwrap: No permissions to create new namespace"
