"""The board in a notebook as Python sees it: settings, moves, the opponent, history, hints, what the script gets."""

import re
import sys

import pytest

import perfectplay
from perfectplay.words import SECOND, BadArgument, BadPlayer, BadPosition, IllegalMove, MissingPackage

SEARCHED = "drop:4,4,4"
"""A game that is searched, not solved on the spot; other tests compile it, too."""


@pytest.fixture
def board():
    """Makes boards, which are closed in the end."""
    pytest.importorskip("anywidget", reason="boards in notebooks need anywidget: make test installs it")
    made = []

    def make(game="tic-tac-toe", **settings):
        made.append(perfectplay.widget(game, **settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


def state(one):
    """What Python lets users see."""
    return one.position, one.moves, one.hints, one.opponent, one.side, one.seconds


def tell(one, **told):
    """What the script says when the user does something."""
    one._handle_custom_msg(told, [])


def test_two_people_play_and_take_back(board):
    one = board()
    assert one.play("b2").play("a1", "c3").moves == ("b2", "a1", "c3")
    assert one.position == "O:O../.X./..X"
    assert one.undo().moves == ("b2", "a1")
    assert one.undo(2).moves == ()
    assert one.redo().moves == ("b2",)
    assert one.go_to(3).moves == ("b2", "a1", "c3")
    assert one.undo(2).play("c1").moves == ("b2", "c1")  # the moves that were taken back are gone
    with pytest.raises(BadArgument, match="no move was taken back"):
        one.redo()
    assert one.new_game().moves == ()


def test_a_match_that_is_taken_out_or_put_in_is_independent(board):
    match = perfectplay.Match("tic-tac-toe").play("b2")
    one = board(match)
    match.play("a1")
    one.match.play("c1")
    assert one.match == perfectplay.Match("tic-tac-toe").play("b2")
    assert one.undo().moves == ()


def test_the_opponent_answers_and_undo_goes_back_to_your_turn(board):
    one = board(opponent="perfect", seed=1).play("a1")
    assert one.moves == ("a1", "b2")  # every other answer loses
    assert one.match.turn == one.side
    assert one.undo().moves == ()
    assert one.redo().moves == ("a1", "b2")
    assert one._shown["mine"]
    one = board(opponent="random", side=SECOND, seed=1)
    assert len(one.moves) == 1
    with pytest.raises(BadArgument, match="cannot undo a move"):
        one.undo()  # there is no turn of yours before
    one.undo(1)
    assert one._shown["waits"]
    assert not one._shown["mine"]
    assert len(one.let_opponent_move().moves) == 1


def test_the_opponent_of_a_game_with_extra_turns_moves_as_often_as_it_may(board):
    one = board("dots:1,1", opponent="perfect", seed=1)
    one.play("b1")
    assert one.match.is_over or one.match.turn == one.side
    while not one.match.is_over:
        one.play(one.match.legal_moves()[0])
    assert one._shown["result"] in ("You win by 1.", "Perfect wins by 1.")


def test_a_position_that_is_set_stays_until_somebody_moves(board):
    one = board(opponent="perfect", seed=1).play("a1")
    one.position = "O:X../.../..."
    assert (one.position, one.moves) == ("O:X../.../...", ())
    assert one._shown["waits"]  # the opponent is to move
    assert one.let_opponent_move().moves == ("b2",)
    one.position = "x:X.O/.../..."
    assert one.position == "X:X.O/.../..."


def test_observers_see_moves_and_position_together(board):
    one, seen = board(opponent="perfect", seed=1), []
    one.observe(lambda change: seen.append((one.moves, one.position)), "moves")
    one.play("a1")
    assert seen == [(("a1",), "O:X../.../..."), (("a1", "b2"), "X:X../.O./...")]
    two = board()
    two.observe(lambda change: len(change["new"]) == 1 and two.play("a1"), "moves")  # an observer may play
    two.play("b2")
    assert two.moves == ("b2", "a1")
    assert [ply.get("move") for ply in two._shown["plies"]] == [None, "b2", "a1"]


@pytest.mark.parametrize(
    ("setting", "value", "error", "words"),
    [
        ("position", "foo", BadPosition, "who is to move"),
        ("position", 7, BadPosition, "not a position"),
        ("position", "X:XXX/.../...", BadPosition, "XXX"),
        ("hints", "yes", BadArgument, "neither True nor False"),
        ("opponent", "nobody", BadPlayer, "no player is called"),
        ("opponent", 7, BadPlayer, "not the name"),
        ("opponent", "human", BadPlayer, "opponent=None"),
        ("side", 2, BadArgument, "neither FIRST"),
        ("seconds", 0, BadArgument, "not a time"),
        ("seconds", None, BadArgument, "not a time"),
        ("moves", ("a1",), Exception, "read-only"),
    ],
)
def test_illegal_settings_leave_the_board_as_it_was(board, setting, value, error, words):
    one = board(opponent="perfect", seed=1).play("a1")
    before = state(one), one._shown
    with pytest.raises(error, match=words) as fault:
        setattr(one, setting, value)
    assert "\n" not in str(fault.value)
    assert (state(one), one._shown) == before
    assert len(one.play("c3").moves) == 4


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda one: one.play("zz"), "'zz' is not a legal move"),
        (lambda one: one.play("b1", "b1"), "'b1' is not a legal move"),
        (lambda one: one.undo(3), "has 2 plies"),
        (lambda one: one.undo("all"), "not a whole number"),
        (lambda one: one.go_to(3), "0 to 2"),
        (lambda one: one.go_to("end"), "0 to 2"),
    ],
)
def test_what_is_illegal_leaves_the_board_as_it_was(board, act, words):
    one = board(opponent="perfect", seed=1).play("a1")
    before = state(one)
    with pytest.raises((BadArgument, IllegalMove), match=words):
        act(one)
    assert state(one) == before


@pytest.mark.parametrize(
    "settings",
    [{"opponent": "nobody"}, {"side": "X"}, {"seconds": -1}, {"hints": 1}, {"seed": -1}, {"game": "no-game"}],
)
def test_a_board_that_cannot_be(board, settings):
    with pytest.raises((BadPlayer, BadArgument, perfectplay.BadGame)):
        board(**settings)


def test_hints_are_those_of_the_analysis(board):
    one = board(perfectplay.Match("tic-tac-toe").play("b2", "b1"), hints=True)
    known = one._shown["known"]
    analysis = one.match.analyse()
    assert {move["move"]: move["text"] for move in known["moves"]} == {move.move: move.text for move in analysis.moves}
    assert {move["move"] for move in known["moves"] if move["best"]} == set(analysis.best)
    assert (known["value"], known["distance"], known["source"], known["exact"]) == ("win", 5, "table", True)
    one.hints = False
    assert one._shown["known"] is None


def test_hints_of_a_search_say_what_is_proven():
    from perfectplay.bridges.notebook.shown_board import hint_fields

    analysis = perfectplay.analyse(SEARCHED, nodes=10)
    known = hint_fields(analysis)
    assert (known["value"], known["exact"], known["source"]) == (None, False, "search")
    assert {move["value"] for move in known["moves"]} == {None}
    assert not any(move["best"] for move in known["moves"])
    assert all(move["at_least"]["value"] == "loss" for move in known["moves"])


def test_hints_wait_for_the_engine_and_the_opponent_does_not(board, monkeypatch):
    from perfectplay.bridges.notebook import rival

    monkeypatch.setattr(rival, "PATIENCE", 0.0)
    monkeypatch.setattr(rival.WarmEngine, "run", lambda engine: None)  # it never gets ready
    one = board("connect-four", opponent="perfect", hints=True)
    assert one._shown["known"] is None
    assert "Preparing the engine" in one._shown["note"]
    one.hints = False
    one.play("4")
    assert len(one.moves) == 2
    assert "still being compiled" in one._shown["note"]


def test_what_the_user_does_on_the_screen(board):
    one = board(opponent="perfect", seed=1)
    tell(one, do="play", move="a1", at=one.position)
    assert one.moves == ("a1", "b2")
    tell(one, do="play", move="c3", at="X:.../.../...")  # a click on an older board
    assert one.moves == ("a1", "b2")
    for told, shown in (
        ({"do": "go", "ply": 0}, (0, False, "perfect")),
        ({"do": "hints", "on": True}, (0, True, "perfect")),
        ({"do": "side", "side": 1}, (1, True, "perfect")),
        ({"do": "opponent", "name": ""}, (1, True, None)),
        ({"do": "new"}, (0, True, None)),
    ):
        tell(one, **told)
        assert (len(one.moves), one.hints, one.opponent) == shown
    tell(one, do="play", move="zz", at=one.position)
    assert one._shown["fault"].startswith("'zz' is not a legal move")
    tell(one, do="play", move="a1", at=one.position)
    assert one._shown["fault"] == ""


def test_an_opponent_that_fails_is_named_and_the_board_stays(board, tmp_path):
    file = tmp_path / "bots.py"
    file.write_text("def bad(position):\n    return 99\n", encoding="utf-8")
    one = board(opponent=f"{file}:bad")
    one.play("a1")
    assert one.moves == ("a1",)
    assert "99" in one._shown["fault"]
    assert one._shown["waits"]


def test_the_opponent_says_what_it_does_while_it_thinks(board):
    one, seen = board(opponent="perfect", seed=1), []
    one.observe(lambda change: seen.append((change["new"]["busy"], len(change["new"]["plies"]))), "_shown")
    one.play("a1")
    assert seen == [("", 2), ("Perfect is thinking …", 2), ("", 3)]
    assert repr(one) == "  a b c\n1 X . .\n2 . O .\n3 . . .\nX to move"  # without a front end it prints


def test_the_end_in_words_and_the_picture_of_a_saved_notebook(board):
    one = board().play("b2", "a1", "c1", "b1", "a3")
    assert one._shown["result"] == "X wins."
    assert one._shown["here"]["rows"] == [[2, 4, 6]]
    assert not one._shown["mine"]
    assert repr(one).endswith("X wins.")
    data = one._repr_mimebundle_()
    data = data[0] if isinstance(data, tuple) else data
    assert data["text/plain"].startswith("  a b c\n1 O O X")
    assert data["text/html"].startswith("<svg ")
    assert "application/vnd.jupyter.widget-view+json" in data


@pytest.mark.parametrize("name", ["connect-four", "kalah:6,4", "hex:5", "morris:6"])
def test_every_look_can_be_shown_and_played(board, name):
    one = board(name, opponent="random", seed=1)
    one.play(one.match.legal_moves()[0])
    assert one._game["art"]["places"]
    assert all({"move", "to", "from"} <= move.keys() for move in one._shown["here"]["moves"])


def test_the_script_is_one_module_that_fetches_nothing():
    from perfectplay.bridges.notebook.board_widget import BoardWidget

    code = str(BoardWidget._esm)
    assert re.findall(r"^export .*$", code, re.MULTILINE) == [
        "export default { render: (context) => widget_js.render(context, style) };"
    ]
    assert "import " not in re.sub(r'"[^"]*"', "", code)
    assert "fetch(" not in code
    assert ":root" not in code


def test_without_anywidget_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(MissingPackage, match=r"pip install 'perfectplay\[notebook\]'"):
        perfectplay.widget("tic-tac-toe")
