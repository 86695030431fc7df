"""The process of a bot's function, played by this process: what its worker answers, without starting one."""

import json
from collections import deque

import pytest

from perfectplay.arena.bot_worker import start_worker
from perfectplay.rules.loading import load_file


class ProgramHere:
    """In the place of `BotProgram`, of its program, of the worker's output and of its forks."""

    ended = False

    def __init__(self, command, limits, capture=False):
        self.end()

    def started(self, greet):
        if self.running is None:
            self.running = self
            try:
                greet(self)
            except BaseException:
                self.end()
                raise
        return self

    def send(self, text, deadline):
        message = json.loads(text)
        if self.worker is None:
            answer, self.worker = start_worker(message, self)
        else:
            answer = self.worker.answer(message, self)
        self.write(json.dumps(answer))

    def line(self, deadline):
        return self.lines.popleft()

    def write(self, text):
        self.lines.append(text.encode())

    def end(self, *farewell):
        load_file.cache_clear()  # the next process knows nothing of this one
        self.running, self.worker, self.lines = None, None, deque()

    def told(self, fault):
        return str(fault)

    def printed(self):
        return ""

    def nothing(self):
        """What this process need not do."""

    close, flush, begin, reap = end, nothing, nothing, nothing


@pytest.fixture
def bots_here(monkeypatch):
    """Functions in files play in this process."""
    monkeypatch.setattr("perfectplay.arena.bot_process.BotProgram", ProgramHere)
