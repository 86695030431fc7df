"""The rules and the search of a game as one WebAssembly module."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from perfectplay.engines.compiled import CPU, module_text, pattern_text, rule_set, search_constants
from perfectplay.exporters.wasm.wasm_binary import module
from perfectplay.exporters.wasm.wasm_functions import UNKNOWN, Address, Translator, functions_in
from perfectplay.game import Game

SLOT_BITS = 20
"""The transposition table has 2 ** SLOT_BITS slots of 8 bytes, besides its corner."""
FRAMES = 130
"""Plies that a search can be deep."""
TABLES = 1 << 16
"""The bytes at the beginning of memory that are for constants."""
RULES = {"moves": 2, "play": 3, "outcome": 2, "smallest": 2}
"""The rules that can be called, and how many arguments they take."""


class WasmSearch(NamedTuple):
    """A module with `begin(mine, theirs)` and `search(nodes)` besides the rules.

    `search` returns 1 when the bounds are final. These are 64-bit numbers at the addresses `low` and `high`; `top` is
    the score of a win at once.
    """

    code: bytes
    work: int
    low: int
    high: int
    top: int


def search_module(game: Game, slot_bits: int = SLOT_BITS) -> WasmSearch:
    """The module for this game; raises NotCompiled or CannotTranslate."""
    patterns = ["engines/int64_guards", "engines/default_hints", "engines/search_kernels"]
    loops = search_constants(game) + "\n\n".join(map(pattern_text, patterns))
    text = module_text(rule_set(game, True, checked=True), loops, CPU._replace(head="", decorator="@inside"))
    names = executed(text)
    bits = max(names["KEY_BITS"] - 48, min(slot_bits, names["KEY_BITS"]))
    work = Address(TABLES)
    slots = Address(work + 8 * (names["STACK"] + FRAMES * names["FRAME"]))
    count = ((1 << bits) + (1 << min(names["CORNER"], bits))) * (2 if names["WIDE"] else 1)
    translator = Translator({tree.name: tree for tree in functions_in(text)}, names)
    exported = {
        name: translator.translated(translator.target(name), [UNKNOWN] * takes) for name, takes in RULES.items()
    }
    exported["begin"] = translator.translated("begin", [work, UNKNOWN, UNKNOWN])
    exported["search"] = translator.translated("search", [work, slots, bits, UNKNOWN])
    data = translator.data()
    if len(data) > TABLES:
        raise ValueError(f"{game.name} has constants of more than {TABLES:,} bytes")
    code = module([one for one in translator.functions if one], exported, data, slots + 8 * count)
    low, high = (work + 8 * names[name] for name in ("LOW_BOUND", "HIGH_BOUND"))
    return WasmSearch(code, int(work), low, high, names["TOP"])


def executed(text: str) -> dict[str, Any]:
    """The names that a module's text defines; its functions are not compiled."""

    def decorated(*functions: Callable[..., Any], **options: object) -> Any:
        return functions[0] if functions else lambda function: function

    names: dict[str, Any] = {"np": np, "njit": decorated, "guard": decorated, "inside": decorated}
    exec(text, names)
    return names
