"""What the report of a tournament says: headline, table, crosstable, ratings, regret and forfeits, as plain values."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import floor, log10
from typing import Any

from markupsafe import Markup, escape

from perfectplay.exports.page.tournament_games import Facts, judged
from perfectplay.rules.notation import number_of

UNKNOWN = "–"
SURE = 0.95
"""From this likelihood on a lead is no accident."""
AMOUNTS = ("nothing", "½", "1", "more than 1")
"""What a player gave away in a game, as the legend names it."""
TICKS = 5
"""Ticks of a scale, about."""


def points(wins: float, draws: float) -> str:
    """A score as people write it: 7½."""
    whole, half = divmod(round(2 * wins + draws), 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def share(part: float | None, whole: float = 1.0, digits: int = 1) -> str:
    """A part in per cent; only 0 and all look like 0% and 100%."""
    if part is None or not whole:
        return UNKNOWN
    found, least = part / whole, 10.0 ** -(digits + 2)
    if 0 < found < least / 2:
        return f"<{least:.{digits}%}"
    if 1 - least / 2 < found < 1:
        return f">{1 - least:.{digits}%}"
    return f"{found:.{digits}%}"


def likelihood(found: float | None) -> str:
    """A likelihood in per cent, which is never quite 0 or 1."""
    return share(None if found is None else min(0.99999, max(0.00001, found)))


def seconds(value: float | None) -> str:
    """A time as people read it: 0.4 ms, 12 ms, 1.5 s."""
    if value is None:
        return UNKNOWN
    if value >= 1:
        return f"{value:.3g} s"
    return f"{1000 * value:.2g} ms" if value < 0.01 else f"{1000 * value:.0f} ms"


def number(value: float | None, form: str) -> str:
    """The number in this form, a dash if there is none."""
    return UNKNOWN if value is None else f"{value:{form}}".replace("-", "−")


def elo(value: float | None) -> str:
    """A rating with its sign: +57, −3, 0."""
    return "0" if value is not None and round(value) == 0 else number(value, "+.0f")


def kinds_of(player: Facts) -> str:
    """A player's blunders by kind: 3 win to draw, 1 draw to loss."""
    return ", ".join(f"{count} {kind}" for kind, count in (player.get("blunder_kinds") or {}).items() if count)


def table_row(rank: int, player: Facts) -> Facts:
    """A player's row in the table, as texts."""
    wins, draws, games = player["wins"], player["draws"], player["games"]
    forfeits = player.get("forfeits") or {}
    return {
        "rank": player.get("rank", rank),
        "name": player["name"],
        "score": points(wins, draws),
        "games": games,
        "share": share(wins + draws / 2, games),
        "results": [wins, draws, player["losses"]],
        "rating": elo(player.get("rating")),
        "interval": interval(player),
        "los": likelihood(player.get("superiority")),
        "time": seconds(player.get("seconds_per_move")),
        "forfeits": sum(forfeits.values()),
        "causes": forfeits,
        "regret": number(player.get("regret_per_move"), ".3f"),
        "per_game": number(player.get("regret_per_game"), ".2f"),
        "blunders": number(player.get("blunders_per_100"), ".1f"),
        "kinds": kinds_of(player),
        "optimal": share(player.get("optimal_moves"), player.get("judged_moves") or 0),
        "wasted": player.get("longest_wasted"),
    }


def interval(player: Facts) -> str:
    """The 95% confidence interval of a rating: −12 to +40."""
    low, high = player.get("low"), player.get("high")
    return "" if low is None or high is None else f"{elo(low)} to {elo(high)}"


def columns_of(rows: Sequence[Facts]) -> dict[str, bool]:
    """Which of the columns that may be empty have something in them."""
    asked = ("rating", "los", "time", "regret", "blunders", "optimal")
    return {key: any(row[key] != UNKNOWN for row in rows) for key in asked} | {
        "forfeits": any(row["forfeits"] for row in rows)
    }


def headline(players: Sequence[Facts]) -> Markup:
    """Who leads, by how much, and how sure that is; the names of players stand out."""
    played = [player for player in players if player["games"]]
    if len(played) < 2:
        return Markup("No game has ended yet.")
    first, second = played[:2]
    shorter = short_names([player["name"] for player in players])
    names = [
        Markup('<em title="{}">{}</em>').format(player["name"], label(player["name"], shorter[player["name"]]))
        for player in (first, second)
    ]
    part = share(first["wins"] + first["draws"] / 2, first["games"], 0)
    lead = round(first["rating"] - second["rating"])
    if lead <= 0:
        return Markup("{} and {} share the lead, each with {} of the points.").format(*names, part)
    text = Markup("{} leads with {} of the points, {} Elo ahead of {}{}")
    return text.format(names[0], part, lead, names[1], sureness(first))


def sureness(first: Facts) -> str:
    """How sure it is that the leader is stronger than the next, as the end of a sentence."""
    los = first.get("superiority")
    if los is None:
        return "."
    sure = f"the likelihood that it is the stronger is {likelihood(los)}"
    return f"; {sure}." if los >= SURE else f", but that may be luck: {sure}."


def tested(standings: Facts, first: str) -> list[str]:
    """What the sequential test of a match of two says, a sentence; none if there is no test."""
    test = standings.get("sprt")
    if test is None:
        return []
    ratio = f"the log-likelihood ratio is {number(test['llr'], '+.2f')}"
    low, high = (number(test[key], "+g") for key in ("elo0", "elo1"))
    if test["state"] == "continue":
        bounds = " and ".join(number(bound, "+.2f") for bound in test["bounds"])
        return [f"Sequential test of {low} against {high} Elo: undecided; {ratio}, between {bounds}."]
    found = high if test["state"].endswith("1") else low
    return [f"Sequential test of {low} against {high} Elo: decided for {found} Elo of {first}; {ratio}."]


def crosstable(players: Sequence[Facts], pairings: Iterable[Facts]) -> list[list[Facts | None]]:
    """For each player the score against each other; None for itself and for those that it has not met."""
    met: dict[tuple[str, str], Counter[str]] = {}
    for one in pairings:
        pair = (one["first"], one["second"])
        there = Counter({key: one[key] for key in ("games", "wins", "draws", "losses")})
        back = Counter(games=one["games"], wins=one["losses"], draws=one["draws"], losses=one["wins"])
        met[pair] = met.get(pair, Counter()) + there
        met[pair[::-1]] = met.get(pair[::-1], Counter()) + back
    names = [player["name"] for player in players]
    return [[cell(met.get((mine, theirs))) if mine != theirs else None for theirs in names] for mine in names]


def cell(found: Counter[str] | None) -> Facts | None:
    """A cell of the crosstable: score, games, and whether that is more or less than half."""
    if not found or not found["games"]:
        return None
    score = found["wins"] + found["draws"] / 2
    half = found["games"] / 2
    kind = "win" if score > half else "loss" if score < half else "draw"
    results = f"{found['wins']} won, {found['draws']} drawn, {found['losses']} lost"
    return {"score": points(found["wins"], found["draws"]), "games": found["games"], "kind": kind, "about": results}


def scale(players: Sequence[Facts]) -> Facts | None:
    """The ratings on a scale: ticks, and where each rating and interval is, in per cent of the width."""
    rated = [player for player in players if player.get("rating") is not None]
    if not rated:
        return None
    spans = [{key: float(player[key]) for key in ("low", "high", "rating")} for player in rated]
    least, most = min(span["low"] for span in spans), max(span["high"] for span in spans)
    step = round_step((most - least or 100) / TICKS)
    low, high = floor(least / step) * step, -floor(-most / step) * step

    def at(value: float) -> float:
        return round(2 + 96 * (value - low) / (high - low), 2)

    ticks = [low + i * step for i in range(round((high - low) / step) + 1)]
    return {
        "ticks": [{"at": at(tick), "text": elo(tick)} for tick in ticks],
        "players": [
            {
                "name": player["name"],
                "text": elo(player["rating"]),
                "interval": interval(player),
                **{key: at(value) for key, value in span.items()},
            }
            for player, span in zip(rated, spans, strict=True)
        ],
    }


def advantage(facts: Facts) -> str:
    """What moving first is worth, in a sentence; empty if that is not known."""
    if facts.get("elo") is None:
        return ""
    worth, part = elo(facts["elo"]), share(facts.get("share"))
    return f"Moving first is worth {worth} Elo ({interval(facts)}); the first side scored {part}."


def round_step(width: float) -> float:
    """A round number of about this size: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(width))
    return next(power * times for times in (1, 2, 5, 10) if power * times >= width)


def given_away(players: Sequence[Facts], games: Iterable[Facts]) -> list[Facts]:
    """For each player the share of its judged games in which it gave away nothing, ½, 1 and more; bars in per cent."""
    counts: dict[str, Counter[int]] = {player["name"]: Counter() for player in players}
    for facts in games:
        totals: dict[int, float] = {}
        for side, regret in judged(facts):
            totals[side] = totals.get(side, 0.0) + regret
        for side, total in totals.items():
            counts[facts["players"][side]][min(len(AMOUNTS) - 1, round(2 * total))] += 1
    return [bars(name, found) for name, found in counts.items() if found]


def bars(name: str, found: Counter[int]) -> Facts:
    """The parts of one player's bar."""
    total, left = found.total(), 0.0
    parts: list[Facts] = []
    for kind, text in enumerate(AMOUNTS):
        width = 100 * found[kind] / total
        place = {"kind": kind, "left": round(left, 2), "width": round(width, 2)}
        parts.append({"text": text, "games": found[kind], "share": share(found[kind], total, 0), **place})
        left += width
    about = ", ".join(f"{part['text']}: {number_of(part['games'], 'game')}" for part in parts if part["games"])
    return {"name": name, "parts": parts, "about": about}


def settings(facts: Facts, live: bool) -> str:
    """The tournament in a line: 300 games, of which 280 count, 4 players, round-robin, 1 s per move, seed 5."""
    tournament, played, left = facts["tournament"], len(facts["games"]), len(facts["uncounted"])
    time = tournament["time"]
    each = f"{time['movetime']:g} s per move" if time.get("movetime") is not None else ""
    clock = each if time.get("base") is None else f"{time['base']:g}+{time['increment']:g}"
    openings = tournament.get("openings") or []
    proven = "proven equal " if openings and all(one.get("balanced") for one in openings) else ""
    counting = f", of which {played - left:,} count" if left else ""
    parts: list[Any] = [
        f"{'Standings after ' if live else ''}{number_of(played, 'game')}{counting}",
        number_of(len(tournament["players"]), "player"),
        tournament["format"],
        clock,
        *([number_of(len(openings), f"{proven}opening")] if openings else []),
        f"seed {tournament['seed']}",
    ]
    return " · ".join(map(str, parts))


# The names of players as the report of a tournament shows them: long ones shortened, with places to break a line.


LONGEST, HEAD = 24, 9
"""Characters of a name that is shown, and those from its beginning if it is shortened."""
NEAR_HEAD, BEFORE = 6, 10
"""The same for names that are alike at both ends, and the characters before those that differ."""
BREAKS = re.compile(r"(?<=[\s/:,=_…])(?=.)|(?<=\w-)(?=.)")
"""Where a line may break."""


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Each name as tables show it: long ones without a part in which they do not differ from others."""
    found = {name: without_middle(name) for name in names}
    for change in (around_difference, numbered):
        for text in {*found.values()}:
            alike = [name for name in names if found[name] == text]
            if len(alike) > 1:
                found |= {name: change(name, alike) for name in alike if len(name) > LONGEST}
    return found


def without_middle(name: str) -> str:
    """The beginning and the end of a long name."""
    return name if len(name) <= LONGEST else f"{name[:HEAD]}…{name[HEAD + 1 - LONGEST :]}"


def around_difference(name: str, alike: Iterable[str]) -> str:
    """The beginning of a long name, and the part that tells it from the others."""
    differs = max(alike_until(name, other) for other in alike if other != name)
    start = max(NEAR_HEAD, differs - BEFORE)
    return f"{name[:NEAR_HEAD]}…{name[start : start + LONGEST - NEAR_HEAD - 2]}…"


def alike_until(one: str, other: str) -> int:
    """The first place where two names differ."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def numbered(name: str, alike: Sequence[str]) -> str:
    """A name of many that are alike everywhere else."""
    return f"{without_middle(name)} ({alike.index(name) + 1})"


def label(name: str, short: str) -> Markup:
    """A name as a page shows it; screen readers get all of it."""
    if name == short:
        return breakable(name)
    shown = Markup('<span aria-hidden="true">{}</span><span class="unseen">{}</span>')
    return shown.format(breakable(short), name)


def breakable(text: str) -> Markup:
    """The text with places at which a line may break."""
    whole = Markup('<span class="whole">{}</span>')  # browsers would break --depth after a hyphen
    return Markup("<wbr>").join(
        whole.format(part) if part.startswith("-") else escape(part) for part in BREAKS.split(text)
    )
