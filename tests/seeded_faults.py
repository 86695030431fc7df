"""Small faults that can be made in the package, one place each, and a seeded choice of them."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from homes import ROOT

SOURCE = ROOT / "src" / "perfectplay"
LINE = "# ---- below this line the text is the same for every game ----"
"""Above it, a kernel's file has stubs for what a game brings; they never run."""
FEWEST = 2
"""Every package gets as many faults as this, however small."""


@dataclass(frozen=True)
class Fault:
    """A change of one place in a file; `begin` and `end` are offsets of bytes, `lines` those of its statement."""

    file: str
    function: str
    kind: str
    begin: int
    end: int
    text: str
    line: int
    lines: range
    before: str
    number: int = 0

    @property
    def package(self) -> str:
        """The folder of the package in which it lies."""
        return self.file.partition("/")[0] if "/" in self.file else "hall"

    def rank(self, seed: int) -> str:
        """A random number that changes elsewhere in the package leave as it is."""
        place = (seed, self.file, self.function, self.kind, self.before, self.text, self.number)
        return sha256(repr(place).encode()).hexdigest()


COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is not": "is", "is": "is not"}
COMPARED |= {"not in": "in", "in": "not in"}
TURNED = {"+": "-", "-": "+", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "*": "+", "//": "*"}
OPERATOR = re.compile(r"<<|>>|//|\*(?!\*)|[-+&|]")
COMPARISON = re.compile(r"is\s+not|not\s+in|is|in|[<>=!]=|[<>]")


def faults_of(file: Path) -> Iterator[Fault]:
    """All faults that can be made in a file, in the order of their places."""
    source = file.read_bytes()
    tree = ast.parse(source)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    first = next((line for line, text in enumerate(source.splitlines(), 1) if text == LINE.encode()), 0)
    seen: Counter[tuple[str, ...]] = Counter()
    for node, statement, function in places(tree):
        if node.lineno <= first:
            continue
        for kind, begin, end, text in changes(node, source, starts):
            before = source[begin:end].decode()
            key = function, kind, before, text
            lines = range(statement.lineno, header_end(statement) + 1)
            name = file.relative_to(SOURCE).as_posix()
            yield Fault(name, function, kind, begin, end, text, node.lineno, lines, before, seen[key])
            seen[key] += 1


def header_end(statement: ast.stmt) -> int:
    """The last line of a statement without the statements in it."""
    body = getattr(statement, "body", None)
    return max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno


def places(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.stmt, str]]:
    """The nodes that do something, each with its statement and the name of its function: no text, type or decorator."""

    def walk(node, statement, function):
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "type_params", "bases", "keywords_only"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or isinstance(child, (ast.JoinedStr, ast.Raise, ast.ImportFrom)):
                    continue
                named = child.test if isinstance(child, ast.If) else getattr(child, "targets", [None])[0]
                if isinstance(named, ast.Name) and named.id in ("TYPE_CHECKING", "__all__", "__slots__"):
                    continue
                inside = statement
                within = function
                if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    within = f"{function}.{child.name}".lstrip(".")
                if isinstance(child, ast.stmt):
                    inside = child
                if inside is not None and hasattr(child, "lineno"):
                    yield child, inside, within
                yield from walk(child, inside, within)

    yield from walk(tree, None, "")


def changes(node: ast.AST, source: bytes, starts: list[int]) -> Iterator[tuple[str, int, int, str]]:
    """The faults at a node: kind, first and last byte, new text."""

    def span(part):
        return starts[part.lineno - 1] + part.col_offset, starts[part.end_lineno - 1] + part.end_col_offset

    def words(part):
        begin, end = span(part)
        return source[begin:end].decode()

    def between(left, right, pattern, table, kind):
        begin, end = span(left)[1], span(right)[0]
        match = re.search(pattern, source[begin:end].decode())
        word = re.sub(r"\s+", " ", match[0]) if match else ""
        if word in table:
            yield kind, begin + match.start(), begin + match.end(), table[word]

    match node:
        case ast.Compare(ops=[_], comparators=[right]):
            yield from between(node.left, right, COMPARISON, COMPARED, "comparison")
        case ast.BoolOp(values=[left, right, *_]):
            yield from between(left, right, r"\b(and|or)\b", {"and": "or", "or": "and"}, "and, or")
        case ast.BinOp() if not any(
            isinstance(side, (ast.JoinedStr, ast.List, ast.Tuple)) for side in (node.left, node.right)
        ):
            if not any(
                isinstance(side, ast.Constant) and isinstance(side.value, str) for side in (node.left, node.right)
            ):
                yield from between(node.left, node.right, OPERATOR, TURNED, "operator")
        case ast.Constant(value=bool()):
            yield "constant", *span(node), str(not node.value)
        case ast.Constant(value=int()):
            yield "off by one", *span(node), f"{node.value + 1}"
        case ast.If() | ast.While() | ast.IfExp() if not isinstance(node.test, ast.Constant):
            yield "condition", *span(node.test), f"(not ({words(node.test)}))"
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "dropped line", *span(node), "pass"
        case ast.Call(args=[first, second, *_]) if not isinstance(first, ast.Starred) and not isinstance(
            second, ast.Starred
        ):
            if words(first) != words(second):
                between_them = source[span(first)[1] : span(second)[0]].decode()
                yield "arguments", span(first)[0], span(second)[1], words(second) + between_them + words(first)


def choose(n: int, seed: int) -> list[Fault]:
    """That many faults: in packages in proportion to their places, a few at least in each, of every kind alike."""
    packages = defaultdict(list)
    for file in sorted(SOURCE.rglob("*.py")):
        for fault in faults_of(file):
            packages[fault.package].append(fault)
    total = sum(map(len, packages.values()))
    chosen = []
    for faults in packages.values():
        faults.sort(key=lambda fault: fault.rank(seed))
        kinds: Counter[str] = Counter()
        order = []
        for fault in faults:
            order.append((kinds[fault.kind], fault.rank(seed), fault))
            kinds[fault.kind] += 1
        order.sort(key=lambda entry: entry[:2])
        share = n * len(faults) / total
        # The whole share first, then a last one by its fraction: so n in all, but for the small packages.
        chosen += [(place + 1 - max(FEWEST, share), *entry) for place, entry in enumerate(order) if place < share + 1]
        chosen += [(0, *entry) for place, entry in enumerate(order[:FEWEST]) if place >= share + 1]
    chosen.sort(key=lambda entry: entry[:3])
    return sorted((entry[3] for entry in chosen[:n]), key=lambda fault: fault.rank(seed))
