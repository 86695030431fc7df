"""`players`: the players that have a name."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from perfectplay.commands.verb import Call, on_command_line, verb

if TYPE_CHECKING:
    from perfectplay.commands.listing import PlayerInfo
    from perfectplay.views.document import Cell, Document


@verb("play", "list the players by name", "players", "players --json", name="players", runs_rules=False)
def list_players() -> "list[PlayerInfo]":
    """The named players, from the weakest to the strongest, and those of plug-ins that load."""
    from perfectplay.commands.listing import Listed, PlayerInfo, plugin_players
    from perfectplay.players.registry import KINDS
    from perfectplay.views.document import Strong

    columns: dict[str, Callable[[PlayerInfo], Cell]] = {
        "player": lambda one: Strong(one.usage or one.name),
        "what it does": lambda one: one.summary,
        "plays": lambda one: one.games,
    }
    players = [PlayerInfo(kind.name, kind.about, kind.games, kind.usage, kind.aliases) for kind in KINDS]
    return Listed("player", "players", columns, players + plugin_players().working)


@on_command_line("players")
def show(call: Call) -> int:
    """Prints a line for each player, below the games that it can play."""
    from perfectplay.commands.listing import plugin_players, print_faults
    from perfectplay.commands.terminal.streams import show as show_document

    players = call.result()
    print_faults(plugin_players())
    if call.options.json:
        return call.finish(players)
    show_document(by_games(players))
    return 0


def by_games(players: "list[PlayerInfo]") -> "Document":
    """The players in groups, by the games that they can play."""
    from perfectplay.views.document import Document, Notes, Section, Table

    groups: dict[str, list[tuple[Cell, ...]]] = {}
    for player in players:
        also = f" (also {', '.join(player.aliases)})" if player.aliases else ""
        groups.setdefault(player.games, []).append((player.usage, player.summary + also))
    sections = (Section(f"For {games}:", Table(rows, indent=2)) for games, rows in groups.items())
    return Document(None, *sections, Notes("A function of your own is a player, too: ./bots.py:my_ai"))
