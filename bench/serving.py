"""Measures the server: table lookups with wrk, their latency at a steady rate, and the first board.

python bench/serving.py [--record] [--seconds 10]

The server runs on the first core, the clients on the second. wrk (a Debian package) keeps 16 connections busy:
first with one position, whose answer is cached, then with 20,000 random ones of tactic-toe, more than
the cache holds. The latency is measured at 200 requests a second, sent on time whether answered or not, alone and
while two searches keep both workers busy. The first board is timed in Chromium from the request to the drawn board.
"""

import argparse
import asyncio
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from urllib.parse import quote

from perfectplay import load
from perfectplay.game import levels
from perfectplay.rules.notation import show_position

GAME, DRAWN, RATE = "tactic-toe", 20_000, 200
SERVER, ASKERS = {0}, {1}
SCRIPT = """
local paths, i = {}, 0
for line in io.lines("%s") do paths[#paths + 1] = line end
request = function() i = i %% #paths + 1; return wrk.format("GET", paths[i]) end
"""


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("wrk is missing; on Debian: apt-get install wrk")
    lines = ["| what | requests a second | 50 % within | 99 % within |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as home:
        os.environ["PERFECTPLAY_HOME"] = home
        os.sched_setaffinity(0, SERVER | ASKERS)
        command = (sys.executable, "-m", "perfectplay", "serve", GAME, "connect-four", "--port", "0", "--no-browser")
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            address = re.search(r"http://\S+(?=/)", server.stdout.readline())[0]  # type: ignore[union-attr, index]
            boards = first_boards(address)
            os.sched_setaffinity(server.pid, SERVER)
            os.sched_setaffinity(0, ASKERS)
            paths = positions()
            with_wrk(address, paths[:1], 1, home)  # opens the table
            for what, some in (("one position", paths[:1]), (f"{DRAWN:,} positions", paths)):
                lines.append(f"| `{GAME}`, {what}, wrk | {with_wrk(address, some, options.seconds, home)}")
                print(lines[-1], flush=True)
            for what, busy in (("alone", False), ("while two searches run", True)):
                found = asyncio.run(at_a_rate(address, paths, options.seconds, busy))
                lines.append(f"| `{GAME}`, {DRAWN:,} positions at {RATE} a second, {what} | {found}")
                print(lines[-1], flush=True)
            lines += ["", boards]
            print(boards)
        finally:
            server.terminate()
            server.wait()
    if options.record:
        text = "# Serving\n\nMeasured by `python bench/serving.py --record`, server and askers on a core each of "
        text += f"{platform.machine()}.\n\n" + "\n".join(lines) + "\n"
        (Path(__file__).parent / "results" / "serving.md").write_text(text, encoding="utf-8")


def positions() -> list[str]:
    """The addresses of random positions."""
    game = load(GAME)
    all_of_them = [(position, ply % 2) for ply, level in enumerate(levels(game)) for position in level]
    drawn = Random(1).sample(all_of_them, DRAWN)
    return [f"/api/analysis?game={GAME}&position={quote(show_position(game, *one))}" for one in drawn]


def with_wrk(address: str, paths: list[str], seconds: int, folder: str) -> str:
    """The requests per second and latencies that wrk reports."""
    listed, script = Path(folder) / "paths.txt", Path(folder) / "ask.lua"
    listed.write_text("\n".join(paths))
    script.write_text(SCRIPT % listed)
    command = ["wrk", "-t1", "-c16", f"-d{seconds}", "--latency", "-s", str(script), address]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in told:
        sys.exit(f"not all requests were answered:\n{told}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", told)[1])  # type: ignore[index]
    half, most = (re.search(rf"{share}%\s+(\S+)", told)[1] for share in (50, 99))  # type: ignore[index]
    return f"{rate:,.0f} | {half} | {most} |"


async def at_a_rate(address: str, paths: list[str], seconds: int, busy: bool) -> str:
    """The latencies of requests sent at a steady rate, counted from when each was due."""
    host, port = address.removeprefix("http://").split(":")
    idle: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
    for _ in range(32):
        idle.put_nowait(await asyncio.open_connection(host, int(port)))
    delays: list[float] = []

    async def ask(path: str, due: float) -> None:
        reader, writer = await idle.get()
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(re.search(rb"content-length: (\d+)", head)[1]))  # type: ignore[index]
        assert head.startswith(b"HTTP/1.1 200"), head
        delays.append(time.perf_counter() - due)
        idle.put_nowait((reader, writer))

    async def search() -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        target = "/api/reply?game=drop:7,7,4&player=perfect&seconds=10"
        writer.write(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        await reader.read()

    searches = [asyncio.create_task(search()) for _ in range(2 if busy else 0)]
    if busy:
        await asyncio.sleep(3)
    begin = time.perf_counter() + 0.1
    tasks = []
    for number in range(min(seconds, 6 if busy else seconds) * RATE):
        due = begin + number / RATE
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        tasks.append(asyncio.create_task(ask(paths[-1 - number], due)))
    await asyncio.gather(*tasks)
    for one in searches:
        one.cancel()
    delays.sort()
    half, most = (1000 * delays[int(share * (len(delays) - 1))] for share in (0.5, 0.99))
    return f"{RATE} | {half:.2f}ms | {most:.2f}ms |"


WATCH = """
new MutationObserver((_, observer) => {
  if (!document.querySelector("[role=gridcell]")) return;
  observer.disconnect();
  window.drawn = performance.now() - performance.getEntriesByType("navigation")[0].requestStart;
}).observe(document, { subtree: true, childList: true });
"""


def first_boards(address: str, visits: int = 20) -> str:
    """The time from the request to the first board, in a running browser."""
    from playwright.sync_api import sync_playwright

    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
    found = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=quiet)
        for _ in range(visits + 1):
            page = browser.new_page()  # with an empty cache
            page.add_init_script(WATCH)
            page.goto(f"{address}/?game=tic-tac-toe")
            found.append(page.wait_for_function("() => window.drawn").json_value())
            page.context.close()
        browser.close()
    found = sorted(found[1:])  # the first visit warms up the browser
    middle, worst = found[len(found) // 2], found[-1]
    visited = f"{visits} visits with an empty cache"
    return f"First board of tic-tac-toe in Chromium, {visited}: {middle:.0f} ms in the middle, {worst:.0f} at worst."


if __name__ == "__main__":
    main()
