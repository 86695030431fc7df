"""Images of boards as straight-line code: squares that move equally far move together, by a mask and a shift.

A word is permuted by `(word & mask) << shift | (word & mask) >> shift | ...`, one term for each distance: five for the
mirror image of a board five squares wide. Each image is made from the nearest of those made before it, so a half turn
is a mirror image of a mirror image. Where both words fit in one, they move together, and the canonical form is the
least number. On a board of 5x4 squares this takes 40 instructions, the loop over squares 500.
"""

import ast
import linecache
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from perfectplay.bits import Permutation
from perfectplay.game import COMPILED_BITS, Game, Images, has_made_key
from perfectplay.rules.source import gather

Term = tuple[int, int]
"""(mask, distance): these squares move up by that distance, or down if it is negative."""
Stage = tuple[Term, ...]
"""All squares, by the distance that they move."""

MANY = 24
"""More images than these take long to compile."""
PLACING_BITS = 22
"""The widest word of which a table with a grade for each value fits a cache."""


class Route(NamedTuple):
    """The way to an image: the number of an earlier one, and the stages that make it from that."""

    target: int
    source: int
    stages: tuple[Stage, ...]


def image_functions(game: Game) -> dict[str, Callable[..., Any]]:
    """`image` and `smallest` of a game whose symmetries are permutations, to compile; none for other games."""
    if isinstance(game.symmetries, Images) or not 2 <= len(game.symmetries) <= MANY:
        return {}
    turns = [tuple(turn) for turn in game.symmetries]
    routes = routes_to(turns, game.shape)
    check_routes(routes, turns)
    return functions_of(text_of(routes, len(turns[0])))


def may_place(game: Game) -> bool:
    """Whether the loops of `compiler/kernels/placing_kernels.py` can be tried: keys are two boards side by side."""
    boards = not isinstance(game.symmetries, Images) and game.again is None
    return boards and game.bits <= PLACING_BITS and has_made_key(game)


def routes_to(turns: Sequence[Permutation], shape: tuple[int, int]) -> list[Route]:
    """The routes to all images but the first, each from an earlier one, in the order in which to make them."""
    mirrors = mirrors_of(shape) if shape[0] * shape[1] == len(turns[0]) else []
    sources = [0]
    routes: list[Route] = []
    while len(sources) < len(turns):
        targets = [target for target in range(len(turns)) if target not in sources]
        ways = (
            Route(target, source, stages)
            for target in targets
            for source in sources
            for stages in stages_between(turns[source], turns[target], mirrors)
        )
        stages_so_far = {stage for route in routes for stage in route.stages}
        routes.append(min(ways, key=lambda route: (sum(map(len, route.stages)), len({*route.stages} - stages_so_far))))
        sources.append(routes[-1].target)
    return routes


def mirrors_of(shape: tuple[int, int]) -> list[Permutation]:
    """The two mirror images of a board."""
    width, height = shape
    squares = range(width * height)
    across = tuple(at + width - 1 - 2 * (at % width) for at in squares)
    return [across, tuple(width * (height - 1 - at // width) + at % width for at in squares)]


def stages_between(begin: Permutation, end: Permutation, mirrors: list[Permutation]) -> Iterator[tuple[Stage, ...]]:
    """Ways from one image to another: at once, or by a mirror image of the board."""
    step = tuple(end[begin.index(at)] for at in range(len(begin)))
    yield (stage_of(step),)
    for mirror in mirrors:
        yield stage_of(mirror), stage_of(tuple(step[mirror.index(at)] for at in range(len(step))))


def stage_of(permutation: Permutation) -> Stage:
    """The squares by the distance that they move."""
    masks: dict[int, int] = {}
    for square, place in enumerate(permutation):
        masks[place - square] = masks.get(place - square, 0) | 1 << square
    return tuple((mask, distance) for distance, mask in sorted(masks.items()))


def check_routes(routes: Sequence[Route], turns: Sequence[Permutation]) -> None:
    """Raises AssertionError unless each route moves each square to its place, which proves it for all words.

    A stage is a union of shifted parts of a word, so what it does to a word is what it does to its squares.
    """
    squares = range(len(turns[0]))
    images = {0: [1 << square for square in squares]}
    for target, source, stages in routes:
        words = images[source]
        for stage in stages:
            words = [apply_stage(word, stage) for word in words]
        images[target] = words
    for number, turn in enumerate(turns):
        if images[number] != [1 << turn[square] for square in squares]:
            raise AssertionError(f"image {number} is not made as the permutation {turn} says")


def apply_stage(word: int, stage: Stage) -> int:
    """The word after a stage."""
    image = 0
    for mask, distance in stage:
        image |= (word & mask) << distance if distance > 0 else (word & mask) >> -distance
    return image


def text_of(routes: Sequence[Route], squares: int) -> str:
    """The text of `image` and `smallest`, and of a function for each stage: most boards have two or three."""
    stages = list(dict.fromkeys(stage for route in routes for stage in route.stages))
    names = {stage: f"stage_{number}" for number, stage in enumerate(stages)}
    functions = [stage_text(names[stage], stage, squares) for stage in stages]
    return "\n".join([*functions, image_text(routes, names, squares), smallest_text(routes, names, squares)])


def word_names(squares: int) -> list[str]:
    """The words that are moved: both at once where they fit."""
    return ["both"] if 2 * squares <= COMPILED_BITS else ["mine", "theirs"]


def stage_text(name: str, stage: Stage, squares: int) -> str:
    """The text of a function that moves a word, or both words side by side."""
    terms = []
    for mask, distance in stage:
        mask |= mask << squares if len(word_names(squares)) == 1 else 0
        shift = f" << {distance}" if distance > 0 else f" >> {-distance}" if distance else ""
        terms.append(f"(word & {mask}){shift}")
    return function_text(f"{name}(word)", [f"return {' | '.join(terms)}"])


def first_image_lines(squares: int) -> list[str]:
    """The statements that make image 0."""
    full = (1 << squares) - 1
    if len(word_names(squares)) == 1:
        return [f"both_0 = (mine & {full}) << {squares} | theirs & {full}"]
    return [f"mine_0, theirs_0 = mine & {full}, theirs & {full}"]


def route_lines(route: Route, names: Mapping[Stage, str], squares: int) -> Iterator[str]:
    """The statements that make an image, in names like `both_3`: for both words at once, or for each."""
    for word in word_names(squares):
        expression = f"{word}_{route.source}"
        for stage in route.stages:
            expression = f"{names[stage]}({expression})"
        yield f"{word}_{route.target} = {expression}"


def image_text(routes: Sequence[Route], names: Mapping[Stage, str], squares: int) -> str:
    """The text of `image`: it takes the routes that lead to the one asked for."""
    by_target = {route.target: route for route in routes}
    lines = first_image_lines(squares)

    def return_line(number: int) -> str:
        if len(word_names(squares)) == 1:
            return f"return both_{number} >> {squares}, both_{number} & {(1 << squares) - 1}"
        return f"return mine_{number}, theirs_{number}"

    for target in sorted(by_target):
        path, at = [], target
        while at:
            path.append(by_target[at])
            at = by_target[at].source
        lines.append(f"if i == {target}:")
        lines += [f"    {line}" for route in reversed(path) for line in route_lines(route, names, squares)]
        lines.append(f"    {return_line(target)}")
    return function_text("image(mine, theirs, i)", [*lines, return_line(0)])


def smallest_text(routes: Sequence[Route], names: Mapping[Stage, str], squares: int) -> str:
    """The text of `smallest`: the least image, or the position itself."""
    together = len(word_names(squares)) == 1
    lines = [*first_image_lines(squares), "least_mine, least_theirs = mine, theirs"]
    for number, route in enumerate(routes):
        lines += route_lines(route, names, squares)
        new = f"both_{route.target}"
        if not together:
            lines += lesser(f"mine_{route.target}", f"theirs_{route.target}")
        else:
            lines.append(f"least = {new} if {new} < least else least" if number else f"least = {new}")
    if together:
        lines.append(f"other_mine, other_theirs = least >> {squares}, least & {(1 << squares) - 1}")
        lines += lesser("other_mine", "other_theirs")
    return function_text("smallest(mine, theirs)", [*lines, "return least_mine, least_theirs"])


def lesser(mine: str, theirs: str) -> list[str]:
    """The statements that take this image if it is less than the least so far."""
    return [
        f"less = ({mine} < least_mine) | ({mine} == least_mine) & ({theirs} < least_theirs)",
        f"least_mine = {mine} if less else least_mine",
        f"least_theirs = {theirs} if less else least_theirs",
    ]


def function_text(head: str, lines: Sequence[str]) -> str:
    """The text of a function."""
    return "".join([f"def {head}:\n", *(f"    {line}\n" for line in lines)])


def functions_of(text: str) -> dict[str, Callable[..., Any]]:
    """`image` and `smallest` as the text defines them; their source can be found as if it came from a file."""
    file = f"<images {sha256(text.encode()).hexdigest()[:16]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {}
    exec(compile(text, file, "exec"), names)
    return {name: names[name] for name in ("image", "smallest")}


# Finds out from the source of `image` whether it maps each word by itself.
#
# Children often share a word: the one that the move does not change. Where words are mapped separately, the images of
# that word are compared once, and only those that tie are made of the other one.


NAMED_INSIDE = (ast.Lambda, ast.NamedExpr, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Expressions that name things of their own."""
Needs = dict[str, set[str]]
"""The parameters that each name depends on."""


def maps_words_separately(image: Callable[..., Any]) -> bool:
    """Whether the first word of an image depends only on the first word and the number, and the second likewise."""
    names, trees = gather({"image": image})
    tree = next(tree for tree in trees if isinstance(tree, ast.FunctionDef) and tree.name == names["image"])
    mine, theirs, number = (argument.arg for argument in tree.args.args)
    returned = tree.body[-1]
    if not isinstance(returned, ast.Return) or not isinstance(returned.value, ast.Tuple):
        return False
    needs: Needs = {name: {name} for name in (mine, theirs, number)}
    try:
        while True:  # until nothing is added, since loops carry values on
            before = sum(map(len, needs.values()))
            add_needs(tree.body[:-1], set(), needs)
            if sum(map(len, needs.values())) == before:
                break
        first, second = (parameters_of(word, needs) for word in returned.value.elts)
    except ValueError:
        return False
    return theirs not in first and mine not in second


def add_needs(statements: list[ast.stmt], control: set[str], needs: Needs) -> None:
    """Adds the parameters behind the names that these statements assign; raises ValueError for other statements."""
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
                for name, value in zip(names, values, strict=True):
                    add_need(name, parameters_of(value, needs) | control, needs)
            case ast.Assign(targets=targets, value=value):
                for name in targets:
                    add_need(name, parameters_of(value, needs) | control, needs)
            case ast.AugAssign(target=name, value=value):
                add_need(name, parameters_of(value, needs) | control, needs)
            case ast.If(test=test, body=body, orelse=orelse) | ast.While(test=test, body=body, orelse=orelse):
                add_needs([*body, *orelse], control | parameters_of(test, needs), needs)
            case ast.For(target=name, iter=values, body=body, orelse=orelse):
                add_need(name, parameters_of(values, needs) | control, needs)
                add_needs([*body, *orelse], control | parameters_of(values, needs), needs)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                raise ValueError


def add_need(target: ast.expr, parameters: set[str], needs: Needs) -> None:
    """Adds the parameters to each name in a target."""
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            needs.setdefault(node.id, set()).update(parameters)
        elif not isinstance(node, ast.Tuple | ast.Store):
            raise ValueError


def parameters_of(expression: ast.expr, needs: Needs) -> set[str]:
    """The parameters that an expression depends on; raises ValueError where it names things of its own."""
    parameters: set[str] = set()
    for node in ast.walk(expression):
        if isinstance(node, NAMED_INSIDE):
            raise ValueError
        if isinstance(node, ast.Name):
            parameters |= needs.get(node.id, set())
    return parameters
