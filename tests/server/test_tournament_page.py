"""The report of a tournament: tables without scripts, every game on the board, hostile names; and the live page."""

import json
import re
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from random import Random

import pytest
from starlette.testclient import TestClient

from command_line import complaint, output, wait_until
from perfectplay.arena.tournaments.formats import FORMATS
from perfectplay.arena.tournaments.standings import standings
from perfectplay.arena.tournaments.tournament import remaining
from perfectplay.arena.tournaments.tournament_settings import Opening
from perfectplay.commands.compete.tournaments import report_html
from perfectplay.exports.page.tournament_games import MOST_STEPS, Replays
from perfectplay.exports.page.tournament_page import breakable, points
from perfectplay.game import after
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import parse_position, pieces_on, replay
from perfectplay.server.app import build_app
from perfectplay.server.watched_record import WatchedRecord
from perfectplay.server.web_server import watched_game
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.views.board_art import art_of
from perfectplay.views.names import LONGEST, short_names
from perfectplay.views.numbers import decimal, elo, likelihood, per_cent, time_text
from perfectplay.words import FIRST, Cause
from tournament_files import append_game, play_recorded, play_tournament, tournament_of, write_record
from visitors import DESK, HURRY, PHONE, expect, fits, needs_axe, needs_browser, no_barriers
from web_server import dispatcher_here, serving, serving_here

nightly = pytest.mark.nightly
PLAYERS = ("perfect", "level:6", "random")
HOSTILE = "<script>document.title='taken'</script>"


@pytest.fixture(scope="module")
def small():
    """A tournament of tic-tac-toe with forfeits of every cause, and its games."""
    tournament = tournament_of("tic-tac-toe", PLAYERS, 8)
    return tournament, play_tournament(tournament, forfeits=len(Cause))


@pytest.fixture(scope="module")
def tested():
    """A match whose test is decided before its end; from one opening the players repeat a game."""
    openings = [Opening(("b2", "a1")), Opening(("a1", "b2"))]
    match = replace(tournament_of("tic-tac-toe", ("perfect", "random"), 48, openings), sprt=(-100.0, 100.0))
    games = [replace(game, thrown=game.number % 4 != 0) for game in play_tournament(match)]
    games = [game if game.thrown else replace(games[0], number=game.number) for game in games]
    games[-1] = replace(games[-1], cause=Cause.CRASH, fault="random crashed", result="1-0")
    return match, games


def left_out(match, games):
    """The numbers of the games that repeat others, and of those after the test."""
    last = standings(match, games).sprt.last
    repeated = [game.number for game in games if 0 < game.number <= last and not game.thrown]
    return repeated, [game.number for game in games if game.number > last]


def text_of(html):
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def cells(html, table):
    """The texts of a table's rows."""
    body = re.search(rf'<table class="{table}">.*?<tbody>(.*?)</tbody>', html, re.S)[1]
    rows = re.findall(r"<tr.*?</tr>", body, re.S)
    return [[text_of(cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.S)] for row in rows]


def data_in(html):
    """What the page's script is given."""
    return json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', html, re.S)[1])


def test_tables_say_what_the_standings_say(small):
    html, result = report_html(*small), standings(*small)
    rows = cells(html, "standings")
    assert [row[1] for row in rows] == [player.name for player in result.players]
    assert [row[3] for row in rows] == [f"{one.wins} / {one.draws} / {one.losses}" for one in result.players]
    assert [row[4].replace("−", "-") for row in rows] == [f"{one.rating:+.0f}" for one in result.players]
    assert text_of(re.search("<h1>.*?</h1>", html)[0]).startswith(f"{result.players[0].name} leads with ")
    met = {(one.first, one.second): one for one in result.pairings}
    mine, theirs = met[PLAYERS[0], PLAYERS[1]], met[PLAYERS[1], PLAYERS[0]]
    won = mine.wins + theirs.losses + (mine.draws + theirs.draws) / 2
    crossed = cells(html, "cross")
    names = [row[1] for row in crossed]
    cell = crossed[names.index(PLAYERS[0])][2 + names.index(PLAYERS[1])]
    assert cell.split() == [points(won), "of", str(mine.games + theirs.games)]
    assert sum(int(count or 0) for row in cells(html, "causes") for count in row[1:]) == len(Cause)
    assert "24 games · " in text_of(html)
    assert "not counted" not in re.sub("<script.*?</script>", "", html, flags=re.S)


def test_each_cause_of_a_forfeit_is_shown_with_its_position(small):
    html, (_, games) = report_html(*small), small
    cards = re.findall(r'class="[^"]*fault-card.*?</li>|class="[^"]*fault-card.*?</article>', html, re.S)
    assert len(cards) == len({(game.players[1 - game.winner], game.cause) for game in games if game.cause})
    for cause in Cause:
        assert any(str(cause) in card for card in cards)
    (first,) = [card for card in cards if f'data-game="{games[0].number}"' in card]
    assert "answered 'z9'" in unescape(first)
    assert first.count('class="piece') == len(games[0].moves)


@pytest.mark.parametrize("name", ["tic-tac-toe", "kalah:2,2", "dots:2,2", "kingpawns", "nim"])
def test_replays_have_the_boards_and_values_of_their_moves(name):
    tournament = tournament_of(name, ("perfect", "random"), 4)
    game, lookup = load_game(name), solved_oracle(load_game(name)).lookup
    replays, ends = Replays(game, solved_oracle(game)), []
    for one in play_tournament(tournament):
        found, turn = replays.replay(one), (game.start, FIRST)
        board = [*found["board"]]
        for ply, (position, side, move) in enumerate(replay(game, *turn, one.moves)):
            before, turn = turn, after(game, position, side, move)
            changes = found["changes"][ply]
            for at, piece in zip(changes[::2], changes[1::2], strict=True):
                board[ord(at) - ord("0")] = piece
            value = lookup(turn[0]).value * (1 if turn[1] == FIRST else -1)
            told = found["values"][ply + 1]
            assert (told[0] in "w+") == (value > 0) or told == "+0"
            was, now = lookup(before[0]).value, lookup(turn[0]).value * (1 if turn[1] == before[1] else -1)
            assert found["regret"][ply] == (was - now) / 2
            assert (ply + 1 in found.get("kept", {})) == (was > now)
        ends.append(("".join(board), replays.board(turn)))
        assert found["sides"][-1] == str(turn[1])
    assert all(end == known for end, known in ends)


def test_openings_unfinished_games_and_values_of_the_record_are_told(small):
    game = load_game("tic-tac-toe")
    tournament = tournament_of("tic-tac-toe", ("perfect", "random"), 4, [Opening(("b2", "a1"))])
    games = play_tournament(tournament)
    games[3] = replace(games[3], moves=games[3].moves[:1], result="1/2-1/2", unfinished=True)
    rows = data_in(report_html(tournament, games))["games"]
    assert rows[0]["opening"] == ["b2", "a1"]
    assert [row.get("unfinished") for row in rows] == [None, None, None, True]
    assert parse_position(game, games[0].position)[1] == FIRST
    one = small[1][-1]
    replayed = Replays(game, solved_oracle(game)).replay(one)
    told = [1 - "wdl".index(text[0]) / 2 for text in replayed["values"]]
    mine = [value if side == FIRST else 1 - value for side, value in zip(one.movers, told, strict=False)]
    alone = Replays(game).replay(replace(one, values=tuple(mine)))
    assert alone["values"] == [text[0] for text in replayed["values"]]
    assert "values" not in Replays(game).replay(one)


def test_a_forfeit_in_the_first_move_has_a_board():
    game, tournament = load_game("tic-tac-toe"), tournament_of("tic-tac-toe", ("random", "random"), 1)
    one = play_recorded(game, 0, tournament.labels, Random(1), fault=Cause.START)
    one = replace(one, moves=(), movers=(), regret=(), wasted=(), clock=(), result="0-1")
    html = report_html(tournament, [one])
    assert "failed start" in html
    assert "fault-card" in html.partition("</style>")[2]


def test_names_and_errors_of_bots_are_only_text():
    tournament = tournament_of("tic-tac-toe", ("random", "random"), 2)
    named = {"random": HOSTILE, "random#2": "random#2"}
    games = [
        replace(game, players=tuple(map(named.get, game.players)), fault=HOSTILE, printed=(HOSTILE,) * 2)
        for game in play_tournament(tournament, forfeits=2)
    ]
    html = report_html(replace(tournament, players=(HOSTILE, "random#2")), games)
    assert HOSTILE not in html
    assert html.count("</script>") == report_html(tournament, play_tournament(tournament)).count("</script>")
    assert any(HOSTILE in row[1] for row in cells(html, "standings"))


def test_a_report_too_long_to_replay_says_so(small, monkeypatch):
    monkeypatch.setattr("perfectplay.exports.page.tournament_games.MOST_STEPS", 40)
    html = report_html(*small)
    assert "can only be listed" in html
    assert "error" in data_in(html)["games"][-1]
    assert MOST_STEPS > 10_000


def test_games_that_do_not_count_are_marked(tested):
    html, result = report_html(*tested), standings(*tested)
    repeated, late = left_out(*tested)
    assert repeated
    assert len(late) > len(repeated)
    assert result.games == 48 - len(repeated) - len(late)
    text = text_of(re.sub("<script.*?</script>|<style.*?</style>", "", html, flags=re.S))
    assert f"48 games, of which {result.games} count · " in text
    assert f"{len(late)} games that ended after the decision are not counted" in text
    assert {int(number) for number in data_in(html)["uncounted"]} == {*repeated, *late}
    assert "fault-card" not in html.partition("</style>")[2].partition("<script")[0]
    given_away = html.partition('id="regret-title"')[2].partition("</section>")[0]
    about = re.findall(r'aria-label="([^"]*\d+ games?[^"]*)"', given_away)
    assert [sum(map(int, re.findall(r"(\d+) game", bar))) for bar in about] == [result.games] * 2


def test_numbers_are_written_as_people_read_them():
    assert [points(7.5), points(0.5), points(0), points(4.0)] == ["7½", "½", "0", "4"]
    assert [per_cent(part, 1) for part in (1 / 3, 0, 1, 1e-6)] == ["33.3%", "0.0%", "100.0%", "<0.1%"]
    assert [elo(0.3), elo(-0.4), elo(-12.6), elo(57)] == ["0", "0", "-13", "+57"]
    assert [likelihood(1.0), likelihood(0.0), likelihood(None)] == [">99.9%", "<0.1%", ""]
    assert [decimal(-0.0, 2), decimal(1.25, 1), decimal(None, 3)] == ["0.00", "1.2", ""]
    texts = [time_text(seconds) for seconds in (0.00001234, 0.00123, 0.015, 0.1, 1.23, 1234.5)]
    assert texts == ["0.0123 ms", "1.23 ms", "15.0 ms", "100 ms", "1.23 s", "1,234 s"]


def test_long_names_are_shortened_and_stay_different():
    long = [f"cmd:./my_bots/contestant --depth {depth}" for depth in (1, 2)]
    shortened = ["random", "cmd:./my_bot…t --depth 1", "cmd:./my_bot…t --depth 2"]
    assert short_names(["random", *long]) == shortened
    alike = [f"cmd:python3 /home/me/bots/bot.py --depth {depth} --threads 4 --hash 1024" for depth in (12, 13, 7)]
    parts = (" --depth 12 --th", " --depth 13 --th", "y --depth 7 --th")
    assert short_names(alike) == [f"cmd:py…{part}…" for part in parts]
    rng = Random(3)
    for _ in range(300):
        names = [*{"".join(rng.choices("ab", k=4)) * rng.randint(1, 12) for _ in range(12)}]
        short = short_names(names)
        assert len({*short}) == len(names)
        assert max(map(len, short)) <= LONGEST
    assert breakable("cmd:a/b-c --x<y") == 'cmd:<wbr>a/<wbr>b-<wbr>c <wbr><span class="whole">--x&lt;y</span>'


def test_the_command_writes_the_report_of_a_tournament_or_of_its_record(capsys, tmp_path):
    record, page, again = (tmp_path / name for name in ("games.jsonl", "one.html", "two.html"))
    output(capsys, f"tournament nim perfect random --games 4 --seed 2 --record {record} --to {page}")
    output(capsys, f"tournament --record {record} --to {again}")
    one, two = (re.sub(r"[\d.]+ ms|\"ms\": \[[^]]*\]", "", file.read_text(encoding="utf-8")) for file in (page, again))
    assert one == two
    assert '<th scope="row" class="name" title="perfect">perfect</th>' in one
    reported = f"tournament --record {record} --to {tmp_path}"
    assert "folder" in complaint(capsys, f"{reported}/no/report.html")
    assert "does not end in .html" in complaint(capsys, f"{reported}/report.txt")
    assert "not the record of a tournament" in complaint(capsys, f"serve --watch {page}")


def test_games_that_are_left_are_counted():
    tournament = tournament_of("tic-tac-toe", ("random", "perfect", "wins"), 4)
    games = play_tournament(tournament)
    assert [remaining(tournament, games[:count], solved=True) for count in (0, 5, 12)] == [12, 7, 0]
    dull = [replace(game, thrown=False) for game in games]
    known = replace(tournament, players=("perfect", "perfect", "perfect"))
    alike = [replace(game, players=known.labels[:2]) for game in dull[:1]]
    assert remaining(known, alike, solved=True) < 11
    match = replace(tournament, players=("perfect", "random"), games=2000, sprt=(-100.0, 100.0))
    won = [replace(games[0], number=n, players=match.labels[:: 1 - 2 * (n % 2)]) for n in range(100)]
    won = [replace(game, result=("1-0", "0-1")[game.number % 2], moves=(str(game.number),)) for game in won]
    assert remaining(match, won, solved=True) == 0
    assert remaining(match, won[:2], solved=True) == 1998
    swiss = replace(tournament, format="swiss", games=2, rounds=2)
    assert remaining(swiss, [], solved=True) == FORMATS["swiss"].total(swiss)


# In a browser


@needs_browser
def test_a_game_is_replayed_with_boards_and_values(shown, small):
    tournament, games = small
    game, number = load_game(tournament.game), next(one.number for one in games if any(one.regret) and not one.cause)
    one, lookup = games[number], solved_oracle(game).lookup
    page = shown(report_html(*small), f"#game={number}")
    said = page.locator("#said")
    expect(page.locator("#board")).to_have_attribute("aria-label", "Board: empty")
    turn = (game.start, FIRST)
    for ply, (position, side, move) in enumerate(replay(game, *turn, one.moves), 1):
        turn = after(game, position, side, move)
        page.keyboard.press("ArrowRight")
        expect(said.locator("h3")).to_contain_text(f"{ply}. {'XO'[side]} {one.moves[ply - 1]}")
        expect(page.locator("#board g > .piece")).to_have_count(ply)
        value = lookup(turn[0]).value * (1 if turn[1] == FIRST else -1)
        wanted = {1: "X wins in" if ply < len(one.moves) else "X has won", 0: "rawn", -1: "O "}[value]
        expect(said.locator(".stands")).to_contain_text(wanted)
        expect(said.locator(".blame")).to_have_count(int(one.regret[ply - 1] > 0))
    expect(page.locator("#curve svg .mistake")).to_have_count(sum(map(bool, one.regret)))
    page.keyboard.press("Home")
    page.locator("#next-blunder").click()
    first = next(ply for ply, regret in enumerate(one.regret, 1) if regret)
    assert page.url.endswith(f"#game={number}&move={first}")
    page.keyboard.press("Escape")
    expect(page.locator("#replay")).to_be_hidden()
    page.locator("#filter-only").select_option("forfeits")
    expect(page.locator("#list li")).to_have_count(len(Cause))
    page.locator(".fault-card a").first.click()
    page.keyboard.press("End")
    expect(said.locator(".notice")).to_contain_text("forfeits: ")


@nightly
@needs_browser
def test_games_are_filtered_and_stepped_through_by_a_finger(shown, small):
    page, (_, games) = shown(report_html(*small), viewport=PHONE, has_touch=True), small
    page.locator("#filter-player").select_option(label="random")
    page.locator("#filter-result").select_option("lost")
    lost = [one for one in games if "random" in one.players and one.winner == 1 - one.players.index("random")]
    expect(page.locator("#list li")).to_have_count(len(lost))
    page.locator("#filter-result").select_option("")
    page.locator("#filter-player").select_option("")
    page.locator(".cross [data-pair]").first.click()
    expect(page.locator("#list li")).to_have_count(8)
    page.locator("#list a").last.click()
    swipe = """(board, [from, to]) => {
        for (const [kind, x] of [["touchstart", from], ["touchend", to]]) {
            const touch = new Touch({identifier: 1, target: board, clientX: x, clientY: 9});
            board.dispatchEvent(new TouchEvent(kind, {changedTouches: [touch], bubbles: true}));
        }
    }"""
    for way, said in (([200, 90], "1. X"), ([90, 200], "Start")):
        page.locator("#board").evaluate(swipe, way)
        expect(page.locator("#said h3")).to_contain_text(said)
    page.locator("#forward").tap()
    expect(page.locator("#said h3")).to_contain_text("1. X")


@nightly
@needs_browser
@pytest.mark.parametrize("name", ["kalah:2,2", "dots:2,2", "kingpawns", "hex:3", "nim", "tactic-toe"])
def test_games_of_every_kind_are_drawn(shown, name):
    tournament = tournament_of(name, ("perfect", "random"), 2)
    games = play_tournament(tournament)
    page, game = shown(report_html(tournament, games), "#game=0"), load_game(name)
    turn = (game.start, FIRST)
    for position, side, move in replay(game, *turn, games[0].moves):
        turn = after(game, position, side, move)
    page.keyboard.press("End")
    art, standing = art_of(game), pieces_on(game, *turn)
    drawn = sum(at is not None and "piece" in art.pieces[at[0]][at[1]] for at in standing)
    expect(page.locator("#board svg > g[transform^=translate] > .piece")).to_have_count(drawn)
    expect(page.locator("#curve svg")).to_be_visible()


@nightly
@needs_browser
def test_thousands_of_games_stay_usable(shown):
    tournament = tournament_of("tic-tac-toe", ("random", "level:4"), 3000)
    few = play_tournament(tournament_of("tic-tac-toe", ("random", "level:4"), 100))
    page = shown(report_html(tournament, [replace(few[number % 100], number=number) for number in range(3000)]))
    expect(page.locator("#list li")).to_have_count(40)
    page.locator("#page-last").click()
    page.locator("#list li").last.click()
    expect(page.locator("#replay h2")).to_have_text("Game 2999")
    page.keyboard.press("PageUp")
    expect(page.locator("#replay h2")).to_have_text("Game 2998")
    assert page.locator("*").count() < 3000
    assert len(page.content()) < 3_000_000


LONG = tuple(f"cmd:python3 /home/me/bots/contestant.py --depth {depth} --threads 4 --hash 1024" for depth in (12, 13))
NAMES = {"random": "cmd:bad/crash.sh", "random#2": LONG[0], "random#3": LONG[1]}


@nightly
@needs_browser
@pytest.mark.parametrize("width", [360, 1200])
def test_long_names_fit_and_are_read_aloud_whole(shown, width):
    tournament = tournament_of("tic-tac-toe", ("perfect", "minimax:2", "random", "random", "random"), 2)
    renamed = replace(tournament, players=tuple(NAMES.get(name, name) for name in tournament.labels))
    games = play_tournament(tournament, forfeits=9)
    games = [replace(game, players=tuple(NAMES.get(name, name) for name in game.players)) for game in games]
    page = shown(report_html(renamed, games), viewport={"width": width, "height": 800})
    lines = page.locator(".standings tbody tr").evaluate_all("rows => rows.map(row => row.clientHeight)")
    assert max(lines) < 3 * min(lines)
    assert fits(page)
    named = page.locator(".standings").get_by_role("rowheader", name=LONG[0], exact=True)
    expect(named).to_have_attribute("title", LONG[0])


@nightly
@needs_browser
@needs_axe
@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_axe_finds_nothing_wrong(shown, small, viewport):
    page = shown(report_html(*small), viewport=viewport)
    for step in (lambda: None, lambda: page.locator("#list a").nth(9).click()):
        step()
        no_barriers(page)
        assert fits(page)


# The live page


@pytest.fixture
def record(tmp_path):
    return tmp_path / "record.jsonl"


@contextmanager
def watched(record):
    """A client of a server that follows this record."""
    app = build_app(dispatcher_here(), watched=WatchedRecord(record))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


def news(client, **values):
    response = client.get("/api/tournament", params=values)
    assert response.status_code == 200
    return response.json()


def live_page(client, words):
    """The live page, once it says this: it is not drawn anew each time."""
    wait_until(lambda: words in text_of(client.get("/tournament").text))
    return client.get("/tournament").text


def test_what_becomes_of_the_record_is_told(small, record, tmp_path):
    tournament, games = small
    with watched(record) as client:
        assert "not there yet" in news(client)["told"]
        live_page(client, "The tournament has not begun.")
        record.write_text("")
        assert "empty so far" in news(client)["told"]
        write_record(record, tournament, games[:3])
        with record.open("a") as torn:
            torn.write('{"number": 3, "game"')
        first = news(client)
        assert (first["state"], first["told"], first["played"]) == ("running", "Running: 3 of 24 games.", 3)
        page = live_page(client, "Standings after 3 games")
        assert len(cells(page, "standings")) == 3
        write_record(record, tournament, games[:20])
        for game in games[20:]:
            append_game(record, game)
        last = news(client, since=20)
        assert [row["number"] for row in last["games"]] == [20, 21, 22, 23]
        assert (last["state"], last["told"]) == ("ended", "Ended after 24 games.")
        record.rename(tmp_path / "elsewhere")
        assert news(client)["told"] == "The record record.jsonl is gone."
        record.write_text("no JSON\n")
        refused = news(client)
        assert (refused["state"], refused["games"]) == ("refused", [])
        assert "'record.jsonl' is not the record of a tournament" in refused["told"]
        live_page(client, "There is no tournament to show.")
        write_record(tmp_path / "next", replace(tournament, seed=77), games[:5])
        (tmp_path / "next").rename(record)
        assert news(client)["played"] == 5
        assert news(client)["record"] != first["record"]
        live_page(client, "seed 77")


def test_requests_about_a_tournament_are_bounded(small, record):
    tournament, games = small
    write_record(record, replace(tournament, games=900), [replace(games[9], number=number) for number in range(1500)])
    with watched(record) as client:
        first = news(client)
        assert (first["played"], len(first["games"])) == (1500, 1000)
        assert len(news(client, since=1000)["games"]) == 500
        assert news(client, since=99999)["games"] == []
        one = client.get("/api/tournament-game?number=7").json()
        assert one["moves"] == list(games[9].moves)
        assert one["link"].startswith("./?game=tic-tac-toe&moves=")
        for path, status in (
            ("tournament?since=-1", 400),
            ("tournament?file=/etc/passwd", 400),
            ("tournament-game?number=1500", 404),
            ("tournament-game?number=../x", 400),
        ):
            assert client.get(f"/api/{path}").status_code == status


def test_a_record_that_is_still_to_come_has_no_game_yet(record):
    assert watched_game(None) == watched_game(str(record)) == []
    record.touch()
    assert watched_game(str(record)) == []
    write_record(record, tournament_of("nim", PLAYERS, 1), [])
    assert watched_game(str(record)) == ["nim"]


def test_a_server_without_a_record_says_so(client):
    for path in ("tournament", "api/tournament", "api/tournament-game?number=1"):
        response = client.get(f"/{path}")
        assert response.status_code == 404
        assert "--watch" in response.json()["error"]


def test_games_that_do_not_count_are_marked_live(tested, record):
    match, games = tested
    repeated, late = left_out(match, games)
    end = late[0] + 3
    write_record(record, match, games[:end])
    with watched(record) as client:
        count = end - len(repeated) - 3
        page = client.get("/tournament").text
        assert f"Standings after {end} games, of which {count} count · " in text_of(page)
        assert {int(number) for number in data_in(page)["uncounted"]} == {*repeated, *late[:3]}
        assert news(client)["told"] == f"Ended after {end} games."


@nightly
@needs_browser
def test_the_live_page_follows_a_growing_record(visit, small, record):
    tournament, games = small
    write_record(record, tournament, games[:20])
    with serving_here(watch=str(record)) as address:
        one = visit("/tournament", address, see="#list li", script=HURRY)
        one.see("#state", "Running: 20 of 24 games.")
        append_game(record, games[20])
        expect(one.page.locator("#list li")).to_have_count(21)
        one.see(".lead", "21 games")
        one.page.locator("#list li a").first.click()
        expect(one.page.locator("#board svg")).to_be_visible()
        one.press("End")
        one.page.get_by_role("link", name="Analyse this game").click()
        expect(one.page.locator("#history .played button")).to_have_count(len(games[20].moves) + 1)
        one.page.go_back()
        for game in games[21:]:
            append_game(record, game)
        one.see("#state", "Ended after 24 games.")
        record.unlink()
        one.see("#state", "The record record.jsonl is gone.")


@nightly
@needs_browser
def test_the_live_page_never_has_older_numbers_above_its_tables(visit, small, record):
    tournament, games = small
    write_record(record, tournament, games[:1])
    with serving_here(watch=str(record)) as address:
        one = visit("/tournament", address, see="#list li", script=HURRY)
        one.page.evaluate("""() => {
            window.seen = [];
            const number = (text) => Number(/\\d+/.exec(text)?.[0]);
            const text = (place) => document.querySelector(place).textContent;
            const listed = () => text("#count").replace(/^.* of /, "");
            const note = () => seen.push([text("#state"), text(".lead"), listed()].map(number));
            new MutationObserver(note).observe(document.querySelector("main"), { childList: true, subtree: true });
        }""")
        for game in games[1:]:
            append_game(record, game)
            if game.number % 4 == 0:
                expect(one.page.locator("#list li")).to_have_count(game.number + 1)
        one.see(".lead", "after 24 games")
        assert all(min(state, listed) >= tables for state, tables, listed in one.page.evaluate("seen"))


@nightly
@needs_browser
def test_the_live_page_finds_its_server_again(browser, small, record):
    tournament, games = small
    write_record(record, tournament, games[:2])
    context = browser.new_context()
    context.add_init_script(HURRY)
    page = context.new_page()
    with serving("--watch", str(record)) as address:
        page.goto(f"{address}/tournament")
        expect(page.locator("#list li")).to_have_count(2)
    expect(page.locator("#state")).to_contain_text("does not answer")
    append_game(record, games[2])
    with serving("--watch", str(record), "--port", address.rpartition(":")[2]):
        expect(page.locator("#state")).to_have_text("Running: 3 of 24 games.")
        expect(page.locator("#list li")).to_have_count(3)
    context.close()


@nightly
@needs_browser
@needs_axe
@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_axe_finds_nothing_wrong_with_the_live_page(visit, small, record, viewport):
    write_record(record, *small)
    with serving_here(watch=str(record)) as address:
        page = visit("/tournament", address, see="#list li", viewport=viewport, bypass_csp=True).page
        no_barriers(page, schemes=["light"])
        assert fits(page)
