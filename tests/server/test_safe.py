"""The server among strangers: what it lets in, what it keeps to itself, and that nothing brings it down."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from urllib.parse import quote, urlsplit

import pytest

from perfectplay.front.commands.serve_command import is_loopback, listening
from perfectplay.front.web.allowed_names import AllowedNames, allow
from perfectplay.front.web.game_faults import FaultRecord
from perfectplay.front.web.own_files import OwnFiles
from perfectplay.front.web.request_guard import is_known
from perfectplay.front.web.worker_pool import Broken, Busy, TooLong, WorkerPool
from perfectplay.words import BadGame, BadPlayer
from web_server import serving, started

FUZZED = 10_000


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


@pytest.fixture
def connection(address):
    one = Connection(address)
    yield one
    one.close()


def test_other_names_and_other_sites_are_not_let_in(connection):
    assert connection.get("/")[0] == 200
    assert connection.get("/", host="localhost:1")[0] == 200
    for host in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8000", "", "[::1", "a b"):
        assert connection.get("/", host=host)[0] == 400
    assert connection.get("/api/games", "Sec-Fetch-Site: cross-site")[0] == 403
    assert connection.get("/api/games", "Sec-Fetch-Site: same-origin")[0] == 200


def test_names_that_mean_this_machine():
    names = frozenset({"localhost", "box.local"})
    assert all(is_known(host, names) for host in ("localhost", "LOCALHOST:80", "box.local:1", "10.0.0.7", "[::1]:8000"))
    assert not any(
        is_known(host, names) for host in ("", "x", "127.0.0.1.x", "1:2:3", "localhost:", "localhost:999999")
    )


@pytest.mark.parametrize("target", ["/", "/api/games", "/api/game", "/nothing", "/static/nothing"])
def test_every_answer_is_marked_as_safe(connection, target):
    _, headers, _ = connection.get(target)
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "img-src 'self' data:;" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


@pytest.mark.parametrize("path", ["/", "/?game=tic-tac-toe"])
def test_a_page_has_no_inline_script(connection, path):
    text = connection.get(path)[2].decode().replace("http://www.w3.org/2000/svg", "")
    text = re.sub(r'content="http://127.0.0.1:\d+/[a-z-/]*\.png"', "", text)  # the picture that goes with a link
    scripts = [part.partition(">")[0] for part in text.split("<script")[1:]]
    assert all("src=" in script or 'type="application/json"' in script for script in scripts)
    assert "style=" not in text
    assert "http://" not in text
    assert "https://" not in text


def test_path_tricks(connection):
    static = connection.get("/")[2].decode().partition('href="/static/')[2].partition("/")[0]
    for trick in ("..", "%2e%2e", "..%2f..", "....//", "%00", "C:", "..\\..", "%252e%252e"):
        for path in (f"/static/{static}/{trick}/app.py", f"/static/{trick}/page.html", f"/{trick}/etc/passwd"):
            assert connection.get(path)[0] == 404
    assert connection.get(f"/static/{static}/page.css")[0] == 200
    assert connection.get(f"/static/{static}/")[0] == 404


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
ODD = [
    "%00",
    "%",
    "%ff%fe",
    "\u202e",
    "𝟛",
    "%0d%0aX:1",
    "../",
    "-1",
    "1e999",
    "nan",
    "=",
    "&",
    ";",
    "'",
    '"',
    "<b>",
    "\t",
]


def mutated(rng, text):
    """The text with a few changes."""
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(5):
            case 0:
                text = text[:at] + text[at + 1 :]
            case 1:
                text = text[:at] + rng.choice("abcXO.:/,=0123456789 ") + text[at:]
            case 2:
                text = text[:at] + rng.choice(ODD) + text[at:]
            case 3:
                text = text * rng.randrange(1, 4)
            case 4:
                text = "".join(rng.sample(text, len(text)))
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


@pytest.mark.parametrize("count", [FUZZED // 20, pytest.param(FUZZED, marks=pytest.mark.nightly)])
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


async def stays():
    """A client that does not go away."""
    return False


async def goes():
    """One that has gone."""
    return True


def pool_for(allowed=None):
    return WorkerPool(FaultRecord(OwnFiles(allowed or AllowedNames())), size=1, waiting=1)


def test_more_work_than_there_is_room_for():
    async def meet():
        pool = pool_for()
        long = {"game": "gomoku", "player": "mcts", "seconds": "1"}
        first = asyncio.create_task(pool.ask("reply", long, stays))
        await asyncio.sleep(0.05)
        second = asyncio.create_task(pool.ask("game", {"game": "tic-tac-toe"}, stays))
        await asyncio.sleep(0.05)
        with pytest.raises(Busy):
            await pool.ask("game", {"game": "tic-tac-toe"}, stays)
        assert (await first)["move"]
        assert (await second)["solved"]
        assert not pool.at_work
        assert not pool.queue
        await pool.close()

    asyncio.run(meet())


def test_a_worker_that_dies_is_replaced():
    async def meet():
        pool = pool_for()
        assert (await pool.ask("game", {"game": "tic-tac-toe"}, stays))["solved"]
        _, process = pool.idle[0]
        process.kill()  # nobody has noticed yet
        assert (await pool.ask("game", {"game": "tic-tac-toe"}, stays))["solved"]
        await pool.close()

    asyncio.run(meet())


HANGING = """
import os, time
from perfectplay import LOSS, ONGOING, Game
def game(n=3):
    def moves(mine, theirs):
        while n == 5:
            time.sleep(0.01)
        if n == 7:
            os._exit(3)
        return 7 & ~(mine | theirs)
    def play(mine, theirs, move):
        return theirs, mine | 1 << move
    def outcome(mine, theirs):
        return LOSS if theirs & 4 else ONGOING
    return Game(moves=moves, play=play, outcome=outcome, bits=3, shape=(3, 1))
"""


def test_rules_that_hang_or_die_do_so_elsewhere(home, monkeypatch):
    from perfectplay.front.web import worker_pool as pool

    monkeypatch.setattr(pool, "ALONE", 0.5)
    (home / "hang.py").write_text(HANGING)

    async def meet():
        pool = pool_for(allow([str(home / "hang.py")], []))
        with pytest.raises(TooLong):
            await pool.ask("game", {"game": "hang.py:5"}, goes)
        assert (await pool.ask("game", {"game": "hang.py"}, stays))["shape"] == [3, 1]
        with pytest.raises(Broken):
            await pool.ask("game", {"game": "hang.py:7"}, stays)
        await pool.close()

    asyncio.run(meet())
    with serving(str(home / "hang.py")) as address:
        connection = Connection(address)
        body = b'{"game": "hang.py:5"}'
        head = f"POST /api/solve HTTP/1.1\r\nHost: {connection.host}\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(connection.where, timeout=20) as hanging:
            hanging.sendall(head.encode() + body)
            assert b"200 OK" in hanging.recv(1 << 12)  # it has begun, and may wait for ever
            assert connection.get("/api/games")[0] == 200
        connection.close()


def test_a_request_never_names_a_file(connection, tmp_path, monkeypatch):
    for name in (
        "level:/../evil.py:f",
        "softmax:/../evil.py",
        "streetwise:level:/x.py:f",
        "./bots.py:f",
        "~/bots.py:f",
    ):
        status, _, body = connection.get(f"/api/reply?game=tic-tac-toe&player={quote(name)}")
        assert (status, b"was named" in body or b"no player here" in body) == (400, True), body
    for name in (
        "~/x.py",
        "~nobody/x.py",
        "/etc/x.py",
        "x.py:3",
        "lines:3,3,3.py",
        "lines: 3,3,3",
        "lines:3,3,3\n",
        "Lines",
    ):
        status, _, body = connection.get(f"/api/game?game={quote(name)}")
        assert status == 404
        assert b"/root" not in body


def test_one_game_has_one_table(connection, home):
    for name in ("lines:3,3,3", "lines", "lines:k=3", "lines:03,3,3,misere=false", "tic-tac-toe"):
        assert connection.get(f"/api/game?game={quote(name)}")[0] == 200
    from perfectplay.loading import load_game
    from perfectplay.table.table_folder import key_of

    assert len(list((home / "data/tables").glob(f"*{key_of(load_game('tic-tac-toe'))}*.table"))) == 1
    assert connection.get("/api/game?game=lines:true,true,true")[0] == 404
    assert connection.get("/api/game?game=lines:3,3,3,misere=7")[0] == 404


def test_a_damaged_table_is_as_good_as_none(connection, home):
    from perfectplay.loading import load_game
    from perfectplay.table.table_folder import place_of

    place_of(load_game("drop:4,4,4")).write_bytes(b"nonsense")
    status, _, body = connection.get("/api/game?game=drop:4,4,4")
    assert (status, json.loads(body)["solved"]) == (200, False)
    assert connection.get("/api/analysis?game=drop:4,4,4&seconds=0.05")[0] == 200


def test_other_origins_and_doubled_hosts(connection):
    assert connection.get("/api/games", "Origin: http://evil.example")[0] == 403
    assert connection.get("/api/games", f"Origin: http://{connection.host}")[0] == 200
    assert connection.get("/api/games", "Host: evil.example")[0] == 400
    assert connection.get("/api/games/")[0] == 404
    deep = b"[" * 60_000
    head = f"POST /api/solve HTTP/1.1\r\nHost: {connection.host}\r\nContent-Length: {len(deep)}\r\n\r\n"
    assert connection.ask(head.encode() + deep)[0] == 400


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
def test_ctrl_c_in_the_middle_of_work(home):
    process, address = started()
    connections = [Connection(address) for _ in range(6)]
    sockets = []
    for one in connections[:5]:
        sockets.append(socket.create_connection(one.where, timeout=30))
        sockets[-1].sendall(
            f"GET /api/reply?game=gomoku&player=mcts&seconds=9 HTTP/1.1\r\nHost: {one.host}\r\n\r\n".encode()
        )
    body = b'{"game": "drop:5,5,4"}'
    head = f"POST /api/solve HTTP/1.1\r\nHost: {connections[5].host}\r\nContent-Length: {len(body)}\r\n\r\n"
    sockets.append(socket.create_connection(connections[5].where, timeout=60))
    sockets[-1].sendall(head.encode() + body)
    while b"positions" not in (heard := sockets[-1].recv(1 << 16)) and b"forward" not in heard:
        assert heard
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    for one in sockets:
        one.close()
    assert (process.returncode, err) == (0, "")
    wait_for(lambda: not list((home / "data/tables").glob(".*.tmp")), 5)


def children_of(process):
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def is_gone(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_for(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")


@needs_proc
def test_workers_end_with_a_server_that_is_killed(home):
    process, address = started()
    try:
        connection = Connection(address)
        assert connection.get("/api/reply?game=gomoku&player=random")[0] == 200
        connection.close()
        workers = children_of(process.pid)
        assert workers
        os.kill(min(workers), signal.SIGKILL)
        wait_for(lambda: len(children_of(process.pid)) == len(workers) - 2)  # its watcher ends, and no zombie stays
    finally:
        process.kill()
        process.communicate()
    wait_for(lambda: all(map(is_gone, workers)))


@needs_proc
def test_a_solve_ends_when_nobody_listens(home):
    process, address = started()
    try:
        connection = Connection(address)
        body = json.dumps({"game": "drop:5,5,4"}).encode()
        head = f"POST /api/solve HTTP/1.1\r\nHost: {connection.host}\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(connection.where, timeout=60) as listening_socket:
            listening_socket.sendall(head.encode() + body)
            while b"event: step" not in (heard := listening_socket.recv(1 << 16)):
                assert heard
            workers = children_of(process.pid)
            assert workers
        wait_for(lambda: all(map(is_gone, workers)))
        assert connection.get("/api/games")[0] == 200
        connection.close()
        assert not list((home / "data" / "tables").glob("*.tmp"))
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 0


def test_a_server_that_cannot_be(capsys, tmp_path):
    from perfectplay.front.cli import main

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
        assert f"port {port}" in capsys.readouterr().err
    for arguments in (
        ["nothing"],
        ["./nothing.py"],
        ["--player", "random"],
        ["--host", "256.1.1.1"],
        ["lines:99,99,5"],
    ):
        assert main(["serve", "--no-browser", *arguments]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    for folder in ("a", "b"):
        (tmp_path / folder / "hexapawn.py").write_text(Path("examples/hexapawn.py").read_text())
    with pytest.raises(BadGame, match="two game files"):
        allow([str(tmp_path / "a/hexapawn.py"), str(tmp_path / "b/hexapawn.py")], [])
    with pytest.raises(BadPlayer):
        allow([], ["./bots.py"])


def test_listening_beyond_this_machine_is_warned_of(home):
    process, address = started("--host", "0.0.0.0")
    try:
        assert address.startswith("http://127.0.0.1:")
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert "warning: whoever reaches 0.0.0.0" in err
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example")] == [1, 1, 1, 0, 0]


def test_the_next_port_is_taken_if_none_was_asked_for():
    with listening("127.0.0.1", None) as first, listening("127.0.0.1", None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_help_imports_no_server():
    code = "import sys; from perfectplay.front.cli import main; main(['games']); print('starlette' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ), check=True
    )
    assert done.stdout.endswith("False\n")
