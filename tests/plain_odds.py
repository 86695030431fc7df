"""Odds and win probabilities of small games over dictionaries, straight from the definitions of the players."""

from fractions import Fraction
from functools import cache
from math import exp

import brute_force
from graph_games import all_choices, solved_exactly
from perfectplay import DRAW, LOSS, ONGOING, WIN


class Solved:
    """A small game without cycles, solved over dictionaries, with the move probabilities of models."""

    def __init__(self, game):
        self.game, self.edges, self.entries = game, brute_force.edges(game), brute_force.solved(game)
        self.within = cache(self.within)

    def results(self, position):
        """{move: what the mover gets, as (value, distance or margin)}, greater is better."""
        found = brute_force.move_entries(self.game, self.entries, position)
        return {move: entry.preference() if entry.value else (0, 0) for move, entry in found.items()}

    def values(self, position):
        """{move: value to the mover}."""
        found = brute_force.move_entries(self.game, self.entries, position)
        return {move: entry.value for move, entry in found.items()}

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
        if plies == 0:
            return 0
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

    def liking(self, kind, number, position):
        """{move: how much a model likes it}; it plays any of those that it likes best."""
        moves = self.edges[position]
        wins = {move: self.ends(position, move) == WIN for move in moves}
        if kind == "shallow":
            return {move: self.after(position, move, int(number)) for move in moves}
        if kind == "perfect":
            return self.results(position)
        if kind == "dawdling":
            return {move: (value, -move) for move, value in self.values(position).items()}
        if kind == "wins" or (kind == "blocks" and any(wins.values())):
            return wins
        return {move: -self.replies(position, move) if kind == "blocks" else 0 for move in moves}

    def utility(self, value, distance):
        """What a player by temperature likes about a move after which the game ends so after that many plies."""
        return value * (1 + 1 / distance) if value else 0

    def probabilities(self, model, position):
        """{move: probability} of a model."""
        moves = self.edges[position]
        kind, _, number = model.partition(":")
        if kind == "noisy":
            noise, best = Fraction(number), self.probabilities("perfect", position)
            return {move: noise / len(moves) + (1 - noise) * best[move] for move in moves}
        if kind in ("weighted", "softmax"):
            if kind == "weighted":
                weights = {move: Fraction(number.partition("=")[2]) if move == 0 else Fraction(1) for move in moves}
            else:
                found = brute_force.move_entries(self.game, self.entries, position)
                weights = {move: exp(self.utility(*entry) / float(number)) for move, entry in found.items()}
            return {move: weight / sum(weights.values()) for move, weight in weights.items()}
        liked = self.liking(kind, number, position)
        best = [move for move in moves if liked[move] == max(liked.values())]
        return {move: Fraction(move in best, len(best)) for move in moves}

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
                if not keeping or self.values(position)[move] == value
            ]
            return max(kept, key=lambda numbers: (numbers[0], -numbers[1]))

        return ours, theirs


def walk(game, edges, ours, theirs, won=()):
    """{(position, whether we are to move): (win, loss)} where both sides move with these probabilities.

    The game may have cycles; where it never ends it is drawn. `won` are positions that count as won if we are to move.
    """
    turns = [(position, mine) for mine in (True, False) for position in edges]
    places = {turn: place for place, turn in enumerate(turns)}
    steps, results = [dict[int, Fraction]() for _ in turns], []
    for (position, mine), here in zip(turns, steps, strict=True):
        done = mine and position in won
        results.append(WIN if done else None if edges[position] else game.outcome(*position) * (1 if mine else -1))
        for move, (child, again) in edges[position].items():
            if not done and (probability := (ours if mine else theirs)(position).get(move)):
                there = places[child, mine == again]
                here[there] = here.get(there, 0) + probability
    parts = [solved_exactly(len(turns), steps, [result == end for result in results]) for end in (WIN, LOSS)]
    return dict(zip(turns, zip(*parts, strict=True), strict=True))


def best_responses(game, theirs, keeping):
    """The same if we win as often as can be, then lose as rarely: all our ways to choose are tried, the best taken."""
    edges, entries = brute_force.edges(game), brute_force.solved(game)
    won = {position for position, entry in entries.items() if entry.value == WIN}
    options = {}
    for position in edges:
        if edges[position] and position not in won:
            found = brute_force.move_entries(game, entries, position)
            value = entries[position].value
            options[position] = [move for move in found if not keeping or found[move].value == value]
    ways = [
        walk(game, edges, lambda position, choice=choice: {choice[position]: Fraction(1)}, theirs, won)
        for choice in all_choices(options)
    ]
    best = {turn: max(way[turn][0] for way in ways) for turn in ways[0]}
    most = [way for way in ways if all(way[turn][0] == win for turn, win in best.items())]
    return {turn: (win, min(way[turn][1] for way in most)) for turn, win in best.items()}
