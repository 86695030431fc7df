"""The C file: the rules, the search, the stored values, and three functions for whoever uses it."""

import re
from collections.abc import Iterator
from itertools import pairwise
from string import Template
from typing import BinaryIO, NamedTuple

from perfectplay import __version__
from perfectplay.explain.graph import graphing
from perfectplay.export.c.meaning import NotInC, Rules
from perfectplay.export.c.ranges import Range, single
from perfectplay.export.c.store import INCREMENT, MIXERS, MULTIPLIER, Store, packing, size_of
from perfectplay.export.c.text import Program, literal, wrapped
from perfectplay.export.c.thinning import Classes, Thinned, classes_of, frequencies, thinnings
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.solve.steps import Step, Steps
from perfectplay.source import NoSource, gather, rule_functions
from perfectplay.words import ONGOING, BadGame, TooBig

RULES = ("moves", "play", "outcome", "smallest")
MOST_CLASSES = 5_000_000
CODE = 1_100
"""Bytes of machine code besides the rules: more than any compiler made of it."""


class Fit(NamedTuple):
    """A way to write the solution: what is left to store, in how many rows and bytes, those of the code included."""

    thinned: Thinned
    rows: int
    table: int
    code: int

    @property
    def size(self) -> int:
        """The bytes in all."""
        return self.table + self.code


def writing(game: Game, sink: BinaryIO, header: bool, budget: int | None) -> Steps[list[str]]:
    """Writes the C file of a game, as a header or a source file, within so many bytes; what there is to say of it."""
    rules = Translated(game)
    graph = yield from graphing(game, True)
    if graph.counts.size > MOST_CLASSES:
        raise TooBig(f"{game.name} has {graph.counts.size:,} positions, too many for C; JSON and Parquet take them")
    yield Step("thinning", 0, graph.counts.size)
    classes = classes_of(game, graph)
    code = CODE + rules.program.size()
    fits = []
    for thinned in thinnings(graph):
        found = frequencies(classes, thinned)
        fits.append(Fit(thinned, sum(found.values()), size_of(found), code))
        if budget is None or fits[-1].size <= budget:
            break
    fit = fits[-1]
    if budget is not None and fit.size > budget:
        least = min(fits, key=lambda one: one.size)
        raise TooBig(
            f"{game.name} does not fit into {budget:,} bytes; the smallest budget is {least.size:,}, "
            f"with a search of {plies_text(least.thinned.plies)}"
        )
    stored = fit.thinned.missing[classes.numbers]
    positions = [position for position, kept in zip(classes.positions, stored.tolist(), strict=True) if kept]
    store = yield from packing(positions, classes.grades[stored].tolist(), game.bits)
    fit = fit._replace(table=store.size)
    about = facts(game, classes, fit)
    sink.write("\n".join(rules.lines(header, about, fit, classes, store)).encode())
    return about


def facts(game: Game, classes: Classes, fit: Fit) -> list[str]:
    """What there is to say about the file."""
    plies = fit.thinned.plies
    search = f"; a search of {plies_text(plies)} finds the others" if plies else ""
    return [
        f"{game.name}: k = {plies}, {fit.rows:,} rows of {len(classes.positions):,} classes{search}",
        f"{fit.table:,} bytes of table, {8 * fit.table / max(1, fit.rows):.2f} bits a row, at most about {fit.code:,} of code",
        f"a move looks at up to {fit.thinned.looked_at:,} positions",
    ]


def plies_text(plies: int) -> str:
    """1 ply, 3 plies."""
    return f"{plies} {'ply' if plies == 1 else 'plies'}"


class Translated:
    """The rules of a game in C."""

    def __init__(self, game: Game) -> None:
        if game.bits > COMPILED_BITS:
            raise TooBig(f"{game.name} has words of {game.bits} bits; C has up to {COMPILED_BITS}")
        self.game, self.prefix = game, prefix_of(game.name)
        try:
            functions = rule_functions(game)
            names, trees = gather({name: functions[name] for name in RULES})
            rules = Rules(trees)
            word = Range(0, (1 << game.bits) - 1)
            _, legal = rules.call(names["moves"], [word, word])
            if not isinstance(legal, Range):
                raise NotInC("moves returns a tuple")
            self.moves = Range(0, max(legal.most, 1))
            numbers = Range(0, self.moves.most.bit_length() - 1)
            _, after = rules.call(names["play"], [word, word, numbers])
            rules.call(names["outcome"], [word, word])
            rules.call(names["smallest"], [word, word])
            if not isinstance(after, tuple) or len(after) != 2:
                raise NotInC("play does not return a position")
            by_name = {function.tree.name: function for function in rules.ordered}
            self.rules, self.functions = rules, {name: by_name[names[name]] for name in RULES}
            self.program = Program(self.prefix, rules, self.functions.values())
        except (NotInC, NoSource) as fault:
            raise BadGame(f"{game.name} cannot be written in C: {fault}; docs/exports.md says what can") from None

    def call(self, rule: str, *arguments: str) -> str:
        """A call of one of the rules; what it does not need is not handed over."""
        function = self.functions[rule]
        names = [argument.arg for argument in function.tree.args.args]
        kept = self.program.kept[function]
        given = [argument for name, argument in zip(names, arguments, strict=True) if name in kept]
        return f"{self.program.name(function)}({', '.join(given)})"

    def lines(self, header: bool, about: list[str], fit: Fit, classes: Classes, store: Store) -> Iterator[str]:
        """The whole file."""
        bits = next(size for size in (8, 16, 32, 64) if self.game.bits <= size)
        word = 32 if self.game.bits < 32 else 64
        mask = 32 if self.moves.fits(33) else 64
        plies = fit.thinned.plies
        if not store.data:  # nothing to look up, so nothing to make canonical
            needed = [function for name, function in self.functions.items() if name != "smallest"]
            self.program = Program(self.prefix, self.rules, needed)
        least, count = self.call("smallest", "mine", "theirs") if store.data else "", self.moves.most.bit_length()
        given = {
            "P": self.prefix,
            "UP": self.prefix.upper(),
            "version": __version__,
            "game": self.game.name,
            "about": "\n".join(f" * {line}." for line in about),
            "names": "\n".join(self.move_names()),
            "bits": str(bits),
            "mine": literal(self.game.start[0], 64),
            "theirs": literal(self.game.start[1], 64),
            "rules": "\n".join(self.program.lines()),
            "static": "static inline " if header else "",
            "longest": str(classes.scale.longest),
            "word": f"int{word}_t",
            "mask": f"uint{mask}_t",
            "moves": self.call("moves", "mine", "theirs"),
            "play": self.call("play", "mine", "theirs", "move"),
            "outcome": self.call("outcome", "mine", "theirs"),
            "ongoing": str(ONGOING),
            "smallest": least,
            "count": str(count),
            "plies": str(plies),
        }
        yield Template(HEAD).substitute(given)
        yield from hash_lines(self.prefix, store, word, given)
        if plies:
            yield Template(SEARCH).substitute(given)
        found = [f"{self.prefix}_{'searched' if plies else 'ended'}(mine, theirs{f', {plies}' if plies else ''})"]
        looked = f"{self.prefix}_looked_up(mine, theirs)" if store.code.values else "0"
        given |= {"found": found[0], "looked": looked}
        yield Template(TAIL).substitute(given)
        yield f"#endif /* {self.prefix.upper()}_H */\n"

    def move_names(self) -> Iterator[str]:
        """What the numbers of moves mean."""
        names = self.game.move_names
        if isinstance(names, tuple | list):
            yield " * Moves by number:"
            for line in wrapped((f"{number} {name}" for number, name in enumerate(names)), 100):
                yield f" *{line}"
        else:
            yield " * Moves have the numbers that the rules in Python give them."


def hash_lines(prefix: str, store: Store, word: int, given: dict[str, str]) -> Iterator[str]:
    """What looks values up."""
    values = store.code.values
    if not values:
        return
    if not store.data:
        yield Template(ONE_VALUE).substitute(given, value=str(values[0]))
        return
    wide = 8 if max(values) < 256 else 16
    offset = 16 if len(store.data) < 1 << 16 else 32
    for name, bits, numbers in (
        ("counts", 8 if max(store.code.counts) < 256 else 16, store.code.counts),
        ("values", wide, values),
        ("seeds", 8, tuple(store.seeds)),
        ("offsets", offset, store.offsets),
        ("data", 8, tuple(store.data)),
    ):
        yield f"static const uint{bits}_t {prefix}_{name}[{len(numbers)}] = {{"
        yield from wrapped(str(number) for number in numbers)
        yield "};"
    parts = [
        f"(uint32_t)({side}{' >> 32' if shift else ''})"
        for side in ("least.a", "least.b")
        for shift in ((0, 1) if word == 64 and given["bits"] == "64" else (0,))
    ]
    mixing = "\n".join(f"    seed = {prefix}_mixed(seed ^ {part});" for part in parts)
    yield Template(LOOK_UP).substitute(
        given,
        mixing=mixing,
        buckets=str(len(store.seeds)),
        first=hex(MIXERS[0]),
        second=hex(MIXERS[1]),
        multiplier=hex(MULTIPLIER),
        increment=hex(INCREMENT),
    )


def prefix_of(name: str) -> str:
    """A game's name as C takes it: tactic_toe, drop_4_4_4, for a file of one's own mygame_5_5."""
    own = re.sub(r"^.*[/\\]", "", name.partition(".py")[0]) + name.partition(".py")[2]
    found = re.sub(r"[^a-z0-9]+", "_", own.lower()).strip("_")
    return found if found[:1].isalpha() else f"game_{found}"


HEAD = """/* $game, solved: the rules, the value of every position and best moves. Written by perfectplay $version.
 *
$about
 *
 * A position is that of the side to move, the first side at the start:
 *     ${P}_position p = ${UP}_START;
 * One of the best moves: the quickest win, else any draw, else the latest loss. Of several that are as good,
 * the number given chooses; hand over a random one for variety. -1 when the game is over:
 *     int move = ${P}_best(p, random);
 * 1 if the side to move wins, 0 for a draw, -1 if it loses; the plies to the end under best play, -1 for a draw
 * without end; 0 when the game is over:
 *     int distance, value = ${P}_value(p, &distance);
 * The position after a move, then seen by the other side; 0, and nothing happens, if the move is not legal:
 *     int legal = ${P}_play(&p, move);
 * Positions come from the start and from play; others have no meaning. No memory is allocated, nothing is kept.
 *
$names
 */
#ifndef ${UP}_H
#define ${UP}_H

#include <stdint.h>

typedef struct { uint${bits}_t mine, theirs; } ${P}_position;

#define ${UP}_START {$mine, $theirs}

${static}int ${P}_best(${P}_position p, uint32_t random);
${static}int ${P}_value(${P}_position p, int *distance);
${static}int ${P}_play(${P}_position *p, int move);

/* The rules, translated from Python; `pair` is a position, the side to move first. */
$rules

/* A position's grade, the greater the better for the side to move: lost in 0, 1, ... plies from 1 on, then drawn
 * without end, drawn in ..., 1, 0 plies, won in ..., 1, 0 plies; 0 stands for not known. */
enum { ${UP}_LONGEST = $longest, ${UP}_DRAWN = ${UP}_LONGEST + 2, ${UP}_WON = 2 * ${UP}_LONGEST + 4 };

/* The grade of the position one ply earlier, for the other side, if it leads to one of this grade. */
static int ${P}_earlier(int grade)
{
    if (grade < ${UP}_DRAWN)
        return ${UP}_WON + ${UP}_LONGEST - grade;
    if (grade == ${UP}_DRAWN)
        return grade;
    return grade < ${UP}_WON ? grade - 1 : ${UP}_WON + ${UP}_LONGEST + 2 - grade;
}

/* The grade of a position in which the game is over; 0 where it goes on. */
static int ${P}_ended($word mine, $word theirs)
{
    const int outcome = (int)$outcome;
    (void)mine;
    (void)theirs;
    if (outcome == $ongoing)
        return 0;
    return outcome < 0 ? 1 : outcome == 0 ? ${UP}_WON - 1 : ${UP}_WON + ${UP}_LONGEST;
}
"""

ONE_VALUE = """/* All that is not found otherwise is worth the same. */
static int ${P}_looked_up($word mine, $word theirs)
{
    (void)mine;
    (void)theirs;
    return $value;
}
"""

LOOK_UP = """
static uint32_t ${P}_mixed(uint32_t word)
{
    word = (word ^ (word >> 16)) * ${first}U;
    word = (word ^ (word >> 15)) * ${second}U;
    return word ^ (word >> 16);
}

static uint32_t ${P}_hashed(${P}_pair least, uint32_t seed)
{
$mixing
    return seed;
}

/* The stored grade. Each bit of its code word is the parity of some bits of the position's bucket; a generator
 * that starts with the position's hash picks them. counts[i] words have i + 1 bits; values stand in their order. */
static int ${P}_looked_up($word mine, $word theirs)
{
    const ${P}_pair least = $smallest;
    const uint32_t bucket = ((${P}_hashed(least, 0) >> 16) * ${buckets}U) >> 16;
    uint32_t state = ${P}_hashed(least, ${P}_seeds[bucket] + 1U);
    int word = 0, first = 0, at = 0, length;
    for (length = 0;; length++) {
        uint32_t sum = 0, i;
        for (i = ${P}_offsets[bucket]; i < ${P}_offsets[bucket + 1]; i++) {
            state = state * ${multiplier}U + ${increment}U;
            sum ^= ${P}_data[i] & (state >> 24);
        }
        sum ^= sum >> 4;
        sum ^= sum >> 2;
        sum ^= sum >> 1;
        word = word * 2 + (int)(sum & 1);
        if (word - first < ${P}_counts[length])
            return ${P}_values[at + word - first];
        at += ${P}_counts[length];
        first = (first + ${P}_counts[length]) * 2;
    }
}
"""

SEARCH = """
/* The grade of a position as a search of so many plies finds it; 0 if it does not. */
static int ${P}_searched($word mine, $word theirs, int plies)
{
    int best = ${P}_ended(mine, theirs), unknown = 0, move = 0;
    $mask left;
    if (best || plies == 0)
        return best;
    for (left = ($mask)$moves; left; left >>= 1, move++) {
        if (left & 1) {
            ${P}_pair next = $play;
            int grade = ${P}_searched(next.a, next.b, plies - 1);
            unknown |= grade == 0;
            if (grade && ${P}_earlier(grade) > best)
                best = ${P}_earlier(grade);
        }
    }
    return unknown && best < ${UP}_WON ? 0 : best;
}
"""

TAIL = """
static int ${P}_grade($word mine, $word theirs)
{
    int grade = $found;
    return grade ? grade : $looked;
}

${static}int ${P}_best(${P}_position p, uint32_t random)
{
    const $word mine = ($word)p.mine, theirs = ($word)p.theirs;
    $mask left, equal = 0;
    uint32_t count = 0;
    int best = 0, move = 0;
    if (${P}_ended(mine, theirs))
        return -1;
    for (left = ($mask)$moves; left; left >>= 1, move++) {
        if (left & 1) {
            ${P}_pair next = $play;
            int grade = ${P}_earlier(${P}_grade(next.a, next.b));
            if (grade > ${UP}_DRAWN && grade < ${UP}_WON)
                grade = ${UP}_DRAWN; /* draws are alike */
            if (grade > best) {
                best = grade;
                equal = 0;
                count = 0;
            }
            if (grade == best) {
                equal |= ($mask)1 << move;
                count++;
            }
        }
    }
    random %= count;
    for (move = 0;; move++)
        if (equal >> move & 1 && random-- == 0)
            return move;
}

${static}int ${P}_value(${P}_position p, int *distance)
{
    int grade = ${P}_grade(($word)p.mine, ($word)p.theirs);
    if (grade < ${UP}_DRAWN) {
        *distance = grade - 1;
        return -1;
    }
    if (grade < ${UP}_WON) {
        *distance = grade == ${UP}_DRAWN ? -1 : ${UP}_WON - 1 - grade;
        return 0;
    }
    *distance = ${UP}_WON + ${UP}_LONGEST - grade;
    return 1;
}

${static}int ${P}_play(${P}_position *p, int move)
{
    const $word mine = ($word)p->mine, theirs = ($word)p->theirs;
    ${P}_pair next;
    if (move < 0 || move >= $count || !((($mask)$moves) >> move & 1) || ${P}_ended(mine, theirs))
        return 0;
    next = $play;
    p->mine = (uint${bits}_t)next.a;
    p->theirs = (uint${bits}_t)next.b;
    return 1;
}
"""
