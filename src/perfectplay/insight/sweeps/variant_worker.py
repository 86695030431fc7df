"""A process that finds out about variants for another, one at a time.

{"game": NAME, "measures": [NAME, ...], "limits": [...], "known": FACTS or null}
    -> any number of {"phase": TEXT}, then {"facts": FACTS} or {"failed": TEXT}
{"probe": NAME}
    -> {"works": true} or {"failed": TEXT, "impossible": BOOL}
"""

import signal
import time
from typing import Any

from perfectplay.insight.sweeps.finding import VariantLimits, finding
from perfectplay.insight.sweeps.measures import facts_in, measures_named
from perfectplay.processes.json_processes import JsonParent
from perfectplay.rules.loading import describe_fault, line_of, load_game, split_game
from perfectplay.solvers.steps import Step, finished
from perfectplay.words import BadGame, PerfectplayError

OFTEN = 0.5
"""Seconds between two reports."""


def main() -> None:
    """Does what it is told to, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = JsonParent()
    while True:
        parent.send(answer(parent.receive(), parent))


def answer(message: dict[str, Any], parent: JsonParent) -> dict[str, object]:
    """The answer to a message: the facts about the variant, or why there are none; tells the parent how far it is."""
    last = time.monotonic()

    def tell(step: Step) -> None:
        nonlocal last
        if time.monotonic() - last > OFTEN:
            last = time.monotonic()
            parent.send({"phase": step.phase})

    try:
        if "probe" in message:
            load_game(message["probe"])
            return {"works": True}
        game = load_game(message["game"])
        earlier = None if message["known"] is None else facts_in(message["known"])
        steps = finding(game, measures_named(message["measures"]), VariantLimits(*message["limits"]), earlier)
        return {"facts": finished(steps, tell).to_dict()}
    except PerfectplayError as fault:
        return {"failed": str(fault), "impossible": isinstance(fault, BadGame) and fault.impossible}
    except (Exception, SystemExit) as fault:  # a user's own file may do anything
        path = split_game(message.get("game", ""))[0]
        line = "" if path is None else line_of(fault, path)
        return {"failed": f"{describe_fault(fault)}{line}", "impossible": False}
