"""The server of `perfectplay serve` for tests that speak to it as browsers do: a process of its own, or a thread."""

import asyncio
import re
import subprocess
import sys
from contextlib import contextmanager
from threading import Thread
from types import SimpleNamespace

READY = re.compile(r"perfectplay is at (http://\S+)/")


def started(*arguments):
    """A server that was started with these arguments, and its address."""
    command = (sys.executable, "-m", "perfectplay", "serve", "--port", "0", "--no-browser", *arguments)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    found = READY.match(line)
    if not found:
        raise AssertionError(line + process.communicate()[1])
    return process, found[1]


@contextmanager
def serving(*arguments):
    """The address of such a server, which ends with the block."""
    process, address = started(*arguments)
    try:
        yield address
    finally:
        process.terminate()
        process.communicate(timeout=20)


def dispatcher_here(games=(), players=(), **more):
    """A server's dispatcher whose workers are this process, so that nothing is started and every line is watched."""
    from perfectplay.server.allowed_names import allow
    from perfectplay.server.api_answers import RequestHandler
    from perfectplay.server.api_worker import done, oracle_here
    from perfectplay.server.dispatcher import Dispatcher
    from perfectplay.server.worker_pool import answer_in

    dispatcher = Dispatcher(allow([*games], [*players]), **more)
    handler = RequestHandler(dispatcher.allowed, oracle_here)

    async def ask(task, values, is_gone):
        return answer_in(await asyncio.to_thread(done, handler, SimpleNamespace(send=None), task, values))

    async def follow(task, values):
        heard = []
        last = await asyncio.to_thread(done, handler, SimpleNamespace(send=heard.append), task, values)
        for one in heard:
            yield one
        yield {"answer": answer_in(last)}

    for pool in dispatcher.pools:
        pool.ask, pool.follow = ask, follow
    return dispatcher


@contextmanager
def serving_here(games=(), players=(), watch=None, limits=None, dispatcher=None):
    """The address of such a server in a thread of this process, where it takes less time and its lines are watched."""
    from perfectplay.server.allowed_names import allow
    from perfectplay.server.connection import ConnectionLimits
    from perfectplay.server.dispatcher import Dispatcher
    from perfectplay.server.web_server import listening, server_for

    dispatcher = dispatcher or Dispatcher(allow([*games], [*players]), warms=True)
    server = server_for(dispatcher, frozenset({"localhost", "127.0.0.1"}), limits or ConnectionLimits(), watch)
    with listening("127.0.0.1", 0) as listener:
        running = Thread(target=server.run, args=([listener],))
        running.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            dispatcher.stop()
            server.should_exit = True
            running.join(20)
            assert not running.is_alive()
