"""Writes the pages that follow from code: commands, the JSON they print, the HTTP API, decisions."""

import argparse
import json
import re
from pathlib import Path

from json_reference import json_page

from perfectplay.commands.parser import PROGRAM, RARE, command_parser
from perfectplay.commands.verb import Verb
from perfectplay.commands.verbs import headings
from perfectplay.server.api_tasks import description

FOLDER = Path(__file__).parent / "reference"
DECISIONS = Path(__file__).parent / "decisions"
DECISIONS_HEAD = """# Decisions

<!-- Written by docs/reference_pages.py: make reference -->

One page per decision: the context, the choice, the price. A decision that is replaced stays here and says by which one.

"""
COMMANDS_HEAD = """# Commands

<!-- Written by docs/reference_pages.py from the parser: make reference -->

`perfectplay COMMAND --help` prints the same in the terminal.

## Games, players and positions

A **game** is named by its file and sizes (`lines:4,4,3`, `lines:3,3,3,misere=true`), by a well-known name \
(`connect-four`) or by a path (`./mygame.py:5,5`). A **player** is a [named player](players.md) or a function in a \
file (`./bots.py:my_ai`). A **position** is the side to move, a colon and the board row by row from the top, with \
a dot for an empty square: `O:X../.O./..X`.

## Output and exit codes

Results go to standard output; progress and errors go to standard error. With `--json`, standard output holds one \
[JSON](json.md) document and nothing else. The exit code is 0 for success, 1 if `certify` finds that a player is not \
perfect, and 2 for input that cannot be used or a file that cannot be written, with one line that says what is wrong. \
A command that is interrupted by Ctrl-C, SIGTERM or SIGHUP cleans up, says in one line what is kept and how to resume, \
and exits with 128 plus the signal's number. \
`serve` exits with 0 after Ctrl-C.

## Files

Tables and books are kept in the user's data directory, compiled code in the cache directory. Set `PERFECTPLAY_HOME` \
to keep both elsewhere.

A command that writes a file replaces an empty file and a file of the same kind that perfectplay wrote. It refuses to \
replace any other file unless you add `--force`. perfectplay recognises its files by a mark: \
a `generator` in HTML, SVG and pictures, the field `perfectplay` in JSON and Parquet, a comment in C, the first bytes \
of a table, and the names of columns in the CSV or JSON of a sweep. The folder must exist. A symbolic link is followed \
within its folder; `--force` follows it elsewhere. A file appears when it is complete: if writing fails, the earlier \
file stays. The functions of the [Python API](python.md) have the same rule, with `force=True`. A record of games \
(`--record`) is never replaced.
"""
HTTP_HEAD = """# HTTP API

<!-- Written by docs/reference_pages.py from openapi.json: make reference -->

`perfectplay serve` answers these requests. The server keeps no state about games: every request carries its position. \
`GET /api/openapi.json` returns the full description in OpenAPI 3.1.

```sh
curl 'http://127.0.0.1:8000/api/analysis?game=tic-tac-toe&position=O:.../.X./...'
```

A request that cannot be answered gets a status and `{"error": "..."}`: 400 for a bad position, move or player, 404 \
for an unknown game, 408 for a request that arrives too slowly, 409 for rules that have changed, 413 for a body that \
is too large, 422 for a game that is too big or suspended, 503 for too many requests, with a `retry-after` header.

Pass the `rules` value from `/api/game` with later requests: their answers then carry headers that let a browser \
cache them for good.
"""


def named(action: argparse.Action) -> str:
    """The placeholder of an argument's value."""
    if action.nargs == 0:
        return ""
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    if isinstance(action.metavar, str):
        return (
            {"+": f"{action.metavar} ...", "?": f"[{action.metavar}]"}.get(str(action.nargs), action.metavar)
            if (action.option_strings)
            else action.metavar
        )
    if action.choices and not action.option_strings:
        return f"{{{','.join(map(str, action.choices))}}}"
    return action.dest.upper() if action.option_strings else action.dest


def usage(name: str, parser: argparse.ArgumentParser) -> str:
    """The command with its arguments."""
    words = ["perfectplay", name]
    for action in positional(parser):
        repeat = {None: "{}", "*": "[{} ...]", "+": "{} ...", "?": "[{}]"}.get(action.nargs, "{}")
        count = action.nargs if isinstance(action.nargs, int) else 1
        words += [repeat.format(named(action))] * count
    required = [f"{action.option_strings[0]} {named(action)}" for action in options(parser) if action.required]
    return " ".join([*words, *required, "[options]"])


def positional(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The arguments without dashes."""
    return [action for action in parser._actions if not action.option_strings]


def options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options, but for --help."""
    return [action for action in parser._actions if action.option_strings and "--help" not in action.option_strings]


def row(action: argparse.Action) -> str:
    """The row of an argument or option."""
    name = named(action)
    if action.option_strings:
        choices = f"{{{','.join(map(str, action.choices))}}}" if action.choices else name
        shown = [option for option in action.option_strings if option.startswith("--")] or action.option_strings
        name = " ".join(filter(None, [shown[0], choices]))
    text = re.sub(r"\s+", " ", (action.help or "").replace("%%", "%"))
    return f"| `{escaped(name)}` | {escaped(text)} |"


def escaped(text: str) -> str:
    """The text in a cell of a table."""
    return text.replace("|", "\\|")


def command_section(verb: Verb) -> str:
    """The section of a command."""
    parser = command_parser(verb)
    lines = [f"\n### {verb.name}\n", parser.description or "", "", "```text", usage(verb.name, parser), "```", ""]
    rare = [action for group in parser._action_groups if group.title == RARE for action in group._group_actions]
    usual = [action for action in positional(parser) + options(parser) if action not in rare]
    lines += ["| argument | meaning |", "|---|---|", *map(row, usual), ""]
    if rare:
        lines += [f"{RARE.capitalize()}:", "", "| option | meaning |", "|---|---|", *map(row, rare), ""]
    lines += ["Examples:", "", "```sh", *(f"{PROGRAM} {example}" for example in verb.examples), "```"]
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """The page of commands, in the order of the help."""
    parts = []
    for heading, below in headings():
        parts += [f"\n## {heading[0].upper()}{heading[1:]}\n", *map(command_section, below)]
    return COMMANDS_HEAD + "".join(parts)


def resolved(api: dict, item: dict) -> dict:
    """The item that a reference leads to."""
    while "$ref" in item:
        found = api
        for part in item["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        item = found
    return item


def type_of(api: dict, schema: dict) -> str:
    """The type of a JSON value, in words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return name if resolved(api, schema).get("type") == "object" else type_of(api, resolved(api, schema))
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {type_of(api, schema['items'])}" if "items" in schema else "list"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def request_section(api: dict, path: str, method: str, request: dict) -> str:
    """The section of a request."""
    lines = [f"\n## {method.upper()} {path}\n", request["summary"] + ".", ""]
    if "description" in request:
        lines += [request["description"], ""]
    parameters = [resolved(api, item) for item in request.get("parameters", [])]
    if parameters:
        lines += ["| parameter | required | meaning |", "|---|---|---|"]
        for item in parameters:
            required = "yes" if item.get("required") else "no"
            lines.append(f"| `{item['name']}` | {required} | {escaped(item['description'])} |")
        lines.append("")
    if "requestBody" in request:
        (content,) = request["requestBody"]["content"].values()
        fields = ", ".join(f"`{name}`" for name in content["schema"]["properties"])
        lines += [f"The body is a JSON object with {fields}.", ""]
    content = request["responses"]["200"]["content"]
    schemas = {kind: one["schema"] for kind, one in content.items()}
    if "application/json" in schemas:
        lines += object_table(api, resolved(api, schemas["application/json"]))
    else:
        kinds = ", ".join(f"`{kind}`" for kind in schemas)
        lines += [f"Returns {kinds}."]
    return "\n".join(lines).rstrip() + "\n"


def object_table(api: dict, schema: dict) -> list[str]:
    """The fields of an object, as rows."""
    lines = ["| field | type | meaning |", "|---|---|---|"]
    for name, field in schema.get("properties", {}).items():
        about = field.get("description") or resolved(api, field).get("description") or ""
        lines.append(f"| `{name}` | {escaped(type_of(api, field))} | {escaped(about)} |")
    return lines


def http_page() -> str:
    """The page of the HTTP API."""
    api = description()
    parts = [
        request_section(api, path, method, request)
        for path, methods in api["paths"].items()
        for method, request in methods.items()
    ]
    used = [name for name in api["components"]["schemas"] if name in ("Family", "Worth", "Bound", "Chance")]
    for name in used:
        parts.append("\n".join([f"\n## {name}\n", *object_table(api, api["components"]["schemas"][name])]) + "\n")
    return HTTP_HEAD + "".join(parts)


def decisions_page() -> str:
    """The list of decisions."""
    titles = {path.name: path.read_text(encoding="utf-8").partition("\n")[0] for path in DECISIONS.glob("0*.md")}
    return DECISIONS_HEAD + "".join(f"- [{titles[name].lstrip('# ')}]({name})\n" for name in sorted(titles))


PAGES = {
    FOLDER / "commands.md": commands_page,
    FOLDER / "json.md": json_page,
    FOLDER / "http-api.md": http_page,
    DECISIONS / "index.md": decisions_page,
}

if __name__ == "__main__":
    for path, page in PAGES.items():
        path.write_text(page(), encoding="utf-8")
        print(f"wrote {path.name}")
