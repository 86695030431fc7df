"""The page in one file: scripts, style and icon inside, nothing to fetch.

A module becomes a function that runs once and returns what the module exports. Only the forms of import and export
that the page's scripts use are known; any other is an error, never a broken page.
"""

import base64
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfectplay import __version__
from perfectplay.exports.page import ASSETS, OFFLINE, SEARCHED, STATIC, style

if TYPE_CHECKING:
    from jinja2 import Template

SOLVED_PAGE, SEARCHED_PAGE = (OFFLINE, STATIC), (SEARCHED, OFFLINE, STATIC)
"""Where the scripts of a page are found; those of the first folder take the place of others."""

JSDOC = re.compile(r"/\*\*.*?\*/ ?", re.DOTALL)
REMARK = re.compile(r"^\s*//.*\n", re.MULTILINE)
PATH = r'"(?:\./|(?:\.\./)+(?:[a-z]+/)+)([a-z_]+)\.js"'
IMPORT = re.compile(rf"^import (\{{[^}}]*\}}) from {PATH};$", re.MULTILINE)
LATER = re.compile(rf"\bimport\({PATH}\)")
HANDED_ON = re.compile(rf"^export (\{{[^}}]*\}}) from {PATH};$", re.MULTILINE)
IMPORTED = re.compile(r"^export (\{[^}]*\});$", re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
UNKNOWN = re.compile(r"^(?:(?:import|export)\b.*|.*\bimport *\(.*)$", re.MULTILINE)


def template(name: str) -> "Template":
    """A page to be filled."""
    from jinja2 import Environment, FileSystemLoader  # only where a page is written

    return Environment(loader=FileSystemLoader(ASSETS), autoescape=True).get_template(name)


def rendered(name: str, values: dict[str, Any], folders: Sequence[Path] = SOLVED_PAGE, sheet: str = "") -> str:
    """A page with its scripts, its icon and a sheet of style inside, that of the page unless it is given."""
    page = template(name)
    icon = base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()
    return page.render(
        offline=True,
        version=__version__,
        style=small_style(sheet or style()),
        script=safe_in_page(bundled(Path(name).stem, scripts(folders))),
        icon=f"data:image/svg+xml;base64,{icon}",
        **values,
    )


def scripts(folders: Sequence[Path] = SOLVED_PAGE) -> dict[str, str]:
    """The text of each script, by its name."""
    found: dict[str, str] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.js")):
            found.setdefault(path.stem, path.read_text(encoding="utf-8"))
    return found


def bundled(first: str, texts: dict[str, str]) -> str:
    """All modules as one script, starting with the first; raises ValueError for an unknown form."""
    done: dict[str, str] = {}
    waiting: list[str] = []

    def take(name: str) -> None:
        if name in waiting:
            raise ValueError(f"the scripts {' '.join(waiting)} import each other in a circle")
        if name in done:
            return
        waiting.append(name)
        text = bare(texts[name])
        for pattern in (IMPORT, LATER, HANDED_ON):
            for found in pattern.finditer(text):
                take(found[found.re.groups])
        waiting.pop()
        done[name] = as_function(name, text)

    take(first)
    return '"use strict";\n' + "".join(done.values())


def as_function(name: str, text: str) -> str:
    """A module as a function that has run, under its name."""
    exports = [found[2] for found in EXPORT.finditer(text)]
    text = EXPORT.sub(r"\1 \2", text)
    for found in (*HANDED_ON.finditer(text), *IMPORTED.finditer(text)):
        exports += [one.strip() for one in found[1].strip("{}").split(",")]
    text = IMPORTED.sub("", text)
    text = HANDED_ON.sub(r"const \1 = \2_js;", text)
    text = IMPORT.sub(r"const \1 = \2_js;", text)
    text = LATER.sub(r"Promise.resolve(\1_js)", text)
    unknown = UNKNOWN.search(text)
    if unknown or " as " in "".join(exports):
        raise ValueError(f"{name}.js: no way is known to bundle {unknown[0].strip() if unknown else exports!r}")
    return f"const {name}_js = (() => {{\n{text}return {{ {', '.join(exports)} }};\n}})();\n"


def bare(text: str) -> str:
    """The script without types, remarks and indentation; raises ValueError for texts that go over several lines."""
    text = REMARK.sub("", JSDOC.sub("", text))
    if any(line.count("`") % 2 for line in text.splitlines()):
        raise ValueError("a text that goes over several lines would lose its indentation")
    return "".join(f"{line.strip()}\n" for line in text.splitlines() if line.strip())


def small_style(text: str) -> str:
    """The style without remarks and indentation."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def safe_in_page(script: str) -> str:
    """The script with nothing in it that a browser takes for its end."""
    return re.sub("<(?=/script|!--)", r"\\x3c", script, flags=re.IGNORECASE)
