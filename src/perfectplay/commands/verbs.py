"""The verbs of the program and where each stands; its file is imported when it is asked for."""

from collections.abc import Iterator
from importlib import import_module

from perfectplay.commands.verb import VERBS, Verb

FILES = {
    # play
    "play": "",
    "serve": "",
    "draw": "commands.draw",
    "games": "",
    "players": "",
    # check my AI
    "certify": "",
    "odds": "",
    "compare": "commands.compare",
    "tree": "commands.tree",
    "check": "",
    # know a game
    "solve": "",
    "analyse": "commands.analyse",
    "explain": "commands.explain",
    "review": "commands.review",
    "puzzles": "commands.puzzles",
    "strategy": "commands.strategy",
    "sweep": "commands.sweep",
    "perft": "",
    "mcp": "bridges.mcp.server",
    # compete
    "battle": "",
    "tournament": "",
    "bot": "",
    # publish
    "export": "",
    "site": "",
    # keep
    "tables": "",
    "verify": "",
    "book": "",
    "completion": "",
    "help": "",
}
"""The file of each verb."""
ALIASES = {"analyze": "analyse"}
"""Other spellings."""
GROUPS = {
    "play": "play",
    "check": "check my AI",
    "know": "know a game",
    "compete": "compete",
    "publish": "publish",
    "keep": "keep",
}
"""The groups of the help, and their headings."""
FIRST = ("play", "serve", "solve", "explain", "check")
"""What a newcomer may try first."""


def verb_named(name: str) -> Verb:
    """The verb of that name, or of another spelling of it; raises KeyError."""
    name = ALIASES.get(name, name)
    if not FILES[name]:
        return legacy(name)
    import_module(f"perfectplay.{FILES[name]}")
    return VERBS[name]


def legacy(name: str) -> Verb:
    """A command that is not a verb yet."""
    from perfectplay.commands.command_table import COMMANDS

    one = next(one for one in COMMANDS if one.name == name)
    group = next(
        group
        for group, names in {
            "play": "play serve draw games players",
            "check": "certify odds compare tree check",
            "compete": "battle tournament bot",
            "publish": "export site",
            "keep": "tables verify book completion help",
            "know": name,
        }.items()
        if name in names.split()
    )
    return Verb(name, one.run, group, one.summary, (one.example,), runs_rules=one.runs_rules, kept=one.kept, legacy=one)


def verbs() -> Iterator[Verb]:
    """All verbs, group by group."""
    found = [verb_named(name) for name in FILES]
    for group in GROUPS:
        yield from (one for one in found if one.group == group)
