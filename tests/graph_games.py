"""Games given by a drawing: numbered places, arrows between them, and the places where the game ends."""

from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from perfectplay import DRAW, LOSS, ONGOING, WIN, Game


def graph_game(children, ends):
    """The game in which a move follows an arrow; ends maps a place to its outcome, all others have arrows."""

    def moves(mine, theirs):
        return 0 if mine in ends else (1 << len(children[mine])) - 1

    def play(mine, theirs, move):
        return children[mine][move], 0

    def outcome(mine, theirs):
        return ends.get(mine, ONGOING)

    return Game(moves=moves, play=play, outcome=outcome, bits=8, shape=(8, 1), name="a drawn game")


@st.composite
def drawn_games(draw, most=6):
    """Small games with many circles."""
    size = draw(st.integers(3, most))
    ends = {place: draw(st.sampled_from([LOSS, LOSS, WIN, DRAW])) for place in range(size - 2, size)}
    places = st.lists(st.integers(0, size - 1), min_size=1, max_size=3, unique=True)
    return graph_game([draw(places) for _ in range(size)], ends)


def solved_exactly(size, steps, ends):
    """What a walk by chance comes to from each place: steps[i] maps a place to its share, ends[i] is what it adds.

    Places from which no end can be reached come to nothing.
    """
    steps = [{place: probability for place, probability in here.items() if probability} for here in steps]
    alive = {place for place in range(size) if ends[place]}
    while more := {i for i in range(size) if i not in alive and alive & steps[i].keys()}:
        alive |= more
    order = sorted(alive)
    rows = [[Fraction(i == j) - steps[i].get(j, Fraction(0)) for j in order] + [Fraction(int(ends[i]))] for i in order]
    for column in range(len(order)):
        pivot = next(row for row in rows[column:] if row[column])
        rows.remove(pivot)
        pivot = [number / pivot[column] for number in pivot]
        rows.insert(column, pivot)
        for at, row in enumerate(rows):
            if at != column and row[column]:
                rows[at] = [number - row[column] * other for number, other in zip(row, pivot, strict=True)]
    found = [Fraction(0)] * size
    for place, row in zip(order, rows, strict=True):
        found[place] = row[-1]
    return found


def all_choices(options):
    """Every way to choose one of each place's options."""
    places = sorted(options)
    return (dict(zip(places, chosen, strict=True)) for chosen in product(*(options[place] for place in places)))
