"""Rules that never return are reported with the position, and Ctrl-C always ends the program."""

import json
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock, Thread

import numpy as np
import pytest

import perfectplay.solvers.memory.expansion
from command_line import wait_until
from perfectplay.commands.terminal import interrupts
from perfectplay.commands.terminal.interrupts import main_thread_answers, prompt_interrupts
from perfectplay.commands.terminal.rule_watch import SLOW, TO_RETURN, RuleWatch, try_in
from perfectplay.rules.loading import load_file
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


def watched(hanging, work, **options):
    """What a watch tells of work that hangs in another thread, what the work raises, the thread and the watch."""
    name, module = hanging
    told, raised = [], []

    def run():
        try:
            work()
        except Exception as fault:
            raised.append(str(fault))

    thread = Thread(target=run, daemon=True)
    thread.start()
    while not module.THERE:
        time.sleep(0.001)
    watch = RuleWatch(name, told.append, **options)
    watch.look(0.0)
    watch.look(TO_RETURN - 1)
    assert told == []
    watch.look(TO_RETURN)
    watch.look(TO_RETURN + 1)
    return told, raised, thread, watch


def test_a_rule_that_does_not_return_is_named_with_its_position(hanging):
    game = hanging[1].game()
    told, *_ = watched(hanging, lambda: try_in(game, [(1, 2), (0b11, 0b1000)]))
    (line,) = told
    said = rf"outcome\(3, 8\) in hangs.py, line \d+, at X:XX./O../... \(3, 8\) has not returned for {TO_RETURN:g} s"
    assert re.fullmatch(said, line)


def test_a_rule_that_changes_its_arguments_is_named_by_its_caller(hanging):
    def work(position=(5, 8)):
        hanging[1].changes(*position)

    told, *_ = watched(hanging, work)
    assert told[0].startswith("changes(mine, theirs) in hangs.py, line 1")
    assert "called at (5, 8)" in told[0]


def test_check_stops_such_a_rule(hanging):
    game = hanging[1].game()
    told, raised, thread, _ = watched(hanging, lambda: try_in(game, [(0b11, 0b1000)]), stop=True)
    thread.join(60)
    assert not thread.is_alive()
    assert told == []
    assert raised[0].startswith("outcome(3, 8) in hangs.py")


def test_the_program_ends_if_a_rule_cannot_be_stopped(hanging):
    left, enough = [], Event()
    work = hanging[1].sleeps
    told, _, _, watch = watched(hanging, lambda: work(1, 2, enough.wait), stop=True, leave=left.append)
    watch.look(2 * TO_RETURN)
    enough.set()
    assert left == [2]
    assert told[0].startswith("sleeps(1, 2, ")


def test_compiled_rules_that_do_not_return_are_tried_interpreted(hanging):
    """While the main thread waits for a kernel, the kernel's positions are tried interpreted."""
    name, module = hanging
    game, told, kernel = module.game(), [], Lock()
    watch = RuleWatch(name, told.append)
    watch.try_rules = lambda keys: try_in(game, (game.unkey(int(key)) for key in keys))

    def look():
        while not watch.places:
            watch.look(0.0)
        watch.look(TO_RETURN)
        while not module.THERE:
            time.sleep(0.001)
        watch.look(TO_RETURN)
        watch.look(2 * TO_RETURN)
        watch.look(SLOW)
        kernel.release()

    kernel.acquire()
    space = {}
    text = "def call(keys, part, kernel):\n    kernel()\n"
    exec(compile(text, perfectplay.solvers.memory.expansion.__file__, "exec"), space)  # as the package calls kernels
    Thread(target=look, daemon=True).start()
    space["call"](np.array([game.key(0, 0), game.key(1, 2), game.key(0b11, 0b1000)]), slice(1, 3), kernel.acquire)
    (line,) = told
    assert line.startswith("outcome(3, 8) in hangs.py")


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
    monkeypatch.setattr(interrupts, "TO_RETURN", 0.05)
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


COMPILED = """
from perfectplay import DRAW, ONGOING, Game
def moves(mine, theirs):
    return 65535 & ~(mine | theirs)
def play(mine, theirs, move):
    return theirs, mine | 1 << move
def outcome(mine, theirs):
    n = 1
    while n and mine == 0b111 and theirs & 0b11111000 == 0b10101000:
        n = n + 1 if n < 100 else 1
    return DRAW if mine | theirs == 65535 else ONGOING
def game():
    return Game(moves=moves, play=play, outcome=outcome, bits=16, shape=(4, 4))
"""


@pytest.mark.nightly
def test_a_solve_in_compiled_code_says_where_it_hangs_and_ends_by_ctrl_c(tmp_path):
    """The program in a separate process, with a shell's default Ctrl-C."""
    (tmp_path / "hangs.py").write_text(COMPILED)
    solve = subprocess.Popen(
        [sys.executable, "-m", "perfectplay", "solve", f"{tmp_path}/hangs.py", "--engine", "numba", "--threads", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    line = solve.stderr.readline()
    assert "outcome(7, 168) in hangs.py" in line
    assert "Ctrl-C ends the program" in line
    solve.send_signal(signal.SIGINT)
    solve.communicate(timeout=60)
    assert solve.returncode == 130


@pytest.mark.nightly
def test_analyse_under_ctrl_c_prints_the_bounds_so_far(tmp_path):
    code = """
import signal, sys
from perfectplay.solvers import alphabeta
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
