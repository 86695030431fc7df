"""The server among strangers: what it lets in, what it keeps to itself, and that nothing brings it down."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from random import Random
from unittest.mock import Mock
from urllib.parse import quote, urlsplit

import pytest

from command_line import complaint, wait_until
from perfectplay.rules.loading import load_game
from perfectplay.server import worker_pool
from perfectplay.server.allowed_names import AllowedNames, allow
from perfectplay.server.connection import is_known
from perfectplay.server.game_faults import FaultRecord, OwnFiles, is_loopback
from perfectplay.server.web_server import listening
from perfectplay.server.worker_pool import Busy, WorkerPool
from perfectplay.solvers.table.table_folder import rules_key, table_path
from perfectplay.words import BadGame, BadPlayer
from web_server import dispatcher_here, serving_here, started

FUZZED = 10_000
needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")


class Connection:
    """Raw requests, so that they can be as wrong as anybody makes them."""

    def __init__(self, address):
        parts = urlsplit(address)
        self.where, self.host = (parts.hostname, parts.port), parts.netloc
        self.socket = None

    def ask(self, request):
        """The status of the answer, its headers and its body."""
        for _ in range(2):
            if self.socket is None:
                self.socket = socket.create_connection(self.where, timeout=60)
            try:
                self.socket.sendall(request)
                return self.heard()
            except (ConnectionError, EOFError):  # closed after the last answer
                self.close()
        raise AssertionError(f"no answer to {request[:200]!r}")

    def heard(self):
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.more()
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        status = int(lines[0].split()[1])
        length = int(headers.get("content-length", 0)) if status != 304 else 0
        while len(body) < length:
            body += self.more()
        if headers.get("connection") == "close":
            self.close()
        return status, headers, body

    def more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError
        return data

    def close(self):
        if self.socket is not None:
            self.socket.close()
        self.socket = None

    def get(self, target, *headers, host=None, method="GET"):
        lines = [f"{method} {target} HTTP/1.1", f"Host: {self.host if host is None else host}", *headers, "", ""]
        return self.ask("\r\n".join(lines).encode("latin-1", "replace"))

    def begin(self, target, body=None):
        """A socket on which a request has been sent and nothing is read yet."""
        one = socket.create_connection(self.where, timeout=60)
        data = b"" if body is None else json.dumps(body).encode()
        method = "GET" if body is None else "POST"
        head = f"{method} {target} HTTP/1.1\r\nHost: {self.host}\r\nContent-Length: {len(data)}\r\n\r\n"
        one.sendall(head.encode() + data)
        return one


@pytest.fixture(scope="module")
def address(home):
    with serving_here(dispatcher=dispatcher_here(["examples/hexapawn.py"], ["examples/bots.py:my_ai"])) as where:
        yield where


@pytest.fixture
def connection(address):
    one = Connection(address)
    yield one
    one.close()


def test_other_names_and_other_sites_are_not_let_in(connection):
    game = "/api/game?game=tic-tac-toe"
    assert connection.get("/?game=tic-tac-toe")[0] == 200
    assert connection.get(game, host="localhost:1")[0] == 200
    for host in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8000", "", "[::1", "a b"):
        assert connection.get(game, host=host)[0] == 400
    assert connection.get(game, "Host: evil.example")[0] == 400
    for header, status in (
        ("Sec-Fetch-Site: cross-site", 403),
        ("Sec-Fetch-Site: same-origin", 200),
        ("Origin: http://evil.example", 403),
        (f"Origin: http://{connection.host}", 200),
    ):
        assert connection.get(game, header)[0] == status


def test_names_that_mean_this_machine():
    names = frozenset({"localhost", "box.local"})
    known = ("localhost", "LOCALHOST:80", "box.local:1", "10.0.0.7", "[::1]:8000")
    others = ("", "x", "127.0.0.1.x", "1:2:3", "localhost:", "localhost:999999")
    assert [is_known(host, names) for host in known + others] == [True] * len(known) + [False] * len(others)
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example")] == [1, 1, 1, 0, 0]


@pytest.mark.parametrize("target", ["/?game=tic-tac-toe", "/api/games", "/api/game", "/nothing", "/static/nothing"])
def test_every_answer_is_marked_as_safe(client, target):
    headers = client.get(target).headers
    policy = headers["content-security-policy"]
    for part in ("default-src 'none'", "script-src 'self'", "img-src 'self' data:;"):
        assert part in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_path_tricks(connection):
    page = connection.get("/?game=tic-tac-toe")[2].decode()
    static = page.partition('href="/static/')[2].partition("/")[0]
    for trick in ("..", "%2e%2e", "..%2f..", "....//", "%00", "C:", "..\\..", "%252e%252e"):
        for path in (f"/static/{static}/{trick}/app.py", f"/static/{trick}/page.html", f"/{trick}/etc/passwd"):
            assert connection.get(path)[0] == 404
    assert connection.get(f"/static/{static}/page.css")[0] == 200
    assert connection.get(f"/static/{static}/")[0] == 404
    assert connection.get("/api/games/")[0] == 404


def test_bodies_and_addresses_that_are_too_long(connection):
    assert connection.get("/api/solve", "Content-Length: 65537", method="POST")[0] == 413
    assert connection.get("/api/games", "Content-Length: 99999999999999999999", method="GET")[0] in (400, 413)
    chunk = b"x" * 4096
    body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for _ in range(17)) + b"0\r\n\r\n"
    head = f"POST /api/solve HTTP/1.1\r\nHost: {connection.host}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    assert connection.ask(head + body)[0] == 413
    connection.close()
    assert connection.get("/api/games?x=" + "y" * 20_000)[0] == 400
    connection.close()
    assert connection.get("/api/games", method="DELETE")[0] == 405


VALUES = {
    "game": ["tic-tac-toe", "tactic-toe", "kingpawns", "hexapawn.py", "lines:19,19,5", "lines:3,3,3,misere=true"],
    "position": ["O:.../.X./...", "X:XX./OO./...", "W:..k./..pp/PP../.K..", "O:.X3./.../...", "", "B:ppp/P../.PP"],
    "moves": ["b2", "b2,a1,c3", "a2a3", "j10,k10", ""],
    "chance": ["", "", "", "uniform", "noisy:0.1", "softmax:1"],
    "player": ["random", "perfect", "blocks", "wins"],
    "seconds": ["0.01", "0.02"],
    "rules": ["", "0123"],
}
SMALL = ["tic-tac-toe", "hexapawn.py", "lines:3,3,3,misere=true"]
"""Games whose chances are quickly worked out."""
TASKS = {
    "games": [],
    "game": ["game"],
    "line": ["game", "position", "moves", "rules"],
    "analysis": ["game", "position", "seconds", "chance"],
    "best-line": ["game", "position"],
    "reply": ["game", "position", "player", "seconds"],
}
ODD = [*"%00 % %ff%fe \u202e 𝟛 %0d%0aX:1 ../ -1 1e999 nan = & ; ' \" <b>".split(), "\t"]


def mutated(rng, text):
    """The text with a few changes."""
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        text = rng.choice(
            (
                text[:at] + text[at + 1 :],
                text[:at] + rng.choice("abcXO.:/,=0123456789 ") + text[at:],
                text[:at] + rng.choice(ODD) + text[at:],
                text * rng.randrange(1, 4),
                "".join(rng.sample(text, len(text))),
            )
        )
    return text


def fuzzed_request(rng, host):
    """A request that may be right, wrong or nonsense."""
    task = rng.choice([*TASKS, "analysis", "line", "solve", "openapi.json", "nothing"])
    pairs = []
    for name in TASKS.get(task, ["game"]):
        value = rng.choice(VALUES[name] if name != "game" or task != "analysis" else SMALL)
        if rng.random() < 0.3:
            value = mutated(rng, value)
        if name == "seconds" and value not in VALUES["seconds"]:
            value = rng.choice(["", "x", "-1", "nan", "inf", "11"]) or "0.01"
        if rng.random() < 0.97:
            pairs.append(f"{name}={quote(value) if rng.random() < 0.8 else value}")
    if rng.random() < 0.05:
        pairs.append(mutated(rng, "game=tic-tac-toe"))
    target = f"/api/{task}" + ("?" + "&".join(pairs) if pairs else "")
    if rng.random() < 0.03:
        target = mutated(rng, target)
    method = rng.choices(["GET", "POST", "HEAD", "PUT", "OPTIONS"], [92, 4, 0, 2, 2])[0]
    body = mutated(rng, '{"game": "nothing"}').encode() if method in ("POST", "PUT") else b""
    head = f"{method} {target} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode("utf-8", "replace") + body


@pytest.mark.parametrize("count", [40, pytest.param(FUZZED, marks=pytest.mark.nightly)])
def test_many_fuzzed_requests_without_a_breakdown(connection, count):
    rng, statuses = Random(1), Counter()
    for _ in range(count):
        request = fuzzed_request(rng, connection.host)
        status, _, body = connection.ask(request)
        assert status < 500, (status, request, body[:300])
        assert b"Traceback" not in body
        statuses[status] += 1
    assert statuses[200] > count / 5
    assert {200, 400, 404, 405} <= set(statuses)


def in_loop(test):
    """Runs a test in an event loop."""
    return wraps(test)(lambda *given, **named: asyncio.run(test(*given, **named)))


def pool_for(allowed=None):
    return WorkerPool(FaultRecord(OwnFiles(allowed or AllowedNames())), size=1, waiting=1)


@in_loop
async def test_more_work_than_there_is_room_for():
    pool, started_turns = pool_for(), []
    pool.worker = lambda game: Mock(ended=False)

    async def second():
        async with pool.turn("game", {"game": "tic-tac-toe"}):
            started_turns.append("second")

    async with pool.turn("game", {"game": "tic-tac-toe"}):
        waits = asyncio.create_task(second())
        while not pool.queue:
            await asyncio.sleep(0)
        with pytest.raises(Busy):
            await second()
        assert (len(pool.at_work), len(pool.queue), started_turns) == (1, 1, [])
    await waits
    assert (pool.at_work, pool.queue, started_turns) == ([], [], ["second"])
    await pool.close()


@in_loop
async def test_a_worker_that_has_seen_the_game_is_taken_and_never_a_dead_one(monkeypatch):
    monkeypatch.setattr(worker_pool, "JsonChild", Mock(side_effect=lambda *_: Mock(ended=False)))
    pool = pool_for()
    nim, chomp, dead = (pool.worker(name) for name in ("nim", "chomp", "dead"))
    dead.ended = True  # nobody has noticed yet
    pool.idle = [("nim", nim), ("chomp", chomp), ("dead", dead)]
    assert pool.worker("nim") is nim
    assert pool.worker("dead") is chomp
    assert pool.worker("nim") not in (nim, chomp, dead)
    await pool.close()


FILES = "level:/../evil.py:f softmax:/../evil.py streetwise:level:/x.py:f ./bots.py:f ~/bots.py:f".split()
GAMES = ["~/x.py", "~nobody/x.py", "/etc/x.py", "x.py:3", "lines:3,3,3.py", "lines: 3,3,3", "lines:3,3,3\n", "Lines"]


def test_a_request_never_names_a_file(client):
    for name in FILES:
        response = client.get("/api/reply", params={"game": "tic-tac-toe", "player": name})
        assert response.status_code == 400
        assert "was named" in response.text or "no player here" in response.text
    for name in GAMES:
        response = client.get("/api/game", params={"game": name})
        assert response.status_code == 404
        assert "/root" not in response.text


def test_one_game_has_one_table_and_a_damaged_one_is_as_good_as_none(client, home):
    for name in ("lines:3,3,3", "lines", "lines:k=3", "lines:03,3,3,misere=false", "tic-tac-toe"):
        assert client.get("/api/game", params={"game": name}).status_code == 200
    assert len(list((home / "data/tables").glob(f"*{rules_key(load_game('tic-tac-toe'))}*.table"))) == 1
    for name in ("lines:true,true,true", "lines:3,3,3,misere=7"):
        assert client.get("/api/game", params={"game": name}).status_code == 404
    table_path(load_game("drop:4,4,4")).write_bytes(b"nonsense")
    response = client.get("/api/game?game=drop:4,4,4")
    assert (response.status_code, response.json()["solved"]) == (200, False)
    assert client.get("/api/analysis?game=drop:4,4,4&seconds=0.05").status_code == 200


@contextmanager
def server_process(*arguments):
    """A server as a process of its own, and a connection to it; in the end it is killed if it is still there."""
    process, address = started(*arguments)
    connection = Connection(address)
    try:
        yield process, connection
    finally:
        connection.close()
        process.kill()
        process.communicate()


def heard_until(one, words):
    """Reads until some of the words come."""
    while not any(word in (heard := one.recv(1 << 16)) for word in words):
        assert heard


def children_of(process):
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def is_gone(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@needs_proc
def test_ctrl_c_ends_a_server_that_warns_of_strangers_and_its_workers(home):
    with server_process("--host", "0.0.0.0") as (process, connection):
        assert connection.where[0] == "127.0.0.1"
        busy = connection.begin("/api/reply?game=gomoku&player=mcts&seconds=9")
        wait_until(lambda: children_of(process.pid))
        workers = children_of(process.pid)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        busy.close()
    assert process.returncode == 0
    assert re.fullmatch(r"perfectplay: warning: whoever reaches 0\.0\.0\.0 .*\n", err)
    wait_until(lambda: all(map(is_gone, workers)))


@needs_proc
@pytest.mark.nightly
def test_workers_end_with_a_server_that_is_killed(home):
    with server_process() as (process, connection):
        assert connection.get("/api/reply?game=gomoku&player=random")[0] == 200
        workers = children_of(process.pid)
        assert workers
        os.kill(min(workers), signal.SIGKILL)
        wait_until(lambda: len(children_of(process.pid)) == len(workers) - 2)  # its watcher ends, and no zombie stays
    wait_until(lambda: all(map(is_gone, workers)))


@needs_proc
@pytest.mark.nightly
def test_a_solve_ends_when_nobody_listens(home):
    with server_process() as (process, connection):
        with connection.begin("/api/solve", {"game": "drop:5,5,4"}) as listening_socket:
            heard_until(listening_socket, (b"event: step",))
            workers = children_of(process.pid)
            assert workers
        wait_until(lambda: all(map(is_gone, workers)))
        assert connection.get("/api/games")[0] == 200
        assert not list((home / "data" / "tables").glob("*.tmp"))


def test_a_server_that_cannot_be(capsys, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port}" in complaint(capsys, f"serve --port {port}")
    for line in ("nothing", "./nothing.py", "--player random", "--host 256.1.1.1", "lines:99,99,5"):
        complaint(capsys, f"serve --no-browser {line}")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "hexapawn.py").write_text(Path("examples/hexapawn.py").read_text())
    with pytest.raises(BadGame, match="two game files"):
        allow([str(tmp_path / "a/hexapawn.py"), str(tmp_path / "b/hexapawn.py")], [])
    with pytest.raises(BadPlayer):
        allow([], ["./bots.py"])


def test_the_next_port_is_taken_if_none_was_asked_for():
    with listening("127.0.0.1", None) as first, listening("127.0.0.1", None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_help_imports_no_server():
    code = "import sys; from perfectplay.__main__ import main; main(['games']); print('starlette' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")
