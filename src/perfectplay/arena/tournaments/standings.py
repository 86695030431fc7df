"""The result of a tournament, from its settings and the games played so far; asked for anew whenever games end."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import Any

import numpy as np

from perfectplay.arena.referee import fault_line
from perfectplay.arena.tournaments.played_game import GREATEST, Deeds, PlayedGame, evidence_games
from perfectplay.arena.tournaments.ratings import SURE, Ratings, Result, observations, rate
from perfectplay.arena.tournaments.sprt import sprt
from perfectplay.arena.tournaments.standings_result import (
    Advantage,
    FirstFault,
    PairingStanding,
    PlayerStanding,
    Standings,
)
from perfectplay.arena.tournaments.tournament_settings import Tournament
from perfectplay.players.bots.bot_program import MOST_STARTS
from perfectplay.rules.notation import number_of
from perfectplay.words import FIRST, SECOND, Cause, spelled

POINTS = {FIRST: 1.0, SECOND: 0.0, None: 0.5}
"""What the first side scores, by the winner."""
ALIKE = 1e-4
"""Ratings that differ by less share a rank."""


def standings(tournament: Tournament, games: Iterable[PlayedGame]) -> Standings:
    """The result of the games; those after the end of a test, and of players that do not take part, are left out."""
    labels = tournament.labels
    places = {label: place for place, label in enumerate(labels)}
    valid = [game for game in games if game.players[0] in places and game.players[1] in places]
    test = sprt(tournament, valid) if tournament.sprt is not None else None
    ended = len({game.number for game in valid})
    if test is not None and test.decided:
        valid = [game for game in valid if game.number <= (test.last or 0)]
    late = ended - len({game.number for game in valid})
    used = evidence(valid)
    results = [
        Result(places[game.players[0]], places[game.players[1]], POINTS[game.winner], cluster)
        for cluster, cluster_games in enumerate(observations(used))
        for game in cluster_games
    ]
    ratings = rate(results, len(labels))
    repeated = len({game.number for game in valid}) - len(used)
    return Standings(
        game=tournament.game,
        players=tuple(rows(tournament, used, results, ratings)),
        pairings=tuple(pairings(labels, results)),
        seed=tournament.seed,
        format=tournament.format,
        games=len(used),
        advantage=advantage(results, ratings),
        repeated=repeated,
        unfinished=sum(game.unfinished for game in used),
        prior=ratings.prior and bool(results),
        sprt=test,
        late=late,
        remarks=tuple(standings_remarks(tournament, used, ratings, repeated)),
    )


def evidence(games: Sequence[PlayedGame]) -> list[PlayedGame]:
    """The games that count, each number once: not those that only repeat an earlier one, but every forfeit."""
    thrown = all(game.thrown for game in games)  # the usual case, and faster
    new = {game.number: game for game in (games if thrown else evidence_games(games))}
    forfeited = {game.number: game for game in games if game.cause is not None}
    return [game for _, game in sorted((new | forfeited).items())]


def rows(
    tournament: Tournament, games: Sequence[PlayedGame], results: Sequence[Result], ratings: Ratings
) -> list[PlayerStanding]:
    """The players by rank; those without a game come last."""
    labels = tournament.labels
    tallies = count_results(len(labels), results)
    deeds, forfeits = deeds_of_players(labels, games), forfeits_of_players(tournament, games)
    scores = [wins + draws / 2 for wins, draws, _ in tallies]
    order = sorted(
        range(len(labels)),
        key=lambda place: (not any(tallies[place]), -round(float(ratings.elo[place]) / ALIKE), -scores[place], place),
    )
    players: list[PlayerStanding] = []
    for number, place in enumerate(order):
        behind = order[number + 1] if number + 1 < len(order) else None
        wins, draws, losses = tallies[place]
        rating = float(ratings.elo[place])
        low, high = ratings.interval(place)
        tied = bool(players) and abs(players[-1].rating - rating) < ALIKE and players[-1].score == scores[place]
        facts: dict[str, Any] = quality(deeds[place]) | forfeits[place]
        players.append(
            PlayerStanding(
                rank=players[-1].rank if tied else number + 1,
                name=labels[place],
                score=scores[place],
                rating=rating,
                low=low,
                high=high,
                superiority=None if behind is None else ratings.superiority(place, behind),
                games=wins + draws + losses,
                wins=wins,
                draws=draws,
                losses=losses,
                **facts,
            )
        )
    return players


def quality(deeds: Deeds) -> dict[str, object]:
    """The fields of a player's row that follow from its moves."""
    facts: dict[str, object] = {"moves": int(deeds.moves), "judged_moves": int(deeds.judged_moves)}
    if deeds.timed_moves:
        facts |= {"seconds_per_move": deeds.seconds / deeds.timed_moves, "longest_seconds": deeds.longest}
    if deeds.judged_moves:
        facts |= {
            "optimal_moves": int(deeds.optimal),
            "regret_per_move": deeds.regret / deeds.judged_moves,
            "blunders": int(deeds.blunders),
            "blunder_kinds": {
                "win to draw": int(deeds.win_to_draw),
                "win to loss": int(deeds.win_to_loss),
                "draw to loss": int(deeds.draw_to_loss),
            },
            "blunders_per_100": 100 * deeds.blunders / deeds.judged_moves,
        }
    if deeds.whole:
        facts |= {"regret_per_game": deeds.whole_regret / deeds.whole, "regret_error": regret_error(deeds)}
    if deeds.wasted_moves:
        facts["longest_wasted"] = int(deeds.wasted)
    if deeds.point_moves:
        facts["points_per_move"] = deeds.points / deeds.point_moves
    return facts


def regret_error(deeds: Deeds) -> float:
    """Half of the width of the 95% confidence interval of the regret per game.

    A mistake of half a point is added to the squares, so that it is never 0: a player without a mistake may yet make
    one.
    """
    games, mean = deeds.whole, deeds.whole_regret / deeds.whole
    squares = max(0.0, deeds.whole_squares - games * mean**2) + 0.25
    return SURE * sqrt(squares / games / max(1, games - 1))


def count_results(players: int, results: Sequence[Result]) -> list[tuple[int, int, int]]:
    """The wins, draws and losses of each player."""
    counts = [[0, 0, 0] for _ in range(players)]
    for first, second, score, _ in results:
        counts[first][2 - int(2 * score)] += 1
        counts[second][int(2 * score)] += 1
    return [(wins, draws, losses) for wins, draws, losses in counts]


def deeds_of_players(labels: Sequence[str], games: Sequence[PlayedGame]) -> list[Deeds]:
    """What each player did in all its games."""
    places = {label: place for place, label in enumerate(labels)}
    who = np.fromiter((places[name] for game in games for name in game.players), np.int64, 2 * len(games))
    rows = np.frombuffer(b"".join(game.packed_deeds for game in games)).reshape(-1, len(Deeds._fields))
    sums = np.array([np.bincount(who, column, len(labels)) for column in rows.T])
    for place in GREATEST:
        sums[place] = 0.0
        np.maximum.at(sums[place], who, rows[:, place])
    return [Deeds(*column) for column in sums.T.tolist()]


def forfeits_of_players(tournament: Tournament, games: Sequence[PlayedGame]) -> list[dict[str, Any]]:
    """The fields of each player's row about games that it forfeited; games are in the order of their numbers."""
    places = {label: place for place, label in enumerate(tournament.labels)}
    counts: list[Counter[str]] = [Counter() for _ in places]
    first: list[dict[str, FirstFault]] = [{} for _ in places]
    for game in games:
        if game.cause is not None and game.winner is not None:
            place, cause = places[game.players[1 - game.winner]], str(game.cause)
            counts[place][cause] += 1
            if cause not in first[place]:
                first[place][cause] = FirstFault(game.number, fault_line(game.fault, tournament.players[place]))
    return [
        {"forfeits": dict(sorted(count.items())), "first_faults": dict(sorted(faults.items()))}
        for count, faults in zip(counts, first, strict=True)
    ]


def pairings(labels: Sequence[str], results: Sequence[Result]) -> list[PairingStanding]:
    """The pairings that were played, by the player that moved first, in the order in which players were named."""
    counts: dict[tuple[int, int], list[int]] = {}
    for first, second, score, _ in results:
        counts.setdefault((first, second), [0, 0, 0])[2 - int(2 * score)] += 1
    return [
        PairingStanding(labels[first], labels[second], sum(count), *count)
        for (first, second), count in sorted(counts.items())
    ]


def advantage(results: Sequence[Result], ratings: Ratings) -> Advantage:
    """The first-move advantage."""
    share = sum(result.score for result in results) / len(results) if results else None
    if ratings.sided:
        return Advantage(share=share)
    half = SURE * ratings.advantage_error
    return Advantage(ratings.advantage, ratings.advantage - half, ratings.advantage + half, share)


# What a reader of a tournament's result should know, in sentences.


def standings_remarks(
    tournament: Tournament, games: Sequence[PlayedGame], ratings: Ratings, repeated: int
) -> Iterator[str]:
    """Remarks on the games that count, their ratings, and those that repeat others."""
    if repeated:
        yield (
            f"{number_of(repeated, 'game')} repeated an earlier one move for move and did not count: these players "
            "always answer alike. More openings make more different games."
        )
    if games:
        yield from about_ratings(ratings)
        yield from about_regret(games)
    unfinished = sum(game.unfinished for game in games)
    if unfinished:
        draws = "counts as a draw" if unfinished == 1 else "count as draws"
        yield f"{number_of(unfinished, 'game')} ended after {tournament.max_plies:,} plies and {draws}."
    yield from about_failed_starts(games)


def about_ratings(ratings: Ratings) -> Iterator[str]:
    """Where ratings rest on more than results."""
    assumption = "everybody was given a draw against an average opponent, and ratings are only estimates"
    if ratings.groups > 1:
        yield (
            "Some players won every game against all the others, or have not met them, so that results alone give no "
            f"finite ratings: {assumption}."
        )
    elif ratings.prior:
        yield f"Results alone give no finite first-move advantage, as where one side wins every game: {assumption}."
    if ratings.sided:
        yield "Each pairing was played from one side only, so ratings include the first-move advantage."


def about_regret(games: Sequence[PlayedGame]) -> Iterator[str]:
    """Where regret is not known, or not of every move; a forfeit is one."""
    moves = sum(len(game.moves) + (game.cause is not None) for game in games)
    proven = sum(side.judged_moves for game in games for side in game.deeds)
    if moves and not proven:
        yield "Regret is not known, because the game is not solved."
    elif proven < moves:
        yield f"Regret is known of {proven:,.0f} of {number_of(moves, 'move')}: those whose values are proven."


def about_failed_starts(games: Sequence[PlayedGame]) -> Iterator[str]:
    """Which bots were out."""
    failed = Counter(
        game.players[1 - game.winner] for game in games if game.cause is Cause.START and game.winner is not None
    )
    for name, count in sorted(failed.items()):
        if count >= MOST_STARTS:
            out = f"after {spelled(MOST_STARTS)} failed starts a bot is out"
            yield f"{name} lost {number_of(count, 'game')} without a start; {out}."
