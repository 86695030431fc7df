"""Reviews: a hand-made game for each judgement, the JSON contract, recorded games in every format, the terminal."""

import json
import re
from io import StringIO

import pytest

import perfectplay
from command_line import complaint, output
from perfectplay.insight.game_review import COSTS
from perfectplay.rules.game_records import games_in, read_games
from rings import nightly

TURNED = "a1 b1 b2 c3 a3 a2 c1"
"""A game of tic-tac-toe in which O's first move loses."""


def last(game, moves):
    """The last move of a game, reviewed."""
    return perfectplay.review(game, moves.split()).plies[-1]


@pytest.mark.parametrize(
    ("game", "moves", "judgement", "before", "after", "better"),
    [
        ("tic-tac-toe", "a1 b2", "best", ("draw", 8), ("draw", 7), ()),
        ("tic-tac-toe", "a1 b1", "mistake", ("draw", 8), ("loss", 5), ("b2",)),
        ("tic-tac-toe", "b2 b1 b3", "mistake", ("win", 5), ("draw", 6), ("a1", "c1", "a2", "c2", "a3", "c3")),
        ("tic-tac-toe", "a1 c1 b1", "blunder", ("win", 5), ("loss", 5), ("a2", "a3", "c3")),
        ("tic-tac-toe", "a2 c1 b2 b3 a3", "inaccuracy", ("win", 1), ("win", 2), ("c2",)),
        ("isolation:3,3", "a3 c3 a1", "good", ("win", 10), ("win", 12), ("b2",)),
        ("isolation:3,3", "a3 c3", "good", ("loss", 14), ("loss", 10), ("b2",)),
        ("kingpawns", "b2b3 c4b4 b1a1", "inaccuracy", ("win", 3), ("win", 4), ("a2a3",)),
        ("kingpawns", "b2b3 c4d4", "inaccuracy", ("loss", 4), ("loss", 1), ("c4b4",)),
        ("mutorere", "a3 a2 b2 a3", "mistake", ("draw", None), ("loss", 5), ("a1", "c1")),
        ("mutorere", "c2", "best", ("draw", None), ("draw", None), ()),
        ("kingpawns", "b1c1", "blunder", ("win", 5), ("loss", 5), ("b2b3",)),
    ],
)
def test_each_judgement(game, moves, judgement, before, after, better):
    made = last(game, moves)
    assert made.judgement == judgement
    assert (made.before["value"], made.before["distance"]) == before
    assert (made.after["value"], made.after["distance"]) == after
    assert sorted(made.better) == sorted(better)


def test_an_inaccuracy_in_a_drawn_position_gives_win_probability_away():
    made = last("tic-tac-toe", "a2 c2 b2 a1")
    assert (made.judgement, made.before["value"], made.after["value"]) == ("inaccuracy", "draw", "draw")
    assert made.better[0] == made.line[0]
    assert all(word in made.why for word in ("93%", "47%"))
    chances = perfectplay.analyse("tic-tac-toe", "a2", "c2", "b2", against="uniform").moves
    by_name = {move.move: move.probability.win for move in chances}
    assert by_name["a1"] < by_name[made.better[0]] * 2 / 3
    assert by_name[made.better[0]] == max(by_name[move] for move in made.better)


@pytest.mark.parametrize(
    ("game", "moves", "judgement", "margins"),
    [
        ("dots:2,2", "d3 d5 d1 a4 e4", "inaccuracy", (4, 2)),
        ("dots:2,2", "b5 d5 b3 a2", "inaccuracy", (-2, -4)),
        ("dots:2,2", "b3", "mistake", None),
        ("kalah:2,2", "2 1", "blunder", None),
    ],
)
def test_points_are_judged_as_distances_are(game, moves, judgement, margins):
    made = last(game, moves)
    assert made.judgement == judgement
    assert margins is None or (made.before["margin"], made.after["margin"]) == margins


@pytest.mark.parametrize("game", ["tic-tac-toe", "dots:2,2", "kalah:2,2", *nightly("kingpawns", "hexapawn")])
def test_every_judgement_follows_from_the_analysis(game):
    match = perfectplay.Match(game)
    while not match.is_over and len(match.moves) < 12:
        legal = match.legal_moves()
        match.play(legal[len(match.moves) * 7 % len(legal)])
    found = perfectplay.review(match)
    walk = perfectplay.Match(game)
    for made in found.plies:
        assert made.side == match.game.look.sides[walk.turn]  # a side may move again
        analysis = walk.analyse()
        moves = {move.move: move for move in analysis.moves}
        assert made.before["value"] == analysis.fields()["value"]
        assert made.after["value"] == moves[made.move].fields()["value"]
        lost = (analysis.value or 0) - (moves[made.move].value or 0)
        assert {2: ["blunder"], 1: ["mistake"]}.get(lost, ["best", "good", "inaccuracy"]).count(made.judgement) == 1
        assert (made.judgement == "best") == (not made.better)
        if made.judgement != "inaccuracy" or made.before["value"] != "draw":
            assert (made.move in analysis.best) == (made.judgement == "best")
        if made.line:
            assert made.line[0] == made.better[0]
            walk.copy().play(*made.line)
        walk.play(made.move)
    assert sum(side.moves for side in found.summary) == len(found.plies)


@pytest.mark.parametrize(("moves", "turning"), [(TURNED, 2), ("a1 b1 c1 b2 b3", 3), ("b2 a1", None)])
def test_the_turning_point_is_the_last_move_that_changed_the_result(moves, turning):
    assert perfectplay.review("tic-tac-toe", moves.split()).turning_point == turning


def test_the_contract_of_the_json(capsys):
    found = json.loads(output(capsys, f"review tic-tac-toe {TURNED} --json"))
    assert perfectplay.review("tic-tac-toe", TURNED.split()).to_dict() == found
    assert (found["game"], found["turning_point"]) == ("tic-tac-toe", 2)
    for number, ply in enumerate(found["plies"], 1):
        assert set(ply) == {"ply", "side", "move", "before", "after", "judgement", "better", "line", "why"}
        assert set(ply["before"]) == set(ply["after"]) == {"value", "distance"}
        assert (ply["ply"], ply["why"][-1]) == (number, ".")
    counts = [(side["side"], side["moves"], side["best"], side["mistakes"]) for side in found["summary"]]
    assert counts == [("X", 4, 4, 0), ("O", 3, 2, 1)]
    assert found["plies"][-1]["after"] == {"value": "win", "distance": 0}


def test_accuracy_is_a_hundred_less_the_mean_cost():
    for side in perfectplay.review("isolation:3,3", "a3 c3 a1 c2".split()).summary:
        counts = {"best": side.best, "good": side.good, "inaccuracy": side.inaccuracies}
        counts |= {"mistake": side.mistakes, "blunder": side.blunders}
        cost = sum(COSTS[judgement] * count for judgement, count in counts.items()) / side.moves
        assert side.accuracy == pytest.approx(100 * (1 - cost), abs=0.05)


@pytest.mark.parametrize(
    ("game", "moves", "side", "advice"),
    [
        ("tic-tac-toe", "a1 b1 b2 a2 c2", 0, "wins at once"),  # c3 was there
        ("tic-tac-toe", "a1 b2 c1 a3", 1, "let it win at once"),  # b1 had to be stopped
        ("tic-tac-toe", "a1 b1", 1, "6 plies ahead"),
        ("kingpawns", "b2b3 c4b4 b1a1", 0, "sooner"),
        ("kingpawns", "b2b3 c4d4", 1, "longer"),
        ("tic-tac-toe", "a2 c2 b2 a1", 1, "set problems"),
        ("dots:2,2", "d3 d5 d1 a4 e4", 0, "points"),
        ("tic-tac-toe", "b2 a1", 0, "Nothing"),
    ],
)
def test_what_to_practise(game, moves, side, advice):
    assert advice in perfectplay.review(game, moves.split()).summary[side].practise


def test_a_game_may_start_from_a_position(capsys):
    found = json.loads(output(capsys, "review tic-tac-toe b2 c1 --position O:X../.../... --json"))
    assert (found["position"], [ply["side"] for ply in found["plies"]]) == ("O:X../.../...", ["O", "X"])
    assert found["plies"][0]["judgement"] == "best"


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        ("tic-tac-toe b2 a1 a1", "", "ply 3: 'a1' is not a legal move"),
        ("tic-tac-toe a1 a2 b1 b2 c1 c3", "", "ply 6: 'c3' cannot be played: the game is over"),
        ("tic-tac-toe", "", "nothing to review"),
        ("tic-tac-toe none.txt", "", "no such file"),
        ("tic-tac-toe b2 a1 --to review.txt", "", "does not end in .html or .htm"),
        ("tic-tac-toe FILE", "b2 a1\n# nothing\nb2 b2\n", "games.txt, line 3: ply 2: 'b2' is not a legal move"),
        ("tic-tac-toe FILE", "# nothing\n", "has no moves"),
        ("tic-tac-toe FILE --game-number 2", "b2 a1\n", "--game-number 2 is too large"),
        ("tic-tac-toe FILE", "# game: connect-four\n4 4\n", "the record is of connect-four"),
    ],
)
def test_what_cannot_be_reviewed_is_said_in_a_line(words, text, said, capsys, tmp_path):
    file = tmp_path / "games.txt"
    file.write_text(text)
    assert said in complaint(capsys, f"review {words}".replace("FILE", str(file)))


PAGE = "# game: tic-tac-toe\n# position: O:X../.../...\n# first: human\n# second: level:5\nb2 c1  # X is to move\n"
OPENED = '{"moves": ["b2"], "players": ["perfect", "random"], "opening": 0}\n{"moves": ["a1"]}\n'
NAMED = '[{"moves": ["a1"], "players": [{"name": "p"}, {"name": "q"}]}]'
LINK = "http://127.0.0.1:8000/?game=tic-tac-toe&moves=b2,a1&first=human&second=perfect"
NOBODY = ("", "")


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("b2 a1 # a remark\n\n# another\nc3\n", [(("b2", "a1"), "", NOBODY), (("c3",), "", NOBODY)]),
        ("\ufeffb2 a1\r\n", [(("b2", "a1"), "", NOBODY)]),
        (PAGE, [(("b2", "c1"), "O:X../.../...", ("human", "level:5"))]),
        (f"{PAGE}# game: tic-tac-toe\nb2\n", [(("b2",), "", NOBODY)]),  # remarks are not left over
        (OPENED, [(("b2",), "", ("perfect", "random")), (("a1",), "", NOBODY)]),
        (NAMED, [(("a1",), "", ("p", "q"))]),
        (LINK, [(("b2", "a1"), "", ("human", "perfect"))]),
        ("file:///home/me/t.html#game=tic-tac-toe&moves=b2", [(("b2",), "", NOBODY)]),
    ],
)
def test_records_of_every_format(text, games, tmp_path):
    file = tmp_path / "games.txt"
    file.write_text(text, encoding="utf-8")
    records = read_games(file)
    assert [(one.moves, one.position, one.players) for one in records][-len(games) :] == games
    assert records[0].source.startswith(str(file))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"moves": 3}', "no list of moves"),
        ('{"moves": ["b2"]}\n{"moves":', "line 2: this is not JSON"),
        ("[3]", "game 1: 3 is no game"),
        ("https://example.org/", "has no moves"),
    ],
)
def test_records_that_cannot_be_read(text, said):
    with pytest.raises(perfectplay.BadArgument, match=said):
        list(games_in(text, "a text"))


def test_lost_games_of_a_battle_and_reviews_are_read(capsys, tmp_path):
    file = tmp_path / "battle.json"
    words = "battle tic-tac-toe random perfect --games 6 --swap --seed 1 --show-losses 9 --json"
    file.write_text(output(capsys, words))
    records = read_games(file)
    assert len(records) > 1
    for found in perfectplay.review_games("tic-tac-toe", records):
        assert found.match.is_over
        assert found.match.result.score(found.players.index("random")) == -1
    file.write_text(json.dumps(found.to_dict()))
    assert read_games(file)[0].moves == found.match.moves


def test_files_of_several_games(capsys, tmp_path):
    file = tmp_path / "games.jsonl"
    games = ({"moves": moves.split(), "players": ["ada", "bob"]} for moves in (TURNED, "b2 a1 c3"))
    file.write_text("".join(f"{json.dumps(game)}\n" for game in games))
    found = json.loads(output(capsys, f"review tic-tac-toe {file} --json"))
    assert [(one["turning_point"], one["players"]) for one in found] == [(2, ["ada", "bob"]), (None, ["ada", "bob"])]
    assert json.loads(output(capsys, f"review tic-tac-toe {file} --json --game-number 2")) == found[1]
    text = output(capsys, f"review tic-tac-toe {file}")
    assert all(words in text for words in ("decided by 2. O b1 (mistake)", "ada (X) 100%"))
    rows = [line.split() for line in text.splitlines()]
    assert ["ada", "6", "6", "100%"] in rows
    assert ["bob", "4", "3", "1", "88%"] in rows


def test_a_file_is_reviewed_from_python_too(capsys, tmp_path):
    file = tmp_path / "games.txt"
    file.write_text(f"# first: ada\n# second: bob\n{TURNED}\nb2 a1 c3\n")
    found = perfectplay.review_games("tic-tac-toe", file)
    assert found.to_dict() == json.loads(output(capsys, f"review tic-tac-toe {file} --json"))
    assert [review.turning_point for review in found] == [2, None]
    assert [(one.side, one.moves) for one in found.summary] == [("ada", 6), ("bob", 4)]
    assert str(found) in output(capsys, f"review tic-tac-toe {file}")
    assert len(perfectplay.review_games("tic-tac-toe", perfectplay.read_games(file)[1:])) == 1


def test_standard_input_is_read(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO("b2 a1\n"))
    assert "2 plies" in output(capsys, "review tic-tac-toe -")


def test_the_terminal_shows_curve_boards_and_summary(capsys, monkeypatch):
    text = output(capsys, f"review tic-tac-toe {TURNED}")
    assert "X wins ┤        ● ● ● ●" in text
    assert "  draw ┤●─●" in text
    for words in (
        *("◆", "before, O to move", "after b1", "better: b2; line: b2", "side  moves  best  mistakes  accuracy"),
        "O         3     2         1       83%",
        "The turning point is 2. O b1: there the draw could still be held.",
    ):
        assert words in text
    assert max(len(line) for line in text.splitlines()) <= 100
    monkeypatch.setattr("perfectplay.commands.terminal.streams.can_print", lambda text: False)
    assert output(capsys, f"review tic-tac-toe {TURNED}").isascii()


def test_reasons_of_moves_that_are_not_drawn_stand_below_them():
    found = perfectplay.review("isolation:3,3", "a3 c3 a1".split())
    made = found.plies[2]
    lines = str(found).splitlines()
    at = next(number for number, line in enumerate(lines) if line.split()[:4] == ["3", made.side, "a1", "good"])
    assert [line.strip() for line in lines[at + 1 : at + 3]] == [made.why, f"better: b2; line: {made.told}"]
    assert all(words in found._repr_html_() for words in (made.why, made.told))


def test_searched_games_are_proven_where_there_is_time(capsys):
    found = json.loads(output(capsys, "review connect-four 4 4 3 1 5 --json --seconds 2"))
    assert found["source"] == "search"
    assert [ply["judgement"] for ply in found["plies"]] == ["best", "best", "blunder", "blunder", "best"]
    assert found["plies"][3]["before"] == {"value": "win", "distance": 37}
    assert found["plies"][3]["after"] == {"value": "loss", "distance": 3}
    assert "makes two threats at once" in found["plies"][3]["why"]
    assert found["turning_point"] == 4


def test_large_boards_say_what_is_proven():
    found = perfectplay.review("gomoku", "h8 a1 h9 b1 h10 c1 h11 d1 h12".split(), seconds=0.1)
    assert found.source == "threats"
    assert found.plies[0].judgement is None
    assert found.plies[0].before == {"value": None, "distance": None}
    assert found.plies[-1].judgement == "best"
    assert found.plies[-1].after == {"value": "win", "distance": 0}
    assert "not judged" in found.note
    assert "not proven" in str(found)
    assert found.summary[0].unproven > 0


def test_matches_are_reviewed_with_their_moves():
    found = perfectplay.review(perfectplay.Match("tic-tac-toe").play("a1", "b1"))
    assert ([made.move for made in found.plies], found.result) == (["a1", "b1"], "not finished")
    assert "2 plies, not finished" in str(found)


def test_the_page_has_everything_inside(capsys, tmp_path):
    page = tmp_path / "review.html"
    assert "review.html has the boards" in output(capsys, f"review tic-tac-toe {TURNED} --to {page}")
    text = page.read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="', text)
    assert text.count("</script>") == 2
    (one,) = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])["games"]
    assert len(one["boards"]) == len(one["curve"]) == 8
    assert one["boards"][1]["pieces"].count(".") == 8
    assert one["plies"][1]["boards"][0]["changed"] == [4]
    assert (one["curve"][0], one["curve"][-1]) == (0, 1)
