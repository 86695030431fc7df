"""The verbs of the program and where each stands; its file is imported when it is asked for."""

from collections.abc import Iterator
from importlib import import_module

from perfectplay.commands.verb import VERBS, Verb

FILES = {
    # play
    "play": "commands.play",
    "serve": "server.serve",
    "draw": "commands.draw",
    "games": "commands.games",
    "players": "commands.players",
    # check my AI
    "certify": "commands.certify",
    "odds": "commands.odds",
    "compare": "commands.compare",
    "tree": "commands.tree",
    "check": "commands.check",
    # know a game
    "solve": "commands.solve",
    "analyse": "commands.analyse",
    "explain": "commands.explain",
    "review": "commands.review",
    "puzzles": "commands.puzzles",
    "strategy": "commands.strategy",
    "sweep": "commands.sweep",
    "perft": "commands.perft",
    # compete
    "battle": "commands.battle",
    "tournament": "commands.tournament",
    "bot": "commands.bot",
    # publish
    "export": "commands.export",
    "site": "commands.site",
    "mcp": "bridges.mcp.server",
    # keep
    "tables": "commands.tables",
    "verify": "commands.verify",
    "book": "commands.book",
    "completion": "commands.completion",
    "help": "commands.help",
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
"""What a newcomer may try first, under a heading of its own."""


def verb_named(name: str) -> Verb:
    """The verb of that name, or of another spelling of it; raises KeyError."""
    name = ALIASES.get(name, name)
    import_module(f"perfectplay.{FILES[name]}")
    return VERBS[name]


def headings() -> Iterator[tuple[str, list[Verb]]]:
    """The headings of the help, each with the verbs below it: what to try first, then group by group."""
    found = {name: verb_named(name) for name in FILES}
    yield "start here", [found.pop(name) for name in FIRST]
    for group, heading in GROUPS.items():
        yield heading, [one for one in found.values() if one.group == group]


def verbs() -> Iterator[Verb]:
    """All verbs, in the order of the help."""
    for _, below in headings():
        yield from below
