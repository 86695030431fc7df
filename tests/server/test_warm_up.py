"""Players get ready in the background, and replies do not wait for them."""

import asyncio

from perfectplay.server.worker_pool import TooLong, WarmUp

ASKED = {"game": "gomoku", "player": "threats", "position": "..."}


class Pool:
    """A pool whose worker compiles until it is told to end."""

    def __init__(self, fails=False):
        self.asked, self.fails, self.compiled = [], fails, asyncio.Event()

    async def ask(self, task, values, is_gone):
        self.asked.append((task, values))
        await self.compiled.wait()
        if self.fails:
            raise TooLong
        return {}

    def stop(self):
        self.compiled.set()

    async def close(self):
        self.closed = True


def test_replies_are_quick_until_the_player_is_ready():
    async def replies():
        pool = Pool()
        warm_up = WarmUp(pool, patience=0.0)
        first, second = await warm_up.request(ASKED), await warm_up.request(ASKED)
        pool.compiled.set()
        await warm_up.begin("gomoku", "threats").task
        return first, second, await warm_up.request(ASKED), pool.asked

    first, second, third, asked = asyncio.run(replies())
    assert first == second == {**ASKED, "quick": "yes"}
    assert third == ASKED
    assert asked == [("ready", {"game": "gomoku", "player": "threats"})]


def test_what_is_ready_in_a_moment_is_waited_for():
    async def reply():
        pool = Pool()
        pool.compiled.set()
        return await WarmUp(pool, patience=60.0).request(ASKED)

    assert asyncio.run(reply()) == ASKED


def test_a_player_that_cannot_get_ready_is_asked_itself():
    async def reply():
        pool = Pool(fails=True)
        pool.compiled.set()
        return await WarmUp(pool, patience=60.0).request(ASKED)

    assert asyncio.run(reply()) == ASKED


def test_nothing_is_left_when_the_server_ends():
    async def ended():
        pool = Pool()
        warm_up = WarmUp(pool)
        begun = warm_up.begin("gomoku", "threats")
        await asyncio.sleep(0)
        await warm_up.close()
        return begun.task.done(), pool.closed

    assert asyncio.run(ended()) == (True, True)
