"""The measures of a sweep once more, from their definitions alone: rules, dictionaries and fractions.

A state is a position and whose turn it is. Every measure is the expectation of numbers that add up along a game. Where
every game ends these are fractions, from the last positions backwards; in games with cycles they solve a linear system.
"""

from collections import Counter
from fractions import Fraction
from math import sqrt

import numpy as np

from brute_force import edges, solved
from perfectplay.game import canonical
from perfectplay.players.models.levels import ALL

FAR = 1 << 21
"""More plies than any game looked at lasts: a win in d plies scores FAR - d."""
FIRST, SECOND = 0, 1
LADDER = [Fraction(step, 20) for step in range(20, -1, -1)]
"""How often the players of the depth measure move at random."""


class Played:
    """A game and all its positions, for players of any noise and sight; with fractions, or with decimals."""

    def __init__(self, game, number=Fraction):
        self.game, self.graph, self.number = game, edges(game), number
        self.searched = self.searches()
        self.values = {position: (score > 0) - (score < 0) for position, score in self.looked(ALL).items()}
        self.order = self.children_first()

    def ended(self, position):
        """The score of a position without looking ahead: 0 if the game is not over."""
        if self.graph[position]:
            return 0
        return self.game.outcome(*position) * FAR if self.game.margin is None else self.game.margin(*position)

    def after(self, scores, move):
        """The score of a move, (child, whether the mover moves again), by the scores of positions; a ply counts 1."""
        child, again = move
        score = scores[child] if again else -scores[child]
        return score if self.game.margin is not None else score - (score > 0) + (score < 0)

    def searches(self):
        """The scores of all positions by searches of 0, 1, 2, ... plies, until one more ply changes nothing."""
        found = [{position: self.ended(position) for position in self.graph}]
        while len(found) == 1 or found[-1] != found[-2]:
            now = {
                position: max((self.after(found[-1], move) for move in moves.values()), default=self.ended(position))
                for position, moves in self.graph.items()
            }
            found.append(now)
        return found

    def looked(self, plies):
        """The score of every position by a search of that many plies."""
        return self.searched[min(plies, len(self.searched) - 1)]

    def liked(self, position, sight):
        """The moves that look best within so many plies, the move counted."""
        if sight == 0:
            return list(self.graph[position])
        seen = self.looked(sight - 1)
        scores = {move: self.after(seen, where) for move, where in self.graph[position].items()}
        return [move for move, score in scores.items() if score == max(scores.values())]

    def probabilities(self, position, noise, sight):
        """The probability of each move: any of them with the probability of the noise, else one that looks best."""
        moves, liked = self.graph[position], self.liked(position, sight)
        other, more = noise / len(moves), (1 - noise) / len(liked)
        other, best = self.number(other), self.number(other + more)
        return {move: best if move in liked else other for move in moves}

    def policy(self, noise, sight):
        """The same for every position."""
        return {place: self.probabilities(place, noise, sight) for place, moves in self.graph.items() if moves}

    def result(self, position, move):
        """What a move comes to for the mover, with best play."""
        child, again = self.graph[position][move]
        return self.values[child] if again else -self.values[child]

    def worsening(self, position):
        """The moves after which the mover gets less than the position is worth."""
        return [move for move in self.graph[position] if self.result(position, move) < self.values[position]]

    def children_first(self):
        """The positions, each behind those that its moves lead to; None if there are cycles."""
        parents, left = {position: [] for position in self.graph}, {}
        for position, moves in self.graph.items():
            left[position] = len(moves)
            for child, _ in moves.values():
                parents[child].append(position)
        order = [position for position in self.graph if not left[position]]
        for child in order:  # it grows meanwhile
            for position in parents[child]:
                left[position] -= 1
                if not left[position]:
                    order.append(position)
        return order if len(order) == len(self.graph) else None

    def chain(self, policies):
        """{state: {next state: probability}} for the policies of the first and the second player; {} at the end."""
        found = {}
        for position in self.order or self.graph:
            for side in (FIRST, SECOND):
                steps = Counter()
                for move, (child, again) in self.graph[position].items():
                    if policies[side][position][move]:
                        steps[child, side if again else 1 - side] += policies[side][position][move]
                found[position, side] = steps
        return found

    def expected(self, chain, *counted):
        """What each function of states adds up to along a game, by expectation: a number each for every state.

        States from which no game can end have nothing in the sum: measures that would need them are None.
        """
        if self.order is None:
            return in_decimals(chain, counted)
        found = [{} for _ in counted]
        for state, steps in chain.items():
            for sums, count in zip(found, counted, strict=True):
                sums[state] = count(state) + sum(part * sums[after] for after, part in steps.items())
        return found

    def first_result(self, state):
        """What an ended game is worth to the first player; 0 for one that is not over."""
        position, side = state
        if self.graph[position]:
            return 0
        return self.values[position] if side == FIRST else -self.values[position]

    def score(self, first, second):
        """The first player's score, half a point for a draw or an endless game; the players are policies."""
        start = self.game.start, FIRST
        [sums] = self.expected(self.chain((first, second)), self.first_result)
        return (1 + sums[start]) / 2

    def depth(self):
        """How many levels of skill can be told apart above random play."""
        counted, last = 0, self.policy(LADDER[0], ALL)
        for noise in LADDER[1:]:
            player = self.policy(noise, ALL)
            both = (self.score(player, last) + 1 - self.score(last, player)) / 2
            if both >= Fraction(55, 100) - Fraction(1, 10**9):  # decimals may be wrong by that
                counted, last = counted + 1, player
        return counted

    def level(self, noise, sight):
        """What games between two players of one level come to."""
        policy = self.policy(noise, sight)
        chain = self.chain((policy, policy))

        def shares(marked):
            """The share of the legal moves that are marked, in each position."""
            moves = {place: moves for place, moves in self.graph.items() if moves}
            found = {place: self.number(Fraction(len(marked(place)), len(moves[place]))) for place in moves}
            return lambda state: found.get(state[0], 0)

        def slips(state):
            """The probability that the next move worsens the result."""
            return sum(policy[state[0]][move] for move in self.worsening(state[0]))

        def going(state):
            return self.number(bool(self.graph[state[0]]))

        def count(state):
            return self.number(len(self.graph[state[0]]))

        keeping = shares(lambda place: self.graph[place].keys() - self.worsening(place))
        tempting = shares(lambda place: set(self.worsening(place)) & set(self.liked(place, 2)))
        counted = (
            self.first_result,
            lambda state: abs(self.first_result(state)),
            slips,
            going,
            count,
            lambda state: count(state) ** 2,
            keeping,
            tempting,
            lambda state: 1 - going(state),
        )
        sums = self.expected(chain, *counted)
        plies = sums[3]
        [squares] = self.expected(chain, lambda state: 2 * plies[state] - 1 if going(state) else 0)
        start = self.game.start, FIRST
        score, decided, drama, length, moves, moves_squared, kept, trapped, ended = [one[start] for one in sums]
        found = {"fairness": (1 + score) / 2, "decisiveness": decided, "drama": drama, "endless": 1 - ended}
        if 1 - ended > 1e-9:
            return found
        found |= {"length": length, "length_spread": root(squares[start] - length**2)}
        if not length:
            return found
        return found | {
            "branching": moves / length,
            "branching_spread": root(moves_squared / length - (moves / length) ** 2),
            "sharpness": kept / length,
            "traps": None if self.game.margin is not None else trapped / length,
        }

    def measures(self, levels):
        """All columns of all measures, given the noise and the sight of each level."""
        every = [self.level(*level) for level in levels]
        random, good = every[0], every[-1]
        found = {"depth": self.depth()}
        for name in ("fairness", "decisiveness", "drama"):
            each = [level[name] for level in (every[:-1] if name == "drama" else every)]
            found |= {name: sum(each) / len(each), f"{name}_levels": each}
        for name in ("fairness", "decisiveness"):
            found[f"{name}_random"] = random[name]
        for name in ("length", "branching"):
            for column, level in ((name, good), (f"{name}_random", random)):
                found |= {column: level.get(name), f"{column}_spread": level.get(f"{name}_spread")}
        start = self.graph[self.game.start]
        distances = [entry.distance for entry in solved(self.game).values() if entry.distance is not None]
        return found | {
            "sharpness": good.get("sharpness"),
            "traps": good.get("traps"),
            "first_moves": len(start) - len(self.worsening(self.game.start)),
            "first_moves_legal": len(start),
            "classes": len({canonical(self.game)(*position) for position in self.graph}),
            "longest": None if self.game.margin is not None else max(distances, default=0),
        }


def root(variance):
    """The standard deviation; decimals may be a little below none."""
    return sqrt(max(float(variance), 0.0)) if abs(variance) > 1e-11 else 0.0


def in_decimals(chain, counted):
    """The sums as solutions of linear equations, one for each state from which a game can end; the others are 0."""
    alive = {state for state, steps in chain.items() if not steps}
    while more := {state for state, steps in chain.items() if state not in alive and alive & steps.keys()}:
        alive |= more
    numbers = {state: number for number, state in enumerate(alive)}
    matrix, right = np.eye(len(numbers)), np.zeros((len(numbers), len(counted)))
    for state, number in numbers.items():
        right[number] = [float(count(state)) for count in counted]
        for after, part in chain[state].items():
            if after in numbers:
                matrix[number, numbers[after]] -= float(part)
    sums = np.linalg.solve(matrix, right) if numbers else right
    found = [dict.fromkeys(chain, 0.0) for _ in counted]
    for state, number in numbers.items():
        for one, total in zip(found, sums[number].tolist(), strict=True):
            one[state] = total
    return found
