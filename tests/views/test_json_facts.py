"""One method makes the JSON of results: from fields, properties and what is said of them."""

import json
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import PurePosixPath
from typing import NamedTuple

import pytest

from perfectplay.rules.loading import load_game
from perfectplay.views.json_facts import Fact, digits, each, facts_in, json_facts, or_none, plain, unless_none
from perfectplay.views.result import ResultClass


@dataclass(frozen=True)
class Reply(metaclass=ResultClass):
    """A small result, all of whose fields are in JSON."""

    move: str
    share: Fraction | float = Fraction(1, 3)

    to_dict = json_facts()


@dataclass(frozen=True)
class Study(metaclass=ResultClass):
    """A result whose JSON differs from its fields in all ways."""

    game: str
    size: int
    replies: tuple[Reply, ...] = ()
    best: Reply = Reply("a1")
    margin: int | None = None
    players: tuple[str, str] = ("", "")
    fault: str = ""
    rules: object = field(default=None, repr=False)

    to_dict = json_facts(
        "count",
        "game",
        Fact("size", "bytes"),
        "replies",
        Fact("best", spread=True),
        Fact("margin", rare=True),
        Fact("players", rare=True),
        Fact("fault", encode=or_none),
    )

    @property
    def count(self):
        return len(self.replies)


class Pair(NamedTuple):
    first: int
    second: int


def test_without_names_all_fields_are_in_json_in_their_order():
    assert json.dumps(Reply("b2").to_dict()) == '{"move": "b2", "share": "1/3"}'


def test_the_order_of_json_is_that_of_the_names():
    facts = Study("nim", 7, (Reply("b2", 0.5),), Reply("c3", 0.25), 2, ("X", ""), "slow").to_dict()
    assert json.dumps(facts) == (
        '{"count": 1, "game": "nim", "bytes": 7, "replies": [{"move": "b2", "share": 0.5}],'
        ' "move": "c3", "share": 0.25, "margin": 2, "players": ["X", ""], "fault": "slow"}'
    )


def test_what_says_nothing_is_left_out_or_none():
    assert [*Study("nim", 7).to_dict()] == ["count", "game", "bytes", "replies", "move", "share", "fault"]
    assert Study("nim", 7).to_dict()["fault"] is None
    assert Study("nim", 7, margin=0).to_dict()["margin"] == 0


@pytest.mark.parametrize(
    ("errors", "nodes", "rare"), [(0, (None, None), {}), (2, (0, None), {"errors": 2, "nodes": [0, None]})]
)
def test_a_rare_fact_is_left_out_where_it_is_the_default_of_its_field(errors, nodes, rare):
    @dataclass
    class Effort:
        errors: int = 0
        nodes: tuple[int | None, int | None] = (None, None)

        to_dict = json_facts(*each("errors", "nodes", rare=True))

    assert Effort(errors, nodes).to_dict() == rare


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((1, (2.5, None)), [1, [2.5, None]]),
        (Pair(1, 2), [1, 2]),
        ({"a": Fraction(1, 2), 3: (True,)}, {"a": "1/2", 3: [True]}),
        (PurePosixPath("a/b"), "a/b"),
        ([Reply("a1", 1.0)], [{"move": "a1", "share": 1.0}]),
        ("text", "text"),
        (load_game("nim:3,2"), "nim:3,2"),
        (None, None),
    ],
)
def test_values_are_plain(value, expected):
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


def test_numbers_are_rounded():
    assert digits(2)(1.239) == 1.24
    assert digits(1)((0.16, 2.0)) == [0.2, 2.0]
    assert (unless_none(digits(1))(0.16), unless_none(digits(1))(None)) == (0.2, None)


def test_a_method_written_by_hand_takes_some_facts():
    assert facts_in(Study("nim", 7), "game", Fact("size", "bytes")) == {"game": "nim", "bytes": 7}


def test_the_method_is_told_and_is_the_table_that_people_are_shown():
    assert Study.to_dict.__doc__ == "The facts as in JSON."
    assert "b2" in Reply("b2")._repr_html_()
