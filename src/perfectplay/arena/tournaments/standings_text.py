"""The result of a tournament as text, for terminals of any width.

A section is a list of lines, a heading first. A table that is too wide continues below, with the names once more.
"""

from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import NamedTuple

from perfectplay.arena.tournaments.sprt import Sprt
from perfectplay.arena.tournaments.standing_rows import (
    NARROWEST,
    Advantage,
    FirstFault,
    PairingStanding,
    PlayerStanding,
    fitting_names,
    short_names,
    visible,
)
from perfectplay.rules.notation import number_of

PAGE = 80
"""The width of a page, in characters."""
Section = list[str]
TABLE, FORFEITS, BLUNDERS = "#  player", "forfeits", "blunders"
"""How the line above a table begins, and the headings of lists."""


class Column(NamedTuple):
    """A column: its title, and the text of each player's cell, empty where there is nothing to tell."""

    title: str
    cell: Callable[[PlayerStanding], str]


def move_time_text(seconds: float) -> str:
    """The time in milliseconds or seconds, with two digits or more."""
    if seconds < 0.0995:
        return f"{1000 * seconds:.2g} ms"
    return f"{1000 * seconds:.0f} ms" if seconds < 0.9995 else f"{seconds:,.1f} s"


def number_text(form: str, number: float | None) -> str:
    """The number in that form, nothing if it is not known."""
    return "" if number is None else format(number + 0.0, form)


def likelihood(number: float | None) -> str:
    """The probability in per cent; it is never certain."""
    return ">99.9%" if number is not None and number > 0.999 else number_text(".1%", number)


def signed(number: float) -> str:
    """The whole number with its sign; 0 has a plus."""
    return f"{round(number):+d}"


GAMES = Column("games", lambda player: f"{player.games}")
COLUMNS = (
    GAMES,
    Column("score", lambda player: f"{player.score:.1f}"),
    Column("W", lambda player: f"{player.wins}"),
    Column("D", lambda player: f"{player.draws}"),
    Column("L", lambda player: f"{player.losses}"),
    Column("rating", lambda player: signed(player.rating)),
    Column("+/-", lambda player: f"{(player.high - player.low) / 2:.0f}"),
    Column("LOS", lambda player: likelihood(player.superiority)),
    Column(
        "time/move", lambda player: "" if player.seconds_per_move is None else move_time_text(player.seconds_per_move)
    ),
    Column("forfeits", lambda player: str(sum(player.forfeits.values()) or "")),
    Column("optimal", lambda player: number_text(".1%", player.optimal_share)),
    Column("regret/move", lambda player: number_text(".4f", player.regret_per_move)),
    Column("regret/game", lambda player: number_text(".3f", player.regret_per_game)),
    Column("+/-", lambda player: number_text(".3f", player.regret_error)),
    Column("blunders/100", lambda player: number_text(".2f", player.blunders_per_100)),
    Column("wasted", lambda player: number_text(".0f", player.longest_wasted)),
    Column("points/move", lambda player: number_text(".3f", player.points_per_move)),
)
"""The columns of the table, in order; those in which every cell is empty are left out."""


def is_heading(line: str) -> bool:
    """Whether the line is a heading of what follows."""
    return line in (FORFEITS, BLUNDERS) or line.lstrip().startswith(TABLE)


def players_section(players: Sequence[PlayerStanding], width: int = PAGE) -> Section:
    """The table of the players; the number of games is in it if it is not the same for all."""
    equal = len({player.games for player in players}) < 2
    candidates = [column for column in COLUMNS if not (equal and column is GAMES)]
    columns = [[column.title, *cells] for column in candidates if any(cells := [*map(column.cell, players)])]
    return table(players, columns, width)


def crosstable(players: Sequence[PlayerStanding], pairings: Sequence[PairingStanding], width: int = PAGE) -> Section:
    """What each player scored against each other one; columns have the numbers of the lines."""
    points: dict[tuple[str, str], float] = {}
    for one in pairings:
        points[one.first, one.second] = points.get((one.first, one.second), 0.0) + one.wins + one.draws / 2
        points[one.second, one.first] = points.get((one.second, one.first), 0.0) + one.losses + one.draws / 2
    columns = []
    for number, other in enumerate(players, 1):
        scores = [points.get((player.name, other.name)) for player in players]
        cells = [
            "-" if player is other else number_text(".1f", score) for player, score in zip(players, scores, strict=True)
        ]
        columns.append([str(number), *cells])
    return table(players, columns, width, numbered=True)


def table(
    players: Sequence[PlayerStanding], columns: Sequence[Sequence[str]], width: int, numbered: bool = False
) -> Section:
    """The columns behind the players' names, in as many blocks as the width asks for."""
    numbers = [str(number) if numbered else str(player.rank) for number, player in enumerate(players, 1)]
    wide = max(map(len, ["#", *numbers]))
    names = [player.name for player in players]
    room = width - wide - 2
    widths = [max(map(len, column)) + 2 for column in columns]
    name_width = max(len("player"), width_of_names(names, room, widths))
    keys = [
        f"{number:>{wide}}  {name:<{name_width}}"
        for number, name in zip(["#", *numbers], ["player", *fitting_names(names, name_width)], strict=True)
    ]
    lines: Section = []
    for block in blocks(widths, room - name_width):
        rows = zip(*(columns[place] for place in block), strict=True)
        cells = ["".join(text.rjust(widths[place]) for place, text in zip(block, row, strict=True)) for row in rows]
        lines += [""] if lines else []
        lines += [(key + row).rstrip() for key, row in zip(keys, cells, strict=True)]
    return lines


def width_of_names(names: Sequence[str], room: int, widths: Sequence[int]) -> int:
    """The characters of names: a quarter of the room, more if names would be alike, and all that cost no more blocks.

    A block has at least one column, unless the room is less than that.
    """
    longest = max(map(len, names))
    few = min(longest, max(NARROWEST, room // 4))
    enough = range(few, min(longest, room - max(widths)) + 1)
    few = next((width for width in enough if short_names(names, width) is not None), few)
    needed = len(blocks(widths, room - few))
    return max(width for width in range(few, longest + 1) if len(blocks(widths, room - width)) == needed)


def blocks(widths: Sequence[int], room: int) -> list[list[int]]:
    """The columns by place, in blocks that fit the room, at least one in each."""
    places: list[list[int]] = [[]]
    used = 0
    for place, width in enumerate(widths):
        if places[-1] and used + width > room:
            places.append([])
            used = 0
        places[-1].append(place)
        used += width
    return places


def forfeits_section(players: Sequence[PlayerStanding], width: int = PAGE) -> Section:
    """Who forfeited how often, and why: a line for each player and cause, with the first fault."""
    texts = [
        f"{player.name}: {count:,} {cause}{first_fault_text(count, player.first_faults.get(cause))}"
        for player in players
        for cause, count in player.forfeits.items()
    ]
    lines = [line for text in texts for line in wrap_indented(text, width)]
    return [FORFEITS, *lines] if lines else []


def first_fault_text(count: int, fault: FirstFault | None) -> str:
    """Where and how the first of so many faults happened, as the end of a line; empty if that is not known."""
    if fault is None:
        return ""
    where = f", {'first ' if count > 1 else ''}in game {fault.game}"
    return f"{where}: {visible(fault.said)}" if fault.said else where


def wrap_indented(text: str, width: int) -> Section:
    """The text in lines of that width; all but the first begin with blanks, and words stay whole."""
    return wrap(text, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def blunders_section(players: Sequence[PlayerStanding]) -> Section:
    """Which results each player gave away how often."""
    lines = [
        f"{player.name}: {', '.join(f'{count:,} {kind}' for kind, count in player.blunder_kinds.items() if count)}"
        for player in players
        if player.blunder_kinds and any(player.blunder_kinds.values())
    ]
    return [BLUNDERS, *lines] if lines else []


def sides_section(pairings: Sequence[PairingStanding], advantage: Advantage) -> Section:
    """What the first side scored, in all and, where only two have met, by who moved first."""
    if advantage.share is None:
        return []
    elo, low, high = advantage.elo, advantage.low, advantage.high
    worth = ""
    if elo is not None and low is not None and high is not None:
        worth = f"; moving first is worth {signed(elo)} Elo (95% CI {signed(low)} to {signed(high)})"
    lines = [f"The first side scored {advantage.share:.1%}{worth}."]
    if len({frozenset((one.first, one.second)) for one in pairings}) == 1:
        for one in pairings:
            lines.append(
                f"{one.first} first: {number_of(one.games, 'game')}, {number_of(one.wins, 'win')}, "
                f"{number_of(one.draws, 'draw')}, {number_of(one.losses, 'loss', 'losses')}"
            )
    return lines


def sprt_section(test: Sprt | None, late: int = 0) -> Section:
    """The state of a sequential test, and how many games were left out since they ended after its decision."""
    if test is None:
        return []
    low, high = test.bounds
    states = {"continue": "not decided yet", "accepted H0": "H0 is accepted", "accepted H1": "H1 is accepted"}
    are = "is" if late == 1 else "are"
    left_out = [f"{number_of(late, 'game')} that ended after the decision {are} not counted."] if late else []
    return [
        f"SPRT, H0: {test.elo0:+g} Elo, H1: {test.elo1:+g} Elo: {states[test.state]} after "
        f"{number_of(test.observations, 'observation')}; LLR {test.llr:.2f}, bounds {low:.2f} and {high:.2f}",
        *left_out,
    ]


def without_unicode(text: str) -> str:
    """The text for terminals that know only ASCII."""
    return text.replace("…", "~").encode("ascii", "replace").decode()
