"""Verbs as tools: their schemas, which follow from the signatures, and their calls, whose arguments are JSON."""

import os
import re
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from perfectplay.commands.kinds import FORCE, Kind, Memory, Names, Range
from perfectplay.commands.parser import did_you_mean
from perfectplay.commands.verb import REQUIRED, Parameter, Verb
from perfectplay.commands.verbs import verb_named
from perfectplay.words import BadArgument, BadGame, BadPlayer

TOOLS = "games check solve analyse explain review puzzles odds certify strategy".split()  # noqa: SIM905
"""The verbs that answer questions."""
Schema = dict[str, Any]

RULES = Parameter(
    "rules", Kind("text of a Python file with the rules of your own game, in place of a game that has a name"), None
)
BOTS = Parameter("bots", Kind("text of a Python file with your own players; player ./bots.py:my_ai is its my_ai"), None)
OWN_NAME = Kind("a game's name, with sizes (lines:4,4,3) or without; with rules their name (mygame or mygame:5,5)")
OWN_GAME = re.compile(r"(?:\./)?(\w+)(?:\.py)?(:.*)?")
BOTS_FILE = "./bots.py"


def tools() -> Iterator[Verb]:
    """The verbs that are tools."""
    for name in TOOLS:
        yield verb_named(name)


def parameters(verb: Verb) -> dict[str, Parameter]:
    """What a client may give: nothing that is rarely needed, names a file, or is for the server to say."""
    there = {
        one.name: one
        for one in verb.parameters.values()
        if not (one.kind.rare or names_file(one.kind) or one.kind == FORCE or isinstance(one.kind, Memory))
    }
    if takes_rules(verb):
        there |= {"game": Parameter("game", OWN_NAME, None), RULES.name: RULES}
    if any(one.kind.metavar in ("PLAYER", "MODEL") for one in there.values()):
        there[BOTS.name] = BOTS
    return there


def takes_rules(verb: Verb) -> bool:
    """Whether the verb is about one game, which may be a client's own."""
    return "game" in verb.parameters and verb.parameters["game"].default is REQUIRED


def names_file(kind: Kind) -> bool:
    """Whether the value is the name of a file or a folder."""
    return (kind.metavar or "").startswith(("FILE", "FOLDER", "DIR", "URL"))


def input_schema(verb: Verb) -> Schema:
    """What the tool takes, as JSON Schema."""
    there = parameters(verb)
    required = [one.name for one in there.values() if one.default is REQUIRED and (not one.many or one.kind.least)]
    properties = {name: schema_of(one) for name, one in there.items()}
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def schema_of(parameter: Parameter) -> Schema:
    """What may be given for the parameter."""
    kind, default = parameter.kind, parameter.default
    schema = {"type": "array", "items": kind.schema()} if has_many(parameter) else kind.schema()
    schema["description"] = kind.help
    return schema if default in (REQUIRED, None) or has_many(parameter) else {**schema, "default": default}


def has_many(parameter: Parameter) -> bool:
    """Whether a list is given where the command line takes several."""
    return parameter.many or parameter.kind.repeats


def options_of(verb: Verb, arguments: Mapping[str, Any], memory: int) -> Namespace:
    """The arguments as the verb takes them, once rules and bots are files of the current folder; raises BadArgument."""
    there = parameters(verb)
    given = {name: value for name, value in arguments.items() if value is not None}
    for name in given:
        if name not in there:
            names = f"{verb.name} takes {', '.join(there)}"
            raise BadArgument(
                f"no parameter of {verb.name} is called {name!r}{did_you_mean(name, there) or f'; {names}'}"
            )
    values = {name: value_of(there[name], value) for name, value in given.items()}
    bots = values.pop(BOTS.name, None)
    if bots is not None:
        Path(BOTS_FILE).write_text(bots, encoding="utf-8")
    for name in values.keys() - {"game", RULES.name}:
        refuse_files(name, values[name], bots is not None)
    if takes_rules(verb):
        values["game"] = game_name(values.get("game"), values.pop(RULES.name, None))
    taken = (*verb.parameters.values(), *verb.options.values())
    options = {one.name: [] if has_many(one) else one.default for one in taken} | values
    for one in taken:
        if isinstance(one.kind, Memory):
            options[one.name] = memory
        elif options[one.name] is REQUIRED or (one.kind.least and not options[one.name]):
            what = 'a list of names, such as ["perfect"]' if has_many(one) else one.kind.help
            raise BadArgument(f"{verb.name} needs {one.name}: {what}")
    return Namespace(**options, json=verb.json)


def value_of(parameter: Parameter, value: Any) -> Any:
    """The value as the function takes it, which checks the rest; raises BadArgument."""
    shape = schema_of(parameter)
    if shape["type"] == "array":
        if not isinstance(value, list):
            raise BadArgument(f"{parameter.name}={value!r} is not a list")
        if isinstance(parameter.kind, Range):
            return parameter.kind.read("..".join(map(str, value)))
    texts, what = (value, "a list of texts") if shape["type"] == "array" else ([value], "a text")
    if shape.get("items", shape)["type"] == "string" and not all(isinstance(text, str) for text in texts):
        raise BadArgument(f"{parameter.name}={value!r} is not {what}")
    return tuple(value) if isinstance(parameter.kind, Names) else value


def refuse_files(name: str, value: Any, with_bots: bool) -> None:
    """Raises BadPlayer for the name of a program, or of a file that would be run or read."""
    from perfectplay.players.registry import in_own_process, may_be_served, player_entry

    for text in value if isinstance(value, list | tuple) else [value]:
        if not isinstance(text, str) or (with_bots and text.startswith(f"{BOTS_FILE}:")):
            continue
        if in_own_process(text) or os.path.isfile(text) or (player_entry(text) is not None and not may_be_served(text)):
            if text.startswith(f"{BOTS_FILE}:"):
                raise BadPlayer(f"{name}={text!r} needs bots: the text of the Python file with that player")
            raise BadPlayer(f"{name}={text!r} is not for clients; name a built-in player, or one of the text bots")


def game_name(name: str | None, rules: str | None) -> str:
    """The name under which the game is loaded, whose rules are written first if there are some."""
    from perfectplay.rules.families import full_name
    from perfectplay.rules.loading import FOREIGN, split_path

    if rules is not None:
        own = OWN_GAME.fullmatch(name or "mygame")
        if own is None:
            raise BadGame(f"game={name!r} is not a name for rules; write one such as mygame, or mygame:5,5 with sizes")
        Path(f"{own[1]}.py").write_text(rules, encoding="utf-8")
        return f"./{own[1]}.py{own[2] or ''}"
    if name is None:
        raise BadArgument(
            'there is no game; give game, a name such as "tic-tac-toe", or rules, the text of a Python file'
        )
    if split_path(name)[0] is not None or "/" in name or name.startswith(FOREIGN):
        raise BadGame(f"game={name!r} is not for clients; name a built-in game, or give the text rules")
    return full_name(name)
