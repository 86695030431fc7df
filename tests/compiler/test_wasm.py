"""Rules and search as WebAssembly: what they return is what Python and the compiled search return."""

import json
import shutil
import subprocess
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from random import Random
from subprocess import PIPE

import pytest
from hypothesis import given, settings, strategies as st

from perfectplay.compiler.wasm.wasm_binary import UNKNOWN, CannotTranslate, module
from perfectplay.compiler.wasm.wasm_search import HINTS, RULES, Translator, functions_in, search_module
from perfectplay.game import canonical, legal_moves
from perfectplay.rules.loading import load_game
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.scores import score_of
from perfectplay.solvers.search.alphabeta import Search
from perfectplay.solvers.steps import finished
from perfectplay.words import BadGame, NotCompiled

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="WebAssembly is run by node")

RUNNER = """
const fs = require("fs");
WebAssembly.instantiate(fs.readFileSync(process.argv[1])).then(({ instance: { exports: code } }) => {
  const words = () => new BigInt64Array(code.memory.buffer);
  const own = {
    score(work, low, high, nodes, mine, theirs) {
      words().fill(0n, work / 8);
      code.begin(mine, theirs);
      while (!code.search(1n << 18n));
      return [low, high, nodes].map((word) => words()[work / 8 + Number(word)]);
    },
  };
  require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const found = JSON.parse(line).map(([name, ...given]) => {
      const taken = given.map(BigInt);
      try {
        return [name === "score" ? own.score(Number(taken[0]), ...taken.slice(1)) : code[name](...taken)];
      } catch (fault) {
        return [String(fault)];
      }
    });
    console.log(JSON.stringify(found.map((one) => [one].flat(2).map(String))));
  });
});
"""

GAMES = ["drop:5,4,4", "kingpawns:2,promotion=true", "tactic-toe", "examples/hexapawn.py"]
GAMES_LATER = ["lines:3,4,3", "lines:7,7,5", "kingpawns", "examples/tictactoe.py"]


@contextmanager
def running(folder, code):
    """A module that runs in a process of node, as a function: what each call returns, as tuples of numbers."""
    path = folder / "module.wasm"
    path.write_bytes(code)
    with subprocess.Popen([NODE, "-e", RUNNER, path], stdin=PIPE, stdout=PIPE, text=True) as process:

        def ask(calls):
            process.stdin.write(json.dumps([[name, *map(str, given)] for name, *given in calls]) + "\n")
            process.stdin.flush()
            return [tuple(map(int, found)) for found in json.loads(process.stdout.readline())]

        yield ask
        process.stdin.close()


@pytest.fixture(
    scope="module", params=[*GAMES, *(pytest.param(name, marks=pytest.mark.nightly) for name in GAMES_LATER)]
)
def played(request, tmp_path_factory):
    """A game and its rules in WebAssembly."""
    game = load_game(request.param)
    with running(tmp_path_factory.mktemp("wasm"), search_module(game, 10, hints=True).code) as ask:
        yield game, ask


@lru_cache(maxsize=16)
def functions_of(game):
    """The functions of a game by name, as they are in Python."""
    own = {name: getattr(game, name, None) for name in (*RULES, *HINTS)}
    return {**own, "smallest": canonical(game), "order": game.order if callable(game.order) else None}


def numbers(value):
    """A result as a tuple of numbers."""
    return tuple(map(int, value)) if isinstance(value, tuple) else (int(value),)


@given(st.integers(0, 1 << 32))
@settings(max_examples=15, deadline=None)
def test_rules_return_what_they_return_in_python(played, seed):
    game, ask = played
    rng, position, calls = Random(seed), game.start, []
    while legal := legal_moves(game, position):
        move = rng.choice(legal)
        for name, function in functions_of(game).items():
            given_so = {1: (game.key and game.key(*position),), 2: position, 3: (*position, move)}
            arguments = given_so[{**RULES, **HINTS}[name]]
            if function is not None:
                calls.append((name, arguments, numbers(function(*arguments))))
        position = game.play(*position, move)
        if len(calls) > 600:
            break
    calls.append(("outcome", position, numbers(game.outcome(*position))))
    assert ask([name, *arguments] for name, arguments, _ in calls) == [returned for *_, returned in calls]


def searched(ask, search, positions):
    """Low and high bound of each position, and the nodes that the search took."""
    words = search.words
    head = ("score", search.work, words["low"], words["high"], words["nodes"])
    return ask([*head, *position] for position in positions)


def sampled(game, count, plies):
    """Positions of random games after so many plies."""
    rng, found = Random(5), set()
    while len(found) < count:
        position = game.start
        for _ in range(plies):
            legal = legal_moves(game, position)
            position = game.play(*position, rng.choice(legal)) if legal else position
        found.add(position)
    return sorted(found)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "plies"), [("connect-four", 22), ("drop:5,4,4", 4), ("lines:4,4,3", 3)])
def test_the_search_finds_the_scores_of_the_compiled_one_with_as_many_nodes(tmp_path, name, plies):
    game = load_game(name)
    positions = sampled(game, 10, plies)
    search, compiled = search_module(game, 18), Search(game, 18)
    with running(tmp_path, search.code) as ask:
        for position in positions:
            compiled.forget()
            score = compiled.score(position)
            assert searched(ask, search, [position]) == [(score, score, compiled.nodes())], position


@pytest.mark.parametrize("name", ["drop:4,3,3", "lines:3,3,3,true", "kingpawns:1", "examples/hexapawn.py"])
def test_scores_are_those_of_the_table(tmp_path, name):
    game = load_game(name)
    lookup = finished(solving(game, Options(engine="python"))).lookup
    positions = [position for plies in range(6) for position in sampled(game, 1 + (plies > 1) * 5, plies)]
    search = search_module(game)
    with running(tmp_path, search.code) as ask:
        for position, (low, high, _) in zip(positions, searched(ask, search, positions), strict=True):
            score = score_of(lookup(position))
            cycles = game.plies_left is None and score == 0  # a draw of which a hundred plies decide nothing
            assert low <= score <= high
            assert low == high or cycles, position


ARITHMETIC = """
TABLE = (3, -1, 4, -1, 5, 9, 2, -6)
PAIRS = ((1, 2), (3, 5), (7, 11))

def divided(a, b):
    return a // b, a % b

def ordered(a, b):
    return min(a, b, 7), max(a, b), a if a < b <= 9 else -b, 1 if a in (1, 2, b) else 0

def joined(a, b):
    return (a and b), (a or b), (not a), 1 if a > 0 and b > 0 or a == b else 0

def shifted(a, b):
    at = b & 31
    return a >> at, (a & 4095) << at, ~a, -a, a ^ b

def looked_up(a, b):
    return TABLE[a & 7], TABLE[-1 - (b & 7)], a.bit_count() if a > 0 else 0, (b & 255).bit_length()

def looped(a, b):
    total, steps = 0, 0
    for x, y in PAIRS:
        if (a + x) & 1:
            continue
        total += x * b - y
    for i in range(20):
        if i == b:
            break
        total += i
    while a > 0:
        a >>= 1
        steps += 1
        if steps > 40:
            break
    for i in range(b & 7, -3, -2):
        total -= i
    return total, steps
"""


@pytest.fixture(scope="module")
def sums(tmp_path_factory):
    """Functions in Python, and the same in WebAssembly."""
    names = {}
    exec(ARITHMETIC, names)
    translator = Translator({tree.name: tree for tree in functions_in(ARITHMETIC)}, names)
    exported = {name: translator.translated(name, [UNKNOWN, UNKNOWN]) for name in translator.trees}
    code = module(translator.functions, exported, translator.data(), 1 << 16)
    with running(tmp_path_factory.mktemp("sums"), code) as ask:
        yield {name: names[name] for name in exported}, ask


WORD = st.integers(-(1 << 40), 1 << 40) | st.integers(-12, 12)


@given(WORD, WORD)
@settings(max_examples=60, deadline=None)
def test_arithmetic_is_pythons(sums, a, b):
    functions, ask = sums
    asked = [name for name in functions if name != "divided" or b]
    assert ask([name, a, b] for name in asked) == [numbers(functions[name](a, b)) for name in asked]


def test_what_has_no_translation_is_named():
    text = "def f(a):\n    return [a for _ in range(3)][0]\n"
    translator = Translator({tree.name: tree for tree in functions_in(text)}, {})
    with pytest.raises(CannotTranslate, match=r"f: \[a for _ in range\(3\)\]"):
        translator.translated("f", [UNKNOWN])


def test_rules_that_do_not_compile_are_refused_in_one_line():
    def moves(mine, theirs):
        return int(str(3 & ~(mine | theirs)))

    line = moves.__code__.co_firstlineno + 1
    with pytest.raises(NotCompiled, match=f"misere does not compile: .* line {line} of moves") as refused:
        search_module(replace(load_game("misere"), moves=moves))
    assert "\n" not in str(refused.value)
    with pytest.raises(BadGame, match="64 bits"):
        search_module(load_game("drop:8,7,4"))
