"""A process that does tasks: a line of JSON in, a line of JSON out, until its input ends."""

import json
import os
import signal
import sys
from queue import SimpleQueue
from threading import Thread

from perfectplay.child_processes import end_with_parent
from perfectplay.solve.out_of_core.task_registry import perform, task_from


def main() -> None:
    """Does what it is told, and ends at once, whatever it is doing, when nobody is there to tell it."""
    end_with_parent(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this is interrupted, too, and ends it
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever rules print
    told: SimpleQueue[str] = SimpleQueue()
    Thread(target=listen, args=(told,), daemon=True).start()
    while True:
        answers.write(json.dumps(perform(task_from(json.loads(told.get())))) + "\n")
        answers.flush()


def listen(told: "SimpleQueue[str]") -> None:
    """Passes lines on; at the end of input this process ends."""
    for line in sys.stdin:
        told.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
