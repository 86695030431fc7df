"""Games given by a drawing: numbered places, arrows between them, and the places where the game ends."""

from dataclasses import replace
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


def turn_game(arrows, ends, points=False):
    """The same with arrows that are (place, whether the same side moves again); with `points`, ends are margins."""

    def again(mine, theirs, move):
        return arrows[mine][move][1]

    def margin(mine, theirs):
        return ends[mine]

    places = [[place for place, _ in here] for here in arrows]
    game = graph_game(places, {place: (end > 0) - (end < 0) for place, end in ends.items()})
    return replace(game, again=again, margin=margin if points else None)


@st.composite
def turn_games(draw, most=8, cycles=False):
    """Small games with extra turns; without cycles, arrows go on to higher places, and some games are for points."""
    size = draw(st.integers(4, most))
    points = not cycles and draw(st.booleans())
    results = st.integers(-3, 3) if points else st.sampled_from([LOSS, WIN, DRAW])
    ends = {place: draw(results) for place in range(size - 3, size)}
    arrows = []
    for place in range(size - 3):
        places = st.integers(0 if cycles else place + 1, size - 1)
        arrows.append(draw(st.lists(st.tuples(places, st.booleans()), min_size=1, max_size=3, unique=True)))
    return turn_game(arrows, ends, points)


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
