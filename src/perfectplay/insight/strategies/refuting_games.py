"""Games in which a list of rules gives the result away, or in which play never ends, among states."""

from perfectplay.insight.strategies.rule_states import States

Game = tuple[tuple[int, int], ...]
"""States with the move that is made there, as a mask; the last gives the result away or comes round again."""
Way = dict[int, tuple[int, int] | None]
"""For each state the one before it, and the move that leads from there."""
POOL = 60
"""How many games are tried before a list is played out."""


class Refuter:
    """Refutes lists, by games that have refuted others if possible."""

    def __init__(self, states: States) -> None:
        self.states = states
        self.pool: list[Game] = []

    def fails(self, rules: tuple[int, ...]) -> bool:
        """Whether the list fails; remembers the game that shows it."""
        for place, game in enumerate(self.pool):
            if all(self.moves_in(rules, state) & move for state, move in game):
                self.pool.insert(place // 2, self.pool.pop(place))
                return True
        found = self.refutation(rules)
        if found is None:
            return False
        self.pool.insert(0, found)
        del self.pool[POOL:]
        return True

    def moves_in(self, rules: tuple[int, ...], state: int) -> int:
        """The moves that remain in a state."""
        here = self.states.state(state)
        moves, levels = here.every, here.levels
        for rule in rules:
            for level in levels.get(rule, ()):
                if moves & level:
                    moves &= level
                    break
        return moves

    def refutation(self, rules: tuple[int, ...]) -> Game | None:
        """The game that refutes the list; None if it keeps the result."""
        before: Way = dict.fromkeys(self.states.first)
        order, moves = list(before), {}
        for state in order:  # it grows
            here = self.states.state(state)
            allowed = moves[state] = self.moves_in(rules, state)
            wrong = allowed & ~here.good
            if wrong:
                return (*way_to(before, state), (state, wrong & -wrong))
            for number, following in enumerate(here.following):
                if allowed >> number & 1:
                    for child in following:
                        if child not in before:
                            before[child] = (state, 1 << number)
                            order.append(child)
        return self.cycle(moves, before) if self.states.must_end else None

    def cycle(self, moves: dict[int, int], before: Way) -> Game | None:
        """A game that comes round to a state again, if there is one."""
        left = set(moves)
        while ended := {state for state in left if not self.following(state, moves[state]) & left}:
            left -= ended
        if not left:
            return None
        state = next(state for state in moves if state in left)
        game, seen = list(way_to(before, state)), set()
        while state not in seen:
            seen.add(state)
            ways = ((number, following) for number, following in enumerate(self.states.state(state).following))
            number, child = next(
                (number, child)
                for number, following in ways
                if moves[state] >> number & 1
                for child in following
                if child in left
            )
            game.append((state, 1 << number))
            state = child
        return tuple(game)

    def following(self, state: int, moves: int) -> set[int]:
        """The states that may follow after these moves."""
        ways = self.states.state(state).following
        return {child for number, way in enumerate(ways) if moves >> number & 1 for child in way}


def way_to(before: Way, state: int) -> Game:
    """The moves that lead to a state."""
    way: list[tuple[int, int]] = []
    last = before[state]
    while last is not None:
        way.append(last)
        last = before[last[0]]
    return tuple(reversed(way))
