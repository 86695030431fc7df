"""The same random rules run in every way, compared answer by answer: `make fuzz GAMES=2000 SEED=1`.

An engine may refuse what it cannot do; it may never answer otherwise than the interpreted rules.
"""

import argparse
import ctypes
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

from perfectplay.compiler.c.c_rules import Program
from perfectplay.compiler.compiled import RuleSet, load_pattern, rule_set
from perfectplay.compiler.cuda import CONFIG, GPU, from_gpu, to_gpu
from perfectplay.compiler.intervals.interval import OutsideSubset
from perfectplay.compiler.intervals.interval_statements import Rules
from perfectplay.compiler.numba_compat import NumbaError
from perfectplay.rules.loading import load_file
from perfectplay.rules.source import gather
from perfectplay.words import BadGame, NotCompiled
from random_games import Writer

RULES = ("moves", "play", "outcome")
RAISES = "raises"
BATCH = 40
"""Games that are compiled together, so that the guards are compiled once for all of them."""
SANITIZED = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", "-fno-sanitize=shift-base")
INTERPRETED_SECONDS = 5
"""For all questions to a game; usual are some thousandths of a second."""
FAULTS = (ArithmeticError, LookupError, ValueError)


class Question(NamedTuple):
    """A rule, what it is given, and what it answers interpreted."""

    rule: str
    given: tuple[int, ...]
    answer: object


def written_game(folder, seed):
    """The random game of that seed, in a file of its own."""
    path = Path(folder) / f"random{seed}.py"
    path.write_text(Writer(seed).source())
    return replace(load_file(path, BadGame).game(), name=path.name)


def answer_of(function, given, faults=FAULTS):
    """What the function answers, or that it raises."""
    try:
        found = function(*given)
    except faults:
        return RAISES
    return tuple(int(part) for part in found) if isinstance(found, tuple) else int(found)


class Endless(Exception):
    """Interpreted rules took too long: random code can square a number again and again."""


@contextmanager
def limited(seconds):
    """Raises Endless if what is done meanwhile takes longer, in time of the processor."""

    def stop(*_):
        raise Endless

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def questions_to(games, many):
    """The questions to each game by its seed; games whose rules do not come back are left out."""
    asked = {}
    for seed, game in games.items():
        with suppress(Endless), limited(INTERPRETED_SECONDS):
            asked[seed] = list(questions(game, seed, many))
    return asked


def questions(game, seed, many):
    """Random questions to all rules of the game."""
    rng = random.Random(seed)
    words = 1 << game.bits
    for _ in range(many):
        position = rng.randrange(words), rng.randrange(words)
        for rule in RULES:
            given = (*position, rng.randrange(len(game.move_names))) if rule == "play" else position
            yield Question(rule, given, answer_of(getattr(game, rule), given))


def compiled_rules(games):
    """The rules of all games compiled by numba, many in one module; None for those that are refused."""
    sets = {number: only_rules(game) for number, game in games.items()}
    found = dict.fromkeys(games)
    fit = {}
    for number, rules in sets.items():
        try:
            gather_checked(rules)
            fit[number] = rules
        except NotCompiled:
            continue
    functions = {f"{name}_of_{n}": f for n, rules in fit.items() for name, f in rules.functions.items()}
    contracts = {f"{name}_of_{n}": c for n, rules in fit.items() for name, c in rules.contracts.items()}
    module = load_pattern([], RuleSet("random games", functions, contracts), "").module  # faults need not be explained
    for number in fit:
        found[number] = {name: getattr(module, f"{name}_of_{number}") for name in RULES}
    return found


def only_rules(game):
    """The three rules with their contracts."""
    whole = rule_set(game)
    functions, contracts = ({name: part[name] for name in RULES} for part in (whole.functions, whole.contracts))
    return whole._replace(functions=functions, contracts=contracts)


def gather_checked(rules):
    """Raises NotCompiled for what no module can hold."""
    from perfectplay.compiler.rule_subset import check_subset
    from perfectplay.rules.source import NoSource

    try:
        check_subset(gather(rules.functions)[1])
    except (NoSource, OutsideSubset) as fault:
        raise NotCompiled(str(fault)) from None


ASKING = """
@cuda.jit(device=True)
def ones(word):
    return cuda.popc(word)


@cuda.jit
def ask(asked, answers):
    for i in range(cuda.grid(1), asked.shape[0], cuda.gridsize(1)):
        rule, mine, theirs, move = int(asked[i, 0]), int(asked[i, 1]), int(asked[i, 2]), int(asked[i, 3])
        if rule == 0:
            answers[i, 0] = moves(mine, theirs)
        elif rule == 1:
            answers[i, 0], answers[i, 1] = play(mine, theirs, move)
        else:
            answers[i, 0] = outcome(mine, theirs)


"""


def on_gpu(game):
    """A function that asks the rules on the GPU, or on a simulated one, many questions at once."""
    kernels = load_pattern([], only_rules(game), ASKING, GPU)

    def ask(many):
        asked = np.array([(RULES.index(one.rule), *one.given, 0)[:4] for one in many], np.int64)
        answers = to_gpu(np.zeros((len(many), 2), np.int64))
        kernels.ask[(1, 2) if CONFIG.ENABLE_CUDASIM else (32, 64)](to_gpu(asked), answers)  # simulated by threads
        found = from_gpu(answers).tolist()
        return [tuple(row) if one.rule == "play" else row[0] for one, row in zip(many, found, strict=True)]

    return ask


def simulated_rules(game, asked):
    """The rules on the simulated GPU; None if they are refused.

    All questions at once, since a launch takes longer than an answer; if one cannot be answered, each by itself.
    """
    try:
        ask = on_gpu(game)
    except NotCompiled:
        return None
    known = {}
    with suppress(*FAULTS, NotCompiled, NumbaError):
        known = {one[:2]: found for one, found in zip(asked, ask(asked), strict=True)}

    def answer(rule, *given):
        return known[rule, given] if known else ask([Question(rule, given, None)])[0]

    return {rule: partial(answer, rule) for rule in RULES}


def rules_in_c(games, folder):
    """The rules of all games in C, compiled in one library; None for those that are refused."""
    lines, found = ["#include <stdint.h>"], dict.fromkeys(games)
    for number, game in games.items():
        try:
            names, trees = gather({name: getattr(game, name) for name in RULES})
            rules, contracts = Rules(trees), only_rules(game).contracts
            roots = {name: rules.call(names[name], contracts[name].arguments)[0] for name in RULES}
            program = Program(f"r{number}", rules, roots.values())
        except OutsideSubset:
            continue
        lines += program.lines()
        found[number] = roots
        for name, root in roots.items():
            lines += c_entry(f"{name}_{number}", program, root)
    file, library = Path(folder) / "rules.c", Path(folder) / f"rules{min(games, default=0)}.so"
    file.write_text("\n".join(lines))
    subprocess.run(["gcc", "-std=c99", "-O1", "-w", *SANITIZED, "-shared", "-fPIC", file, "-o", library], check=True)
    loaded = ctypes.CDLL(str(library))
    return {
        number: roots and {name: c_function(loaded, f"{name}_{number}", name) for name in RULES}
        for number, roots in found.items()
    }


def c_entry(name, program, root):
    """A function that others can call."""
    given = [argument.arg for argument in root.tree.args.args]
    kept = ", ".join(one for one in given if one in program.kept[root])
    parameters = ", ".join(f"int64_t {one}" for one in given)
    call = f"{program.name(root)}({kept})"
    if not isinstance(root.result, tuple):
        return [f"void {name}({parameters}, int64_t *out) {{ out[0] = {call}; }}"]
    return [f"void {name}({parameters}, int64_t *out) {{ out[0] = {call}.a; out[1] = {call}.b; }}"]


def c_function(library, symbol, rule):
    """The rule in C, as Python calls it."""
    function = library[symbol]

    def call(*given):
        out = (ctypes.c_int64 * 2)()
        function(*(ctypes.c_int64(one) for one in given), out)
        return tuple(out) if rule == "play" else out[0]

    return call


def difference(game, rules, asked, counts, may_raise=True):
    """The first answer that is another than interpreted; None if there is none."""
    for question in asked:
        if question.answer == RAISES and not may_raise:
            continue
        found = answer_of(rules[question.rule], question.given, (*FAULTS, NotCompiled, NumbaError))
        counts["refused" if found == RAISES else "same"] += 1
        if found not in (question.answer, RAISES):
            return f"{game.name}: {question.rule}{question.given} is {found}, interpreted {question.answer}"
    return None


def compare(seeds, folder, many=60, in_c=True):
    """What differs in the random games of these seeds, and how often there were answers, refusals, whole refusals."""
    games = {seed: written_game(folder, seed) for seed in seeds}
    asked = questions_to(games, many)
    games = {seed: games[seed] for seed in asked}
    counts, found = {}, []
    ways = {
        "numba": compiled_rules(games),
        "gpu": {seed: simulated_rules(game, asked[seed]) for seed, game in games.items()},
        "c": rules_in_c(games, folder) if in_c else {},
    }
    for way, by_seed in ways.items():
        tally = counts.setdefault(way, Counter())
        for seed, rules in by_seed.items():
            if rules is None:
                tally["games refused"] += 1
                continue
            tally["games"] += 1
            fault = difference(games[seed], rules, asked[seed], tally, may_raise=way != "c")
            if fault is not None:
                found.append(f"{way}, {fault}")
    return found, counts


def batch(seeds):
    """The same in a folder of its own."""
    warnings.simplefilter("ignore")  # what Python thinks of ~True
    with tempfile.TemporaryDirectory() as folder:
        return compare(seeds, folder)


def main():
    """Compares until so many games are done; ends with 1 at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    last, total, begin, done = options.seed + options.games, {}, time.monotonic(), 0
    batches = [range(first, min(first + BATCH, last)) for first in range(options.seed, last, BATCH)]
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        for seeds, (found, counts) in zip(batches, pool.map(batch, batches), strict=True):
            for way, tally in counts.items():
                total.setdefault(way, Counter()).update(tally)
            done += len(seeds)
            left = (time.monotonic() - begin) / done * (options.games - done)
            print(f"{done:,} of {options.games:,} games, {left:,.0f} s left: {as_text(total)}", flush=True)
            if found:
                print("\n".join(found))
                pool.shutdown(cancel_futures=True)
                sys.exit(1)


def as_text(total):
    """The tallies in a line."""
    return "; ".join(
        f"{way} " + ", ".join(f"{n:,} {what}" for what, n in tally.items()) for way, tally in total.items()
    )


if __name__ == "__main__":
    main()
