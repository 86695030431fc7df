"""Random games over the whole part of Python that rules may use, for comparing the ways to run the same rules.

A game never leaves its words and always has a move, but what it computes on the way may be anything: numbers wider
than a machine's, shifts by too much, truth values in sums, now and then a division by 0.
"""

from random import Random

TEMPLATE = """from perfectplay import Game

{constants}

{helpers}
def moves(mine, theirs):
{moves}
    legal = found & {all_moves}
    return legal if legal else 1


def play(mine, theirs, move):
{play}
    return found & {word}, (other ^ theirs) & {word}


def outcome(mine, theirs):
{outcome}
    return found % 5 - 1 if found % 5 < 4 else 2


def game():
    return Game(moves=moves, play=play, outcome=outcome, bits={bits}, shape=({count}, 1), start=({start}, 0),
                cells=tuple(((1 << i, 1 << i),) for i in range({count})))
"""

GENTLE = (0, 1, 2, 3, 5, 7, 8, 15, 63, 1000, -1, -2, -7)
HOSTILE = (*GENTLE, 2**31 - 1, 2**31, 2**32 + 5, 2**62, 2**63 - 1, -(2**31), -(2**62), -(2**63) + 1)


WIDE = (*HOSTILE, 2**63, 2**64 - 1, 2**65 + 9, 2**100 + 5, 2**125, 2**126 - 1, -(2**63) - 1, -(2**90), -(2**126))


class Writer:
    """Writes the source of one random game, of words and moves from 64 to 126 bits if it is wide."""

    def __init__(self, seed: int, wide: bool = False) -> None:
        self.rng = Random(seed)
        self.bits, self.moves = ((64, 126), (1, 126)) if wide else ((3, 6), (1, 6))
        self.numbers = WIDE if wide else HOSTILE if seed % 2 else GENTLE
        self.tuples = {"TABLE": self.rng.randint(1, 6), "FLAGS": 3}
        self.helpers: list[int] = []
        """How many arguments each helper takes."""
        self.loops = 0
        self.large = seed % 16 == 0
        """Large games take a minute to compile: few of them."""

    def source(self) -> str:
        """The file."""
        rng = self.rng
        bits, count = rng.randint(*self.bits), rng.randint(*self.moves)
        table = tuple(self.number() for _ in range(self.tuples["TABLE"]))
        rows = tuple((rng.randint(0, 3), rng.choice(self.numbers)) for _ in range(3))
        constants = f"TABLE = {table}\nROWS = {rows}\nFLAGS = (True, False, True)\nSIZE = {rng.randint(1, 9)}\n"
        texts = []
        for i in range(rng.randrange(3)):
            names = ["a", "b", "c"][: rng.randint(1, 3)]
            default = f"={rng.choice(self.numbers)}" if rng.random() < 0.2 else ""
            body = self.body(names, ["found"])
            texts.append(f"def helper{i}({', '.join(names)}{default}):\n{body}\n    return found\n\n")
            self.helpers.append(len(names))
        position = ["mine", "theirs"]
        return TEMPLATE.format(
            constants=constants,
            helpers="\n".join(texts),
            moves=self.body(position, ["found"]),
            play=self.body([*position, "move"], ["found", "other"]),
            outcome=self.body(position, ["found"]),
            all_moves=(1 << count) - 1,
            word=(1 << bits) - 1,
            bits=bits,
            count=count,
            start=rng.getrandbits(bits),
        )

    def number(self) -> int:
        """A constant."""
        return self.rng.choice(self.numbers)

    def body(self, names: list[str], results: list[str]) -> str:
        """The statements of a function that give the results values."""
        names = list(names)
        lines = []
        for name in results:
            lines.append(f"{name} = {self.value(names, 2 + self.large)}")
            names.append(name)
        for _ in range(self.rng.randint(1, 4 if self.large else 2)):
            lines += self.statement(names, results, 1 + self.large)
        return "\n".join(f"    {line}" for line in lines)

    def statement(self, names: list[str], results: list[str], depth: int) -> list[str]:
        """One statement, as lines."""
        rng, target = self.rng, self.rng.choice(results)
        kind = rng.randrange(11 if depth else 5)
        if kind == 0:
            return [f"{target} = {self.value(names, 2 + self.large)}"]
        if kind in (1, 2):
            sign = rng.choice(["+", "-", "*", "&", "|", "^", "//", "%"])
            return [f"{target} {sign}= {self.value(names, 2)}"]
        if kind == 3:
            return [f"{target} {rng.choice(['<<', '>>'])}= {self.count(names)}"]
        if kind == 4:
            other = rng.choice(results)
            return [f"{target}, {other} = {self.value(names, 2)}, {self.value(names, 2)}"]
        if kind in (5, 6):
            lines = [f"if {self.test(names, 2)}:", *self.inner(names, results, depth)]
            if rng.random() < 0.5:
                lines += [f"elif {self.test(names, 1)}:", *self.inner(names, results, depth)]
            return lines if rng.random() < 0.5 else [*lines, "else:", *self.inner(names, results, depth)]
        self.loops += 1
        counter = f"i{self.loops}"
        inside = [*names, counter]
        if kind == 7:
            over = rng.choice(["range(3)", "range(SIZE)", f"range({self.value(names, 1)} & 7)", "range(5, -1, -2)"])
            return [f"for {counter} in {over}:", *self.inner(inside, results, depth, loop=True)]
        if kind == 8:
            over, target_names = rng.choice([("TABLE", counter), ("ROWS", f"{counter}, j{self.loops}")])
            inside += [f"j{self.loops}"] if over == "ROWS" else []
            return [f"for {target_names} in {over}:", *self.inner(inside, results, depth, loop=True)]
        if kind == 9:
            return [
                f"for {counter}, j{self.loops} in enumerate({rng.choice(['TABLE', 'FLAGS'])}):",
                *self.inner([*inside, f"j{self.loops}"], results, depth, loop=True),
            ]
        return [
            f"{counter} = {self.value(names, 2)} & {rng.choice((7, 31))}",
            f"while {counter}:",
            f"    {counter} {rng.choice(['-= 1', '>>= 1', '&= ' + counter + ' - 1'])}",
            *self.inner(inside, results, depth, loop=True),
        ]

    def inner(self, names: list[str], results: list[str], depth: int, loop: bool = False) -> list[str]:
        """The statements inside another."""
        lines = [line for _ in range(self.rng.randint(1, 2)) for line in self.statement(names, results, depth - 1)]
        if loop and self.rng.random() < 0.3:
            lines += [f"if {self.test(names, 1)}:", f"    {self.rng.choice(['break', 'continue'])}"]
        return [f"    {line}" for line in lines]

    def count(self, names: list[str]) -> str:
        """By how much is shifted: never so much that Python runs out of memory."""
        wide = self.numbers is not GENTLE
        return f"({self.value(names, 1)} & {self.rng.choice((63, 127) if wide else (3, 7, 31))})"

    def test(self, names: list[str], depth: int) -> str:
        """An expression that is mostly a truth value."""
        rng = self.rng
        a, b = self.value(names, depth - 1), self.value(names, depth - 1)
        kind = rng.randrange(6 if depth else 2)
        if kind < 2:
            return f"{a} {rng.choice(['<', '<=', '==', '!=', '>', '>='])} {b}"
        if kind == 2:
            return f"({self.test(names, depth - 1)}) {rng.choice(['and', 'or'])} ({self.test(names, depth - 1)})"
        if kind == 3:
            return f"not ({self.test(names, depth - 1)})"
        if kind == 4:
            return f"{a} {rng.choice(['in', 'not in'])} {rng.choice(['TABLE', '(1, 2, 3)'])}"
        return f"{rng.choice(self.numbers)} <= {a} < {b}"

    def value(self, names: list[str], depth: int) -> str:
        """An expression that is a number, or a truth value used as one."""
        rng = self.rng
        if depth <= 0:
            return self.leaf(names)
        a, b = self.value(names, depth - 1), self.value(names, depth - 1 - rng.randrange(2))
        kind = rng.randrange(18)
        if kind < 6:
            return f"({a} {rng.choice(['+', '-', '*', '&', '|', '^'])} {b})"
        if kind == 6:
            return f"({a} {rng.choice(['<<', '>>'])} {self.count(names)})"
        if kind == 7:
            return (
                f"({a} {rng.choice(['//', '%'])} {rng.choice([b, str(rng.choice((1, 3, 7, -2, -5))), f'({b} | 1)'])})"
            )
        if kind == 8:
            return f"{rng.choice(['~', '-'])}{a}"
        if kind == 9:
            return f"({self.test(names, depth - 1)})"
        if kind == 10:
            return f"({a} if {self.test(names, depth - 1)} else {b})"
        if kind == 11:
            return f"{rng.choice(['min', 'max'])}({a}, {b}, {self.test(names, 0)})"
        if kind == 12:
            return f"{rng.choice(['abs', 'int', 'bool'])}({a})"
        if kind == 13:
            return f"({a}).{rng.choice(['bit_count', 'bit_length'])}()"
        if kind == 14:
            name = rng.choice(list(self.tuples))
            size = self.tuples[name]
            return f"{name}[{rng.choice([f'{a} % {size}', f'-1 - {a} % {size}', f'{a} & 3', str(size - 1)])}]"
        if kind == 15:
            return f"({a} {rng.choice(['and', 'or'])} {b})"
        if kind == 16:
            return rng.choice([f"({a} ** ({b} & 3))", "len(TABLE)", f"(ROWS[{a} % 3][1])", f"(not {a})"])
        if self.helpers:
            which = rng.randrange(len(self.helpers))
            arguments = [self.value(names, depth - 2) for _ in range(self.helpers[which])]
            return f"helper{which}({', '.join(arguments)})"
        return a

    def leaf(self, names: list[str]) -> str:
        """A variable or a constant."""
        number = self.rng.choice(self.numbers)
        return self.rng.choice([*names, *names, f"({number})" if number < 0 else str(number), "SIZE", "True"])
