"""Clients that send half a request, say nothing, read nothing, or ask for too much; workers that are killed."""

import asyncio
import json
import os
import signal
import socket
import time
from contextlib import closing, contextmanager, suppress
from threading import Thread

import pytest

from perfectplay.front.commands.serve_command import listening, server_for
from perfectplay.front.web.allowed_names import AllowedNames, allow
from perfectplay.front.web.connection import ConnectionLimits
from perfectplay.front.web.dispatcher import Dispatcher
from perfectplay.front.web.solve_quota import HOUR, NoRoom, Quota, SolveLimits, TooSoon
from perfectplay.front.web.worker_pool import Ended, WorkerPool

WAIT = 20
"""Seconds after which a test gives up; nothing is ever waited for that long."""
SHORT = ConnectionLimits(request=0.3, idle=1, reading=0.3, connections=6, each=4)


@contextmanager
def server_with(limits, names=None, solves=None):
    """Where a server in this process listens, whose clients are given so little time."""
    dispatcher = Dispatcher(names or AllowedNames(), solves or SolveLimits())
    server = server_for(dispatcher, frozenset({"localhost"}), limits)
    with listening("127.0.0.1", 0) as listener:
        running = Thread(target=server.run, args=([listener],))
        running.start()
        try:
            yield listener.getsockname()[:2]
        finally:
            server.should_exit = True
            running.join(WAIT)
            assert not running.is_alive()


@pytest.fixture(scope="module")
def short():
    with server_with(SHORT) as where:
        yield where


def opened(where):
    return closing(socket.create_connection(where, timeout=WAIT))


def everything(one):
    """All that comes until the server closes the connection."""
    heard = b""
    while data := one.recv(1 << 16):
        heard += data
    return heard


def answers(where):
    """Whether the server answers somebody who asks as one should."""
    with opened(where) as one:
        one.sendall(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return everything(one).startswith(b"HTTP/1.1 200")


POST = b"POST /api/solve HTTP/1.1\r\nHost: localhost\r\n"
HALVES = {
    "nothing at all": b"",
    "blank lines": b"\r\n",
    "half a head": b"GET /api/games HTTP/1.1\r\nHost: loc",
    "a head without its end": b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n",
    "half a body": POST + b"Content-Length: 100\r\n\r\n{",
    "a chunk without its end": POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nab",
}


@pytest.mark.parametrize("what", HALVES)
def test_half_a_request_is_not_waited_for(short, what):
    with opened(short) as one:
        one.sendall(HALVES[what])
        heard = everything(one)
    assert heard.startswith(b"HTTP/1.1 408")
    assert b"content-security-policy" in heard
    assert answers(short)


def test_bytes_that_drip_do_not_help(short):
    with opened(short) as one, pytest.raises(ConnectionError):
        keep_sending(one, b"GET /api/games HTTP/1.1\r\nX: " + b"y" * 10_000, 1)


def keep_sending(one, left, at_once):
    """Sends so many bytes at once, again and again, without ever reading, as long as the server takes them."""
    one.settimeout(0.05)
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        with suppress(TimeoutError):
            left = left[one.send(left[:at_once]) :] or b"\r\n"
        time.sleep(0.01)


def test_a_second_request_has_its_own_time(short):
    whole = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with opened(short) as one:
        one.sendall(whole + whole[:20])
        heard = everything(one)
    assert heard.startswith(b"HTTP/1.1 200")
    assert b"HTTP/1.1 408" in heard


def test_a_connection_that_is_idle_after_an_answer_is_closed(short):
    with opened(short) as one:
        one.sendall(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
        heard = everything(one)
    assert heard.startswith(b"HTTP/1.1 200")
    assert b"408" not in heard


def test_an_answer_that_takes_longer_than_a_request_may_is_waited_for(short):
    with opened(short) as one:
        target = b"/api/reply?game=gomoku&player=mcts&seconds=1"
        one.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % target)
        assert everything(one).startswith(b"HTTP/1.1 200")


def test_only_so_many_connections_are_open_at_once():
    with server_with(SHORT._replace(request=WAIT)) as where:
        held = [socket.create_connection(where, timeout=WAIT) for _ in range(SHORT.each)]
        with opened(where) as one:
            heard = everything(one)
        assert heard.startswith(b"HTTP/1.1 503")
        assert b"retry-after: 3" in heard
        for other in held:
            other.close()
        end = time.monotonic() + WAIT
        while not answers(where):
            assert time.monotonic() < end


@pytest.mark.parametrize("wrong", [b"", b"no request at all\r\n\r\n"])
def test_whoever_does_not_read_answers_is_let_go(short, wrong):
    left = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5000 + wrong
    with opened(short) as one, pytest.raises(ConnectionError):
        keep_sending(one, left, len(left))
    assert answers(short)


async def stays():
    """A client that does not go away."""
    return False


def test_a_worker_that_is_killed_in_the_middle_is_replaced():
    async def meet():
        pool = WorkerPool(AllowedNames(), size=1, waiting=1, each=2)
        task = asyncio.create_task(pool.ask("a", "reply", {"game": "gomoku", "player": "mcts", "seconds": "1"}, stays))
        while not pool.busy:
            await asyncio.sleep(0.01)
        os.kill(next(iter(pool.busy)).pid, signal.SIGKILL)
        assert (await task)["move"]
        await pool.close()

    asyncio.run(meet())


def solve_events(where, game):
    """What the server tells of a solve: the status line and the events."""
    body = json.dumps({"game": game}).encode()
    with opened(where) as one:
        one.sendall(POST + b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        heard = everything(one).decode()
    return heard.split()[1], heard


def test_a_solve_whose_worker_is_killed_begins_again(home):
    async def meet():
        dispatcher = Dispatcher(AllowedNames())
        kinds = []
        async for heard in dispatcher.solving({"game": "drop:4,4,4"}, "a"):
            if not kinds:
                os.kill(next(iter(dispatcher.solves.busy)).pid, signal.SIGKILL)
            kinds += heard
        assert kinds[-1] == "answer"
        await dispatcher.close()

    asyncio.run(meet())


DYING = """
import os
from perfectplay import load
def game(n=1):
    if n == 2 and not os.environ.get("STAYS"):
        os._exit(3)
    return load("tic-tac-toe")
"""


def test_a_task_that_ends_every_worker_is_given_up(home):
    (home / "dying.py").write_text(DYING)

    async def meet():
        pool = WorkerPool(allow([str(home / "dying.py")], []), size=1, waiting=1, each=2)
        with pytest.raises(Ended):
            await pool.ask("a", "game", {"game": "dying.py:2"}, stays)
        await pool.close()

    asyncio.run(meet())


def files_in(home):
    """The names of all files that are kept of the game that is solved here; small games come and go with the page."""
    return sorted(path.name for path in (home / "data").rglob("*drop*") if path.is_file())


def test_a_solve_takes_no_more_disk_than_it_may(home):
    before = files_in(home)
    with server_with(ConnectionLimits(), solves=SolveLimits(disk=1000)) as where:
        status, heard = solve_events(where, "drop:4,3,3")
        assert status == "200"
        assert "takes more room on the server's disk" in heard
        assert "Traceback" not in heard
    assert files_in(home) == before


def test_what_was_solved_counts(home):
    with server_with(ConnectionLimits(), solves=SolveLimits(disk=100_000, solves=3)) as where:
        assert "event: solved" in solve_events(where, "drop:4,3,3")[1]
        for path in (home / "data" / "tables").glob("*.table"):
            with path.open("ab") as table:
                table.truncate(200_000)
        status, heard = solve_events(where, "drop:4,3,4")
        assert (status, "may take" in heard) == ("422", True)


def test_a_client_begins_only_so_many_solves_an_hour(home):
    now = [0.0]
    quota = Quota(SolveLimits(solves=2), lambda: now[0])
    assert quota.begin("a") > 0
    now[0] = 600.0
    quota.begin("a")
    with pytest.raises(TooSoon, match="2 solves an hour") as fault:
        quota.begin("a")
    assert fault.value.seconds == HOUR - 600
    quota.begin("b")
    now[0] = HOUR + 1
    quota.begin("a")
    with pytest.raises(TooSoon):
        quota.begin("a")


def test_no_room_is_said_before_anything_is_solved(tmp_path):
    quota = Quota(SolveLimits(disk=1000))
    (tmp_path / "a").write_bytes(b"x" * 600)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_bytes(b"x" * 300)
    quota.kept |= {tmp_path / "a", tmp_path / "b", tmp_path / "gone"}
    assert quota.begin("a") == 100
    (tmp_path / "b" / "d").write_bytes(b"x" * 100)
    with pytest.raises(NoRoom, match=r"may take 0\.977 KiB"):
        quota.begin("a")
