"""Recorded games, read from a file: plain lines of moves, records and links of the page, JSON of battles, JSON lines.

Text has a game a line, its moves by name with blanks between; what follows # is a remark. Remarks such as `# game:`,
`# position:`, `# first:` and `# second:` on lines of their own tell of the games below them. A line may also be a link
of the page, or a JSON object with `moves`, and where it is known with `game`, `position` and `players`. A whole file
may be one JSON document: such an object, a list of them, or what a battle prints, with the games that were lost. The
record of a tournament is read, too: its first line has the settings.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from perfectplay.words import BadArgument, Brief

REMARK = re.compile(r"#\s*(game|position|first|second):\s*(\S.*?)\s*")
LINK = re.compile(r"https?://\S+|file://\S+")
TOURNAMENT = '{"tournament":'
"""How the record of a tournament begins."""
STDIN = "-"
"""The name that means standard input instead of a file."""


@dataclass(frozen=True)
class GameRecord(metaclass=Brief):
    """A recorded game: its moves by name, and what else the record says; texts are empty where it says nothing.

    `position` is the text of the position that it starts from, if not from the start; `players` has the names of the
    first and the second player; `source` says where it stands, such as games.txt, line 3.
    """

    moves: tuple[str, ...]
    game: str = ""
    position: str = ""
    players: tuple[str, str] = ("", "")
    source: str = ""


def read_games(path: str | Path) -> list[GameRecord]:
    """The games of a file in any format that the package or its page writes; "-" reads standard input."""
    text = text_of(path)
    name = "standard input" if str(path) == STDIN else str(path)
    return list(games_in(text, name))


def text_of(path: str | Path) -> str:
    """The text of the file; raises BadArgument."""
    try:
        return sys.stdin.read() if str(path) == STDIN else Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        why = getattr(fault, "strerror", None) or "it is not text"
        raise BadArgument(f"the record {str(path)!r} cannot be read: {why}") from None


def games_in(text: str, name: str) -> Iterator[GameRecord]:
    """The games of a text; `name` says in errors where it is from."""
    whole = document(text)
    if whole is not None:
        yield from games_of(whole, name)
        return
    said, used = GameRecord(()), False
    lines = text.splitlines()
    if text.startswith(TOURNAMENT) and not text.endswith("\n"):
        lines.pop()  # the tournament is being played, or was killed while it wrote this
    for number, line in enumerate(lines, 1):
        where = f"{name}, line {number}"
        if match := REMARK.fullmatch(line.strip()):
            said, used = with_remark(GameRecord(()) if used else said, *match.groups()), False
            continue
        for game in games_of_line(line.strip(), said, where):
            used = True
            yield game


def document(text: str) -> Any:
    """The JSON document that the whole text is; None if it is none, or several lines of JSON."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def with_remark(said: GameRecord, key: str, value: str) -> GameRecord:
    """The record for the following games, with one remark more."""
    first, second = said.players
    changed = {
        "game": replace(said, game=value),
        "position": replace(said, position=value),
        "first": replace(said, players=(value, second)),
        "second": replace(said, players=(first, value)),
    }
    return changed[key]


def games_of_line(line: str, said: GameRecord, where: str) -> Iterator[GameRecord]:
    """The games of one line; none if it is empty or a remark."""
    if line.startswith("{"):
        try:
            value = json.loads(line)
        except ValueError as fault:
            raise BadArgument(f"{where}: this is not JSON: {fault}") from None
        yield from games_of(value, where)
    elif LINK.fullmatch(line):
        yield replace(game_of_link(line), source=where)
    elif moves := line.partition("#")[0].split():
        yield replace(said, moves=tuple(moves), source=where)


def game_of_link(link: str) -> GameRecord:
    """The game in a link of the page."""
    address = urlsplit(link)
    query = parse_qs(address.query or address.fragment)

    def parameter(key: str) -> str:
        return query.get(key, [""])[0]

    moves = tuple(move for move in parameter("moves").split(",") if move)
    if not moves:
        raise BadArgument(f"{link} has no moves; copy the link of a game that is under way or over")
    return GameRecord(moves, parameter("game"), parameter("position"), (parameter("first"), parameter("second")))


def games_of(value: Any, where: str) -> Iterator[GameRecord]:
    """The games in a JSON value: an object with moves, a list of such, or a battle with the games that were lost."""
    if isinstance(value, list):
        for number, one in enumerate(value, 1):
            yield from games_of(one, f"{where}, game {number}")
        return
    if not isinstance(value, dict):
        raise BadArgument(f"{where}: {value!r} is no game; write an object such as " + '{"moves": ["b2", "a1"]}')
    if "tournament" in value or ("number" in value and value.get("moves") == []):
        return  # the settings, or a game that was forfeited before its first move
    if isinstance(value.get("losses"), list):
        for lost in value["losses"]:
            yield lost_game(value, lost, where)
    elif isinstance(value.get("plies"), list):
        yield record_of({**value, "moves": [ply.get("move") for ply in value["plies"]]}, where)
    else:
        yield record_of(value, where)


def lost_game(battle: dict[str, Any], lost: dict[str, Any], where: str) -> GameRecord:
    """A game that the first player of a battle lost, on the side that it had there."""
    players = [*battle.get("players", ())][:: -1 if lost.get("side") else 1]
    facts = {"game": battle.get("game", ""), "players": players, "moves": lost.get("moves")}
    return record_of(facts, f"{where}, game {lost.get('game')}")


def record_of(facts: dict[str, Any], where: str) -> GameRecord:
    """The game of a JSON object."""
    moves = facts.get("moves")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise BadArgument(f"{where}: this game has no list of moves by name, such as " + '"moves": ["b2", "a1"]')
    players = facts.get("players") or (facts.get("first"), facts.get("second"))
    return GameRecord(tuple(moves), text_in(facts, "game"), text_in(facts, "position"), player_names(players), where)


def text_in(facts: dict[str, Any], key: str) -> str:
    """The text of that key, empty if there is none."""
    value = facts.get(key)
    return value if isinstance(value, str) else ""


def player_names(players: Iterable[Any]) -> tuple[str, str]:
    """The names of two players; those of objects are their `name`."""
    names = [one.get("name") if isinstance(one, dict) else one for one in players]
    first, second = [name if isinstance(name, str) else "" for name in [*names, "", ""][:2]]
    return first, second
