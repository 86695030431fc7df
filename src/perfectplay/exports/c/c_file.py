"""The C file: the rules, the search, the stored values, and the functions for its users."""

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import starmap
from string import Template
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay import __version__
from perfectplay.compiler.c.c_rules import Program, analysed, called_as_played
from perfectplay.compiler.c.c_syntax import literal, wrapped
from perfectplay.compiler.c.c_templates import BEST, FLASH, GRADE, HEAD, LOOK_UP, ONE_VALUE, PLAY, SEARCH
from perfectplay.compiler.intervals.interval import OutsideSubset
from perfectplay.exports.c import c_level
from perfectplay.exports.c.c_level import QUICK, Opponent, opponent_of
from perfectplay.exports.c.static_function import INCREMENT, MIXERS, MULTIPLIER, Store, packing, size_bound, value_bytes
from perfectplay.exports.export_rows import Report, classes_of, levels_of
from perfectplay.game import COMPILED_BITS, Game, canonical
from perfectplay.players.models.game_graph import Graph, graphing
from perfectplay.rules.notation import number_of, plies_text
from perfectplay.rules.source import NoSource, gather, rule_functions
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.grades import Grades, Points, Scale
from perfectplay.words import ONGOING, BadGame, Entry, TooBig

# Which positions need not be stored, because a search of k plies finds their values.
#
# The search looks at all lines of k plies and knows only how games end. It finds a win or a loss in k plies or fewer,
# and a draw or a margin if all lines are over by then. What it does not find out is in the table: that it was not found
# says so.


MOST_LOOKED_AT = 1_000_000
"""A search that looks at more positions for one move would take a small chip minutes."""


def grades_of(graph: Graph) -> tuple[Scale, NDArray[np.int64]]:
    """The grade of each position, and the scale that they are on."""
    if graph.margins is not None:
        points = Points(int(np.abs(graph.margins).max()))
        return points, graph.margins.astype(np.int64) + points.most + 1
    scale = Grades(1 + max(0, int(graph.distances.max())))  # one more, so that a ply earlier has a grade of its own
    pairs = np.stack([graph.values.astype(np.int64), graph.distances.astype(np.int64)])
    kinds, places = np.unique(pairs, axis=1, return_inverse=True)
    grades = [scale.grade(Entry(value, None if plies < 0 else plies)) for value, plies in kinds.T.tolist()]
    return scale, np.array(grades, np.int64)[places.ravel()]


class Thinning(NamedTuple):
    """The positions left to store if a search looks `plies` ahead."""

    plies: int
    unsolved: NDArray[np.bool_]
    """The positions of the graph that the search does not find out."""
    looked_at: int
    """The most positions that are looked at for one move."""


def thinnings(graph: Graph) -> Iterator[Thinning]:
    """Thinnings for 0, 1, 2, ... plies, as long as less is left each time and the search does not take too long."""
    solved = ~graph.going
    nothing = np.zeros(graph.counts.size)
    work = np.ones(graph.counts.size, np.int64)
    plies = 0
    while True:
        below = graph.over_edges(np.add, work[graph.children], nothing.astype(np.int64))
        looked_at = int(below.max())
        if plies and looked_at > MOST_LOOKED_AT:
            return
        yield Thinning(plies, ~solved, looked_at)
        plies += 1
        after = solved | ((graph.over_edges(np.minimum, solved[graph.children], nothing) == 1) & graph.going)
        if graph.margins is None:
            after |= (graph.values != 0) & (graph.distances <= plies)
        if (after == solved).all():
            return
        solved, work = after, 1 + below


def frequencies(grades: NDArray[np.int64]) -> Counter[int]:
    """The number of positions by grade."""
    values, counts = np.unique(grades, return_counts=True)
    return Counter(dict(zip(values.tolist(), counts.tolist(), strict=True)))


RULES = ("moves", "play", "outcome", "smallest", "again", "margin")
MOST_CLASSES = 5_000_000
CODE, LOOKING_UP, SEARCHING = 500, 350, 250
"""Bytes of machine code besides the rules, more than any compiler made of it: the three functions, the rest."""


def c_writing(game: Game, sink: BinaryIO, header: bool, budget: int | None, level: int | None = None) -> Steps[Report]:
    """Writes the C file of a game, as a header or a source file, within `budget` bytes; returns a report.

    With a level, the file has an opponent of that level in place of best moves and values.
    """
    rules = Translation(game)
    graph = yield from graphing(game, True)
    if graph.counts.size > MOST_CLASSES:
        raise TooBig(f"{game.name} has {graph.counts.size:,} positions, too many for C; JSON and Parquet take them")
    yield Step("thinning", 0, graph.counts.size)
    opponent = None if level is None else opponent_of(graph, level)
    classes = classes_of(game, graph, levels_of(graph))
    view = graph if opponent is None else opponent.view_of(graph)
    scale, grades = grades_of(view)
    fit = choose_fit(game, partial(rules.size, opponent), view, classes, grades, budget, opponent)
    rows = classes[fit.thinning.unsolved[classes]]
    positions = [graph.position(number) for number in rows.tolist()]
    if not graph.of_classes:
        positions = [*starmap(canonical(game), positions)]
    store = yield from packing(positions, grades[rows].tolist(), game.bits)
    fit = fit._replace(table=store.size if fit.rows else 0)
    about = report(game, classes.size, fit, opponent)
    lines = rules.lines(header, about.lines, fit.thinning.plies, scale, store, opponent)
    sink.write("\n".join(lines).encode())
    return about


class Translation:
    """The rules of a game in C."""

    def __init__(self, game: Game) -> None:
        if game.bits > COMPILED_BITS:
            raise TooBig(f"{game.name} has words of {game.bits} bits; C has up to {COMPILED_BITS}")
        self.game, self.prefix = game, prefix_of(game.name)
        try:
            functions = rule_functions(game)
            names, trees = gather({name: functions[name] for name in RULES if name in functions})
            rules, self.moves = analysed(trees, lambda rules: called_as_played(rules, names, game.bits))
            by_name = {function.tree.name: function for function in rules.ordered}
            self.rules, self.functions = rules, {name: by_name[own] for name, own in names.items()}
            self.program = Program(self.prefix, rules, self.functions.values())
        except (OutsideSubset, NoSource) as fault:
            raise BadGame(f"{game.name} cannot be written in C: {fault}; see docs/how-to/export-to-c.md") from None

    def call(self, rule: str, *arguments: str) -> str:
        """A call of one of the rules; what it does not need is not handed over."""
        function = self.functions[rule]
        names = [argument.arg for argument in function.tree.args.args]
        parameters = self.program.kept[function]
        values = [argument for name, argument in zip(names, arguments, strict=True) if name in parameters]
        return f"{self.program.name(function)}({', '.join(values)})"

    def size(self, opponent: Opponent | None, searches: bool, looks_up: bool) -> int:
        """An upper estimate of the bytes that the code takes on a 32-bit chip."""
        program = self.program if looks_up else self.without_images()
        code = CODE if opponent is None else c_level.CODE
        return code + (SEARCHING if searches else 0) + (LOOKING_UP if looks_up else 0) + program.size()

    def without_images(self) -> Program:
        """The rules for a file that looks nothing up, so that nothing is made canonical."""
        needed = [function for name, function in self.functions.items() if name != "smallest"]
        return Program(self.prefix, self.rules, needed)

    def lines(
        self, header: bool, about: list[str], plies: int, scale: Scale, store: Store, opponent: Opponent | None
    ) -> Iterator[str]:
        """The whole file, with a search of so many plies and the stored grades on their scale."""
        if opponent is not None:
            self.prefix = f"{self.prefix}_level_{opponent.number}"
        self.program = (
            Program(self.prefix, self.rules, self.functions.values()) if store.data else self.without_images()
        )
        fields = self.fields(header, about, plies, scale, store)
        fields |= opponent.fields() if opponent else {}
        for name, text in (c_level.scoring(self.game) | c_level.texts(self.game, opponent)).items():
            fields[name] = Template(text).substitute(fields)
        yield Template(HEAD).substitute(fields)
        if opponent and opponent.level.sight == 0:
            yield Template(c_level.BLIND).substitute(fields)[:-1]
        else:
            yield from hash_lines(self.prefix, store, int(fields["word"][3:5]), fields)
            if plies:
                yield Template(SEARCH).substitute(fields)
            yield Template(GRADE).substitute(fields)[:-1]
        yield Template(c_level.CHOOSE if opponent else BEST).substitute(fields)[:-1]
        yield Template(PLAY).substitute(fields)
        yield f"#endif /* {self.prefix.upper()}_H */\n"

    def fields(self, header: bool, about: list[str], plies: int, scale: Scale, store: Store) -> dict[str, str]:
        """The fields of the templates."""
        bits = next(size for size in (8, 16, 32, 64) if self.game.bits <= size)
        word = 32 if self.game.bits < 32 else 64
        mask = 32 if self.moves.fits(33) else 64
        searched = f"{self.prefix}_searched(mine, theirs, {plies})" if plies else f"{self.prefix}_ended(mine, theirs)"
        return {
            "P": self.prefix,
            "UP": self.prefix.upper(),
            "version": __version__,
            "game": comment_text(self.game.name),
            "about": "\n".join(f" * {comment_text(line)}." for line in about),
            "names": "\n".join(self.meanings()),
            "bits": str(bits),
            "mine": literal(self.game.start[0]).text,
            "theirs": literal(self.game.start[1]).text,
            "rules": "\n".join(self.program.lines()),
            "static": "static inline " if header else "",
            "longest": str(scale.longest),
            "most": str(scale.most) if isinstance(scale, Points) else "",
            "margin": self.call("margin", "mine", "theirs") if self.game.margin else "",
            "again": self.call("again", "mine", "theirs", "move") if self.game.again else "",
            "word": f"int{word}_t",
            "mask": f"uint{mask}_t",
            "moves": self.call("moves", "mine", "theirs"),
            "play": self.call("play", "mine", "theirs", "move"),
            "outcome": self.call("outcome", "mine", "theirs"),
            "ongoing": str(ONGOING),
            "smallest": self.call("smallest", "mine", "theirs") if store.data else "",
            "count": str(self.moves.most.bit_length()),
            "found": searched,
            "looked": f"{self.prefix}_looked_up(mine, theirs)" if store.code.values else "0",
        }

    def meanings(self) -> Iterator[str]:
        """The names of moves and of bits, and the docstring of the game's file, as lines of a comment."""
        names, cells = self.game.move_names, self.game.cells
        if isinstance(names, tuple | list):
            yield from comment_list("Moves by number", [f"{number} {name}" for number, name in enumerate(names)])
        if isinstance(cells, tuple | list | range) and all(isinstance(cell, int) for cell in cells):
            columns, rows = self.game.look.columns, self.game.look.rows
            squares = [f"{column}{row}".strip() for row in rows for column in columns]
            if len(set(squares)) < len(squares):
                squares = [
                    f"row {i // len(columns) + 1} column {columns[i % len(columns)]}" for i in range(len(squares))
                ]
            bits = sorted(zip(cells, squares, strict=True))
            yield from comment_list("Bits of both words", [f"{bit} {square}" for bit, square in bits])
        about = inspect.getdoc(inspect.getmodule(self.game.moves)) or ""
        if about:
            yield " * What the file with the rules says:"
            yield from (f" *     {comment_text(line)}".rstrip() for line in about.splitlines())


def comment_list(what: str, items: list[str]) -> Iterator[str]:
    """A list in lines of a comment."""
    yield f" * {what}:"
    for line in wrapped(comment_text(item) for item in items):
        yield f" *{line}"


def comment_text(text: str) -> str:
    """The text as it may stand in a comment."""
    return text.replace("/*", "/ *").replace("*/", "* /").replace("\n", " ")


def hash_lines(prefix: str, store: Store, word: int, fields: dict[str, str]) -> Iterator[str]:
    """The stored values and the function that looks them up."""
    values = store.code.values
    if not values:
        return
    if not store.data:
        yield Template(ONE_VALUE).substitute(fields, value=str(values[0]))
        return
    offset = 16 if len(store.data) < 1 << 16 else 32
    yield Template(FLASH).substitute(fields, offset="word" if offset == 16 else "dword")
    flash = f" {prefix.upper()}_FLASH"
    for name, bits, numbers, where in (
        ("counts", 8 if max(store.code.counts) < 256 else 16, store.code.counts, ""),
        ("values", 8 * value_bytes(store.code), values, ""),
        ("seeds", 8, tuple(store.seeds), flash),
        ("offsets", offset, store.offsets, flash),
        ("data", 8, tuple(store.data), flash),
    ):
        yield f"static const uint{bits}_t {prefix}_{name}[{len(numbers)}]{where} = {{"
        yield from wrapped(str(number) for number in numbers)
        yield "};"
    parts = [
        f"(uint32_t)({side}{' >> 32' if shift else ''})"
        for side in ("least.a", "least.b")
        for shift in ((0, 1) if word == 64 and fields["bits"] == "64" else (0,))
    ]
    mixing = "\n".join(f"    seed = {prefix}_mixed(seed ^ {part});" for part in parts)
    yield Template(LOOK_UP).substitute(
        fields,
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
    prefix = re.sub(r"[^a-z0-9]+", "_", own.lower()).strip("_")
    return prefix if prefix[:1].isalpha() else f"game_{prefix}"


# What a C file stores: all values, or only those that a short search does not find, within a budget of bytes.


CodeSize = Callable[[bool, bool], int]
"""The bytes of code of a file that searches or not, and looks values up or not."""


class Fit(NamedTuple):
    """A way to write the solution: what is left to store, in how many rows and bytes, those of the code included."""

    thinning: Thinning
    rows: int
    table: int
    code: int

    @property
    def size(self) -> int:
        """The bytes in all."""
        return self.table + self.code


def choose_fit(
    game: Game,
    code_size: CodeSize,
    graph: Graph,
    classes: NDArray[np.int64],
    grades: NDArray[np.int64],
    budget: int | None,
    opponent: Opponent | None,
) -> Fit:
    """The way to write the solution: with the shortest search that fits the budget.

    Without a budget it is the one without a search, and for an opponent the smallest that is quick.
    """
    fits: list[Fit] = []
    deepest = graph.counts.size if opponent is None else opponent.deepest
    for thinning in thinnings(graph):
        if thinning.plies > deepest:
            break
        rows = classes[thinning.unsolved[classes]]
        counts = frequencies(grades[rows])
        code = code_size(thinning.plies > 0, len(counts) > 1)
        alike = opponent is not None and len(counts) < 2  # what the search does not find looks like a draw
        fits.append(Fit(thinning, *((0, 0) if alike else (rows.size, size_bound(counts))), code))
        enough = opponent is None if budget is None else fits[-1].size <= budget
        if enough:
            return fits[-1]
    least = min(fits, key=lambda one: one.size)
    if budget is None:
        return min((fit for fit in fits if fit.thinning.looked_at <= QUICK), key=lambda one: one.size, default=fits[0])
    raise TooBig(
        f"{game.name} does not fit into {budget:,} bytes, as far as the size of code can be told; "
        f"the smallest budget is {least.size:,}, with a search of {plies_text(least.thinning.plies)}"
    )


def report(game: Game, classes: int, fit: Fit, opponent: Opponent | None) -> Report:
    """The size of the file and of its parts."""
    plies = fit.thinning.plies
    rest = f"a search of {plies_text(plies)} finds the rest" if plies else "the rest follow from the rules"
    share = f"{fit.rows:,} of {classes:,} canonical positions {'is' if fit.rows == 1 else 'are'} stored"
    density = f", {8 * fit.table / fit.rows:.2f} bits per position" if fit.rows else ""
    lines = [
        *([f"{game.name}, {opponent.about}"] if opponent else []),
        f"{game.name}: {share}; {rest}",
        f"{number_of(fit.table, 'byte')} of table{density}, and at most about {fit.code:,} bytes of code",
        f"a move looks at up to {number_of(fit.thinning.looked_at, 'position')}",
    ]
    sizes = {"table_bytes": fit.table, "code_bytes": fit.code, "looked_at": fit.thinning.looked_at}
    facts = {"plies": plies, "rows": fit.rows, "classes": classes, **sizes}
    return Report(lines, facts | (opponent.facts if opponent else {}))
