"""Odds and win probabilities in games with extra turns and points, against plain recursion over dictionaries."""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import exp
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute_force
from graph_games import all_choices, solved_exactly
from perfectplay import DRAW, LOSS, ONGOING, WIN, Game, load, odds, win_probability
from perfectplay.arena.battle import match, summed
from perfectplay.models.game_graph import compiled_graph, graph_for, plain_graph
from perfectplay.models.learned_policy import fitted, moves_in
from perfectplay.models.level_policies import level
from perfectplay.models.odds import computing_odds
from perfectplay.models.policies import Policy, exploit, noisy, perfect, shallow, streetwise, uniform
from perfectplay.models.win_probability import computing
from perfectplay.players import player_maker, policy_named
from perfectplay.players.depth_search import greatest, seen_for
from perfectplay.players.policy_player import probabilities_by
from perfectplay.solvers.interpreted import Reached
from perfectplay.solvers.steps import finished

load = cache(load)

SMALL = ["dots:1,1", "dots:2,1", "kalah:2,2", "kalah:3,1"]
MODELS = ["uniform", "noisy:1/3", "shallow:0", "shallow:1", "shallow:3", "perfect", "wins", "blocks", "dawdling"]


def turn_game(arrows, ends, points=False):
    """The game in which a move follows an arrow: (place, whether the same side moves again).

    `ends` has the outcome at the places where the game ends, or with `points` the margin.
    """

    def moves(mine, theirs):
        return 0 if mine in ends else (1 << len(arrows[mine])) - 1

    def play(mine, theirs, move):
        return arrows[mine][move][0], 0

    def again(mine, theirs, move):
        return arrows[mine][move][1]

    def margin(mine, theirs):
        return ends[mine]

    def outcome(mine, theirs):
        return (ends[mine] > 0) - (ends[mine] < 0) if mine in ends else ONGOING

    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        again=again,
        margin=margin if points else None,
        bits=8,
        shape=(8, 1),
        name="a drawn game",
    )


@st.composite
def turn_games(draw, most=8, cycles=False):
    """Small games with extra turns; without cycles, arrows go on to higher places, and some games are for points."""
    size = draw(st.integers(4, most))
    points = not cycles and draw(st.booleans())
    results = st.integers(-3, 3) if points else st.sampled_from([LOSS, WIN, DRAW])
    ends = {place: draw(results) for place in range(size - 3, size)}
    arrows = [
        draw(
            st.lists(
                st.tuples(st.integers(0 if cycles else place + 1, size - 1), st.booleans()),
                min_size=1,
                max_size=3,
                unique=True,
            )
        )
        for place in range(size - 3)
    ]
    return turn_game(arrows, ends, points)


class Solved:
    """A small game without cycles, solved over dictionaries, with the move probabilities of models."""

    def __init__(self, game):
        self.game, self.edges, self.entries = game, brute_force.edges(game), brute_force.solved(game)
        self.within = cache(self.within)

    def results(self, position):
        """{move: what the mover gets, as (value, distance or margin)}, greater is better."""
        found = brute_force.move_entries(self.game, self.entries, position)
        return {move: entry.preference() if entry.value else (0, 0) for move, entry in found.items()}

    def ends(self, position, move):
        """The outcome for the mover, None if the game goes on."""
        child, again = self.edges[position][move]
        outcome = self.game.outcome(*child)
        return None if outcome == ONGOING else outcome if again else -outcome

    def within(self, position, plies):
        """What a search of that many plies finds: the margin, or the outcome, the sooner it comes the greater."""
        if not self.edges[position]:
            return self.game.outcome(*position) * 1000 if self.game.margin is None else self.game.margin(*position)
        return 0 if plies == 0 else max(self.after(position, move, plies) for move in self.edges[position])

    def after(self, position, move, plies):
        """The same after a move, for the mover."""
        child, again = self.edges[position][move]
        found = self.within(child, plies - 1)
        found = found if again else -found
        return found if self.game.margin is not None else found - (found > 0) + (found < 0)

    def replies(self, position, move):
        """How many ways the other side then has to win at once."""
        child, again = self.edges[position][move]
        if self.ends(position, move) == LOSS:
            return 1000
        return 0 if again else sum(self.ends(child, reply) == WIN for reply in self.edges[child])

    def probabilities(self, model, position):
        """{move: probability} of a model, straight from its definition."""
        moves = self.edges[position]
        kind, _, number = model.partition(":")
        if kind == "noisy":
            noise = Fraction(number)
            best, everything = (self.probabilities(name, position) for name in ("perfect", "uniform"))
            return {move: noise * everything[move] + (1 - noise) * best[move] for move in moves}
        if kind == "uniform":
            liked = dict.fromkeys(moves, 0)
        elif kind == "shallow":
            liked = {move: self.after(position, move, int(number)) if number != "0" else 0 for move in moves}
        elif kind == "perfect":
            liked = self.results(position)
        elif kind == "dawdling":
            liked = {move: (value, -move) for move, (value, _) in self.values(position).items()}
        else:
            liked = {
                move: (
                    self.ends(position, move) == WIN,
                    -self.replies(position, move) if kind == "blocks" and not self.wins(position) else 0,
                )
                for move in moves
            }
        best = [move for move in moves if liked[move] == max(liked.values())]
        return {move: Fraction(move in best, len(best)) for move in moves}

    def values(self, position):
        """{move: (value to the mover, None)}."""
        found = brute_force.move_entries(self.game, self.entries, position)
        return {move: (entry.value, None) for move, entry in found.items()}

    def wins(self, position):
        """Whether a move wins at once."""
        return any(self.ends(position, move) == WIN for move in self.edges[position])

    def odds(self, first, second):
        """(win, draw, loss) of the first player, game by game."""

        @cache
        def walk(position, side):
            outcome = self.game.outcome(*position)
            if outcome != ONGOING:
                winner = {WIN: side, LOSS: 1 - side, DRAW: None}[outcome]
                return Fraction(winner == 0), Fraction(winner is None), Fraction(winner == 1)
            parts = [
                (probability, walk(child, side if again else 1 - side))
                for move, probability in self.probabilities((first, second)[side], position).items()
                for child, again in [self.edges[position][move]]
            ]
            return tuple(sum(probability * odds[i] for probability, odds in parts) for i in range(3))

        return walk(self.game.start, 0)

    def best_response(self, model, keeping=True):
        """ours(position) and theirs(position): (win, loss), if we keep the result, win most often, lose least often."""

        @cache
        def theirs(position):
            if not self.edges[position]:
                return Fraction(self.game.outcome(*position) == LOSS), Fraction(self.game.outcome(*position) == WIN)
            parts = [
                (probability, (theirs if again else ours)(child))
                for move, probability in self.probabilities(model, position).items()
                for child, again in [self.edges[position][move]]
            ]
            return tuple(sum(probability * numbers[i] for probability, numbers in parts) for i in range(2))

        @cache
        def ours(position):
            value = self.entries[position].value
            if value == WIN:
                return Fraction(1), Fraction(0)
            if not self.edges[position]:
                return Fraction(0), Fraction(value == LOSS)
            kept = [
                (ours if again else theirs)(child)
                for move, (child, again) in self.edges[position].items()
                if not keeping or self.values(position)[move][0] == value
            ]
            return max(kept, key=lambda numbers: (numbers[0], -numbers[1]))

        return ours, theirs


def check_everywhere(game, model):
    """Compares move probabilities and win probabilities in all positions, as fractions."""
    solved, graph = Solved(game), graph_for(game)
    policy = policy_named(model, game)
    probabilities_at = probabilities_by(game, policy, True)
    found = finished(computing(graph, policy.probabilities(graph, True)))
    reckless = finished(computing(graph, policy.probabilities(graph, True), keeping=False))
    ours, theirs = solved.best_response(model)
    ours_reckless, theirs_reckless = solved.best_response(model, keeping=False)
    for position, moves in solved.edges.items():
        number = graph.number(position)
        if moves:
            assert probabilities_at(position) == solved.probabilities(model, position)
        assert found.when_mine(number)[::2] == ours(position)
        assert found.when_theirs(number)[::2] == theirs(position)
        assert reckless.when_mine(number)[::2] == ours_reckless(position)
        assert reckless.when_theirs(number)[::2] == theirs_reckless(position)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", SMALL)
def test_probabilities_are_those_of_plain_recursion_in_all_positions(name, model):
    check_everywhere(load(name), model)


def computed(game, first, second, exact):
    """(win, draw, loss) of the first player."""
    found = odds(game, first, second, exact=exact).probability
    return found.win, found.draw, found.loss


def check_odds(game, first, second):
    """Compares the odds, as fractions and as decimals."""
    expected = Solved(game).odds(first, second)
    assert computed(game, first, second, exact=True) == expected
    assert computed(game, first, second, exact=False) == pytest.approx([float(number) for number in expected])


@pytest.mark.parametrize("first", MODELS)
@pytest.mark.parametrize("name", SMALL)
def test_odds_are_those_of_all_games_that_can_be_played(name, first):
    for second in MODELS:
        check_odds(load(name), first, second)


@settings(max_examples=100)
@given(turn_games(), st.sampled_from(MODELS), st.sampled_from(MODELS))
def test_any_game_with_extra_turns_that_ends(game, first, second):
    check_everywhere(game, first)
    check_odds(game, first, second)


def test_a_game_to_work_out_by_hand():
    """At the start, move 0 gives another turn, and move 1 passes the turn on.

    With the second turn, move 0 ends the game ahead, still to move: a win; move 1 ends it ahead for the other side: a
    loss. After move 1 at the start the other side has the same two moves.
    """
    game = turn_game([[(1, True), (1, False)], [(2, True), (2, False)], []], {2: WIN})
    assert computed(game, "random", "random", exact=True) == (Fraction(1, 2), 0, Fraction(1, 2))
    assert computed(game, "perfect", "random", exact=True) == (1, 0, 0)
    assert computed(game, "wins", "wins", exact=True) == (Fraction(1, 2), 0, Fraction(1, 2))
    found = win_probability(game, exact=True)
    assert found.probability.win == 1
    assert [(move.win, move.loss) for move in found.moves.values()] == [(1, 0), (Fraction(1, 2), Fraction(1, 2))]
    assert len(found.chosen) == 1
    # Two moves lead to the same place, and only one is good: they are told apart by who moves next.
    assert probabilities_by(game, policy_named("noisy:1/5", game), True)((0, 0)) == {
        0: Fraction(9, 10),
        1: Fraction(1, 10),
    }


def states_of(game, probabilities_at):
    """The walk of both sides over 2n states, ours first, then theirs; ours have arrows to choose from."""
    edges = brute_force.edges(game)
    places = {position: number for number, position in enumerate(edges)}
    size = len(places)
    options = {
        places[position]: [(places[child] + (0 if again else size), move) for move, (child, again) in moves.items()]
        for position, moves in edges.items()
        if moves
    }
    theirs = [dict[int, Fraction]() for _ in range(size)]
    for position, moves in edges.items():
        for move, (child, again) in moves.items():
            here, there = theirs[places[position]], places[child] + (size if again else 0)
            here[there] = here.get(there, Fraction(0)) + probabilities_at(position)[move]
    return places, options, theirs


def by_enumeration(game, probabilities_at, keeping):
    """Win and loss probabilities in all states: all ways to choose are tried, each solved exactly, the best taken."""
    entries = brute_force.solved(game)
    places, options, theirs = states_of(game, probabilities_at)
    size, positions = len(places), list(places)
    values = [entries[position].value for position in positions]
    outcomes = [game.outcome(*position) for position in positions]
    won = [value == WIN for value in values] + [outcome == LOSS for outcome in outcomes]
    lost = [outcome == LOSS for outcome in outcomes] + [outcome == WIN for outcome in outcomes]
    kept = {}
    for place, arrows in options.items():
        if values[place] != WIN:
            found = brute_force.move_entries(game, entries, positions[place])
            kept[place] = [to for to, move in arrows if not keeping or found[move].value == values[place]]
    solutions = []
    for choice in all_choices(kept):
        steps = [{choice[place]: Fraction(1)} if place in choice else {} for place in range(size)]
        solutions.append([solved_exactly(2 * size, steps + theirs, ends) for ends in (won, lost)])
    wins = [max(column) for column in zip(*(win for win, _ in solutions), strict=True)]
    losses = [min(column) for column in zip(*(loss for win, loss in solutions if win == wins), strict=True)]
    return places, wins, losses


@settings(max_examples=150)
@given(turn_games(6, cycles=True), st.booleans())
def test_games_with_cycles_and_extra_turns_have_the_probabilities_of_the_best_way_to_choose(game, keeping):
    graph = graph_for(game)
    for model in (uniform, noisy(Fraction(1, 3)), shallow(2)):
        probabilities_at = probabilities_by(game, Policy(model), True)
        places, wins, losses = by_enumeration(game, cache(probabilities_at), keeping)
        found = finished(computing(graph, model(graph, False), keeping))
        for position, place in places.items():
            number, other = graph.number(position), place + len(places)
            assert found.mine_win[number] == pytest.approx(float(wins[place]), abs=1e-9)
            assert found.theirs_win[number] == pytest.approx(float(wins[other]), abs=1e-9)
            assert found.mine_loss[number] == pytest.approx(float(losses[place]), abs=1e-9)
            assert found.theirs_loss[number] == pytest.approx(float(losses[other]), abs=1e-9)


@settings(max_examples=100)
@given(turn_games(7, cycles=True))
def test_odds_in_games_with_cycles_and_extra_turns(game):
    graph = graph_for(game)
    for first, second in ((uniform, uniform), (noisy(Fraction(1, 4)), uniform), (uniform, streetwise(uniform))):
        mine, theirs = (probabilities_by(game, Policy(model), True) for model in (first, second))
        places, options, other = states_of(game, cache(theirs))
        size = len(places)
        ours = [dict[int, Fraction]() for _ in range(size)]
        for position, place in places.items():
            for to, move in options.get(place, ()):
                ours[place][to] = ours[place].get(to, Fraction(0)) + mine(position)[move]
        outcomes = [game.outcome(*position) for position in places]
        won = [o == WIN for o in outcomes] + [o == LOSS for o in outcomes]
        lost = [o == LOSS for o in outcomes] + [o == WIN for o in outcomes]
        start = places[game.start]
        win, loss = (solved_exactly(2 * size, ours + other, ends)[start] for ends in (won, lost))
        exact = finished(computing_odds(graph, first(graph, True), second(graph, True)))
        assert (exact.win, exact.loss) == (win, loss)
        found = finished(computing_odds(graph, first(graph, False), second(graph, False)))
        assert (found.win, found.loss) == pytest.approx((float(win), float(loss)), abs=1e-9)


@settings(max_examples=100)
@given(st.one_of(turn_games(), turn_games(7, cycles=True)))
def test_the_players_that_choose_so_reach_their_win_probabilities(game):
    graph = graph_for(game)
    for keeping, response in ((True, streetwise), (False, exploit)):
        found = finished(computing(graph, uniform(graph, False), keeping))
        mine, theirs = response(uniform)(graph, False), uniform(graph, False)
        start = graph.number(game.start)
        as_first = finished(computing_odds(graph, mine, theirs))
        as_second = finished(computing_odds(graph, theirs, mine))
        assert tuple(as_first) == pytest.approx(tuple(found.when_mine(start)), abs=1e-9)
        assert (as_second.loss, as_second.win) == pytest.approx(found.when_theirs(start)[::2], abs=1e-9)


def test_perfect_play_for_points_takes_the_greatest_margin():
    """Three moves win: by 1, by 3 with another turn, and by 2."""
    game = turn_game([[(1, False), (2, True), (3, False)]], {1: -1, 2: 3, 3: -2}, points=True)
    probabilities_at = cache(lambda name: probabilities_by(game, policy_named(name, game), False)(game.start))
    assert list(probabilities_at("perfect").values()) == [0, 1, 0]
    assert list(probabilities_at("streetwise").values()) == [0, 1, 0]
    assert list(probabilities_at("shallow:1").values()) == [0, 1, 0]
    assert list(probabilities_at("dawdling").values()) == [1, 0, 0]
    likes = [exp(margin / 2) for margin in (1, 3, 2)]
    assert list(probabilities_at("softmax:2").values()) == pytest.approx([like / sum(likes) for like in likes])


@pytest.mark.parametrize("plies", [1, 2, 4])
@pytest.mark.parametrize("name", ["kalah:2,2", "dots:2,1"])
def test_a_search_of_limited_depth_prefers_the_moves_of_its_policy(name, plies):
    game = load(name)
    probabilities_at = probabilities_by(game, policy_named(f"minimax:{plies}", game), False)
    seen = seen_for(game, plies)
    for position, moves in brute_force.edges(game).items():
        if moves:
            liked = [move for move, probability in probabilities_at(position).items() if probability]
            assert greatest(seen(position, plies)) == liked


def test_win_probabilities_are_about_winning_not_about_points():
    """Both moves lose against the best reply, by 1 or by 5; the one that loses by more wins more often."""
    replies = [[(1, False), (2, False)], [(3, False), (4, False)], [(3, False), (5, False), (6, False)]]
    game = turn_game(replies, {3: 9, 4: -1, 5: -5, 6: 2}, points=True)
    found = win_probability(game, exact=True)
    assert [chance.win for chance in found.moves.values()] == [Fraction(1, 2), Fraction(2, 3)]
    assert computed(game, "streetwise", "random", exact=True) == (Fraction(2, 3), 0, Fraction(1, 3))
    assert computed(game, "perfect", "random", exact=True) == (Fraction(1, 2), 0, Fraction(1, 2))


def test_a_record_of_games_with_extra_turns_teaches(tmp_path):
    """In kalah:3,2 the first player played 2 and then 3, three times of four."""
    record, game = tmp_path / "games.txt", load("kalah:3,2")
    record.write_text("2 3\n2 3\n2 3\n2 1\n")
    probabilities_at = probabilities_by(game, policy_named(f"learned:{record}", game), True)
    assert [move for _, move in moves_in(game, record)] == [1, 2, 1, 2, 1, 2, 1, 0]
    noise = fitted(graph_for(game), [*moves_in(game, record)])
    assert 0 < noise < 1
    best, again = Solved(game), game.play(*game.start, 1)
    assert game.again(*game.start, 1)
    for position, played in ((game.start, {1: 4}), (again, {2: 3, 0: 1})):
        prior = best.probabilities(f"noisy:{noise}", position)
        expected = {move: (played.get(move, 0) + probability) / 5 for move, probability in prior.items()}
        assert probabilities_at(position) == expected


@pytest.mark.parametrize("name", ["kalah:3,2", "dots:2,2"])
def test_each_level_is_better_than_the_one_below(name):
    graph = graph_for(load(name))
    levels = [level(number)(graph, False) for number in range(1, 11)]
    for below, above in pairwise(levels):
        first, second = (finished(computing_odds(graph, *pair)) for pair in ((above, below), (below, above)))
        assert (first.win + first.draw / 2 + second.loss + second.draw / 2) / 2 > 0.54
    assert (levels[0] == uniform(graph, False)).all()
    assert (levels[-1] == perfect(graph, False)).all()


def test_a_long_battle_has_the_odds_computed():
    game, games = load("kalah:3,2"), 4_000
    tally = summed(match(game, (player_maker("level:3"), player_maker("noisy:0.5")), seed=2)(range(games)))
    expected = computed(game, "level:3", "noisy:0.5", exact=False)
    for count, probability in zip((tally.wins[0], tally.draws, tally.wins[1]), expected, strict=True):
        assert abs(count - probability * games) <= 3 * (probability * (1 - probability) * games) ** 0.5


BOT = """
from perfectplay.players import player_maker
def same(seat): return player_maker("dawdling")(seat)
"""


def test_a_bot_that_plays_like_a_model_has_the_odds_of_the_model(tmp_path):
    (tmp_path / "bots.py").write_text(BOT)
    bot, game = f"{tmp_path}/bots.py:same", load("kalah:3,2")
    assert computed(game, bot, "noisy:1/4", True) == computed(game, "dawdling", "noisy:1/4", True)
    assert computed(game, "random", bot, True) == computed(game, "random", "dawdling", True)
    asked, known = (win_probability(game, "2", "3", against=name, exact=True) for name in (bot, "dawdling"))
    assert (asked.probability, asked.moves, asked.chosen) == (known.probability, known.moves, known.chosen)


def plain(game):
    """The graph of the game by interpreted rules, of any size."""
    reached = Reached(game)
    while reached.next_ply():
        pass
    return plain_graph(game, reached)


@pytest.mark.parametrize("name", ["dots:2,2", "kalah:3,2", pytest.param("morris:3,2", marks=pytest.mark.nightly)])
def test_classes_by_compiled_rules_have_the_probabilities_of_their_positions(name):
    game = load(name)
    graph, classes = plain(game), finished(compiled_graph(game, symmetric=True))
    sample = Random(3).sample(range(graph.counts.size), 300)
    for model in (uniform, noisy(Fraction(1, 5)), shallow(3)):
        found, folded = (finished(computing(one, model(one, False))) for one in (graph, classes))
        for number in sample:
            place = classes.number(graph.position(number))
            assert classes.entry(place) == graph.entry(number)
            assert folded.when_mine(place) == pytest.approx(found.when_mine(number), abs=1e-9)
            assert folded.when_theirs(place) == pytest.approx(found.when_theirs(number), abs=1e-9)
    both = [finished(computing_odds(one, perfect(one, False), uniform(one, False))) for one in (graph, classes)]
    assert both[0] == pytest.approx(both[1], abs=1e-9)
