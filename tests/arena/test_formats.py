"""The formats of tournaments: everybody meets whom the format says, as often and from both sides alike."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, strategies as st

from perfectplay.arena.tournaments.formats import FORMATS, all_pairings, can_pair, swiss_pairs, swiss_rounds
from perfectplay.arena.tournaments.played_game import RESULTS, PlayedGame
from perfectplay.arena.tournaments.tournament_settings import Opening, Tournament

PLAYERS = st.integers(2, 12)
GAMES = st.integers(1, 7)

MANY = [name for name in FORMATS if name != "fixed-sides"]
"""The formats for any number of players."""


def tournament(players, games, kind="round-robin", openings=0, rounds=None):
    names = tuple(f"p{number}" for number in range(players))
    return Tournament("tic-tac-toe", names, 1, kind, games, rounds, openings=(Opening(("a1",)),) * openings)


def stages_of(event, result_of):
    """The stages of the tournament, each fixture played by `result_of`."""
    stages, played = FORMATS[event.format].stages(event), []
    found = [next(stages)]
    while True:
        for one in found[-1]:
            players = event.labels[one.first], event.labels[one.second]
            played.append(PlayedGame(one.number, event.game, players, (), RESULTS[result_of(one)]))
        try:
            found.append(stages.send(played))
        except StopIteration:
            return found


def by_dice(seed):
    """Results by number and players alone, in whatever order the games are played."""
    return lambda one: Random(f"{seed}/{one}").choice([None, 0, 1])


def pair(one):
    return frozenset((one.first, one.second))


@given(PLAYERS, GAMES, st.integers(0, 3))
def test_in_a_round_robin_each_pair_meets_as_often_as_asked_from_both_sides(players, games, openings):
    (fixtures,) = stages_of(tournament(players, games, openings=openings), by_dice(0))
    assert Counter(map(pair, fixtures)) == {frozenset(two): games for two in combinations(range(players), 2)}
    for two in combinations(range(players), 2):
        firsts = Counter(one.first for one in fixtures if pair(one) == {*two})
        assert abs(firsts[two[0]] - firsts[two[1]]) == games % 2
    firsts = Counter(one.first for one in fixtures)
    seconds = Counter(one.second for one in fixtures)
    assert all(abs(firsts[player] - seconds[player]) <= 1 for player in range(players))


@given(PLAYERS)
def test_in_each_round_of_the_circle_everybody_plays_once(players):
    pairings, per_round = [*all_pairings(players)], players // 2
    rounds = [pairings[i : i + per_round] for i in range(0, len(pairings), per_round)]
    assert len(rounds) == players - 1 + players % 2
    for one in rounds:
        assert len({player for pairing in one for player in pairing}) == 2 * per_round


@given(PLAYERS, GAMES)
def test_in_a_gauntlet_the_first_player_meets_each_other(players, games):
    (fixtures,) = stages_of(tournament(players, games, "gauntlet"), by_dice(0))
    assert Counter(map(pair, fixtures)) == {frozenset((0, other)): games for other in range(1, players)}
    firsts = Counter(one.first for one in fixtures)
    assert abs(firsts[0] - sum(firsts[other] for other in range(1, players))) <= 1


@given(PLAYERS, GAMES, st.sampled_from(MANY), st.integers(0, 5))
def test_each_opening_is_played_from_both_sides_before_it_comes_again(players, games, kind, openings):
    event = tournament(players, games, kind, openings)
    for stage in stages_of(event, by_dice(1)):
        for two in {pair(one) for one in stage}:
            mine = [one for one in stage if pair(one) == two]
            assert len(mine) == games
            for number, one in enumerate(mine):
                assert one.opening == ((mine[0].opening + number // 2) % openings if openings else None)
                assert one.first == mine[number % 2].first


@given(PLAYERS, GAMES, st.sampled_from(MANY), st.integers(0, 100))
def test_numbers_run_through_and_the_total_is_known_before(players, games, kind, seed):
    event = tournament(players, games, kind)
    stages = stages_of(event, by_dice(seed))
    numbers = [one.number for stage in stages for one in stage]
    assert numbers == [*range(FORMATS[kind].total(event))]
    assert stages == stages_of(event, by_dice(seed))


@given(PLAYERS, st.integers(2, 6), st.sampled_from(["round-robin", "gauntlet"]), st.integers(1, 60))
def test_a_part_of_the_games_is_fair(players, games, kind, part):
    (fixtures,) = stages_of(tournament(players, games, kind), by_dice(0))
    met = Counter(map(pair, fixtures[:part]))
    assert max(met.values()) - min(met[pair(one)] for one in fixtures) <= 2


@given(PLAYERS, GAMES, st.integers(0, 1000))
def test_in_a_swiss_everybody_plays_each_round_and_nobody_meets_twice_or_rests_twice(players, games, seed):
    event = tournament(players, games, "swiss")
    stages = stages_of(event, by_dice(seed))
    met, rested = Counter(), Counter()
    assert len(stages) == swiss_rounds(event)
    for stage in stages:
        playing = Counter(player for two in {pair(one) for one in stage} for player in two)
        assert {*playing.values()} == {1}
        assert len(playing) == players - players % 2
        met.update({pair(one) for one in stage})
        rested.update({*range(players)} - {*playing})
    nobody = {frozenset((player, players)): count for player, count in rested.items()}
    if needs_no_rematch(players, len(stages)):
        assert max((met | Counter(nobody)).values()) == 1


def needs_no_rematch(players, rounds):
    """Whether everybody can still meet half of the others before the last round, which is enough (Dirac)."""
    return 2 * (rounds - 1) <= players + players % 2 - 2


def perfect_matchings(players, may):
    """All ways to pair the players, by brute force."""
    if not players:
        yield []
        return
    first, *rest = players
    for other in rest:
        if may(first, other):
            for more in perfect_matchings([one for one in rest if one != other], may):
                yield [(first, other), *more]


@given(st.sampled_from([2, 4, 6, 8]), st.data())
def test_a_rematch_comes_only_where_every_pairing_has_one(players, data):
    pairs = [*combinations(range(players), 2)]
    met = {two: data.draw(st.integers(0, 2)) for two in pairs}
    scores = [Fraction(data.draw(st.integers(0, 3))) for _ in range(players)]
    ranked = sorted(range(players), key=lambda player: (-scores[player], player))
    chosen = swiss_pairs(ranked, scores, met)
    assert sorted(player for two in chosen for player in two) == [*range(players)]
    most = max(met[min(two), max(two)] for two in chosen)
    for less in range(3):
        possible = any(True for _ in perfect_matchings(ranked, lambda a, b, m=less: met[min(a, b), max(a, b)] <= m))
        assert can_pair(ranked, met, less) == possible == (less >= most)


def test_equal_scores_meet_and_the_upper_half_meets_the_lower():
    scores = [Fraction(score) for score in (0, 0, 0, 0, 2, 2, 1, 1)]
    ranked = [4, 5, 6, 7, 0, 1, 2, 3]
    assert swiss_pairs(ranked, scores, {}) == [(4, 5), (6, 7), (0, 2), (1, 3)]
    assert swiss_pairs(ranked, scores, {(4, 5): 1}) == [(4, 6), (5, 7), (0, 2), (1, 3)]


def test_a_swiss_has_one_round_more_than_a_knock_out_unless_there_is_a_rematch():
    rounds = [swiss_rounds(tournament(players, 2, "swiss")) for players in range(2, 17)]
    assert rounds == [1, 3, 3, *4 * [4], *8 * [5]]


def test_a_swiss_puts_the_strongest_first_in_few_rounds():
    """Sixteen players of whom the lower number always wins: five rounds, and the first has won them all."""
    event = tournament(16, 1, "swiss")
    stages = stages_of(event, lambda one: 0 if one.first < one.second else 1)
    assert len(stages) == 5
    won = Counter(min(pair(one)) for stage in stages for one in stage)
    assert won.most_common(1) == [(0, 5)]


@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_more_rounds_than_opponents_begin_again_with_the_next_openings(players):
    rounds = 2 * (players - 1 + players % 2)
    event = tournament(players, 2, "swiss", openings=2, rounds=rounds)
    stages = stages_of(event, by_dice(5))
    assert len(stages) == rounds
    met = Counter(pair(one) for stage in stages for one in stage)
    assert max(met.values()) - min(met.values()) <= 4
    seen = Counter((pair(one), one.first, one.opening) for stage in stages for one in stage)
    twice = [key for key, count in seen.items() if count > 1]
    assert all(met[key[0]] > 4 for key in twice)


def test_a_game_that_is_missing_leaves_the_score_of_the_pairing():
    """The part of the points counts, so that a pairing of fewer games is worth as much as any other."""
    event = tournament(4, 10, "swiss", rounds=2)
    stages = FORMATS["swiss"].stages(event)
    first = next(stages)
    (few, many) = sorted({pair(one) for one in first}, key=sorted)
    played = []
    for one in first:
        if pair(one) == many or one.number < 2:
            side = [one.first, one.second].index(min(pair(one)))
            names = event.labels[one.first], event.labels[one.second]
            played.append(PlayedGame(one.number, event.game, names, (), RESULTS[side]))
    second = {pair(one) for one in stages.send(played)}
    assert {min(few), min(many)} in second


def test_with_fixed_sides_the_first_player_always_moves_first():
    event = Tournament("tic-tac-toe", ("a", "b"), 1, "fixed-sides", 5, openings=(Opening(("b2",)), Opening(("a1",))))
    [fixtures] = FORMATS["fixed-sides"].stages(event)
    assert [(one.number, one.first, one.second, one.opening) for one in fixtures] == [
        (number, 0, 1, number % 2) for number in range(5)
    ]
