"""Rules that never return are reported with the position, and Ctrl-C always ends the program."""

import json
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from command_line import wait_until
from perfectplay.commands.terminal import signals
from perfectplay.commands.terminal.rule_limit import TO_RETURN, RuleLimit
from perfectplay.commands.terminal.signals import main_thread_answers, prompt_interrupts
from perfectplay.rules.loading import NeverReturns, load_file
from perfectplay.words import BadGame

HANGS = """
from perfectplay import DRAW, ONGOING, Game
GO_ON, THERE = [True], []
def moves(mine, theirs):
    return 511 & ~(mine | theirs)
def play(mine, theirs, move):
    return theirs, mine | 1 << move
def outcome(mine, theirs):
    if mine == 0b11:
        THERE.append(True)
        while GO_ON[0]:
            pass
    return DRAW if mine | theirs == 511 else ONGOING
def changes(mine, theirs):
    THERE.append(True)
    while GO_ON[0]:
        mine ^= 1
    return 0
def stubborn():
    while GO_ON[0]:
        try:
            while GO_ON[0]:
                pass
        except Exception:
            pass
def sleeps(mine, theirs, wait):
    THERE.append(True)
    wait()
def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=9, shape=(3, 3), name="hangs")
"""


@pytest.fixture
def hanging(tmp_path):
    """A game's file with rules that hang, as a module, and its path; they end with the test."""
    file = tmp_path / "hangs.py"
    file.write_text(HANGS)
    module = load_file(file, BadGame)
    yield str(file), module
    module.GO_ON[0] = False


def looks(hanging, work, times, catch=(), **options):
    """What a limit says of work that hangs, and what it raises, if it looks at these times."""
    name, module = hanging
    said, times = [], iter(times)
    limit = RuleLimit(Path(name), said.append, **options)

    def look(number, frame):
        if not module.THERE:
            return
        now = next(times, None)
        if now is None:
            module.GO_ON[0] = False
        else:
            limit.look(now, frame)

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        work()
    except NeverReturns as fault:
        return said, str(fault)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return said, None


def test_a_rule_that_does_not_return_is_ended_and_named_with_its_position(hanging):
    game = hanging[1].game()
    said, fault = looks(hanging, lambda: game.outcome(0b11, 0b1000), (0, TO_RETURN - 1, TO_RETURN))
    where = r"outcome\(3, 8\) in hangs.py, line \d+, at X:XX./O../... \(3, 8\)"
    line = rf"{where} has not returned for 5 s; look for a loop that does not end"
    assert re.fullmatch(line, fault)
    assert said == []
    assert looks(hanging, lambda: game.outcome(0b11, 0b1000), (0, TO_RETURN - 1)) == ([], None)


def test_a_rule_that_changes_its_arguments_is_named_by_its_caller(hanging):
    def work(position=(5, 8)):
        hanging[1].changes(*position)

    _, fault = looks(hanging, work, (0, TO_RETURN))
    assert fault.startswith("changes(mine, theirs) in hangs.py, line 1")
    assert "called at (5, 8)" in fault


def test_the_program_ends_if_a_rule_cannot_be_stopped(hanging):
    left = []
    work = partial(hanging[1].sleeps, 1, 2, hanging[1].stubborn)
    said, _ = looks(hanging, work, (0, TO_RETURN, TO_RETURN + 1, 2 * TO_RETURN), leave=left.append)
    assert left == [2]
    assert said[0].startswith("sleeps(1, 2, ")


def test_a_command_ends_with_one_line(tmp_path):
    (tmp_path / "hangs.py").write_text(HANGS)
    code = "import perfectplay.commands.terminal.rule_limit as limit, sys; limit.LOOK = limit.TO_RETURN = 0.05\n"
    code += "from perfectplay.__main__ import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "analyse", f"{tmp_path}/hangs.py", "--traceback"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert re.search(r"perfectplay: .*outcome\(3, \d+\) in hangs.py, line \d+, at .* has not returned", done.stderr)


def test_the_main_thread_responds_unless_it_is_in_compiled_code():
    with ThreadPoolExecutor(1) as pool:
        heard = pool.submit(main_thread_answers, 60)
        while not heard.done():
            pass
    assert heard.result() is True


def fails():
    raise ValueError("rules of a user's own")


@pytest.mark.parametrize(
    ("answers", "kept", "left", "text"),
    [
        (True, lambda: "all is kept", [], ""),
        (False, lambda: "all is kept", [130], "did not return; all is kept"),
        (False, fails, [130], "did not return; what is kept is not known"),
        (False, Event().wait, [130], "did not return; what is kept is not known"),
    ],
)
def test_the_program_ends_when_a_signal_gets_no_response(answers, kept, left, text, capsys, monkeypatch):
    monkeypatch.setattr(signals, "TO_RETURN", 0.05)
    codes, asked = [], Event()

    def answer():
        asked.set()
        return answers

    usual = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        with prompt_interrupts(kept, answer, codes.append):
            signal.raise_signal(signal.SIGINT)
            assert asked.wait(60)
            wait_until(lambda: codes == left, 10)
    finally:
        signal.signal(signal.SIGINT, usual)
    assert codes == left
    err = capsys.readouterr().err
    assert text in err
    assert bool(err) == bool(left)


@pytest.mark.nightly
def test_analyse_under_ctrl_c_prints_the_bounds_so_far(tmp_path):
    code = """
import signal, sys
from perfectplay.solvers.search import alphabeta
from perfectplay.commands.cli import program
pursue = alphabeta.Question.pursue
def pursued(self, nodes):
    if nodes == alphabeta.SLICE:
        signal.raise_signal(signal.SIGINT)
    return pursue(self, nodes)
alphabeta.Question.pursue = pursued
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv[1:] = ['analyse', 'drop:6,6,4', '--json', '--threads', '1']
program()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 130
    found = json.loads(done.stdout)
    assert found["exact"] is False
    assert {"at_least", "at_most"} <= found.keys()
    assert len(found["moves"]) == 6
    assert "interrupted; this is what is proven so far" in done.stderr
