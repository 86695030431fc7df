"""The supervisor: a small process that starts programs for another, each with a keeper, within a few milliseconds.

Requests come on the socket whose number is the first argument: a length in four bytes, JSON of that length, and four
files (see `process_keeper`). When the other end of the socket closes, the supervisor ends the keepers and itself.
"""

import gc
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress

from perfectplay.processes.linux_calls import adopt_orphans
from perfectplay.processes.process_keeper import Request, descendants, kill, new_bell, run_keeper

FILES = 4
"""The files of a request: standard input, output and error, and the control socket."""
AGAIN = 0.05
"""Seconds after which a keeper is told again to end: it may have been too young to hear it."""


def main() -> None:
    """Starts programs until nobody wants any more, and ends after all of them."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)  # it ends with the process that it works for
    requests = socket.socket(fileno=int(sys.argv[1]))
    requests.set_inheritable(False)
    adopt_orphans()
    gc.freeze()  # then a fork copies less
    keepers: set[int] = set()
    bell = new_bell()
    poll = select.poll()
    poll.register(requests, select.POLLIN)
    poll.register(bell, select.POLLIN)
    while True:
        ready = dict(poll.poll())
        if bell in ready:
            with suppress(BlockingIOError):
                os.read(bell, 1024)
            reap(keepers)
        if requests.fileno() in ready:
            request = next_request(requests)
            if request is None:
                break
            keepers.add(start_keeper(*request, requests, bell))
    requests.close()
    while not reap(keepers):
        for keeper in keepers:
            os.kill(keeper, signal.SIGTERM)
        if select.select([bell], [], [], AGAIN)[0]:
            os.read(bell, 1024)


def next_request(requests: socket.socket) -> tuple[Request, list[int]] | None:
    """The next request and its files; None if there will be no more."""
    data, files = b"", list[int]()
    size = 4
    with suppress(ConnectionError):
        while len(data) < size:
            more, with_it, _, _ = socket.recv_fds(requests, size - len(data), FILES)
            if not more:
                return None
            data, files = data + more, files + with_it
            if size == len(data) == 4:
                size += int.from_bytes(data, "big")
        for file in files:
            os.set_inheritable(file, False)
        return json.loads(data[4:]), files
    return None


def start_keeper(request: Request, files: list[int], requests: socket.socket, bell: int) -> int:
    """The keeper that was started for a request."""
    keeper = os.fork()
    if keeper == 0:
        signal.set_wakeup_fd(-1)
        requests.close()
        os.close(bell)
        try:
            run_keeper(request, files)
        finally:
            os._exit(1)
    for file in files:
        os.close(file)
    return keeper


def reap(keepers: set[int]) -> bool:
    """Forgets keepers that have ended, and kills what is left of one that was killed itself; whether none is left."""
    killed = False
    try:
        while (end := os.waitpid(-1, os.WNOHANG))[0]:
            keepers.discard(end[0])
            killed |= end[1] != 0
    except ChildProcessError:
        return True
    if killed:  # what is killed now is taken note of next time
        kill(descendants(os.getpid(), keepers))
    return False
