"""A tournament manager that knows no rules: it asks the engines, as other people's UGI managers do."""

import subprocess
import sys
from contextlib import contextmanager

ENGINE = (sys.executable, "-m", "perfectplay", "bot")
MOST_PLIES = 60
"""Games that go on for longer are adjudicated as unfinished."""


class Engine:
    """An engine's process, and the lines to and from it."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.heard = []

    def send(self, *lines):
        """Says these lines."""
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def wait_for(self, *beginnings):
        """The next line that begins so, in two words; what comes before it is skipped."""
        while line := self.process.stdout.readline():
            self.heard.append(line.rstrip("\n"))
            if line.split()[:1] == [*beginnings[:1]]:
                return line.split()
        raise AssertionError(f"the engine ended: {self.heard[-5:]} {self.process.stderr.read()}")

    def ask(self, question, answer):
        """The last word of the answer to a question."""
        self.send(question)
        return self.wait_for(answer)[-1]

    def close(self):
        """Tells the engine to quit; gives its exit code and what it wrote to standard error."""
        if self.process.poll() is None:
            self.send("quit")
        _, complaints = self.process.communicate(timeout=60)
        return self.process.returncode, complaints


@contextmanager
def engine(*command):
    """An engine that has introduced itself, and that must end without a complaint."""
    it = Engine(command)
    try:
        it.ask("ugi", "ugiok")
        it.ask("isready", "readyok")
        yield it
        assert it.close() == (0, "")
    finally:
        it.process.kill()
        it.process.communicate()


def position(moves, begin="startpos"):
    """The command that sets up the position after these moves."""
    return f"position {begin}" + (" moves " + " ".join(moves) if moves else "")


def played(first, second, go="go movetime 10", begin="startpos", judges=None):
    """The moves of a game between two engines, and its result; whatever is to be known is asked of the judges."""
    moves, players = [], (first, second)
    judges = players if judges is None else judges
    for one in players:
        one.ask("isready", "readyok")
        one.send("uginewgame")
    while True:
        for one in {*players, *judges}:
            one.ask("isready", "readyok")
            one.send(position(moves, begin))
        over = {one.ask("query gameover", "response") for one in judges}
        assert len(over) == 1, "the engines do not agree"
        if over == {"true"} or len(moves) == MOST_PLIES:
            break
        turns = {one.ask("query p1turn", "response") for one in judges}
        assert len(turns) == 1, "the engines do not agree"
        moves.append(players[turns == {"false"}].ask(go, "bestmove"))
    results = {one.ask("query result", "response") for one in judges}
    assert len(results) == 1, "the engines do not agree"
    return moves, results.pop()
