"""Imports that import-linter cannot see, since a text names the module: they run downwards, too, and lead somewhere."""

import ast
import re
import tomllib

from homes import ROOT
from perfectplay.commands.verbs import FILES

PACKAGE = ROOT / "src" / "perfectplay"
LAYERS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]
HEIGHT = {room: -n for n, layer in enumerate(LAYERS["layers"]) for room in layer.split(" | ")}
NAME = re.compile(r"\bperfectplay((?:\.[a-z_]\w*)+)(?::\w+)?")
SHORT = re.compile(r"([a-z_]\w*(?:\.[a-z_]\w*)+):[a-z_]\w*")
"""A module and a function of the package, as tables of late imports name them."""
CANDIDATE = re.compile(rf"^(?!\s*(?:from|import) ).*\bperfectplay\.|[\"']{SHORT.pattern}[\"']", re.MULTILINE)
"""In a file where a text names a module: to parse all files takes seconds."""
UPWARDS = {
    ("rules/families.py", "games"),  # the loader finds a family by its name
    ("rules/loading.py", "games"),
    ("rules/plugins.py", "games"),  # groups of entry points are called so, not modules
    ("rules/plugins.py", "players"),
    ("game.py", "games"),
    ("game.py", "views.game_document"),
    ("commands/verbs.py", "server.serve"),
    ("commands/verbs.py", "bridges.mcp.server"),
}
"""Texts that name what lies above: whether rules come with the package, the loader, a game in a notebook, a command."""


def texts(tree):
    """The texts in code, those of f-strings in pieces; no docstrings, and no sentences."""
    nodes = list(ast.walk(tree))
    said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def named_modules():
    """(file, module) for each module that a text names; the longest name that is a module or a package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        source = path.read_text(encoding="utf-8")
        for text in texts(ast.parse(source)) if CANDIDATE.search(source) else ():
            names = [match[1].lstrip(".") for match in NAME.finditer(text)]
            if not names and (match := SHORT.fullmatch(text)):
                names.append(match[1])
            for name in names:
                yield file, name
    yield from (("commands/verbs.py", name) for name in FILES.values() if name)


def module_in(name):
    """The longest part of a name that is a module; "" if there is none."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        place = PACKAGE.joinpath(*parts[:n])
        if place.is_dir() or place.with_suffix(".py").exists():
            return ".".join(parts[:n])
    return ""


def test_texts_name_modules_that_are_there_and_none_above():
    found = [(file, name, module_in(name)) for file, name in named_modules()]
    assert len(found) > 50
    public = {"widget"}
    assert [(file, name) for file, name, module in found if not module and name not in public] == []
    lost = [(file, name) for file, name, module in found if module and name.count(".") > module.count(".") + 2]
    assert lost == []
    upwards = {
        (file, module)
        for file, _, module in found
        if module and HEIGHT[module.split(".")[0]] > HEIGHT.get(file.split("/")[0].removesuffix(".py"), 1)
    }
    assert upwards == UPWARDS
