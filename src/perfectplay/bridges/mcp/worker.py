"""The process that makes one answer, in an empty folder: whatever rules do ends with it."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfectplay.bridges.mcp.tools import options_of
from perfectplay.commands.terminal.rule_limit import rule_limit
from perfectplay.commands.verb import Call, ShownResult
from perfectplay.commands.verbs import verb_named
from perfectplay.processes.folders import cache_folder
from perfectplay.processes.json_processes import JsonParent
from perfectplay.rules.loading import describe_fault
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.words import PerfectplayError

if TYPE_CHECKING:
    from perfectplay.views.document import Part

GAMES, TABLES = "perfectplay://games", "perfectplay://tables"
"""The addresses of resources."""
Message = dict[str, Any]


def main() -> None:
    """Makes the answer."""
    parent = JsonParent()
    request = parent.receive()
    os.chdir(os.environ["TMPDIR"])  # in a sandbox, the folder that can be written to
    try:
        answer = {"text": resource(request["name"])} if request["arguments"] is None else tool(parent, request)
    except PerfectplayError as fault:
        answer = {"error": str(fault)}
    except MemoryError:
        answer = {"error": f"{request['name']} ran out of memory"}
    except (Exception, SystemExit) as fault:  # rules may do anything, at any time
        answer = {"error": f"{request['name']} raised an error: {describe_fault(fault)}"}
    parent.send(answer)


def tool(parent: JsonParent, request: Message) -> Message:
    """What the command prints, as JSON and as text."""
    if "rules" in request["arguments"]:
        keep_nothing()
    verb = verb_named(request["name"])
    options = options_of(verb, request["arguments"], request["memory"])
    answer = Answer(verb, options)
    try:
        with rule_limit(vars(options).get("game") or "", lambda line: parent.send({"error": line})), rule_faults:
            if verb.command is None:
                answer.finish(answer.result())
            else:
                verb.command(answer, **{name: getattr(options, name) for name in verb.options})
    except PerfectplayError:
        if not answer.message:  # a report on faults is a result
            raise
    return answer.message


class Answer(Call):
    """A call of a verb whose result is not printed: its facts are an object, and its text is that of its document."""

    message: Message = {}  # noqa: RUF012 - never changed

    def finish(self, found: ShownResult, line: str = "", below: "Part | None" = None, **more: Any) -> int:
        """Takes the result."""
        from perfectplay.views.document_text import text

        facts = found.to_dict(**more)
        self.message = {
            "facts": facts if isinstance(facts, dict) else {"result": facts},
            "text": text(found.document().followed_by(below)),
        }
        return 0


def keep_nothing() -> None:
    """Moves the folder of tables into the current one; compiled code is still found."""
    home, cache = Path("home").resolve(), cache_folder()
    home.mkdir()
    (home / "cache").symlink_to(cache, target_is_directory=True)
    os.environ["PERFECTPLAY_HOME"] = str(home)


def resource(address: str) -> str:
    """The text of a resource."""
    from perfectplay import kept, list_games
    from perfectplay.commands.listing import game_named

    found: Any
    if address == GAMES:
        found = [game.to_dict() for game in list_games()]
    elif address == TABLES:
        found = [item.to_dict() for item in kept() if item.kind == "table"]
    else:
        found = game_named(address.removeprefix(f"{GAMES}/")).to_dict()
    return json.dumps(found)
