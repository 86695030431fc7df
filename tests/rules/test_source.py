"""The rules as one text."""

import dataclasses

import pytest

from perfectplay import DRAW, ONGOING, load
from perfectplay.game import canonical, levels
from perfectplay.rules.source import NoSource, gather, rule_functions, rule_text

NAMES = ["tic-tac-toe", "misere", "drop:4,3,3", "tactic-toe", "kingpawns", "examples/hexapawn.py"]


@pytest.mark.parametrize("name", NAMES)
def test_the_text_alone_has_the_same_rules(name):
    game = load(name)
    space = {}
    exec(rule_text(*gather(rule_functions(game))), space)
    smallest = canonical(game)
    for level in list(levels(game))[:4]:
        for position in level:
            assert space["outcome"](*position) == game.outcome(*position)
            assert space["moves"](*position) == game.moves(*position)
            assert space["smallest"](*position) == smallest(*position)
            assert space["unkey"](space["key"](*position)) == position
            for move in range(game.moves(*position).bit_length()):
                if game.outcome(*position) == ONGOING and game.moves(*position) >> move & 1:
                    assert space["play"](*position, move) == game.play(*position, move)


def test_what_is_no_plain_function_has_no_source():
    game = load("tic-tac-toe")
    two = (lambda mine, theirs: DRAW), eval("lambda mine, theirs: DRAW")
    text = rule_text(*gather(rule_functions(dataclasses.replace(game, outcome=two[0]))))
    assert "return 0" in text.replace("DRAW_v", "0")
    for odd in (dataclasses.replace(game, outcome=two[1]), dataclasses.replace(game, moves=int.__add__)):
        with pytest.raises(NoSource):
            gather(rule_functions(odd))


def test_tuples_that_are_only_looked_up_become_functions():
    where = tuple(range(20))
    few = (1, 2, 3)
    cut = tuple(range(20, 40))
    flags = (True, False)

    def moves(mine, theirs):
        return where[mine] + few[theirs] + cut[2:][mine] + cut[mine] + where[-1 - mine] + flags[theirs]

    text = rule_text(*gather({"moves": moves}), least=True)
    assert "where_v3 = listed((0, 1, 2" in text
    assert text.count("where_v3(") == 2
    assert "cut_v" in text
    assert "listed((20" not in text
    assert "listed((1, 2, 3))" in text
    assert "listed((True" not in text
    space = {"listed": lambda numbers: numbers.__getitem__}
    exec(text, space)
    assert [space["moves"](place, 1) for place in range(5)] == [moves(place, 1) for place in range(5)]
