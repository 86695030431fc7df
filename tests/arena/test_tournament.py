"""Tournaments: the same games whatever the number of processes, recorded as they end, resumed, and counted once."""

import json
import shutil
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

import perfectplay
from command_line import exit_code, wait_until
from perfectplay import BadArgument
from perfectplay.__main__ import main
from perfectplay.arena.tournaments.tournament_record import Follower, RecordWriter, read_record
from rings import nightly
from ugi_bots import ugi_bot

PROGRAM = [sys.executable, "-m", "perfectplay", "tournament"]
TRIO = "tic-tac-toe random wins perfect"


def told(capsys, command):
    assert main(["tournament", *command.split(), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def complaint_of(capsys, command):
    assert exit_code(f"tournament {command}") == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
    return err


def courses(path):
    """The games of a record, but for the time that they took."""
    return sorted(
        (game.number, game.players, game.opening, game.moves, game.result) for game in read_record(path).games
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The record of a tournament of three players, each pair four times, with its result."""
    record = tmp_path_factory.mktemp("played") / "games.jsonl"
    result = perfectplay.tournament("tic-tac-toe", TRIO.split()[1:], games=4, openings=2, seed=5, record=record)
    return record, json.loads(json.dumps(result.to_dict(times=False)))


@pytest.fixture
def record(played, tmp_path):
    """A copy of that record."""
    return shutil.copy(played[0], tmp_path / "games.jsonl")


def test_the_same_seed_gives_the_same_games_on_any_number_of_processes(played, tmp_path, capsys):
    for jobs in (1, 2):
        command = f"{TRIO} --games 4 --openings 2 --seed 5 --jobs {jobs} --record {tmp_path}/{jobs}.jsonl"
        assert told(capsys, command) == played[1]
        assert courses(tmp_path / f"{jobs}.jsonl") == courses(played[0])
    assert played[1] != told(capsys, f"{TRIO} --games 4 --openings 2 --seed 6")


def test_the_result_in_json_keeps_its_contract(played):
    result = played[1]
    assert (result["game"], result["seed"]) == ("tic-tac-toe", 5)
    assert {player["name"] for player in result["players"]} == {"random", "wins", "perfect"}
    for player in result["players"]:
        assert player["low"] < player["rating"] < player["high"]
        assert player["games"] == player["wins"] + player["draws"] + player["losses"] == 8
        assert player["forfeits"] == {}
        assert 0 <= player["optimal_moves"] <= player["moves"]
        assert player["optimal_moves"] + player["blunders"] == player["moves"]
    best = result["players"][0]
    assert (best["name"], best["regret_per_move"], best["blunders"]) == ("perfect", 0, 0)
    assert len(result["pairings"]) == 6
    for pairing in result["pairings"]:
        assert pairing["games"] == pairing["wins"] + pairing["draws"] + pairing["losses"] == 2
    assert sum(player["wins"] for player in result["players"]) == sum(
        pairing["wins"] + pairing["losses"] for pairing in result["pairings"]
    )


def test_regret_is_null_where_nothing_is_proven(capsys):
    result = told(capsys, "lines:9,9,5 random wins --games 2 --seed 1")
    for player in result["players"]:
        assert player["moves"] > 0
        assert [player[key] for key in ("optimal_moves", "regret_per_move", "blunders")] == [None] * 3


def test_a_record_has_all_that_a_game_was(played):
    tournament, games, _ = read_record(played[0])
    assert (tournament.players, tournament.games, len(tournament.openings)) == (("random", "wins", "perfect"), 4, 2)
    for game in games:
        match = perfectplay.Match("tic-tac-toe").play(*game.opening)
        assert game.opening
        assert match.text() == game.position
        match.play(*game.moves)
        assert {"1-0": 0, "0-1": 1, "1/2-1/2": None}[game.result] == match.result.winner
        assert len(game.moves) == len(game.clock) == len(game.regret) == len(game.movers)
        assert set(game.regret) <= {0.0, 0.5, 1.0}
    assert [game.moves for game in games] == [read.moves for read in perfectplay.read_games(played[0])]


def test_other_commands_read_the_record(record, capsys):
    assert main(f"review tic-tac-toe {record} --game-number 2 --json".split()) == 0
    assert main(f"battle tic-tac-toe random learned:{record} --games 5 --seed 1".split()) == 0
    capsys.readouterr()
    assert main(f"battle tic-tac-toe random perfect --from {record} --json".split()) == 0
    battle = json.loads(capsys.readouterr().out)
    between = [game for game in read_record(record).games if {*game.players} == {"random", "perfect"}]
    assert battle["games"] == len(between) == 4
    assert battle["wins"][0] == sum(
        game.winner is not None and game.players[game.winner] == "random" for game in between
    )
    assert told(capsys, f"--record {record}") == told(capsys, f"--record {record} --resume")


def test_resume_plays_only_what_is_missing(played, tmp_path, capsys):
    part = tmp_path / "part.jsonl"
    lines = played[0].read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(lines[:6]) + lines[6][:40])  # killed while it wrote a line
    assert told(capsys, f"{TRIO} --games 4 --openings 2 --seed 5 --record {part} --resume") == played[1]
    assert part.read_bytes().splitlines(keepends=True)[:6] == lines[:6]
    assert courses(part) == courses(played[0])
    before = part.read_bytes()
    assert told(capsys, f"--record {part} --resume") == played[1]
    assert part.read_bytes() == before


@pytest.mark.parametrize("kind", ["swiss", "gauntlet"])
def test_formats_resume_too(tmp_path, capsys, kind):
    record, part = tmp_path / "all.jsonl", tmp_path / "part.jsonl"
    command = f"tic-tac-toe random wins blocks perfect --format {kind} --games 2 --seed 3"
    whole = told(capsys, f"{command} --record {record}")
    part.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:4]))
    assert told(capsys, f"{command} --record {part} --resume") == whole
    assert courses(part) == courses(record)


@pytest.mark.nightly
@pytest.mark.parametrize(("sent", "jobs"), [(signal.SIGKILL, 2), (signal.SIGINT, 1)])
def test_a_tournament_that_is_ended_loses_no_game_that_ended(tmp_path, sent, jobs):
    record = tmp_path / "games.jsonl"
    command = [*PROGRAM, *f"{TRIO} --games 100000 --seed 1 --jobs {jobs} --record {record}".split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: record.exists() and len(record.read_bytes().splitlines()) > 50)
        process.send_signal(sent)
        out, err = process.communicate()
    assert len(read_record(record).games) >= 50
    if sent == signal.SIGINT:
        assert process.returncode == 130
        assert "tic-tac-toe: 3 players" in out
        assert "played; resume with: perfectplay tournament --resume --record" in err
        assert err.count("\n") == 1


def test_players_without_dice_play_each_game_once(tmp_path, bots_here, capsys):
    """The first game of each side tells that others would be the same; functions are only known by what they do."""
    result = told(capsys, f"nim:1 minimax minimax:2 --games 100 --seed 1 --record {tmp_path}/nim.jsonl")
    assert sum(pairing["games"] for pairing in result["pairings"]) == 2
    assert len(read_record(tmp_path / "nim.jsonl").games) == 2
    assert any("opening" in remark for remark in result["remarks"])
    (tmp_path / "bots.py").write_text(
        "def ai(board, side):\n    return min((r, c) for r in range(3) for c in range(3) if board[r][c] is None)\n"
    )
    result = told(capsys, f"tic-tac-toe {tmp_path}/bots.py:ai {tmp_path}/bots.py:ai --games 10 --seed 1")
    assert (sum(pairing["games"] for pairing in result["pairings"]), result["repeated"]) == (2, 8)
    result = told(capsys, f"tic-tac-toe {tmp_path}/bots.py:ai random --games 10 --seed 1")
    assert sum(pairing["games"] for pairing in result["pairings"]) == 10


@pytest.mark.parametrize("jobs", [1, *nightly(2)])
def test_a_sequential_test_ends_as_soon_as_it_is_decided(tmp_path, capsys, jobs):
    record = tmp_path / "games.jsonl"
    command = f"tic-tac-toe perfect random --games 5000 --seed 1 --sprt 0 200 --jobs {jobs} --record {record}"
    result = told(capsys, command)
    assert result["sprt"]["state"] == "accepted H1"
    assert 10 < result["games"] < 500
    assert main(f"battle tic-tac-toe perfect random --from {record} --json".split()) == 0
    assert json.loads(capsys.readouterr().out)["games"] == result["games"]
    assert main(f"battle tic-tac-toe perfect random --from {record} --games 3".split()) == 2
    assert "--from plays nothing" in capsys.readouterr().err


def test_the_result_says_why_a_bot_failed(tmp_path, capsys):
    bot = ugi_bot(tmp_path, at_go="raise RuntimeError('[/boom]')", name="crash.py")
    record = tmp_path / "games.jsonl"
    command = ["tournament", "tic-tac-toe", "perfect", bot, "--games", "4", "--seed", "1", "--record", str(record)]
    assert main(command) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"{bot}: 4 crash, first in game 0: ended with exit code 1 (" in out
    assert "RuntimeError: [/boom]" in out
    worst = told(capsys, f"--record {record}")["players"][-1]
    assert worst["forfeits"] == {"crash": 4}
    assert (worst["optimal_moves"], worst["blunders"], worst["regret_per_game"]) == (0, 4, 0.5)  # in drawn positions
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert [line.pop("forfeit_regret", None) for line in lines] == [None, *[0.5] * 4]
    record.write_text("".join(f"{json.dumps(line)}\n" for line in lines))  # as one of an earlier version
    assert told(capsys, f"--record {record}")["players"][-1] == worst
    lines[1].update(regret=[1.0 for _ in lines[1].get("regret", [])], forfeit_regret=1.0)
    record.write_text("".join(f"{json.dumps(line)}\n" for line in lines))  # what was judged stays as it was judged
    assert told(capsys, f"--record {record}")["players"][-1]["regret_per_game"] == 0.625
    assert worst["first_faults"]["crash"]["game"] == 0
    assert "RuntimeError: [/boom]" in worst["first_faults"]["crash"]["fault"]


def test_functions_take_part(tmp_path):
    def first_free(board, side):
        return next((r, c) for r in range(3) for c in range(3) if board[r][c] is None)

    def fails(position):
        raise ValueError("no idea")

    record = tmp_path / "games.jsonl"
    result = perfectplay.tournament("tic-tac-toe", [first_free, fails, "perfect"], games=4, seed=1, record=record)
    worst = result.players[-1]
    assert (worst.name, worst.forfeits) == ("fails", {"crash": 8})
    assert worst.judged_moves == worst.moves == 8  # one forfeit in each game
    assert (worst.optimal_moves, worst.regret_per_game > 0) == (0, True)
    assert "no idea" in next(game.fault for game in read_record(record).games if game.cause)
    with pytest.raises(BadArgument, match="jobs above 1 is for players by name"):
        perfectplay.tournament("tic-tac-toe", [first_free, "random"], jobs=2)


def test_a_record_that_grows_is_followed(played, tmp_path):
    part = tmp_path / "part.jsonl"
    lines = played[0].read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(lines[:3]))
    follower = Follower(part)
    assert [game.number for game in follower.more()] == [0, 1]
    part.write_bytes(b"".join(lines[:5]) + lines[5][:10])
    assert [game.number for game in follower.more()] == [2, 3]
    part.write_bytes(b"".join(lines))
    assert [game.number for game in follower.more()] == [*range(4, 12)]
    part.unlink()
    with pytest.raises(BadArgument, match="cannot be read"):
        follower.more()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("", "give a game and its players, or --record FILE"),
        ("tic-tac-toe random", "needs two players or more"),
        ("tic-tac-toe random human", "human can only play"),
        ("tic-tac-toe random nobody", "no player is called 'nobody'"),
        ("tic-tac-toe random wins --games 0", "'0' is not a whole number from 1"),
        ("tic-tac-toe random wins --time 10+x", "'10+x' is no clock; write seconds per game and per move"),
        ("tic-tac-toe random wins --time 10 --movetime 1", "give --time or --movetime, not both"),
        ("tic-tac-toe random wins --openings 0", "is not a number of openings"),
        ("tic-tac-toe random wins --sprt 5 0", "the first Elo difference must be less than the second"),
        ("tic-tac-toe random wins perfect --sprt 0 5", "is for two players, not 3"),
        ("tic-tac-toe random wins --rounds 3", "rounds is for the format swiss"),
        ("tic-tac-toe random wins --resume", "--resume needs --record FILE"),
        ("tic-tac-toe random cmd:./nothing-there", "there is no such program"),
        ("tic-tac-toe random wins --memory 1M", "too little for a program"),
        ("--record nowhere.jsonl", "cannot be read"),
        ("--record README.md", "is not the record of a tournament"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(command, said, capsys):
    assert said in complaint_of(capsys, command)


def test_a_record_is_not_overwritten_and_has_one_writer(record, tmp_path, capsys):
    assert "already there; resume it, or name" in complaint_of(capsys, f"{TRIO} --games 2 --record {record}")
    (tmp_path / "notes.txt").write_text("mine")
    assert "no record of a tournament; name" in complaint_of(capsys, f"{TRIO} --games 2 --record {tmp_path}/notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "mine"
    tournament, _, size = read_record(record)
    with RecordWriter(record, tournament, size):
        assert "is being written by another tournament" in complaint_of(capsys, f"--record {record} --resume")


def test_a_battle_is_recorded_and_resumed_as_a_tournament_of_two(tmp_path, capsys):
    record, part = tmp_path / "all.jsonl", tmp_path / "part.jsonl"
    settings = "--games 10 --swap --seed 2"

    def fought(more):
        assert main(["battle", "tic-tac-toe", "blocks", "random", "--json", *more.split()]) == 0
        return capsys.readouterr().out

    whole = fought(settings)
    assert fought(f"{settings} --record {record}") == whole
    part.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:5]))
    assert fought(f"{settings} --record {part} --resume") == whole
    assert fought(f"--from {record}") == whole
    assert told(capsys, f"--record {record}")["games"] == 10
    assert main(["battle", "tic-tac-toe", "blocks", "nobody", "--from", str(record)]) == 2
    assert "'nobody' does not play in" in capsys.readouterr().err


def test_a_battle_says_that_its_games_are_the_same(capsys):
    assert main("battle nim:3 minimax minimax --games 4 --seed 1".split()) == 0
    assert "all games in which the same player moves first are the same game" in capsys.readouterr().out
    assert main("battle tic-tac-toe minimax:2 random --games 4 --seed 1".split()) == 0
    assert "the same game" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--games 8", "has games 4, not 8"),
        ("--seed 20", "has seed 5, not 20"),
        ("--format swiss", "has format round-robin, not swiss"),
        ("--time 5+1", "has time"),
        ("--openings 1", "has 2 openings"),
    ],
)
def test_a_record_keeps_its_settings(record, capsys, options, said):
    for resume in ("--resume", ""):
        assert said in complaint_of(capsys, f"--record {record} {resume} {options}")


def test_a_record_that_was_played_before_the_game_was_solved_is_judged_when_it_is_read(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PERFECTPLAY_HOME", str(tmp_path / "home"))
    record = tmp_path / "games.jsonl"
    before = told(capsys, f"drop:4,3,3 random wins --games 4 --seed 1 --record {record}")
    line = json.loads(record.read_text().splitlines()[1])
    lines = [{**json.loads(text), "regret": [], "wasted": []} for text in record.read_text().splitlines()[1:]]
    head = record.read_text().splitlines()[0]
    record.write_text("\n".join([head, *map(json.dumps, lines)]) + "\n")  # as where there is no table
    assert line["regret"]
    assert told(capsys, f"--record {record}") == before


def test_an_empty_file_becomes_a_record(tmp_path, capsys):
    for resume in ("", "--resume"):
        (tmp_path / "games.jsonl").write_text("")
        result = told(capsys, f"tic-tac-toe random wins --games 4 --seed 1 --record {tmp_path}/games.jsonl {resume}")
        assert result["games"] == 4


def test_a_report_does_not_overwrite_the_record(tmp_path, capsys):
    said = complaint_of(capsys, f"tic-tac-toe random wins --record {tmp_path}/a.html --to {tmp_path}/a.html")
    assert "is the record; give the report another name" in said


def test_what_is_no_record_is_named_by_its_line(record, capsys):
    head, *games = record.read_text().splitlines()

    def said(*lines):
        record.write_text("\n".join(lines) + "\n")
        return complaint_of(capsys, f"--record {record}")

    assert "line 3: this is no game of a tournament: it is not JSON" in said(head, games[0], "rubbish")
    assert "line 3: this is no game of a tournament: it has no" in said(head, games[0], head)
    wrong = {
        "regret": ["x"],
        "values": [2],
        "wasted": [[]],
        "clock": [float("nan")],
        "points": [-1],
        "forfeit_regret": 2,
    }
    for key, value in wrong.items():
        text = said(head, json.dumps({**json.loads(games[0]), key: value}))
        assert all(words in text for words in ("line 2: this is no game", "is not a number from 0 to"))


def test_a_position_as_opening_is_reached_by_moves_where_they_are_found(tmp_path, capsys):
    (tmp_path / "openings.txt").write_text("O:X../.../...\nX:X../.O./...\n")
    record = tmp_path / "games.jsonl"
    told(capsys, f"tic-tac-toe random wins --openings {tmp_path}/openings.txt --seed 1 --record {record}")
    assert [opening.moves for opening in read_record(record).tournament.openings] == [("a1",), ("a1", "b2")]


def test_a_program_without_cmd_is_told_how_to_write_it(tmp_path, capsys):
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\n")
    bot.chmod(0o755)
    assert f"a program is written cmd:{bot}" in complaint_of(capsys, f"tic-tac-toe random {bot}")


@pytest.mark.nightly
def test_a_reader_that_has_gone_ends_it_quietly_and_loses_no_report(tmp_path):
    report = tmp_path / "report.html"
    command = [*PROGRAM, *f"tic-tac-toe perfect random --games 4 --seed 1 --to {report}".split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert report.read_text().startswith("<!doctype html>")


def test_games_and_players_that_have_no_name_of_their_own():
    """Neither is the game found by its name, nor is the function the built-in player that is called like it."""
    rules = replace(perfectplay.load("tic-tac-toe"), name="mine")

    def perfect(board, side):
        return min((r, c) for r in range(3) for c in range(3) if board[r][c] is None)

    result = perfectplay.tournament(rules, [perfect, "random"], games=6, seed=1)
    assert {player.name for player in result.players} == {"perfect()", "random"}
    assert sum(pairing.games for pairing in result.pairings) == 6
