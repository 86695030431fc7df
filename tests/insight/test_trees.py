"""Search trees: the nodes that the algorithms visit, and how they are drawn and printed."""

import json
import re
from functools import cache
from itertools import pairwise
from math import inf
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings, strategies as st

import perfectplay
from command_line import complaint, output
from far_game import corridor
from perfectplay import LOSS, ONGOING, BadArgument, Game, TooBig, load
from perfectplay.game import levels
from perfectplay.insight.ladder import ALGORITHMS, Meter
from perfectplay.insight.trees.tree_svg import tidy

TEXTBOOK = [3, 5, 6, 9, 1, 2, 0, -1]
RECORDED = ["minimax", "alpha-beta", "cache"]
LADDER = [*RECORDED, "symmetry", "flags", "table"]
VALUES_ONLY = ["minimax", "flags"]
KEYS = {"game", "algorithm", "depth", "score", "score_of_a_win", "visited", "cut", "repeated", "nodes"}
BY_NAME = {algorithm.name: algorithm.search for algorithm in ALGORITHMS}
DAWDLING = "O:X.X/OO./X.."
levels_of = cache(lambda name: list(levels(load(name))))


def pruned(leaves, branching, maximise):
    """The value and the numbers of the leaves that alpha-beta visits, as textbooks write it: cut if beta <= alpha."""
    seen = []

    def search(begin, size, alpha, beta, maximise):
        if size == 1:
            seen.append(begin)
            return leaves[begin]
        best, part = -inf if maximise else inf, size // branching
        for i in range(branching):
            found = search(begin + i * part, part, alpha, beta, not maximise)
            best = max(best, found) if maximise else min(best, found)
            alpha, beta = (max(alpha, best), beta) if maximise else (alpha, min(beta, best))
            if beta <= alpha:
                break
        return best

    return search(0, len(leaves), -inf, inf, maximise), seen


def leaves_of(tree):
    """The leaves of a tree of numbers, in order."""
    deepest = max(node.depth for node in tree.nodes)
    return [node for node in tree.nodes if node.depth == deepest]


def test_the_textbook_tree_cuts_the_leaf_9_and_the_last_two():
    tree = perfectplay.tree(leaves=TEXTBOOK, algorithm="alpha-beta")
    assert [leaf.score for leaf in leaves_of(tree) if leaf.kind == "cut"] == [9, 0, -1]
    assert (tree.score, tree.visited, tree.cut) == (5, 11, 4)
    reasons = [(node.alpha, node.beta) for node in tree.nodes if node.kind == "cut"]
    assert reasons == [(6, 5), (5, 2), (-inf, inf), (-inf, inf)]


@given(data=st.data(), branching=st.integers(2, 4), minimise=st.booleans())
def test_alpha_beta_finds_the_value_of_minimax_and_visits_the_leaves_of_a_textbook(data, branching, minimise):
    size = branching ** data.draw(st.integers(1, 4 if branching == 2 else 3))
    leaves = data.draw(st.lists(st.integers(-9, 9), min_size=size, max_size=size))
    value, seen = pruned(leaves, branching, not minimise)
    tree = perfectplay.tree(leaves=leaves, branching=branching, minimise=minimise, algorithm="alpha-beta")
    full = perfectplay.tree(leaves=leaves, branching=branching, minimise=minimise)
    assert tree.score == full.score == value
    assert [i for i, leaf in enumerate(leaves_of(tree)) if leaf.kind != "cut"] == seen
    assert len(leaves_of(tree)) == len(leaves)
    for ours, true in zip(tree.nodes, full.nodes, strict=True):  # a bound holds, and without one the score is exact
        if ours.kind == "searched":
            holds = {"": ours.score == true.score, "≤": true.score <= ours.score, "≥": true.score >= ours.score}
            assert holds[ours.bound]


@given(
    data=st.data(),
    name=st.sampled_from(["tic-tac-toe", "misere", "drop:3,3,3", "examples/hexapawn.py"]),
    algorithm=st.sampled_from(LADDER),
)
@settings(max_examples=40)
def test_the_nodes_are_those_that_compare_counts(data, name, algorithm):
    game = load(name)
    ply = data.draw(st.integers(4, len(levels_of(name)) - 1))
    position = data.draw(st.sampled_from(levels_of(name)[ply]))
    match = perfectplay.commands.matches.match.match_at(game, position, ply % 2)
    if match.is_over:
        return
    meter = Meter(10**9)
    entry = BY_NAME[algorithm](game, position, meter)
    if meter.nodes > 2_000:
        return
    tree = perfectplay.tree(match, algorithm=algorithm)
    assert tree.visited == meter.nodes
    sign = 1 if ply % 2 == 0 else -1
    assert sign * tree.score == entry.value * (tree.top - (0 if algorithm in VALUES_ONLY else entry.distance or 0))


@pytest.mark.parametrize("algorithm", LADDER)
def test_the_same_position_with_either_side_to_move(algorithm):
    game = Game(  # a heap of 7, from which each side takes 1 or 2; who takes the last has won
        moves=lambda mine, theirs: (mine > 0) | (mine > 1) << 1,
        play=lambda mine, theirs, move: (mine - 1 - move, 0),
        outcome=lambda mine, theirs: ONGOING if mine else LOSS,
        bits=3,
        shape=(3, 1),
        start=(7, 0),
    )
    meter = Meter(10**9)
    BY_NAME[algorithm](game, game.start, meter)
    tree = perfectplay.tree(game, algorithm=algorithm)
    assert tree.visited == meter.nodes
    scores = {node.position: node.score for node in perfectplay.tree(game).nodes}
    assert all((scores[node.position] > 0) == (node.score > 0) for node in tree.nodes if not node.bound and node.score)


def test_scores_rise_to_the_root():
    trees = [perfectplay.tree("tic-tac-toe", position=DAWDLING, algorithm=algorithm) for algorithm in RECORDED]
    minimax, alphabeta, cache = trees
    for tree in trees:
        for node in tree.nodes:
            if node.best is not None:
                child = tree.nodes[node.best].score
                lost = (child > 0) - (child < 0) if tree is cache else 0
                assert node.score == child - lost
    assert [tree.score for tree in trees] == [-10, -9, -9]
    assert minimax.nodes[minimax.root.best].move == "b1"  # blind to depth
    assert alphabeta.nodes[alphabeta.root.best].move == "c2"
    repeated = [(node, cache.nodes[node.same_as]) for node in cache.nodes if node.kind == "repeated"]
    assert [first.number for _, first in repeated] == [5, 3, 12, 4, 18, 8]
    assert all((node.position, node.score) == (first.position, first.score) for node, first in repeated)


@pytest.mark.parametrize("algorithm", LADDER)
@pytest.mark.parametrize("name", ["tic-tac-toe", "examples/hexapawn.py"])
def test_the_steps_tell_the_search_again(algorithm, name):
    tree = perfectplay.tree(name, position=DAWDLING if name == "tic-tac-toe" else None, algorithm=algorithm)
    entered = [step.node for step in tree.steps if step.kind == "enter"]
    assert entered == [node.number for node in tree.nodes if node.kind != "cut"]
    back = {step.child: step for step in tree.steps if step.kind == "back"}
    assert sorted(back) == entered[1:]  # every visit comes back to its parent
    for step in back.values():
        assert tree.nodes[step.child].parent == step.node
    last = {step.node: step for step in back.values()}
    assert all((step.best, step.score) == (tree.nodes[at].best, tree.nodes[at].score) for at, step in last.items())
    cuts = [step.child for step in tree.steps if step.kind == "cut"]
    first_cut = {node.parent: node.number for node in reversed(tree.nodes) if node.kind == "cut"}
    assert sorted(cuts) == sorted(first_cut.values())
    assert all(step.alpha >= step.beta for step in tree.steps if step.kind == "cut")


def test_symmetry_finds_images_and_the_table_needs_no_search():
    position = "X:.../.X./O.."
    cache, folded = (perfectplay.tree("tic-tac-toe", "b2", "a1", "c3", "c1", algorithm=one) for one in LADDER[2:4])
    assert folded.visited < cache.visited
    repeated = [node for node in folded.nodes if node.kind == "repeated"]
    assert any(folded.nodes[node.same_as].position != node.position for node in repeated)
    looked = perfectplay.tree("fading:3,2", algorithm="table")  # although it has cycles
    assert (looked.visited, {node.kind for node in looked.nodes}) == (10, {"looked up"})
    assert perfectplay.tree("tic-tac-toe", position=position, algorithm="table").score == 0
    with pytest.raises(TooBig, match="drop:7,6,4 is too large to solve"):
        perfectplay.tree("drop:7,6,4", algorithm="table")


def test_a_depth_limit_takes_unfinished_games_for_draws():
    tree = perfectplay.tree("tactic-toe", depth=2)
    assert tree.visited == 1 + 9 + 9 * 8
    assert {node.kind for node in tree.nodes if node.depth == 2} == {"horizon"}
    assert {node.score for node in tree.nodes} == {0}
    assert "0?" in str(tree)
    assert "not over at depth 2 are taken for draws" in str(tree)


def test_a_late_win_still_beats_a_draw_but_not_too_late():
    for plies, top in ((9, 10), (11, 100)):
        scores = [perfectplay.tree(corridor(plies), algorithm=one).score for one in RECORDED]
        assert scores == [top, top - plies, top - plies]
    with pytest.raises(TooBig, match="too deep"):
        perfectplay.tree(corridor(3000))
    assert perfectplay.tree(corridor(3000), depth=300).visited == 301


@pytest.mark.nightly
def test_a_tree_may_be_too_large():
    with pytest.raises(TooBig, match="more than 1,000,000 nodes"):
        perfectplay.tree("connect-four", algorithm="alpha-beta")
    with pytest.raises(TooBig, match="the tree has 549,946 nodes"):
        perfectplay.tree("tic-tac-toe").to_svg()


@given(ups=st.lists(st.integers(0, 4), max_size=40))
def test_a_tidy_tree_has_no_overlaps_and_centres_parents(ups):
    parents, path = [None], [0]  # of the nodes in the order of visits; ups says how many nodes are left before the next
    for up in ups:
        del path[max(1, len(path) - up) :]
        parents.append(path[-1])
        path.append(len(parents) - 1)
    places = tidy(parents)
    assert min(places) == 0
    depths, rows, children = [], {}, {}
    for node, parent in enumerate(parents):
        depths.append(0 if parent is None else depths[parent] + 1)
        rows.setdefault(depths[node], []).append(places[node])
        children.setdefault(parent, []).append(places[node])
    for row in rows.values():
        assert all(right - left > 1 - 1e-9 for left, right in pairwise(row))
    for parent, below in children.items():
        if parent is not None:
            assert places[parent] == pytest.approx((below[0] + below[-1]) / 2)


def test_a_mirrored_tree_has_a_mirrored_layout():
    left, right = tidy([None, 0, 1, 1, 1, 0, 0]), tidy([None, 0, 0, 0, 3, 3, 3])
    order = [0, 3, 6, 5, 4, 2, 1]  # the nodes of the second tree, in the order of the first
    assert left == pytest.approx([max(right) - right[node] for node in order])


@pytest.mark.parametrize("algorithm", RECORDED)
def test_drawings_have_every_node_and_load_nothing(algorithm):
    tree = perfectplay.tree("tic-tac-toe", position=DAWDLING, algorithm=algorithm)
    svg, page = tree.to_svg(), tree.to_html()
    root = ElementTree.fromstring(svg)
    groups = [one for one in root.iter("{http://www.w3.org/2000/svg}g") if (one.get("id") or "").startswith("n")]
    assert len(groups) == len(tree.nodes)
    assert len([one for one in groups if "off" in one.get("class")]) == tree.cut
    assert svg.count('class="cross"') == tree.cut
    branches = re.findall(r'<line class="edge[^"]*" x1="[^"]*" y1="([^"]*)" x2="[^"]*" y2="([^"]*)"', svg)
    assert len(branches) == len(tree.nodes) - 1
    assert all(float(above) < float(below) for above, below in branches)  # from below a board to the top of the next
    assert len(re.findall(r'<li id="n\d+"', page)) == len(tree.nodes)
    assert page.count("✕ cut") == tree.cut
    assert page.count('<a href="#n') == svg.count('<a href="#n') == tree.repeated
    for text in (svg.replace("http://www.w3.org/2000/svg", ""), page):
        assert ("http" in text, "src=" in text, "10" in text) == (False, False, True)
    assert "X to move: max" in svg
    assert "O to move: min" in page
    assert tree._repr_svg_() == svg


@pytest.mark.parametrize(
    ("arguments", "leaves"),
    [("--leaves -1,3,5,-2", [-1, 3, 5, -2]), ("--minimise --leaves=-.5,-2 --branching 2", [-0.5, -2])],
)
def test_the_result_as_json(arguments, leaves, capsys):
    tree = perfectplay.tree(leaves=leaves, minimise="--minimise" in arguments)
    result = json.loads(output(capsys, f"tree {arguments} --json"))
    assert result == tree.to_dict()
    assert set(result) == KEYS
    assert [node["score"] for node in result["nodes"] if node["kind"] == "finished"] == leaves
    assert result["score"] == tree.score == pruned(leaves, 2, "--minimise" not in arguments)[0]
    assert result["nodes"][0]["player"] == ("min" if "--minimise" in arguments else "max")


def test_printed_trees(capsys):
    out = output(capsys, "tree --leaves 3,5,6,9,1,2,0,-1 --algorithm alpha-beta")
    assert "│  └─ ≥6  (max)  α −∞, β 5\n│     ├─ 6\n│     ╳╌ 9  cut, α 6 ≥ β 5\n" in out
    assert "11 nodes visited, 4 cut off; the root is worth 5." in out
    out = output(capsys, f"tree tic-tac-toe --position {DAWDLING} --algorithm cache")
    assert "│  ├─ c2  −9  (O to move: min)\n│  │  ├─ b1  −10  = #3\n" in out
    assert str(perfectplay.tree("tic-tac-toe", position=DAWDLING, algorithm="cache")) + "\n" == out


@pytest.mark.parametrize(("name", "begin"), [("tree.svg", "<svg"), ("tree.html", "<!DOCTYPE html>")])
def test_drawings_are_written_to_files(name, begin, capsys, tmp_path):
    out = output(capsys, f"tree tic-tac-toe b2 a1 --depth 1 --to {tmp_path}/{name}")
    assert out == f"{tmp_path}/{name}: 8 nodes visited; the root is worth 0.\n"
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "a tree is that of a game, or of numbers, --leaves; give one of them"),
        ("tic-tac-toe --leaves 1,2", "give one of them"),
        ("--leaves 1,2,3", "a tree with --branching 2 has 2, 4, 8, ... leaves, not 3"),
        ("--leaves 1,a", "--leaves: '1,a' is not a list of numbers"),
        ("--leaves 1,nan.0", "is not a list of numbers"),
        ("--leaves 1,2 --depth 2", "no depth"),
        ("--leaves 1,2 --algorithm cache", "--algorithm cache finds nothing twice"),
        ("tic-tac-toe --algorithm cache", "the tree has 16,168 nodes, too many to draw (at most 5,000)"),
        ("tic-tac-toe --depth 3", "the tree has 586 nodes, too many to print (at most 200)"),
        ("tactic-toe", "its tree never ends; set --depth"),
        ("tic-tac-toe --position O:XXX/OO./...", "the game is over, there is no tree"),
        ("tic-tac-toe --depth 0", "'0' is not a whole number"),
        ("tic-tac-toe --depth 1 --to tree.pdf", "'tree.pdf' does not end in .svg, .html or .htm"),
    ],
)
def test_invalid_input_gets_one_line(arguments, said, capsys):
    assert said in complaint(capsys, f"tree {arguments}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"game": "tic-tac-toe", "algorithm": "best"}, "algorithm='best'"),
        ({"leaves": "1,2"}, "leaves='1,2' is not a list of numbers"),
        ({"leaves": [1, inf]}, "inf, which is not a number"),
        ({"leaves": [1], "branching": 1}, "branching=1"),
    ],
)
def test_invalid_arguments_are_refused(arguments, said):
    with pytest.raises(BadArgument, match=said):
        perfectplay.tree(**arguments)
