"""A worker process: reads a task per line of JSON and writes a result per line, until its input ends."""

import signal

from perfectplay.processes.json_processes import JsonParent
from perfectplay.solvers.out_of_core.task_registry import perform, task_from


def main() -> None:
    """Does what it is told, and ends at once, whatever it is doing, when nobody is there to tell it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, too, and ends this process
    parent = JsonParent()
    while True:
        parent.send(perform(task_from(parent.receive())))
