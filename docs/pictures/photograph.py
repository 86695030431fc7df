"""Photographs the page for the README, in Chromium: `make pictures`."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent
QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
VIEWS = {
    "gallery": ("", {"viewport": {"width": 1200, "height": 940}}),
    "page": (
        "?game=connect-four&moves=4,4,4,4,3,3&hints=1&second=level:7",
        {"viewport": {"width": 1200, "height": 900}},
    ),
    "page-explore": (
        "?game=tactic-toe&moves=b1,b2&view=explore&chance=noisy:0.3",
        {"viewport": {"width": 1200, "height": 900}},
    ),
    "page-why": (
        "?game=connect-four&moves=4,4,3,3,5,6,5,4,5&why=1&second=human",
        {"viewport": {"width": 1200, "height": 900}},
    ),
    "page-review": (
        "?game=tactic-toe&moves=b1,b2,a1,c1,b3,a2,c2&second=human",
        {"viewport": {"width": 1200, "height": 900}},
        (("#review-game", "#review-answer"), ('[data-square="6"]', ".drawings .ply")),
    ),
    "classroom": (
        "?game=tic-tac-toe&position=O:X.X/OO./X..&view=classroom&algorithm=alpha-beta&step=52",
        {"viewport": {"width": 1280, "height": 720}},
    ),
    "tournament": ("tournament", {"viewport": {"width": 1200, "height": 1000}}),
    "page-phone": (
        "?game=gomoku&moves=h8,i9,g7,i7,i8,g9,h9,h7,g8,f8,j8,k8&second=level:7",
        {"viewport": {"width": 390, "height": 760}, "color_scheme": "dark"},
    ),
}
INVENTED = "./examples/invent.py:2..4,2..3,2..3,gravity=false|true,fading=false|true,misere=false|true"
"""The variants of the report of a sweep; some minutes."""
TOURNAMENT = ("tic-tac-toe", "perfect", "level:8", "level:5", "blocks", "random", "--games", "40", "--seed", "5")
"""The arguments of the tournament that is watched."""


def main() -> None:
    """Starts a server, takes the pictures and ends it."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "PERFECTPLAY_HOME": home}
        record, report = f"{home}/games.jsonl", f"{home}/report.html"
        program = (sys.executable, "-m", "perfectplay")
        subprocess.run((*program, "tournament", *TOURNAMENT, "--record", record), stdout=subprocess.DEVNULL, env=env)
        sweep = (*program, "sweep", INVENTED, "--seconds", "600", "--to", report)
        subprocess.run(sweep, stdout=subprocess.DEVNULL, cwd=FOLDER.parent.parent, env=env)
        command = (*program, "serve", "--port", "0", "--no-browser", "--watch", record)
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
        try:
            address = re.search(r"http://\S+", server.stdout.readline())[0]  # type: ignore[union-attr, index]
            with sync_playwright() as driver:
                browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
                for name, (query, look, *clicks) in VIEWS.items():
                    page = browser.new_context(reduced_motion="reduce", **look).new_page()  # type: ignore[arg-type]
                    page.set_default_timeout(120_000)  # the first search of a game compiles it
                    page.goto(address + query)
                    page.wait_for_load_state("networkidle")
                    for place, shows in clicks[0] if clicks else ():
                        page.click(place)
                        page.wait_for_selector(shows)
                    page.screenshot(path=FOLDER / f"{name}.png")
                page = browser.new_page(viewport={"width": 780, "height": 860})
                page.goto(Path(report).as_uri())
                page.evaluate("document.querySelector('.panel').scrollIntoView()")
                page.screenshot(path=FOLDER / "sweep.png")
                browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
