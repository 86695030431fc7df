# ruff: noqa: D103
"""Moves and merges modules of the package, and rewrites everything that names them.

python bench/house/moves.py PLAN

A line of PLAN is `a.b -> c.d` (a module or a package moves) or `a.b => c.d` (a module goes behind another one, in
front with ^), within the package. Imports, dotted names in texts, quoted module names and paths follow, in code, texts
and settings. The docstring of a module that goes becomes a comment.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "perfectplay"
KINDS = {".py", ".pyi", ".md", ".toml", ".json", ".js", ".ipynb", ".yml", ".html", ".css", ".txt", ".mjs", ""}
FIRST: set[str] = set()
"""Modules whose code goes in front of that of the other, which uses it while it is loaded."""
UNTOUCHED = ("bench/results/", "bench/house/", "CHANGELOG.md", "tests/games/golden/", "package-lock", "requirements")


def main(plan: str) -> None:
    moves, merges = read_plan(Path(plan).read_text(encoding="utf-8"))
    renamed = modules_of(moves) | {f"perfectplay.{old}": f"perfectplay.{new}" for old, new in merges.items()}
    follow(renamed)
    for old, new in sorted(moves.items(), key=lambda pair: -pair[0].count(".")):
        move(old, new)
    for old, new in merges.items():
        merge(old, new)


def read_plan(text: str) -> tuple[dict[str, str], dict[str, str]]:
    moves: dict[str, str] = {}
    merges: dict[str, str] = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if "->" in line:
            old, new = (side.strip() for side in line.split("->"))
            moves[old] = new
        elif "=>" in line:
            old, new = (side.strip(" ^") for side in line.split("=>"))
            merges[old] = new
            if "^" in line:
                FIRST.add(old)
    return moves, merges


def place(module: str) -> Path:
    path = SOURCE.joinpath(*module.split("."))
    return path if path.is_dir() else path.with_suffix(".py")


def modules_of(moves: dict[str, str]) -> dict[str, str]:
    """The full old and new name of each module that moves, those of packages included."""
    renamed = {}
    for old, new in sorted(moves.items(), key=lambda pair: pair[0].count(".")):
        path = place(old)
        if not path.exists():
            raise SystemExit(f"there is no {old}")
        if path.is_dir():
            for file in path.rglob("*.py"):
                rest = file.relative_to(path).with_suffix("").parts
                rest = rest[:-1] if rest[-1] == "__init__" else rest
                renamed[".".join(["perfectplay", old, *rest])] = ".".join(["perfectplay", new, *rest])
        else:
            renamed["perfectplay." + old] = "perfectplay." + new
    for old, new in moves.items():  # the plan's own line is stronger than its package's
        renamed["perfectplay." + old] = "perfectplay." + new
    return renamed


def follow(renamed: dict[str, str]) -> None:
    for name in subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    ):
        file = ROOT / name
        if (
            not name
            or name.startswith(UNTOUCHED)
            or file.suffix not in KINDS
            or not file.is_file()
            or file.is_symlink()
        ):
            continue
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        new = imports(text, renamed) if file.suffix == ".py" else text
        new = dotted(new, renamed)
        new = paths(new, renamed)
        new = slashed(new, renamed)
        if new != text:
            file.write_text(new, encoding="utf-8")


def imports(text: str, renamed: dict[str, str]) -> str:
    """`from perfectplay.a import b` where b is a module that moves, one line for each new place."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    lines = text.splitlines(keepends=True)
    for node in sorted(
        (n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)), key=lambda n: n.lineno, reverse=True
    ):
        if not node.module or not node.module.startswith("perfectplay") or node.level:
            continue
        groups: dict[str, list[str]] = {}
        for alias in node.names:
            whole = f"{node.module}.{alias.name}"
            target = renamed.get(whole)
            name = alias.asname
            if target:
                module, last = target.rsplit(".", 1)
                shown = last if name in (None, last) and last == alias.name else f"{last} as {name or alias.name}"
                groups.setdefault(module, []).append(shown)
            else:
                shown = f"{alias.name} as {name}" if name else alias.name
                groups.setdefault(node.module, []).append(shown)
        if not any(f"{node.module}.{alias.name}" in renamed for alias in node.names):
            continue
        indent = " " * node.col_offset
        end = node.end_lineno or node.lineno
        tail = lines[end - 1][node.end_col_offset or 0 :]
        made = [f"{indent}from {m} import ({', '.join(names)})" for m, names in groups.items()]
        head = lines[node.lineno - 1][: node.col_offset]
        if head.strip():
            made = ["; ".join(line.strip() for line in made)]
            made[0] = head + made[0]
        lines[node.lineno - 1 : end] = ["\n".join(made) + tail]
    return "".join(lines)


def dotted(text: str, renamed: dict[str, str]) -> str:
    """Dotted names, whole or without the package at the start of a quoted text."""
    if "perfectplay." in text:
        pattern = re.compile(r"\bperfectplay((?:\.[a-z_0-9]+)+)")

        def put(found: re.Match[str]) -> str:
            parts = found[0].split(".")
            for n in range(len(parts), 1, -1):
                if ".".join(parts[:n]) in renamed:
                    return ".".join([renamed[".".join(parts[:n])], *parts[n:]])
            return found[0]

        text = pattern.sub(put, text)
    short = {old.removeprefix("perfectplay."): new.removeprefix("perfectplay.") for old, new in renamed.items()}

    def put_short(found: re.Match[str]) -> str:
        name = short.get(found[2])
        return f"{found[1]}{name}{found[3]}" if name else found[0]

    return re.sub(r"([\"'])([a-z_0-9]+(?:\.[a-z_0-9]+)+)([\"':])", put_short, text)


def paths(text: str, renamed: dict[str, str]) -> str:
    """`solvers/scores.py`, with or without what stands before it."""
    if ".py" not in text:
        return text
    known = {
        old.removeprefix("perfectplay.").replace(".", "/"): new.removeprefix("perfectplay.").replace(".", "/")
        for old, new in renamed.items()
    }

    def put(found: re.Match[str]) -> str:
        name = known.get(found[2])
        return f"{found[1] or ''}{name}.py" if name else found[0]

    return re.sub(r"((?:src/)?perfectplay/|(?<![\w/.-]))([a-z_0-9/]+)\.py\b", put, text)


def slashed(text: str, renamed: dict[str, str]) -> str:
    """Quoted modules with slashes, as compiled.py names its patterns."""
    known = {
        old.removeprefix("perfectplay.").replace(".", "/"): new.removeprefix("perfectplay.").replace(".", "/")
        for old, new in renamed.items()
        if old.count(".") > 1
    }
    return re.sub(r"(['\"])([a-z_0-9]+(?:/[a-z_0-9]+)+)(['\"])", lambda m: f"{m[1]}{known.get(m[2], m[2])}{m[3]}", text)


def move(old: str, new: str) -> None:
    """A module, or every file of a package that is still there."""
    source, target = SOURCE.joinpath(*old.split(".")), SOURCE.joinpath(*new.split("."))
    if source.with_suffix(".py").exists() and not source.is_dir():
        make_package(target.parent)
        git("mv", str(source.with_suffix(".py")), str(target.with_suffix(".py")))
        return
    for name in git("ls-files", str(source)).splitlines():
        file = ROOT / name
        place = target / file.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():  # the new package's docstring stays
            git("rm", "-qf", name)
        else:
            git("mv", name, str(place))


def make_package(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    while folder != SOURCE:
        if not (folder / "__init__.py").exists():
            (folder / "__init__.py").write_text(f'"""{folder.name.capitalize()}."""\n', encoding="utf-8")
            git("add", str(folder / "__init__.py"))
        folder = folder.parent


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def merge(old: str, new: str) -> None:
    """Puts the code of one module behind that of another; what the two import stands at the top, once."""
    giver, taker = place(old), place(new)
    first, second = taker.read_text(encoding="utf-8"), giver.read_text(encoding="utf-8")
    top, body = parts(first, new)
    more, rest = parts(second, new)
    whole = "perfectplay." + new
    kept = [line for line in more if line not in top]
    said = ast.get_docstring(ast.parse(second)) or ""
    rest = "".join(f"# {line}".rstrip() + "\n" for line in said.splitlines()) + "\n\n" + rest.lstrip("\n")
    bodies = [rest.lstrip("\n"), "\n\n", body.lstrip("\n")] if old in FIRST else [body, "\n\n", rest.lstrip("\n")]
    text = "".join([head(first), *top, *kept, "\n\n", *bodies])
    text = re.sub(rf"^from {re.escape(whole)} import (\([^)]*\)|[^\n(]*)\n", "", text, flags=re.M)
    taker.write_text(text, encoding="utf-8")
    git("rm", "-qf", str(giver))


def head(text: str) -> str:
    """The docstring of a module, with the lines in front of its first import."""
    tree = ast.parse(text)
    first = tree.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return "".join(text.splitlines(keepends=True)[: first.end_lineno]) + "\n"
    return ""


def parts(text: str, into: str) -> tuple[list[str], str]:
    """The imports at the top of a module, and what follows its docstring and them."""
    tree = ast.parse(text)
    lines = text.splitlines(keepends=True)
    end = 0
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and not found and end == 0:
            end = node.end_lineno or 0
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append("".join(lines[node.lineno - 1 : node.end_lineno]))
            end = node.end_lineno or 0
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            found.append("".join(lines[node.lineno - 1 : node.end_lineno]))
            end = node.end_lineno or 0
            continue
        break
    return found, "".join(lines[end:])


if __name__ == "__main__":
    main(sys.argv[1])
