"""An independent solution of small games: dictionaries over the game's own functions, with extra turns and points.

It shares nothing with the solvers but the Entry: no keys, symmetries, hints or tiers.
"""

from dataclasses import replace

from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Entry, PointsEntry


def late(game, moves):
    """The game from a later position on: fewer positions, and the same compiled rules."""
    position = game.start
    for move in moves:
        position = game.play(*position, move)
    return replace(game, start=position)


def edges(game, start=None):
    """For each position reachable from the start, or from another one, {move: (child, whether the mover moves again)}.

    A finished position has no moves.
    """
    start = game.start if start is None else start
    found, waiting = {}, [start]
    while waiting:
        position = waiting.pop()
        if position in found:
            continue
        found[position] = edges_at(game, position)
        waiting += [child for child, _ in found[position].values()]
    return found


def solved(game, start=None):
    """The entry of every position reachable from the start, or from another one."""
    graph = edges(game, start)
    parents = {position: set() for position in graph}
    for position, moves in graph.items():
        for child, _ in moves.values():
            parents[child].add(position)
    if game.margin is not None:
        return {position: PointsEntry(points) for position, points in margins(game, graph, parents).items()}
    return {position: Entry(*known) for position, known in values(game, graph, parents).items()}


def margins(game, graph, parents):
    """The points of each position: the best of its moves, once all of them are known; the game has no cycles."""
    points = {position: game.margin(*position) for position, moves in graph.items() if not moves}
    waiting = list(points)
    for known in waiting:  # it grows meanwhile
        for parent in parents[known]:
            children = graph[parent].values()
            if parent not in points and all(child in points for child, _ in children):
                points[parent] = max(points[child] if again else -points[child] for child, again in children)
                waiting.append(parent)
    assert len(points) == len(graph), f"{game.name} has cycles"
    return points


def values(game, graph, parents):
    """(value, distance) of each position: wins and losses, nearest first; then draws; the rest are endless draws."""
    known = {}
    wave = {position for position, moves in graph.items() if not moves and game.outcome(*position) != DRAW}
    known.update((position, (game.outcome(*position), 0)) for position in wave)
    distance = 0
    while wave:
        distance += 1
        fresh = {}
        for parent in {parent for child in wave for parent in parents[child]} - known.keys():
            results = [seen(known.get(child), again) for child, again in graph[parent].values()]
            if WIN in results:
                fresh[parent] = WIN, distance
            elif all(result == LOSS for result in results):
                fresh[parent] = LOSS, distance
        known.update(fresh)
        wave = fresh.keys()
    wave = {position for position, moves in graph.items() if not moves and game.outcome(*position) == DRAW}
    distance = 0
    while wave:
        known.update((position, (DRAW, distance)) for position in wave)
        wave = {parent for child in wave for parent in parents[child]} - known.keys()
        distance += 1
    return {position: known.get(position, (DRAW, None)) for position in graph}


def seen(known, again):
    """The value of a child to the mover; None if it is open."""
    return None if known is None else known[0] if again else -known[0]


def move_entries(game, entries, position):
    """{move: entry} of the legal moves, seen by the mover, one ply before the child's entry."""
    found = {}
    for move, (child, again) in edges_at(game, position).items():
        value, distance, margin = *entries[child], entries[child].margin
        sign = 1 if again else -1
        if margin is not None:
            found[move] = PointsEntry(sign * margin)
        else:
            found[move] = Entry(sign * value, None if distance is None else distance + 1)
    return found


def edges_at(game, position):
    """The moves of one position, as in `edges`."""
    if game.outcome(*position) != ONGOING:
        return {}
    legal, again = game.moves(*position), game.again or (lambda mine, theirs, move: False)
    moves = [move for move in range(legal.bit_length()) if legal >> move & 1]
    return {move: (game.play(*position, move), bool(again(*position, move))) for move in moves}
