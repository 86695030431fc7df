"""Where the nodes of a tree stand: none overlap, parents are centred above their children (Reingold, Tilford 1981)."""

from collections.abc import Iterable, Sequence


def tidy(parents: Sequence[int | None]) -> list[float]:
    """The horizontal place of each node, in widths of a node from 0; parents come before their children.

    Subtrees are packed once to the left and once to the right; the mean of both is as narrow, and balanced.
    """
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent is not None:
            children[parent].append(node)
    left = packed(parents, children)
    right = packed(parents, [here[::-1] for here in children])
    places = [(x - y) / 2 for x, y in zip(left, right, strict=True)]
    least = min(places)
    return [place - least for place in places]


def packed(parents: Sequence[int | None], children: Sequence[Sequence[int]]) -> list[float]:
    """The place of each node from the root's, each subtree as far to the left as those before it allow."""
    offsets = [0.0] * len(parents)
    outlines: list[tuple[list[float], list[float]]] = [([], [])] * len(parents)
    for node in reversed(range(len(parents))):
        left: list[float] = []
        right: list[float] = []
        places = []
        for child in children[node]:
            its_left, its_right = outlines[child]
            place = max((end + 1 - begin for end, begin in zip(right, its_left, strict=False)), default=0.0)
            places.append(place)
            left += shifted(its_left[len(left) :], place)
            right = shifted(its_right, place) + right[len(its_right) :]
        middle = (places[0] + places[-1]) / 2 if places else 0.0
        for child, place in zip(children[node], places, strict=True):
            offsets[child] = place - middle
        outlines[node] = [0.0, *shifted(left, -middle)], [0.0, *shifted(right, -middle)]
    for node, parent in enumerate(parents):
        if parent is not None:
            offsets[node] += offsets[parent]
    return offsets


def shifted(places: Iterable[float], by: float) -> list[float]:
    """The places, moved."""
    return [place + by for place in places]
