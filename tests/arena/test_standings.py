import json
from dataclasses import replace
from math import sqrt
from random import Random

import pytest

from perfectplay.arena.tournaments.played_game import Deeds, PlayedGame, played_game
from perfectplay.arena.tournaments.standings import standings
from perfectplay.arena.tournaments.standings_result import crosstable
from perfectplay.arena.tournaments.tournament_settings import Tournament
from perfectplay.exports.page.tournament_games import row
from perfectplay.exports.page.tournament_page import given_away
from perfectplay.views.document import List, Section
from perfectplay.views.document_text import text
from perfectplay.views.names import cut_name, short_names
from perfectplay.words import Cause

CONTRACT = ["game", "players", "pairings", "seed"]
PLAYER = "name rating low high games wins draws losses forfeits moves optimal_moves regret_per_move blunders".split()
JUDGED = {
    "movers": (0, 1),
    "clock": (0.01, 0.02),
    "regret": (0.0, 0.5),
    "values": (0.5, 0.5),
    "wasted": (0, 0),
}


def game(number, first, second, winner="", **more):
    """A game won by one of them, or drawn."""
    result = "1/2-1/2" if not winner else "1-0" if winner == first else "0-1"
    return PlayedGame(number, "tic-tac-toe", (first, second), ("b2",), result, **{"thrown": True, **more})


def a_tournament(*players, **more):
    return Tournament("tic-tac-toe", players, 7, **more)


def in_turns(count, winner="", **more):
    """Games of x and y, who move first in turn."""
    return [game(i, *("xy" if i % 2 else "yx"), winner, **more) for i in range(count)]


def sections(result, width=80):
    """The lines of each section of the result's text."""
    return [section.split("\n") for section in text(result.document(), width).split("\n\n")]


def tables(result, width=80):
    """The lines of each table of the result's text."""
    return [lines for lines in sections(result, width) if lines[0].split()[:2] == ["#", "player"]]


def random_games(names, games, seed=1):
    """A round-robin of players of whom each is weaker than the one before."""
    rng, found = Random(seed), []
    while len(found) < games:
        for i in range(len(names)):
            for j in range(i):
                for first, second in ((i, j), (j, i)):
                    weights = [1 + len(names) - first, 2, 1 + len(names) - second]
                    winner = rng.choices([names[first], "", names[second]], weights)[0]
                    found.append(game(len(found), names[first], names[second], winner))
    return found


def test_wins_draws_and_losses_are_counted_for_both():
    games = [game(0, "x", "y", "x"), game(1, "y", "x", "x"), game(2, "x", "y"), game(3, "y", "x", "y")]
    x, y = standings(a_tournament("x", "y"), games).players
    assert (x.name, x.rank, x.score, x.games, x.wins, x.draws, x.losses) == ("x", 1, 2.5, 4, 2, 1, 1)
    assert (y.name, y.rank, y.score, y.games, y.wins, y.draws, y.losses) == ("y", 2, 1.5, 4, 1, 1, 2)
    assert x.rating == pytest.approx(-y.rating)
    assert x.low < x.rating < x.high
    assert 0.5 < x.superiority < 1
    assert y.superiority is None


def test_pairings_are_by_the_player_that_moved_first():
    games = [game(0, "x", "y", "x"), game(1, "y", "x", "x"), game(2, "x", "y"), game(3, "z", "x", "z")]
    rows = standings(a_tournament("x", "y", "z"), games).to_dict()["pairings"]
    assert rows == [
        {"first": "x", "second": "y", "games": 2, "wins": 1, "draws": 1, "losses": 0},
        {"first": "y", "second": "x", "games": 1, "wins": 0, "draws": 0, "losses": 1},
        {"first": "z", "second": "x", "games": 1, "wins": 1, "draws": 0, "losses": 0},
    ]


def test_the_json_begins_with_the_contract():
    found = json.loads(json.dumps(standings(a_tournament("x", "y", "z"), random_games("xyz", 60)).to_dict()))
    assert [*found][: len(CONTRACT)] == CONTRACT
    for player in found["players"]:
        assert [*player][: len(PLAYER)] == PLAYER
        assert player["optimal_moves"] is player["regret_per_move"] is player["blunders"] is None
    assert found["seed"] == 7
    assert [player["rank"] for player in found["players"]] == [1, 2, 3]


def test_without_times_the_json_is_the_same_for_the_same_games():
    games = [game(0, "x", "y", "x", clock=(0.5,), movers=(0,))]
    slow = [replace(one, clock=(5.0,)) for one in games]
    one, other = (standings(a_tournament("x", "y"), some) for some in (games, slow))
    assert one.to_dict(times=False) == other.to_dict(times=False)
    assert one.to_dict()["players"][0]["seconds_per_move"] == 0.5
    assert one.to_dict()["players"][1]["seconds_per_move"] is None


def test_in_a_round_robin_the_order_is_that_of_the_scores():
    names = [f"bot{i}" for i in range(8)]
    found = standings(a_tournament(*names), random_games(names, 500)).players
    scores = [player.score for player in found]
    assert scores == sorted(scores, reverse=True)
    assert [player.rank for player in found] == [1 + sum(other > score for other in scores) for score in scores]


def test_in_a_gauntlet_the_rating_decides_and_not_the_number_of_games():
    games = [
        game(i, *(("x", name) if i % 2 else (name, "x")), "x" if i % 3 else name) for i in range(60) for name in "yz"
    ]
    games = [replace(one, number=number) for number, one in enumerate(games)]
    lost = [game(200 + i, *(("x", "w") if i % 2 else ("w", "x")), "w" if i % 3 else "x") for i in range(12)]
    found = standings(a_tournament("x", "y", "z", "w", format="gauntlet"), [*games, *lost]).players
    assert [player.name for player in found] == ["w", "x", "y", "z"]
    assert found[0].score < found[1].score
    assert [player.rank for player in found] == [1, 2, 3, 3]


def test_neither_the_order_of_arrival_nor_a_line_that_is_twice_in_the_record_matters():
    games = random_games("xyz", 60)
    found = standings(a_tournament("x", "y", "z"), games)
    assert standings(a_tournament("x", "y", "z"), Random(5).sample(games, len(games))) == found
    assert standings(a_tournament("x", "y", "z"), games * 2) == found


def test_forfeits_are_losses_with_a_cause_and_all_count():
    games = [game(i, "x", "y", "x", cause=Cause.CRASH, thrown=False) for i in range(5)]
    games += [game(5, "y", "x", "x", cause=Cause.TIME, thrown=False)]
    found = standings(a_tournament("x", "y"), games)
    x, y = found.players
    assert (x.wins, dict(x.forfeits)) == (6, {})
    assert (y.losses, dict(y.forfeits)) == (6, {"crash": 5, "no answer in time": 1})
    assert found.prior
    assert any("draw against an average opponent" in remark for remark in found.remarks)


def test_games_that_repeat_are_not_evidence_and_that_is_said():
    found = standings(a_tournament("x", "y"), in_turns(20, "x", thrown=False))
    assert (found.games, found.repeated) == (2, 18)
    assert found.players[0].games == 2
    assert any("18 games" in remark and "openings" in remark for remark in found.remarks)


CYCLE = [("x", "y", "x"), ("y", "z", "y"), ("z", "x", "z"), ("x", "w", "x"), ("w", "y", "y"), ("z", "w", "z")]
"""Whoever has met w has won, and the others have won against one another in a circle."""


@pytest.mark.parametrize(
    ("games", "said", "not_said"),
    [
        ([game(0, "x", "y", unfinished=True)], "50 plies", "side wins"),
        (in_turns(4, "x", cause=Cause.START), "y lost 4 games", "plies"),
        (in_turns(2, "x", cause=Cause.START), "", "start"),
        (
            [game(i, *("xy" if i % 2 else "yx"), "xy"[i % 2 == 0]) for i in range(20)],
            "no finite first-move advantage",
            "players won every game",
        ),
        (
            [game(2 * i + j, *(p[:2], p[1::-1])[j], p[2]) for i, p in enumerate(CYCLE) for j in (0, 1)],
            "players won every game against all the others",
            "side wins",
        ),
    ],
)
def test_what_is_to_be_known_of_the_games_is_said(games, said, not_said):
    names = sorted({name for one in games for name in one.players})
    remarks = " ".join(standings(a_tournament(*names, max_plies=50), games).remarks)
    assert said in remarks
    assert not_said not in remarks


def test_where_regret_is_known_is_said():
    known, unknown = {"movers": (0,), "regret": (0.0,)}, {"movers": (0,), "regret": (None,)}
    texts = []
    for facts in ((known, known), (known, unknown), (unknown, unknown)):
        games = [game(i, *("xy" if i % 2 else "yx"), **one) for i, one in enumerate(facts)]
        texts.append(" ".join(standings(a_tournament("x", "y"), games).remarks))
    assert texts == [
        "",
        "Regret is known of 1 of 2 moves: those whose values are proven.",
        "Regret is not known, because the game is not solved.",
    ]


def test_one_side_only_leaves_the_advantage_open():
    found = standings(a_tournament("x", "y"), [game(0, "x", "y", "x"), game(1, "x", "y", "y"), game(2, "x", "y", "x")])
    assert found.advantage.elo is None
    assert found.advantage.share == pytest.approx(2 / 3)
    assert any("one side only" in remark for remark in found.remarks)


def test_a_decided_test_ends_the_evidence():
    tournament = a_tournament("x", "y", sprt=(0.0, 100.0))
    games = [replace(one, result="1/2-1/2") if one.number % 8 < 2 else one for one in in_turns(200, "x")]
    found = standings(tournament, games)
    assert found.sprt.state == "accepted H1"
    assert found.games == found.sprt.last + 1 < 200
    assert found.to_dict()["sprt"]["last_game"] == found.sprt.last
    assert "H1 is accepted" in str(found)
    assert found.late == 200 - found.games
    assert f"{found.late} games that ended after the decision are not counted" in str(found)
    assert "late" not in found.to_dict(times=False)  # it depends on the time that games take
    until = games[: found.games]
    assert "after the decision" not in str(standings(tournament, until))
    assert standings(tournament, until).to_dict(times=False) == found.to_dict(times=False)
    one_more = str(standings(tournament, games[: found.games + 1]))
    assert "1 game that ended after the decision is not counted" in one_more


def test_why_a_bot_failed_is_told_once_for_each_cause():
    boom = "x ended with exit code 1 ('RuntimeError: boom'); O was to move in\n  a b c\n1 X . ."
    late = "x did not move within the 0.123 s left on its clock; X was to move in\n  a b c"
    games = [
        game(5, "y", "x#2", "y", cause=Cause.CRASH, fault="x ended later; O was to move in\n  a b c"),
        *(game(i, "y", "x#2", "y", cause=Cause.CRASH, fault=boom) for i in (2, 3)),
        game(4, "x#2", "y", "y", cause=Cause.TIME, fault=late),
        game(6, "x", "y", "y", cause=Cause.FLOOD),
        game(7, "y", "x"),
    ]
    found = standings(a_tournament("x", "x", "y"), games)
    (forfeits,) = [part for part in found.document().parts if isinstance(part, Section)]
    (lines,) = forfeits.parts
    assert isinstance(lines, List)
    assert sorted(lines.items) == [
        "x#2: 1 no answer in time, in game 4: did not move within the 0.123 s left on its clock",
        "x#2: 3 crash, first in game 2: ended with exit code 1 ('RuntimeError: boom')",
        "x: 1 output flood, in game 6",
    ]
    row = next(player for player in found.to_dict()["players"] if player["name"] == "x#2")
    assert row["first_faults"]["crash"] == {"game": 2, "fault": "ended with exit code 1 ('RuntimeError: boom')"}
    assert "0.123 s" in row["first_faults"]["no answer in time"]["fault"]
    assert "0.123 s" not in json.dumps(found.to_dict(times=False))
    narrow = next(section for section in sections(found, 40) if section[0] == "forfeits")
    assert all(len(line) <= 40 for line in narrow)


def test_before_the_first_game_there_is_a_table_too():
    found = standings(a_tournament("x", "x"), [])
    assert [(player.name, player.games) for player in found.players] == [("x", 0), ("x#2", 0)]
    assert found.remarks == ()
    assert "0 games" in str(found)
    json.dumps(found.to_dict())


class TestQuality:
    games = (
        game(
            0,
            "x",
            "y",
            "x",
            movers=(0, 1, 0, 0, 1),
            clock=(0.1, 0.2, 0.3, 0.4, 0.5),
            regret=(0.0, 0.5, 0.5, 0.0, 1.0),
            values=(0.5, 0.5, 1.0, 0.5, 1.0),
            wasted=(0, 0, 0, 3, 0),
            points=(0, 2, 1, 0, 5),
        ),
        game(
            1,
            "y",
            "x",
            movers=(0, 1),
            clock=(0.2, 0.2),
            regret=(None, 0.0),
            values=(None, 0.0),
            wasted=(None, 2),
        ),
    )

    def test_each_side_has_its_own_moves(self):
        x, y = self.games[0].deeds
        assert (x.moves, y.moves) == (3, 2)
        assert (x.optimal, x.win_to_draw, x.win_to_loss, x.draw_to_loss) == (2, 1, 0, 0)
        assert (y.optimal, y.win_to_draw, y.win_to_loss, y.draw_to_loss) == (0, 0, 1, 1)
        assert game(0, "x", "y").deeds == (Deeds(), Deeds())

    def test_what_is_known_is_summed_up(self):
        rows = {player.name: player for player in standings(a_tournament("x", "y"), self.games).players}
        x, y = rows["x"], rows["y"]
        assert (x.moves, x.judged_moves, x.optimal_moves, x.blunders) == (4, 4, 3, 1)
        assert (x.regret_per_move, x.regret_per_game) == (0.125, 0.25)
        assert x.blunder_kinds == {"win to draw": 1, "win to loss": 0, "draw to loss": 0}
        assert (x.blunders_per_100, x.longest_wasted, x.optimal_share) == (25, 3, 0.75)
        assert (x.seconds_per_move, x.longest_seconds) == (pytest.approx(0.25), 0.4)
        assert x.points_per_move == pytest.approx(1 / 3)
        assert x.regret_error == pytest.approx(1.959964 * sqrt((2 * 0.25**2 + 0.25) / 2))
        assert (y.moves, y.judged_moves, y.optimal_moves, y.blunders) == (3, 2, 0, 2)
        assert (y.regret_per_move, y.regret_per_game) == (0.75, 1.5)
        assert y.longest_seconds == 0.5

    def test_a_forfeit_is_a_move_that_gives_away_the_value_of_the_position(self):
        """By hand: y answers 12 of 16 games with illegal moves, a third of them won, drawn and lost; the rest well."""
        well = {**JUDGED, "clock": (), "regret": (0.0, 0.0)}
        lost = {**well, "cause": Cause.ILLEGAL_MOVE, "movers": (0,), "regret": (0.0,), "values": (0.5,), "wasted": (0,)}
        games = [game(number, "x", "y", **well) for number in range(4)]
        games += [game(4 + i, "x", "y", "x", **lost, forfeit_regret=i % 3 / 2) for i in range(12)]
        x, y = standings(a_tournament("x", "y"), games).players
        assert (x.moves, x.optimal_share, x.regret_per_move, x.blunders) == (16, 1, 0, 0)
        assert (y.moves, y.judged_moves, y.optimal_moves, y.blunders) == (16, 16, 4, 8)
        assert (y.regret_per_move, y.regret_per_game, y.optimal_share) == (6 / 16, 6 / 16, 0.25)
        assert y.blunder_kinds == {"win to draw": 0, "win to loss": 4, "draw to loss": 4}

    def test_a_forfeit_where_nothing_is_proven_is_not_judged(self):
        games = [game(0, "x", "y", "x", cause=Cause.TIME), game(1, "y", "x", "x", cause=Cause.TIME, forfeit_regret=1.0)]
        result = standings(a_tournament("x", "y"), games)
        y = result.players[1]
        assert (y.moves, y.judged_moves, y.regret_per_move, y.regret_per_game) == (2, 1, 1.0, 1.0)
        assert any("1 of 4 moves" in remark for remark in result.remarks)

    def test_the_report_counts_forfeits_too(self):
        games = [game(0, "x", "y", "y", cause=Cause.CRASH, forfeit_regret=0.5), game(1, "x", "y")]
        assert [row(one, ["x", "y"])["blunders"] for one in games] == [[1, 0], None]
        (bar,) = given_away(["x", "y"], games)
        assert (bar["name"], [part["games"] for part in bar["parts"]]) == ("x", [0, 1, 0, 0])

    def test_the_record_keeps_it_all(self):
        for one in (*self.games, game(2, "x", "y", "y", cause=Cause.EXIT, forfeit_regret=0.5)):
            again = played_game(json.loads(json.dumps(one.to_dict())))
            assert again == one
            assert again.deeds == one.deeds


class TestText:
    names = ("perfect", "cmd:./a/rather/long/path/to/some/bot --with-an-option --fast", *(f"bot{i}" for i in range(18)))

    def found(self, players=20, games=800):
        names = self.names[:players]
        played = random_games(names, games)
        judged = [replace(one, **JUDGED) for one in played]
        crashed = [
            game(len(judged) + i, names[0], names[1], names[0], cause=Cause.CRASH if i % 3 else Cause.FLOOD)
            for i in range(6)
        ]
        return standings(a_tournament(*names), [*judged, *crashed])

    @pytest.mark.parametrize("width", [40, 80, 200])
    def test_tables_fit_the_width(self, width):
        found = self.found()
        assert all(len(line) <= width for lines in tables(found, width) for line in lines)
        names = {player.name[:4] for player in found.players}
        assert all({line.split()[1][:4] for line in lines[1:]} == names for lines in tables(found, width))

    def test_a_wide_terminal_has_one_block_of_a_table_and_a_narrow_one_several(self):
        blocks = [len(tables(self.found(4), width)) for width in (250, 80, 40)]
        assert blocks[0] == 3
        assert blocks == sorted({*blocks})

    def test_the_text_tells_scores_causes_and_intervals(self):
        found = self.found(3, 300)
        told = str(found)
        best = found.players[0]
        line = next(f"{line} " for line in told.splitlines() if line.startswith("1  "))
        assert f" {best.superiority:.1%} " in line or " >99.9% " in line
        for shown in (f"{best.score:.1f}", f"{best.rating:+.0f}", f"{best.wins}", f"{(best.high - best.low) / 2:.0f}"):
            assert f" {shown} " in line
        name = self.names[1]
        assert f"{name}: 4 crash" in told
        assert f"{name}: 2 output flood" in told
        assert "300 draw to loss" not in told
        assert "The first side scored" in told

    def test_the_crosstable_adds_up(self):
        found = self.found(4, 240)
        for results, player in zip(crosstable(found.players, found.pairings), found.players, strict=True):
            assert sum(met.score for met in results if met) == player.score
            assert sum(met.games for met in results if met) == player.games

    def test_the_terminal_may_know_only_ascii(self):
        told = text(self.found().document(), 80, signs=False)
        assert told.isascii()
        assert "~" in told

    @pytest.mark.parametrize("name", ["[bold]x", "cmd:./drop [/x]", "cmd:bot :dog: [1] 'a' 3.5", "[/]"])
    def test_names_are_printed_as_they_are(self, name):
        games = [game(0, name, "y"), game(1, "y", name, "y", cause=Cause.CRASH, fault=f"{name} ended [/b] in\n.")]
        told = str(standings(a_tournament(name, "y"), games))
        assert told.count(f"  {name}  ") == 1
        assert f"{name} first against y: 1 game, 0 wins, 1 draw, 0 losses" in told
        assert f"{name}: 1 crash, in game 1: ended [/b]" in told

    def test_control_characters_are_visible(self):
        names = ("a\nb\x1b[31m\udcff", "y")
        games = [game(0, *names), *(game(i, *names, "y", cause=Cause.START, fault="z\tz in\n.") for i in range(1, 4))]
        told = str(standings(a_tournament(*names), games))
        assert told.replace("\n", "").isprintable()
        assert told.count(r"a\nb\x1b[31m\udcff") >= 4  # table, forfeits, sides, and that it is out
        assert r"z\tz" in told

    def test_the_number_of_games_is_shown_where_it_differs(self):
        games = [game(0, "x", "y", "x"), game(1, "y", "x"), game(2, "x", "z", "x"), game(3, "z", "x", "z")]
        table = tables(standings(a_tournament("x", "y", "z", format="gauntlet"), games))[0]
        assert table[0].split()[:4] == ["#", "player", "games", "score"]
        assert sorted(line.split()[1:3] for line in table[1:]) == [["x", "4"], ["y", "2"], ["z", "2"]]
        assert "games" not in tables(standings(a_tournament("x", "y"), games[:2]))[0][0].split()

    def test_long_names_are_shortened_in_the_middle(self):
        assert short_names(["cmd:./mybot --fast"], 11) == ["cmd:.…-fast"]
        assert len(cut_name("x" * 50, 20, 5)) == 20
        assert cut_name("short", 5, 2) == "short"

    @pytest.mark.parametrize("width", [30, 60, 120])
    @pytest.mark.parametrize(
        "names",
        [
            ["cmd:/tmp/class/a/bot 4 4", "cmd:/tmp/class/b/bot 4 4", "random"],
            [f"cmd:/a/long/way/{letter}/another/long/way/to/a/bot --depth 4" for letter in "abcd"],
            [f"cmd:{'x' * 100}{letter}{'y' * 100}" for letter in "abc"],
            [f"bot-{'x' * i}" for i in range(40)],
        ],
    )
    def test_shortened_names_stay_different(self, names, width):
        games = [game(i, names[0], name) for i, name in enumerate(names[1:])]
        for section in tables(standings(a_tournament(*names), games), width):
            rows = section[1:]
            begin, end = section[0].index("player"), section[0].index("player") + len("player")
            end += len(section[0][end:]) - len(section[0][end:].lstrip())
            assert len({row[begin:end] for row in rows}) == len(names)
        assert all(len({*short_names(names, size)}) == len(names) for size in range(12, 100))
