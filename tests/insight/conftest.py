"""Sweeps whose variants are looked at in this process."""

import json
import os
from types import SimpleNamespace

import pytest

from perfectplay.insight.sweeps import variant_workers
from perfectplay.processes.json_processes import JsonChild


class ChildHere(JsonChild):
    """Answers as a process of a sweep does, but in this one."""

    ended = False

    def __init__(self, module, longest):
        source, sink = os.pipe()
        self.source, self.sink = os.fdopen(source, "rb"), os.fdopen(sink, "w", buffering=1)
        self.longest, self.buffer = longest, b""

    def send(self, value):
        self.tell(variant_workers.answer(value, SimpleNamespace(send=self.tell)))

    def tell(self, value):
        self.sink.write(json.dumps(value) + "\n")

    def kill(self):
        pass

    def end(self, grace=0.0):
        self.sink.close()
        self.source.close()


@pytest.fixture
def in_process(monkeypatch):
    """Sweeps start no processes, which saves a second each."""
    monkeypatch.setattr(variant_workers, "JsonChild", ChildHere)
