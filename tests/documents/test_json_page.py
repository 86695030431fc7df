"""The page of JSON knows every field of the answers, and its type."""

import re

import pytest
from json_answers import answer

from homes import ROOT, shared_home
from perfectplay.commands.parser import command_parser
from perfectplay.commands.verbs import verbs

PAGE = (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
LINES = """
games nim
players
solve nim:3,2 --engine python --no-table
solve kalah:2,2 --engine python --no-table
analyse tic-tac-toe b2 a1 --against uniform
analyse kalah:2,2
explain tic-tac-toe b2 a1
odds tic-tac-toe perfect random
battle kalah:2,2 random perfect --games 4 --seed 1 --show-losses 1 --times
tournament tic-tac-toe random perfect --games 2 --seed 1
puzzles tic-tac-toe --count 2 --seed 1
review tic-tac-toe b2 a1 c3
tree tic-tac-toe b2 --algorithm alpha-beta --depth 2
compare nim:3,2
perft kalah:2,2 3
check nim:3,2
tables
""".strip().splitlines()
PLAIN = {"null": type(None), "true or false": bool, "whole number": int, "text": str, "number": (int, float)}


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory, known_rules):
    with shared_home(tmp_path_factory, known_rules) as folder:
        yield folder


def outline(section):
    """The type that a section begins with, and its fields: for each its type and the fields below it."""
    top = {}
    open_fields = [top]
    for spaces, names, kind in re.findall(r"^( *)- ((?:`[^`]+`(?:, )?)+): (.*)$", section, re.MULTILINE):
        below = {}
        depth = len(spaces) // 4
        for name in re.findall(r"`([^`]+)`", names):
            open_fields[depth][name] = kind.removesuffix(", sometimes"), kind.endswith(", sometimes"), below
        open_fields[depth + 1 :] = [below]
    return top


HEADS = [(part.partition("\n")[0], part.partition("\n")[2]) for part in PAGE.split("\n## ")[1:]]
SECTIONS = {re.sub(r"\[(.*)\]\(.*\)", r"\1", head): body for head, body in HEADS}
FIELDS = {head: outline(body) for head, body in SECTIONS.items()}


def split(kind):
    """The types that a type allows."""
    parts, depth = [""], 0
    for word in re.split(r"(\(|\)| or )", kind.replace("true or false", "true/false")):
        depth += (word == "(") - (word == ")")
        if word == " or " and depth == 0:
            parts.append("")
        else:
            parts[-1] += word
    return [part.replace("true/false", "true or false") for part in parts]


def inside(kind):
    """A type without the brackets around it."""
    return kind[1:-1] if kind.startswith("(") and kind.endswith(")") else kind


def fits(value, kind, below):
    """Whether a value has a type, with these fields where it is an object."""
    return any(fits_one(value, one, below) for one in split(kind))


def fits_one(value, kind, below):
    if kind in PLAIN:
        return isinstance(value, PLAIN[kind]) and (kind == "true or false" or not isinstance(value, bool))
    if kind.startswith("list"):
        inner = inside(kind.removeprefix("list of ").replace("objects", "object"))
        return isinstance(value, list) and all(fits(item, inner, below) for item in value)
    if kind.endswith(" by name"):
        inner = inside(kind.removesuffix(" by name").replace("objects", "object"))
        return isinstance(value, dict) and all(fits(one, inner, below) for one in value.values())
    if link := re.fullmatch(r"\[(.+)\]\(#.*\)", kind):
        below = FIELDS[link[1]]
    return (
        isinstance(value, dict)
        and {name for name, (_, sometimes, _) in below.items() if not sometimes} <= value.keys()
        and all(name in below and fits(one, below[name][0], below[name][2]) for name, one in value.items())
    )


@pytest.mark.parametrize("line", LINES)
def test_the_page_knows_every_field_and_its_type(line):
    command = line.split()[0]
    told = re.search(r"^Prints: (.*?)\.(?: |$)", SECTIONS[command], re.MULTILINE)
    kind = told[1] if told else "object"
    found = answer(line)
    assert found is not None
    assert fits(found, kind, FIELDS[command]), found


def test_a_field_or_a_type_that_the_page_does_not_know_is_noticed():
    found = answer("perft nim:3,2 2")
    assert fits(found, "object", FIELDS["perft"])
    for wrong in ({"new": 1}, {"depth": "2"}, {"nodes": [1, "2"]}, {"finished": None}):
        assert not fits({**found, **wrong}, "object", FIELDS["perft"])
    assert not fits({"game": found["game"]}, "object", FIELDS["perft"])


def test_every_command_with_json_has_a_section():
    with_json = {verb.name for verb in verbs() if "--json" in command_parser(verb).format_help()}
    assert len(with_json) > 20
    assert with_json <= SECTIONS.keys()
