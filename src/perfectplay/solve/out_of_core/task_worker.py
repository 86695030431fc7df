"""A worker process: reads a task per line of JSON and writes a result per line, until its input ends."""

import json
import os
import signal
import sys
from queue import SimpleQueue
from threading import Thread

from perfectplay.child_processes import end_with_parent
from perfectplay.solve.out_of_core.task_registry import perform, task_from


def main() -> None:
    """Runs tasks; ends at once, even within a task, when its input ends."""
    end_with_parent(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, too, and ends this process
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keeps prints of the rules out of the results
    tasks: SimpleQueue[str] = SimpleQueue()
    Thread(target=listen, args=(tasks,), daemon=True).start()
    while True:
        answers.write(json.dumps(perform(task_from(json.loads(tasks.get())))) + "\n")
        answers.flush()


def listen(tasks: "SimpleQueue[str]") -> None:
    """Queues the lines of the input; at its end, ends the process."""
    for line in sys.stdin:
        tasks.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
