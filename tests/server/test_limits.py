"""Clients that send half a request, say nothing, read nothing, or ask for too much; games that hold up workers."""

import asyncio
import os
import signal
import socket
import time
from contextlib import closing, contextmanager, suppress
from functools import partial, wraps
from threading import Event
from types import SimpleNamespace
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from command_line import wait_until
from perfectplay import load
from perfectplay.commands.terminal import rule_limit
from perfectplay.server import dispatcher as dispatching, game_faults, worker_pool
from perfectplay.server.allowed_names import AllowedNames, allow
from perfectplay.server.api_answers import RequestHandler
from perfectplay.server.api_worker import NoRoom, Quota, done, oracle_here
from perfectplay.server.app import build_app, said
from perfectplay.server.connection import ConnectionLimits
from perfectplay.server.dispatcher import Dispatcher
from perfectplay.server.game_faults import FaultRecord, GameFaults, OwnFiles, Suspended
from perfectplay.server.worker_pool import Busy, Ended, Refused, TooLong, WorkerPool
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from web_server import dispatcher_here, serving_here

WAIT = 20
"""Seconds after which a test gives up; nothing is ever waited for that long."""
SHORT = ConnectionLimits(request=0.3, idle=1, reading=0.3, connections=4)


@contextmanager
def server_with(limits, dispatcher=None):
    """Where a server in this process listens, whose clients are given so little time."""
    with serving_here(limits=limits, dispatcher=dispatcher or Dispatcher(AllowedNames())) as address:
        yield urlsplit(address).hostname, urlsplit(address).port


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
        one.sendall(LAST)
        return everything(one).startswith(b"HTTP/1.1 200")


GET = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST = GET[:-2] + b"Connection: close\r\n\r\n"
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


def test_a_later_request_has_its_own_time_and_an_idle_connection_is_closed(short):
    for sent, late in ((GET + GET[:20], True), (GET, False)):
        with opened(short) as one:
            one.sendall(sent)
            heard = everything(one)
        assert heard.startswith(b"HTTP/1.1 200")
        assert (b"HTTP/1.1 408" in heard) == late


class Thinker(Dispatcher):
    """A dispatcher that answers when it may."""

    def __init__(self):
        super().__init__(AllowedNames())
        self.asked, self.may = [], Event()

    async def answer(self, task, values, is_gone):
        self.asked.append(task)
        while not self.may.is_set():
            await asyncio.sleep(0.01)
        return b"{}", "no-store"


def test_an_answer_that_takes_longer_than_a_request_may_is_waited_for():
    thinker = Thinker()
    with server_with(SHORT, thinker) as where, opened(where) as one:
        one.sendall(LAST)
        time.sleep(2 * SHORT.request)
        thinker.may.set()
        assert everything(one).startswith(b"HTTP/1.1 200")


def test_half_requests_keep_nobody_out():
    with server_with(SHORT._replace(request=WAIT)) as where:
        held = []
        for _ in range(SHORT.connections + 5):
            held.append(socket.create_connection(where, timeout=WAIT))
            held[-1].sendall(b"GET /api/games HTTP/1.1\r\nHost: loc")
        assert answers(where)
        with suppress(ConnectionError):
            assert held[0].recv(1) == b""  # the first one had to go
        held[-1].sendall(b"alhost\r\nConnection: close\r\n\r\n")
        assert everything(held[-1]).startswith(b"HTTP/1.1 200")
        for other in held:
            other.close()


def test_clients_that_are_being_answered_stay():
    thinker = Thinker()
    with server_with(SHORT, thinker) as where:
        held = [socket.create_connection(where, timeout=WAIT) for _ in range(SHORT.connections)]
        for one in held:
            one.sendall(LAST)
        wait_until(lambda: len(thinker.asked) == SHORT.connections)
        with opened(where) as one:
            heard = everything(one)
        assert heard.startswith(b"HTTP/1.1 503")
        assert b"retry-after: 3" in heard
        thinker.may.set()
        for one in held:
            assert everything(one).startswith(b"HTTP/1.1 200")
            one.close()


@pytest.mark.parametrize("wrong", [b"", pytest.param(b"no request at all\r\n\r\n", marks=pytest.mark.nightly)])
def test_whoever_does_not_read_answers_is_let_go(short, wrong):
    left = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 800 + wrong
    with opened(short) as one, pytest.raises(ConnectionError):
        keep_sending(one, left, len(left))
    assert answers(short)


def in_loop(test):
    """Runs a test in an event loop."""
    return wraps(test)(lambda *given, **named: asyncio.run(test(*given, **named)))


async def stays():
    """A client that does not go away."""
    return False


async def goes():
    """One that has gone."""
    return True


def pool_for(allowed=None, size=1, waiting=1):
    return WorkerPool(FaultRecord(OwnFiles(allowed or AllowedNames())), size, waiting)


@in_loop
async def test_a_worker_that_is_killed_in_the_middle_is_replaced():
    pool = pool_for()
    values = {"game": "tic-tac-toe", "player": "mcts", "seconds": 0.3}
    task = asyncio.create_task(pool.ask("reply", values, stays))
    while not pool.busy:
        await asyncio.sleep(0.01)
    os.kill(next(iter(pool.busy)).pid, signal.SIGKILL)
    assert (await task)["move"]
    await pool.close()


@pytest.mark.parametrize(("ends", "found"), [(0, ["answer"]), (1, ["step", "answer"]), (2, ["step"])])
def test_a_task_that_is_followed_begins_again_if_its_worker_ends_once(ends, found):
    async def meet():
        pool, tries, heard = pool_for(), [], []

        async def once(task, values, last):
            tries.append(last)
            if len(tries) <= ends:
                yield {"step": len(tries)}
                raise Ended("a worker was killed", "it was killed")
            yield {"answer": {}}

        pool.follow_once = once
        with suppress(Ended):
            async for line in pool.follow("solve", {}):
                heard = [*dict.fromkeys([*heard, *line])]
        return heard, tries

    assert asyncio.run(meet()) == (found, [False, True][: ends + 1])


@pytest.mark.nightly
@in_loop
async def test_a_solve_whose_worker_is_killed_begins_again(home):
    dispatcher = Dispatcher(AllowedNames())
    kinds = []
    async for heard in dispatcher.solving({"game": "drop:4,4,4"}):
        if not kinds:
            os.kill(next(iter(dispatcher.solves.busy)).pid, signal.SIGKILL)
        kinds += heard
    assert kinds[-1] == "answer"
    await dispatcher.close()


BAD = """
import os
from perfectplay import LOSS, ONGOING, Game
def game(n=3):
    if n == 2 and os.environ.get("ENDS"):
        os._exit(3)
    def outcome(mine, theirs):
        while n > 4 and mine | theirs:
            pass
        return LOSS if theirs & 4 else ONGOING
    return Game(
        moves=lambda mine, theirs: 7 & ~(mine | theirs),
        play=lambda mine, theirs, move: (theirs, mine | 1 << move),
        outcome=outcome,
        bits=3,
        shape=(3, 1),
    )
"""


@pytest.mark.parametrize("real", [False, pytest.param(True, marks=pytest.mark.nightly)])
@in_loop
async def test_a_file_that_ends_every_worker_is_refused_until_it_changes(home, monkeypatch, capsys, real):
    (home / "dying.py").write_text(BAD)
    monkeypatch.setenv("ENDS", "yes")
    pool = pool_for(allow([str(home / "dying.py")], []))

    async def ended(task, values, is_gone, last):
        async with pool.turn(task, values, last):
            raise Ended("a worker ended: exit code 3", "the process that runs the rules ended: exit code 3")

    if not real:
        pool.ask_once, pool.worker = ended, lambda game: Mock(ended=True)
    for faults in (1, 2):  # a request has two workers, and counts once
        with pytest.raises(Ended):
            await pool.ask("game", {"game": "dying.py:2"}, stays)
        assert len(pool.faults.of_one("dying.py").lines) == faults
        assert ("exit code 3" in capsys.readouterr().err) == (faults == 2)
    for name in ("dying.py:2", "dying.py"):
        with pytest.raises(Suspended, match="ran into a limit twice") as fault:
            await pool.ask("game", {"game": name}, stays)
    assert not pool.busy
    status, text = said(fault.value, AllowedNames(), own=True, local=True)
    assert (status, "exit code 3" in text) == (422, True)
    assert "exit code 3" not in said(fault.value, AllowedNames(), own=True)[1]
    (home / "dying.py").write_text(BAD + "\n")
    assert pool.faults.of_one("dying.py").suspension is None
    await pool.close()


@in_loop
async def test_rules_that_loop_leave_workers_to_others(home, monkeypatch):
    monkeypatch.setattr(GameFaults, "limit", property(lambda faults: 0.5 if faults.name == "loops.py" else WAIT))
    monkeypatch.setattr(worker_pool, "SLICE", 0.2)
    monkeypatch.setattr(worker_pool, "POLL", 0.1)
    for name in ("loops.py", "fine.py"):
        (home / name).write_text(BAD)
    pool = pool_for(allow([str(home / "loops.py"), str(home / "fine.py")], []), size=2, waiting=8)
    loops = [asyncio.create_task(pool.ask("game", {"game": f"loops.py:{n}"}, stays)) for n in (5, 6, 7, 8)]
    await asyncio.sleep(0)
    assert len(pool.at_work) == 1
    for game in ("fine.py", "tic-tac-toe"):
        assert (await pool.ask("card", {"game": game}, stays))["names"] is not None
    faults = await asyncio.gather(*loops, return_exceptions=True)
    assert [type(fault) for fault in faults] == [Busy, TooLong, TooLong, Suspended]
    assert "took longer than 0.5 s" in faults[-1].line
    monkeypatch.setattr(worker_pool, "ALONE", 0.2)  # for a client that does not wait any more
    with pytest.raises(TooLong):
        await pool.ask("game", {"game": "fine.py:5"}, goes)
    await pool.close()


def test_a_file_that_has_never_answered_gives_way():
    pool = pool_for()
    looping, fine = GameFaults("loops", True, "1"), GameFaults("fine", True, "1")
    for queue, game, gives_way in (
        ([], looping, False),
        ([looping], looping, False),
        ([looping, fine], looping, True),
        ([looping], fine, False),
        ([fine], GameFaults("known", True, "1", answered=True), False),
    ):
        pool.queue = [(one, None) for one in queue]
        assert pool.gives_way(game) == gives_way
        assert game.clean == (not gives_way)


@pytest.mark.parametrize("task", ["line", "game", "check"])
def test_rules_that_loop_are_named_whatever_is_asked(task, home, monkeypatch):
    monkeypatch.setattr(rule_limit, "TO_RETURN", 0.2)
    monkeypatch.setattr(rule_limit, "LOOK", 0.05)
    patient = partial(rule_limit.RuleLimit, leave=lambda code: None)  # this process is not to end, however slow it is
    monkeypatch.setattr(rule_limit, "RuleLimit", patient)
    (home / "loops.py").write_text(BAD)
    handler = RequestHandler(allow([str(home / "loops.py")], []), oracle_here)
    answer = done(handler, SimpleNamespace(send=lambda value: None), task, {"game": "loops.py:5", "moves": "1"})
    assert answer["error"] == "NeverReturns"
    assert "outcome(" in answer["text"]


@pytest.mark.parametrize(("kind", "reused"), [("NeverReturns", False), ("BadPosition", True)])
def test_a_worker_whose_rules_do_not_return_is_not_reused(kind, reused):
    """It may have sent its last line and be about to exit."""
    worker = Mock(ended=False)

    async def meet():
        pool = pool_for()
        pool.worker = lambda game: worker
        with pytest.raises(Refused):
            async with pool.turn("game", {"game": "nim:3,4,5"}):
                raise Refused(kind, "outcome() in nim.py has not returned for 5 s")
        return [process for _, process in pool.idle], await pool.close()

    assert asyncio.run(meet())[0] == [worker] * reused
    worker.end.assert_called_once()


def games_at_work(pool, wanted):
    """Which of these games are given a worker, one after the other."""
    given = []
    for game in wanted:
        if pool.fits(game):
            pool.at_work.append(game)
            given.append(game.name)
    return given


def test_no_game_of_a_users_own_holds_all_workers():
    def own(name, answered=True, lines=()):
        return GameFaults(name, True, "1", answered, lines=[*lines])

    fine, new, bad, library = own("fine"), own("new", False), own("bad", True, ["x"]), GameFaults("nim", False, "")
    pool = pool_for(size=3)
    assert games_at_work(pool, [fine, fine, fine, library, library]) == ["fine", "fine", "nim"]
    pool = pool_for(size=3)
    assert games_at_work(pool, [new, new, bad, own("other", False), fine]) == ["new", "bad", "fine"]
    pool = pool_for(size=3)
    assert games_at_work(pool, [library] * 4) == ["nim"] * 3
    slow = GameFaults("slow", False, "", lines=["x", "x"])
    assert (slow.suspension, slow.limit) == (None, game_faults.SHORT)
    pool = pool_for(size=3)
    assert games_at_work(pool, [slow, slow]) == ["slow"]


def test_files_of_the_users_own_take_half_of_the_room():
    pool = pool_for(waiting=4)
    pool.queue = [(GameFaults("own", True, "1"), None)] * 3
    assert pool.is_full(pool.queue[0][0])
    assert not pool.is_full(GameFaults("nim", False, ""))


@in_loop
async def test_games_without_faults_come_first():
    pool, loop = pool_for(), asyncio.get_running_loop()
    bad = GameFaults("bad", True, "1", True, lines=["x"]), loop.create_future()
    fine = GameFaults("fine", True, "1"), loop.create_future()
    pool.queue = [bad, fine]
    pool.admit()
    assert (pool.queue, pool.at_work, fine[1].done()) == ([bad], [fine[0]], True)


def test_faults_are_of_what_a_request_runs(home):
    (home / "mine.py").write_text(BAD + "def ai(board, side): pass")
    record = FaultRecord(OwnFiles(allow([str(home / "mine.py")], [f"{home}/mine.py:ai"])))
    (file,) = record.of({"game": "mine.py:4"})
    assert [file] == record.of({"game": "mine.py"})
    (player,) = record.of({"game": "tic-tac-toe", "player": "mine.py:ai"})
    assert record.of({"game": "mine.py:4", "player": "mine.py:ai"}) == [file, player]
    assert (file.name, player.name, file.suspect, player.suspect) == ("mine.py", "mine.py:ai", True, True)
    assert not record.of_one("nim:3,4,5").suspect
    record.note(record.of_one("nim:3,4,5"), "slow")
    assert record.of_one("nim:3,4,5").suspect
    record.note(file, "slow")
    (home / "mine.py").write_text(BAD)
    assert record.of_one("mine.py").lines == []


@in_loop
async def test_rules_that_do_not_return_are_no_fault_of_the_players(home):
    (home / "mine.py").write_text(BAD)
    bots = [f"{home}/mine.py:{name}" for name in "abc"]
    pool = pool_for(allow([str(home / "mine.py")], bots))
    pool.worker = lambda game: Mock(ended=False)
    file = pool.faults.of_one("mine.py")

    async def reply(player, fault):
        async with pool.turn("reply", {"game": "mine.py", "player": f"mine.py:{player}"}) as (_, game):
            assert game is file or not file.lines
            raise fault

    with pytest.raises(TooLong):
        await reply("a", TooLong("reply took longer than 60 s"))
    assert (file.lines, len(pool.faults.of_one("mine.py:a").lines)) == ([], 1)
    hangs = Refused("NeverReturns", "outcome() in mine.py has not returned for 5 s")
    for player in "bc":
        with pytest.raises(Refused):
            await reply(player, hangs)
    with pytest.raises(Suspended, match=r"^mine.py ran into") as refused:
        await reply("b", hangs)
    assert "outcome() in mine.py" in refused.value.line
    assert not any(pool.faults.of_one(f"mine.py:{player}").lines for player in "bc")
    await pool.close()


def test_faults_of_a_library_game_end_with_a_good_answer():
    record = FaultRecord(OwnFiles(AllowedNames()))
    waits = record.of_one("nim:3,4,5")
    for line in "abc":
        record.note(record.of_one("nim:3,4,5"), line)
    slow = record.of_one("nim:3,4,5")
    assert slow.lines == ["a", "b"]
    record.note_answer(waits)
    assert not waits.suspect
    assert not slow.suspect
    assert record.games == {}


@in_loop
async def test_the_page_waits_neither_for_a_file_that_loops_nor_loads_it(home, monkeypatch):
    (home / "mine.py").write_text(BAD)
    monkeypatch.setattr(dispatching, "LISTED_SOON", 0.1)
    monkeypatch.setattr(dispatching, "shown_names", list)
    dispatcher = Dispatcher(allow([str(home / "mine.py")], []))
    await dispatcher.open()
    (home / "mine.py").write_text("while True:\n    pass\n")
    assert (await dispatcher.first_board({}))["games"]["games"][0]["sizes"][0]["default"] == 3
    dispatcher.searches.at_work.append(dispatcher.faults.of_one("mine.py"))
    (card,) = await dispatcher.cards(stays)
    assert "does not work at the moment" in card["about"]
    await dispatcher.close()


@in_loop
async def test_a_list_of_games_that_takes_longer_than_a_page_waits_is_ready_for_the_next(home, monkeypatch):
    (home / "mine.py").write_text(BAD)
    monkeypatch.setattr(dispatching, "LISTED_SOON", 0.0)
    asked = []
    dispatcher, loaded = Dispatcher(allow([str(home / "mine.py")], [])), asyncio.Event()

    async def listed(task, values, is_gone):
        asked.append(task)
        await loaded.wait()
        return {"version": len(asked)}

    dispatcher.asked = listed
    await dispatcher.open()
    for version in (1, 2):
        (home / "mine.py").write_text(BAD + "#" * version)
        before = await dispatcher.catalogue()
        assert await dispatcher.catalogue() == before
        assert len(asked) == version
    loaded.set()
    await asyncio.wait({dispatcher.listing})
    assert await dispatcher.catalogue() == {"version": 2}
    await dispatcher.catalogue()
    await dispatcher.close()
    assert asked == ["games", "games"]


def test_a_solve_takes_no_more_disk_than_it_may(home):
    def files():
        return sorted(path.name for path in (home / "data").rglob("*drop*") if path.is_file())

    before = files()
    with TestClient(build_app(dispatcher_here(disk=1000)), base_url="http://127.0.0.1") as client:
        response = client.post("/api/solve", json={"game": "drop:4,3,3"})
    assert response.status_code == 200
    assert "takes more room on the server's disk" in response.text
    assert "Traceback" not in response.text
    assert files() == before


def test_a_solve_that_was_interrupted_goes_on_where_it_was(home, monkeypatch):
    with closing(solving(load("lines:4,3,3"), Options("numba", home / "a.table", save_after=0))) as steps:
        next(step for step in steps if step.phase == "backward")
    monkeypatch.setattr("perfectplay.server.api_worker.BETWEEN", 0.0)
    with TestClient(build_app(dispatcher_here()), base_url="http://127.0.0.1") as client:
        heard = client.post("/api/solve", json={"game": "lines:4,3,3"}).text
    assert ["event: solved" in heard, "backward" in heard, "forward" in heard] == [True, True, False]


def test_what_was_solved_counts(home):
    with TestClient(build_app(dispatcher_here(disk=100_000)), base_url="http://127.0.0.1") as client:
        assert "event: solved" in client.post("/api/solve", json={"game": "drop:4,3,3"}).text
        for path in (home / "data" / "tables").glob("*.table"):
            os.truncate(path, 200_000)
        response = client.post("/api/solve", json={"game": "drop:4,3,4"})
        assert (response.status_code, "may take" in response.text) == (422, True)


def test_no_room_is_said_before_anything_is_solved(tmp_path):
    quota = Quota(1000)
    (tmp_path / "a").write_bytes(b"x" * 600)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_bytes(b"x" * 300)
    quota.kept |= {tmp_path / "a", tmp_path / "b", tmp_path / "gone"}
    assert quota.room() == 100
    (tmp_path / "b" / "d").write_bytes(b"x" * 100)
    with pytest.raises(NoRoom, match=r"may take 0\.977 KiB"):
        quota.room()
