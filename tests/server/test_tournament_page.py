"""The report of a tournament: tables without scripts, every game on the board, hostile names; and the live page."""

import json
import re
import urllib.error
import urllib.request
from dataclasses import replace
from random import Random

import pytest

from command_line import complaint, output
from perfectplay.api.tournament_reports import report_html
from perfectplay.arena.tournaments.formats import FORMATS
from perfectplay.arena.tournaments.remaining_games import remaining
from perfectplay.arena.tournaments.standings import standings
from perfectplay.arena.tournaments.tournament_settings import Opening
from perfectplay.game import after
from perfectplay.loading import load_game
from perfectplay.notation import parse_position, pieces_on, played
from perfectplay.page.tournament_games import MOST_STEPS, Replays
from perfectplay.page.tournament_names import LONGEST, breakable, short_names
from perfectplay.page.tournament_tables import elo, likelihood, points, share
from perfectplay.pictures.board_art import art_of
from perfectplay.solvers.lookup_or_solve import lookup_if_solved
from perfectplay.words import FIRST, Cause
from tournament_files import (
    append_game,
    play_recorded,
    play_tournament,
    tournament_of,
    write_record,
)
from web_server import serving

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect = test_page.expect

pytestmark = pytest.mark.skipif(test_page.CHROMIUM is None, reason="browser tests need chromium")

DESK, PHONE = {"width": 1200, "height": 900}, {"width": 360, "height": 740}
PLAYERS = ("perfect", "level:6", "random")
HOSTILE = "<script>document.title='taken'</script>"


@pytest.fixture(scope="module")
def small():
    """A tournament of tic-tac-toe with forfeits of every cause, and its games."""
    tournament = tournament_of("tic-tac-toe", PLAYERS, 8)
    return tournament, play_tournament(tournament, forfeits=len(Cause))


@pytest.fixture
def shown(browser, tmp_path):
    """Opens the report of a tournament, and checks that nothing went wrong on it."""
    faults, contexts = [], []

    def show(tournament, games, at="", **look):
        file = tmp_path / "report.html"
        file.write_text(report_html(tournament, games), encoding="utf-8")
        contexts.append(browser.new_context(**{"offline": True, "viewport": DESK, "reduced_motion": "reduce", **look}))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.goto(file.as_uri() + at)
        return page

    yield show
    for context in contexts:
        context.close()
    assert faults == []


def cells(page, table):
    """The texts of a table's rows."""
    return page.locator(f"{table} tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.children].map(one => one.innerText.trim()))"
    )


def fits(page):
    """Whether nothing has to be scrolled sideways."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_tables_say_what_the_standings_say_and_need_no_script(shown, small):
    page = shown(*small, java_script_enabled=False)
    result = standings(*small)
    rows = cells(page, ".standings")
    assert [row[1] for row in rows] == [player.name for player in result.players]
    assert [row[3] for row in rows] == [f"{one.wins} / {one.draws} / {one.losses}" for one in result.players]
    assert [row[4].replace("−", "-") for row in rows] == [f"{one.rating:+.0f}" for one in result.players]
    first = result.players[0]
    assert page.locator("h1").inner_text().startswith(f"{first.name} leads with ")
    met = {(one.first, one.second): one for one in result.pairings}
    mine, theirs = met[PLAYERS[0], PLAYERS[1]], met[PLAYERS[1], PLAYERS[0]]
    won = mine.wins + theirs.losses + (mine.draws + theirs.draws) / 2
    names = [row[1] for row in cells(page, ".cross")]
    cell = cells(page, ".cross")[names.index(PLAYERS[0])][2 + names.index(PLAYERS[1])]
    assert cell.split() == [points(won, 0), "of", str(mine.games + theirs.games)]
    expect(page.locator(".strips circle")).to_have_count(3)
    expect(page.locator("noscript p")).to_be_visible()


def test_each_cause_of_a_forfeit_is_shown_with_its_position(shown, small):
    page, (_, games) = shown(*small), small
    cards = page.locator(".fault-card")
    expect(cards).to_have_count(len({(game.players[1 - game.winner], game.cause) for game in games if game.cause}))
    for cause in Cause:
        expect(cards.locator(".pill", has_text=str(cause)).first).to_be_visible()
    one = games[0]
    card = cards.filter(has=page.locator(f"a[data-game='{one.number}']"))
    expect(card.locator(".said")).to_have_text("answered 'z9'")
    expect(card.locator("svg .piece")).to_have_count(len(one.moves))
    card.locator("a").click()
    expect(page.locator("#replay h2")).to_have_text("Game 0")
    page.keyboard.press("End")
    expect(page.locator("#said .notice")).to_contain_text(f"forfeits: {one.cause}")
    expect(page.locator("#replay details")).to_contain_text("warming up")
    assert sum(int(count or 0) for row in cells(page, ".causes") for count in row[1:]) == len(Cause)


def test_a_game_is_replayed_with_boards_and_values(shown, small):
    tournament, games = small
    game, number = load_game(tournament.game), next(one.number for one in games if any(one.regret) and not one.cause)
    one, lookup = games[number], lookup_if_solved(game)
    page = shown(*small, at=f"#game={number}")
    board, said = page.locator("#board"), page.locator("#said")
    expect(board).to_have_attribute("aria-label", "Board: empty")
    turn = (game.start, FIRST)
    for ply, (position, side, move) in enumerate(played(game, *turn, one.moves), 1):
        before, turn = turn, after(game, position, side, move)
        page.keyboard.press("ArrowRight")
        expect(said.locator("h3")).to_contain_text(f"{ply}. {'XO'[side]} {one.moves[ply - 1]}")
        art, standing = art_of(game), pieces_on(game, *turn)
        drawn = sum(at is not None and "piece" in art.pieces[at[0]][at[1]] for at in standing)
        expect(page.locator("#board g > .piece")).to_have_count(drawn)
        value = lookup(turn[0]).value * (1 if turn[1] == FIRST else -1)
        wanted = {1: "X wins in" if ply < len(one.moves) else "X has won", 0: "rawn", -1: "O "}[value]
        expect(said.locator(".stands")).to_contain_text(wanted)
        blamed = said.locator(".blame")
        if one.regret[ply - 1]:
            kinds = ["loss", "draw", "win"]
            was, now = lookup(before[0]).value, -lookup(turn[0]).value
            expect(blamed).to_contain_text(f"Blunder, {kinds[was + 1]} to {kinds[now + 1]}. Better: ")
        else:
            expect(blamed).to_have_count(0)
    expect(page.locator("#curve svg .mistake")).to_have_count(sum(map(bool, one.regret)))
    page.keyboard.press("Home")
    page.locator("#next-blunder").click()
    first = next(ply for ply, regret in enumerate(one.regret, 1) if regret)
    expect(page.locator("#plies [aria-current]")).to_have_id(f"ply-{first}")
    assert page.url.endswith(f"#game={number}&move={first}")
    page.keyboard.press("PageDown")
    expect(page.locator("#replay h2")).to_have_text(f"Game {number + 1}")
    page.keyboard.press("Escape")
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.locator(f"#row-{number + 1}")).to_be_focused()


def test_a_finger_steps_through_a_game(shown, small):
    page = shown(*small, at="#game=20", viewport=PHONE, has_touch=True)
    swipe = """(board, [from, to]) => {
        for (const [kind, x] of [["touchstart", from], ["touchend", to]]) {
            const touch = new Touch({identifier: 1, target: board, clientX: x, clientY: 9});
            board.dispatchEvent(new TouchEvent(kind, {changedTouches: [touch], bubbles: true}));
        }
    }"""
    page.locator("#board").evaluate(swipe, [200, 90])
    expect(page.locator("#said h3")).to_contain_text("1. X")
    page.locator("#board").evaluate(swipe, [90, 200])
    expect(page.locator("#said h3")).to_have_text("Start")
    page.locator("#forward").tap()
    expect(page.locator("#said h3")).to_contain_text("1. X")


@pytest.mark.parametrize("name", ["kalah:2,2", "dots:2,2", "kingpawns", "hex:3", "nim", "tactic-toe"])
def test_games_of_every_kind_are_replayed(shown, name):
    tournament = tournament_of(name, ("perfect", "random"), 2)
    games = play_tournament(tournament)
    page, game = shown(tournament, games, at="#game=0"), load_game(name)
    turn = (game.start, FIRST)
    for position, side, move in played(game, *turn, games[0].moves):
        turn = after(game, position, side, move)
    page.keyboard.press("End")
    art, standing = art_of(game), pieces_on(game, *turn)
    drawn = sum(at is not None and "piece" in art.pieces[at[0]][at[1]] for at in standing)
    expect(page.locator("#board svg > g[transform^=translate] > .piece")).to_have_count(drawn)
    expect(page.locator("#curve svg")).to_be_visible()


def test_openings_and_unfinished_games_are_told(shown):
    game = load_game("tic-tac-toe")
    opening = Opening(("b2", "a1"))
    tournament = tournament_of("tic-tac-toe", ("perfect", "random"), 4, [opening])
    games = play_tournament(tournament)
    games[3] = replace(games[3], moves=games[3].moves[:1], result="1/2-1/2", unfinished=True)
    page = shown(tournament, games, at="#game=0")
    expect(page.locator("#replay")).to_contain_text("Opening: b2 a1")
    expect(page.locator("#board")).to_have_attribute("aria-label", "Board: O on a1, X on b2")
    assert parse_position(game, games[0].position)[1] == FIRST
    page.keyboard.press("Escape")
    page.locator("#filter-only").select_option("unfinished")
    expect(page.locator("#list li")).to_have_count(1)
    expect(page.locator("#list .odd")).to_have_text("unfinished")


def test_values_of_the_record_are_shown_where_there_is_no_table(small):
    _, games = small
    game, one = load_game("tic-tac-toe"), games[-1]
    replayed = Replays(game, lookup_if_solved(game)).replay(one.to_dict())
    told = [1 - "wdl".index(text[0]) / 2 for text in replayed["values"]]
    mine = [value if side == FIRST else 1 - value for side, value in zip(one.movers, told, strict=False)]
    recorded = replace(one, values=tuple(mine)).to_dict()
    alone = Replays(game).replay(recorded)
    assert alone["values"] == [text[0] for text in replayed["values"]]
    assert "values" not in Replays(game).replay(one.to_dict())


def test_games_are_filtered(shown, small):
    page, (_, games) = shown(*small), small
    rows, count = page.locator("#list li"), page.locator("#count")
    page.locator("#filter-player").select_option(label="random")
    page.locator("#filter-result").select_option("lost")
    lost = [one for one in games if "random" in one.players and one.winner == 1 - one.players.index("random")]
    expect(rows).to_have_count(len(lost))
    page.locator("#filter-result").select_option("")
    page.locator("#filter-player").select_option("")
    page.locator("#filter-only").select_option("forfeits")
    expect(rows).to_have_count(len(Cause))
    expect(count).to_have_text(f"1 to 9 of 9 games ({len(games)} in all)")
    page.locator(".cross [data-pair]").first.click()
    expect(rows).to_have_count(8)


def test_names_and_errors_of_bots_are_only_text(shown):
    tournament = tournament_of("tic-tac-toe", ("random", "random"), 2)
    games = [
        replace(game, players=tuple(HOSTILE if name == "random" else name for name in game.players), fault=HOSTILE)
        for game in play_tournament(tournament, forfeits=2)
    ]
    games = [replace(game, printed=(HOSTILE, HOSTILE)) for game in games]
    page = shown(replace(tournament, players=(HOSTILE, "random#2")), games, at="#game=0&move=2")
    expect(page.locator("#replay pre").first).to_have_text(HOSTILE, use_inner_text=False)
    expect(page.locator("#said .notice")).to_contain_text(HOSTILE)
    assert page.locator(".standings tbody th").evaluate_all("all => all.map(one => one.title)").count(HOSTILE) == 1
    expect(page.locator("#replay .who")).to_contain_text(HOSTILE)
    assert page.title() == "Tic-tac-toe: tournament"
    assert page.locator("main script").count() == 0


def test_thousands_of_games_stay_usable(shown):
    tournament = tournament_of("tic-tac-toe", ("random", "level:4"), 3000)
    few = play_tournament(tournament_of("tic-tac-toe", ("random", "level:4"), 100))
    games = [replace(few[number % 100], number=number) for number in range(3000)]
    page = shown(tournament, games)
    expect(page.locator("#list li")).to_have_count(40)
    page.locator("#page-last").click()
    expect(page.locator("#list li").last).to_contain_text("2999")
    page.locator("#list li").last.click()
    expect(page.locator("#replay h2")).to_have_text("Game 2999")
    page.keyboard.press("PageUp")
    expect(page.locator("#replay h2")).to_have_text("Game 2998")
    assert page.locator("*").count() < 3000
    assert len(page.content()) < 3_000_000


def test_a_report_too_long_to_replay_says_so(shown, small, monkeypatch):
    monkeypatch.setattr("perfectplay.page.tournament_games.MOST_STEPS", 40)
    page = shown(*small)
    expect(page.locator(".notice", has_text="can only be listed")).to_be_visible()
    page.locator("#list li").last.click()
    expect(page.locator("#replay .notice")).to_contain_text("too many moves")
    assert MOST_STEPS > 10_000


@pytest.mark.skipif(not test_page.AXE.exists(), reason="accessibility checks need axe-core: npm ci")
@pytest.mark.parametrize(("scheme", "viewport"), [("light", DESK), ("dark", DESK), ("light", PHONE), ("dark", PHONE)])
def test_axe_finds_nothing_wrong(shown, small, scheme, viewport):
    page = shown(*small, color_scheme=scheme, viewport=viewport)
    page.evaluate(test_page.AXE.read_text(encoding="utf-8"))
    for step in (lambda: None, lambda: page.locator("#list a").nth(9).click()):
        step()
        found = page.evaluate("axe.run()")
        assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]] == []
        assert fits(page)


def test_numbers_are_written_as_people_read_them():
    assert [points(7, 1), points(0, 1), points(0, 0), points(3, 2)] == ["7½", "½", "0", "4"]
    assert [share(1, 3), share(0, 3), share(3, 3), share(1, 10**6)] == ["33.3%", "0.0%", "100.0%", "<0.1%"]
    assert [elo(0.3), elo(-0.4), elo(-12.6), elo(57)] == ["0", "0", "−13", "+57"]
    assert [likelihood(1.0), likelihood(0.0), likelihood(None)] == [">99.9%", "<0.1%", "–"]


def test_long_names_are_shortened_and_stay_different():
    long = [f"cmd:./my_bots/contestant --depth {depth}" for depth in (1, 2)]
    assert [*short_names(["random", *long]).values()] == [
        "random",
        "cmd:./my_…tant --depth 1",
        "cmd:./my_…tant --depth 2",
    ]
    alike = [f"cmd:python3 /home/me/bots/bot.py --depth {depth} --threads 4 --hash 1024" for depth in (12, 13, 7)]
    assert [*short_names(alike).values()] == [
        f"cmd:py…{part}…" for part in (" --depth 12 --th", " --depth 13 --th", "y --depth 7 --th")
    ]
    rng = Random(3)
    for _ in range(300):
        names = [*{"".join(rng.choices("ab", k=4)) * rng.randint(1, 12) for _ in range(12)}]
        short = short_names(names)
        assert len({*short.values()}) == len(names)
        assert max(map(len, short.values())) <= LONGEST + 5
    assert breakable("cmd:a/b-c --x<y") == 'cmd:<wbr>a/<wbr>b-<wbr>c <wbr><span class="whole">--x&lt;y</span>'


LONG = tuple(f"cmd:python3 /home/me/bots/contestant.py --depth {depth} --threads 4 --hash 1024" for depth in (12, 13))
NAMES = {"random": "cmd:bad/crash.sh", "random#2": LONG[0], "random#3": LONG[1]}


@pytest.fixture(scope="module")
def long_names():
    """A tournament of players with short and long names."""
    tournament = tournament_of("tic-tac-toe", ("perfect", "minimax:2", "random", "random", "random"), 2)
    games = [
        replace(game, players=tuple(NAMES.get(name, name) for name in game.players))
        for game in play_tournament(tournament, forfeits=9)
    ]
    return replace(tournament, players=tuple(NAMES.get(name, name) for name in tournament.labels)), games


TORN = """() => {
    const torn = [];
    for (const holder of document.querySelectorAll("h1 em, .name, .fault-card h3")) {
        const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
        for (let node; (node = walker.nextNode()); ) {
            if (node.parentElement.closest(".unseen")) continue;
            for (const word of node.data.matchAll(/[^\\s/:,=_…]+/g)) {
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                if (new Set([...range.getClientRects()].map((one) => one.top)).size > 1) torn.push(word[0]);
            }
        }
    }
    return torn;
}"""
"""The words of names that do not stand on one line."""


@pytest.mark.parametrize("width", [360, 375, 768, 1200])
def test_names_break_between_words_only(shown, long_names, width):
    page = shown(*long_names, viewport={"width": width, "height": 800})
    assert page.evaluate(TORN) == []
    lines = page.locator(".standings tbody tr").evaluate_all("rows => rows.map(row => row.clientHeight)")
    assert max(lines) < 3 * min(lines)
    assert fits(page)
    row = page.locator(".standings tbody th", has_text=LONG[0])
    expect(row).to_have_attribute("title", LONG[0])
    named = page.locator(".standings").get_by_role("rowheader", name=LONG[0], exact=True)
    expect(named).to_have_count(1)
    page.locator("#list a", has_text=LONG[0]).first.click()
    expect(page.locator("#replay .who .name", has_text=LONG[0])).to_have_attribute("title", LONG[0])
    assert page.evaluate(TORN) == []


EDGE = """([wide, end]) => {
    wide.scrollLeft = end ? wide.scrollWidth : 0;
    return wide.scrollWidth - wide.clientWidth - Math.round(wide.scrollLeft);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_shadow_says_that_the_standings_scroll(shown, long_names, scheme):
    page = shown(*long_names, viewport=PHONE, color_scheme=scheme)
    wide = page.locator(".wide").first
    box = wide.bounding_box()
    strip = {"x": box["x"] + box["width"] - 4, "y": box["y"] + 2, "width": 4, "height": 6}
    plain = page.locator(".wide + .quiet").first.bounding_box()
    beside = {"x": strip["x"], "y": plain["y"], "width": 4, "height": 6}
    for end in (False, True):
        left = page.evaluate(EDGE, [wide.element_handle(), end])
        assert (left <= 1) == end
        assert (page.screenshot(clip=strip, full_page=True) == page.screenshot(clip=beside, full_page=True)) == end


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
    return (
        [game.number for game in games if 0 < game.number <= last and not game.thrown],
        [game.number for game in games if game.number > last],
    )


def test_games_that_do_not_count_are_marked(shown, tested):
    page, result = shown(*tested), standings(*tested)
    repeated, late = left_out(*tested)
    assert repeated
    assert len(late) > len(repeated)
    assert result.games == 48 - len(repeated) - len(late)
    expect(page.locator(".lead")).to_contain_text(f"48 games, of which {result.games} count · ")
    expect(page.locator(".notice", has_text=f"{len(late)} games ended after the test was decided")).to_be_visible()
    for number in range(40):
        said = (
            "not counted: repeated" if number in repeated else "not counted: after the test" if number in late else ""
        )
        expect(page.locator(f"#row-{number} .odd")).to_have_text(said)
    expect(page.locator(".fault-card")).to_have_count(0)
    about = (
        page.locator(".panel", has=page.locator("#regret-title"))
        .locator("svg[role=img]")
        .evaluate_all("bars => bars.map(bar => bar.getAttribute('aria-label'))")
    )
    assert [sum(map(int, re.findall(r"(\d+) game", text))) for text in about] == [result.games] * 2
    page.locator("#filter-only").select_option("counted")
    expect(page.locator("#list li")).to_have_count(result.games)
    page.locator("#filter-only").select_option("uncounted")
    expect(page.locator("#count")).to_contain_text(f"of {48 - result.games} games (48 in all)")
    page.locator("#list li").last.click()
    expect(page.locator("#replay header")).to_contain_text("1–0 · crash · not counted: after the test")


def test_where_all_games_count_nothing_is_said_of_it(shown, small):
    page = shown(*small)
    expect(page.locator(".lead")).to_contain_text("24 games · ")
    expect(page.locator("#list .uncounted")).to_have_count(0)
    expect(page.locator("#filter-only option")).to_have_count(4)


def test_the_command_writes_the_report_of_a_tournament_or_of_its_record(capsys, tmp_path):
    record, page, again = (tmp_path / name for name in ("games.jsonl", "one.html", "two.html"))
    output(capsys, f"tournament nim perfect random --games 4 --seed 2 --record {record} --report {page}")
    output(capsys, f"tournament --record {record} --report {again}")
    one, two = (re.sub(r"[\d.]+ ms|\"ms\": \[[^]]*\]", "", file.read_text(encoding="utf-8")) for file in (page, again))
    assert one == two
    assert '<th scope="row" class="name" title="perfect">perfect</th>' in one
    reported = f"tournament --record {record} --report {tmp_path}"
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


# The live page


@pytest.fixture
def watching(browser, tmp_path):
    """Opens the live page of a record, and gives it with the file."""
    opened, faults = [], []

    def watch(tournament, games, **look):
        file = tmp_path / "record.jsonl"
        if tournament is not None:
            write_record(file, tournament, games)
        server = serving("--watch", str(file))
        address = server.__enter__()
        context = browser.new_context(**{"viewport": DESK, "reduced_motion": "reduce", **look})
        context.add_init_script(test_page.HURRY)
        opened.append((context, server))
        page = context.new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.goto(f"{address}/tournament")
        return page, file

    yield watch
    for context, server in opened:
        context.close()
        server.__exit__(None, None, None)
    assert faults == []


def test_the_live_page_follows_a_growing_record(watching, small):
    tournament, games = small
    page, file = watching(tournament, games[:20])
    state, rows = page.locator("#state"), page.locator("#list li")
    expect(state).to_have_text("Running: 20 of 24 games.")
    expect(rows).to_have_count(20)
    append_game(file, games[20])
    expect(rows).to_have_count(21)
    expect(rows.first).to_contain_text("20")
    expect(page.locator(".lead")).to_contain_text("21 games")
    assert [row[1] for row in cells(page, ".standings")] == [
        player.name for player in standings(tournament, games[:21]).players
    ]
    rows.first.locator("a").click()
    expect(page.locator("#board svg")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("#plies [aria-current]")).to_have_id(f"ply-{len(games[20].moves)}")
    page.get_by_role("link", name="Analyse this game").click()
    expect(page.locator("#title")).to_have_text("Tic-tac-toe")
    expect(page.locator("#history .played button")).to_have_count(len(games[20].moves) + 1)
    page.go_back()
    for game in games[21:]:
        append_game(file, game)
    expect(state).to_have_text("Ended after 24 games.")


def test_the_live_page_says_what_is_wrong_with_the_file(watching, small, tmp_path):
    tournament, games = small
    page, file = watching(None, [])
    state = page.locator("#state")
    expect(state).to_contain_text("not there yet")
    expect(page.locator("h1")).to_have_text("The tournament has not begun.")
    write_record(file, tournament, games[:3])
    with file.open("a") as torn:
        torn.write('{"number": 3, "game"')
    expect(state).to_have_text("Running: 3 of 24 games.")
    expect(page.locator(".standings tbody tr")).to_have_count(3)
    file.rename(tmp_path / "elsewhere")
    expect(state).to_have_text("The record record.jsonl is gone.")
    file.write_text("no JSON\n")
    expect(state).to_contain_text("'record.jsonl' is not the record of a tournament")
    expect(page.locator("h1")).to_have_text("There is no tournament to show.")
    expect(page.locator("#list li")).to_have_count(0)
    write_record(tmp_path / "next", replace(tournament, seed=77), games[:5])
    (tmp_path / "next").rename(file)
    expect(page.locator(".lead")).to_contain_text("seed 77")
    expect(page.locator("#list li")).to_have_count(5)
    file.write_text("no record, but longer than it was\n" * 1000)
    expect(state).to_contain_text("'record.jsonl' is not the record of a tournament")


def test_the_live_page_notices_soon_what_becomes_of_the_file(watching, small, tmp_path):
    page, file = watching(*small)
    expect(page.locator("#state")).to_have_text("Ended after 24 games.")
    page.evaluate(
        "const usual = setTimeout; window.waits = [];"
        "window.setTimeout = (act, wait) => { waits.push(wait); usual(act, wait); };"
    )
    file.rename(tmp_path / "elsewhere")
    expect(page.locator("#state")).to_have_text("The record record.jsonl is gone.")
    page.wait_for_function("waits.length > 2")
    assert max(page.evaluate("waits.slice(2)")) <= 1500


def test_the_live_page_marks_games_that_do_not_count(watching, tested):
    match, games = tested
    page, file = watching(match, games[:2])
    lead, marks = page.locator(".lead"), page.locator("#list .uncounted")
    expect(page.locator("#state")).to_contain_text("Running: 2 of ")
    expect(lead).to_contain_text("Standings after 2 games · ")
    repeated, late = left_out(match, games)
    end = late[0] + 3
    for game in games[2:end]:
        append_game(file, game)
    expect(page.locator("#state")).to_have_text(f"Ended after {end} games.")
    count = end - len(repeated) - 3
    expect(lead).to_contain_text(f"Standings after {end} games, of which {count} count · ")
    expect(marks).to_have_count(len(repeated) + 3)
    expect(page.locator(f"#row-{late[0]} .odd")).to_have_text("not counted: after the test")


def test_the_live_page_never_has_older_numbers_above_its_tables(watching, small):
    tournament, games = small
    page, file = watching(tournament, games[:1])
    page.evaluate("""() => {
        window.seen = [];
        const number = (text) => Number(/\\d+/.exec(text)?.[0]);
        const text = (place) => document.querySelector(place).textContent;
        const listed = () => text("#count").replace(/^.* of /, "");
        const note = () => seen.push([text("#state"), text(".lead"), listed()].map(number));
        new MutationObserver(note).observe(document.querySelector("main"), { childList: true, subtree: true });
    }""")
    for game in games[1:]:
        append_game(file, game)
        if game.number % 4 == 0:
            expect(page.locator("#list li")).to_have_count(game.number + 1)
    expect(page.locator(".lead")).to_contain_text("after 24 games")
    for state, tables, listed in page.evaluate("seen"):
        assert state >= tables
        assert listed >= tables


def test_the_live_page_finds_its_server_again(browser, small, tmp_path):
    tournament, games = small
    file = tmp_path / "record.jsonl"
    write_record(file, tournament, games[:2])
    context = browser.new_context()
    context.add_init_script(test_page.HURRY)
    page = context.new_page()
    with serving("--watch", str(file)) as address:
        page.goto(f"{address}/tournament")
        expect(page.locator("#list li")).to_have_count(2)
    expect(page.locator("#state")).to_contain_text("does not answer")
    append_game(file, games[2])
    with serving("--watch", str(file), "--port", address.rpartition(":")[2]):
        expect(page.locator("#state")).to_have_text("Running: 3 of 24 games.")
        expect(page.locator("#list li")).to_have_count(3)
    context.close()


@pytest.mark.skipif(not test_page.AXE.exists(), reason="accessibility checks need axe-core: npm ci")
@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_axe_finds_nothing_wrong_with_the_live_page(watching, small, viewport):
    page, _ = watching(*small, viewport=viewport, bypass_csp=True)
    expect(page.locator("#list li")).to_have_count(24)
    page.evaluate(test_page.AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]] == []
    assert fits(page)


def asked(address):
    """The status and the JSON of a request."""
    try:
        with urllib.request.urlopen(address, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


def test_requests_about_a_tournament_are_bounded(small, tmp_path):
    tournament, games = small
    file = tmp_path / "record.jsonl"
    write_record(file, replace(tournament, games=900), [replace(games[9], number=number) for number in range(1500)])
    with serving("--watch", str(file)) as address:
        status, first = asked(f"{address}/api/tournament")
        assert (status, first["played"], len(first["games"])) == (200, 1500, 1000)
        assert len(asked(f"{address}/api/tournament?since=1000")[1]["games"]) == 500
        assert asked(f"{address}/api/tournament?since=99999")[1]["games"] == []
        assert asked(f"{address}/api/tournament?since=-1")[0] == 400
        assert asked(f"{address}/api/tournament?file=/etc/passwd")[0] == 400
        status, one = asked(f"{address}/api/tournament-game?number=7")
        assert (status, one["moves"]) == (200, list(games[9].moves))
        assert asked(f"{address}/api/tournament-game?number=1500")[0] == 404
        assert asked(f"{address}/api/tournament-game?number=../x")[0] == 400


def test_a_server_without_a_record_says_so(address):
    for path in ("tournament", "api/tournament", "api/tournament-game?number=1"):
        status, answer = asked(f"{address}/{path}")
        assert status == 404
        assert "--watch" in answer["error"]


def test_a_forfeit_in_the_first_move_has_a_board(shown):
    game, rng = load_game("tic-tac-toe"), Random(1)
    tournament = tournament_of("tic-tac-toe", ("random", "random"), 1)
    one = replace(play_recorded(game, 0, tournament.labels, rng, fault=Cause.START), moves=(), movers=(), regret=())
    page = shown(tournament, [replace(one, wasted=(), clock=(), result="0-1")], at="#game=0")
    expect(page.locator("#said")).to_contain_text("forfeits: failed start")
    expect(page.locator(".fault-card svg")).to_have_count(1)
