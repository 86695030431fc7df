"""The requests that the page makes, answered: what they say, what they refuse, and what may be kept."""

import json
import re
from html import unescape

import pytest
from starlette.testclient import TestClient

import perfectplay
from perfectplay import explain, review
from perfectplay.__main__ import main
from perfectplay.rules.families import describe_games, groups, shown_names
from perfectplay.rules.loading import load_game
from perfectplay.server import app as web
from perfectplay.server.api_tasks import TASKS, WANTED
from web_server import dispatcher_here

ODD = """
from perfectplay import LOSS, ONGOING, Game
def game(n=3):
    if n == 7:
        raise RuntimeError('the secret of the house')
    return Game(
        moves=lambda mine, theirs: 7 & ~(mine | theirs),
        play=lambda mine, theirs, move: (theirs, mine | 1 << move),
        outcome=lambda mine, theirs: LOSS if theirs & 4 else ONGOING,
        bits=3,
        shape=(3, 1),
    )
"""
WATCHED = ("/api/tournament", "/api/tournament-game")
"""The requests of a server that watches a record."""
POSITION = "O:X.X/OO./X.."
"""One that is small enough for the classroom."""
FIVE = "h8,a1,h9,b1,h10,c1,h11,d1,h12"
"""A won game of gomoku."""


def asked(client, task, **values):
    response = client.get(f"/api/{task}", params=values)
    assert response.status_code == 200, response.text
    return response.json()


def refused(client, task, status, **values):
    response = client.get(f"/api/{task}", params=values)
    assert response.status_code == status, response.text
    assert list(response.json()) == ["error"]
    return response.json()["error"]


def last_position(client, game, moves):
    return asked(client, "line", game=game, moves=moves)["plies"][-1]["position"]


def test_games_and_their_sizes(client):
    found = asked(client, "games")
    assert found["opens"] == "tic-tac-toe"
    assert found["games"][0]["name"] == "hexapawn.py"
    lines = next(one for one in found["games"] if one["name"] == "lines")
    assert lines["sizes"][0] == {"name": "width", "kind": "number", "default": 3}
    assert lines["sizes"][3] == {"name": "misere", "kind": "switch", "default": False}
    assert {"name": "tic-tac-toe", "sizes": "3,3,3", "title": "Tic-tac-toe"} in lines["known"]
    nim = next(one for one in found["games"] if one["name"] == "nim")
    assert [(size["name"], size["kind"]) for size in nim["sizes"]] == [("heaps", "numbers")]


def test_a_game_is_data(client):
    found = asked(client, "game", game="tactic-toe")
    assert (found["shape"], found["start"], found["solved"]) == ([3, 3], "X:.../.../...", True)
    assert found["pieces"] == [["X3", "X2", "X1"], ["O3", "O2", "O1"]]
    names = [player["name"] for player in found["players"]]
    assert {"level", "streetwise", "perfect", "bots.py:my_ai"} <= set(names)
    assert "threats" not in names


def test_a_large_board_is_not_solved(client):
    found = asked(client, "game", game="lines:19,19,5")
    assert (found["solved"], found["solvable"]) == (False, False)
    assert [player["name"] for player in found["players"] if player["best"]] == ["threats"]
    line = asked(client, "line", game="lines:19,19,5", moves="j10,k10")
    assert len(line["here"]["moves"]) == 19 * 19 - 2
    assert asked(client, "forecast", game="connect-four")["solvable"] is False
    assert asked(client, "forecast", game="drop:4,4,4")["solvable"] is True


def test_what_is_proven_on_a_large_board_is_told(client):
    known = asked(client, "analysis", game="gomoku", position=last_position(client, "gomoku", FIVE))
    assert (known["verdict"], known["value"], known["distance"], known["exact"]) == ("Black has won.", "loss", 0, True)
    known = asked(client, "analysis", game="gomoku", position=last_position(client, "gomoku", FIVE[:-4]))
    assert (known["value"], known["distance"], known["moves"][0]["text"]) == ("win", 1, "win in 1 ply")
    drawn = "/".join("".join("XXOO"[(x + 2 * y) % 4] for x in range(10)) for y in range(10))
    known = asked(client, "analysis", game="lines:10,10,5", position=f"X:{drawn}")
    assert (known["verdict"], known["exact"]) == ("The game is drawn.", True)


def test_analysis_is_what_analyse_says(client):
    found = asked(client, "analysis", game="tic-tac-toe", position="X:XX./OO./...")
    known = perfectplay.analyse("tic-tac-toe", position="X:XX./OO./...")
    facts = ("move", "value", "distance")
    assert [[one[fact] for fact in facts] for one in found["moves"]] == [
        [one.to_dict()[fact] for fact in facts] for one in known.moves
    ]
    assert [m["move"] for m in found["moves"] if m["best"]] == ["c1"]
    assert found["source"] == "table"


def test_win_probabilities(client):
    found = asked(client, "analysis", game="tic-tac-toe", chance="uniform")
    best = {move["move"]: move["chance"]["win"] for move in found["moves"]}
    assert best["a1"] == pytest.approx(191 / 192)
    assert [move["move"] for move in found["moves"] if move["streetwise"]] == ["a1", "c1", "a3", "c3"]


def test_the_opening_book_where_there_is_no_table(client):
    found = asked(client, "analysis", game="connect-four", seconds="0.2")
    assert (found["source"], found["exact"], found["distance"]) == ("book", True, 41)
    assert found["verdict"] == "Red wins in 41 plies, if Red plays 4."
    assert [move["move"] for move in found["moves"] if move["best"]] == ["4"]


def test_lines_of_best_play(client):
    won = asked(client, "best-line", game="tactic-toe")
    assert (len(won["moves"]), won["ends"]) == (13, True)
    endless = asked(client, "best-line", game="tactic-toe", position="O:.../.X3./...")
    assert (len(endless["moves"]), endless["ends"]) == (12, False)
    line = asked(client, "line", game="tactic-toe", moves=",".join(won["moves"]))
    assert (line["here"]["winner"], len(line["here"]["rows"])) == (0, 1)


def test_a_side_may_move_again_and_points_count(client):
    line = asked(client, "line", game="dots:2,1", moves="b1,d3,e2,a2,b3,c2,d1")
    assert [ply["side"] for ply in line["plies"]] == [0, 1, 0, 1, 0, 1, 1, 1]
    assert {name: line["here"][name] for name in ("over", "winner", "margin", "moves")} == {
        "over": True,
        "winner": 1,
        "margin": 2,
        "moves": [],
    }
    assert "margin" not in asked(client, "line", game="dots:2,1")["here"]
    found = asked(client, "analysis", game="dots:2,1")
    assert [found[name] for name in ("value", "distance", "margin")] == ["draw", None, 0]
    others = dict.fromkeys(("a2", "b1", "b3", "d1", "d3", "e2"), -2)
    assert {move["move"]: move["margin"] for move in found["moves"]} == {"c2": 0, **others}


def test_an_explanation_has_the_squares_of_what_it_tells(client):
    found = asked(client, "explain", game="tic-tac-toe", position="X:O../.X./O.X")
    known = explain("tic-tac-toe", position="X:O../.X./O.X").to_dict()
    assert {name: found[name] for name in known} == known
    assert found["drawn"]["threats"] == [{"move": "a2", "side": 1, "to": [3], "from": [], "rows": [[0, 3, 6]]}]
    assert [one["move"] for one in found["drawn"]["line"]] == known["line"]["moves"]
    refuted = {move["move"]: [move["move"], *move["refutation"]] for move in known["moves"] if move["keeps"] is False}
    assert {move: [one["move"] for one in line] for move, line in found["drawn"]["moves"].items()} == refuted
    lost = asked(client, "explain", game="tic-tac-toe", position="O:XO./.X./...")
    assert len(lost["drawn"]["moves"]) == 6  # what follows each move where all lose
    moved = asked(client, "explain", game="kingpawns")
    assert (moved["drawn"]["line"][0]["from"], moved["drawn"]["line"][0]["to"]) == ([9], [5])
    faded = asked(client, "explain", game="tactic-toe")
    assert all(one["from"] == [] for one in faded["drawn"]["line"])  # pieces vanish, they do not move


def test_a_review_is_what_review_says(client):
    moves = ["b2", "b1", "a1", "c3", "a3"]
    assert asked(client, "review", game="tic-tac-toe", moves=",".join(moves)) == review("tic-tac-toe", moves).to_dict()
    later = asked(client, "review", game="tic-tac-toe", position="O:.../.X./...", moves="b1")
    assert later["plies"][0]["judgement"] == "mistake"
    judged = asked(client, "review", game="drop:4,4,3", moves="1,2")
    assert [made["side"] for made in judged["plies"]] == ["Red", "Yellow"]  # as the board shows them


def test_replies_are_legal_and_good(client):
    reply = asked(client, "reply", game="tic-tac-toe", position="X:XX./OO./...", player="perfect")
    assert reply["move"] == "c1"
    assert asked(client, "reply", game="tic-tac-toe", player="bots.py:my_ai")["move"] == "b2"
    assert asked(client, "reply", game="hexapawn.py", player="level:10")["move"] == "b1b2"
    assert asked(client, "reply", game="gomoku", player="threats", seconds="0.1")["move"] == "h8"


def test_puzzles_are_those_of_the_program(client):
    found = asked(client, "puzzles", game="tic-tac-toe")
    assert found["puzzles"] == [puzzle.to_dict() for puzzle in perfectplay.puzzles("tic-tac-toe", count=100)]


def test_lessons_have_the_counts_of_compare_and_tree(client):
    found = asked(client, "classroom", game="tic-tac-toe", position=POSITION)["algorithms"]
    rows = {
        algorithm.name: row for algorithm, row in perfectplay.compare("tic-tac-toe", position=POSITION).rows.items()
    }
    assert [one["name"] for one in found] == ["minimax", "alpha-beta", "cache", "symmetry", "flags", "table"]
    for one in found:
        tree = perfectplay.tree("tic-tac-toe", position=POSITION, algorithm=one["name"])
        assert one["visited"] == rows[one["name"]].meter.nodes == tree.visited
        assert (one["cut"], one["repeated"], one["score"]) == (tree.cut, tree.repeated, tree.score)
        assert [node.get("score") for node in one["nodes"]] == [node.score for node in tree.nodes]
        assert sum(step["kind"] == "enter" for step in one["steps"]) == tree.visited
    chosen = asked(client, "classroom", game="tic-tac-toe", depth="2")
    assert (chosen["chosen"], chosen["depth"]) == (True, 2)


REFUSALS = """
game 400 | | game is missing
game 404 | game=tick-tack | no game is called
game 404 | game=docs | no game is called
game 404 | game=lines:99,99,5 | too big for the page
game 404 | game=lines:3,3,x | not a size
game 404 | game=../../etc/passwd | not the name of a game
game 404 | game=examples/hexapawn.py | no game file
game 400 | game=LONG | longer than 512
game 400 | game=tic-tac-toe colour=red | is not understood
line 400 | game=tic-tac-toe position=LONG | longer than 512
line 400 | game=tic-tac-toe moves=b2,b2 | not a legal move
line 400 | game=tic-tac-toe moves=a1,b1,a2,b2,a3,b3 | the game is over
line 400 | game=tic-tac-toe position=O:XXX/.../... | cannot be reached
line 400 | game=tic-tac-toe position=O:.../.../... | it is X's turn
line 400 | game=tic-tac-toe second=foo | no player here is called 'foo'
line 400 | game=tic-tac-toe first=level:99 | needs a whole number from 1 to 10
line 400 | game=gomoku moves=LONG9 | longer than 4096
line 400 | game=gomoku moves=MANY | too many
line 400 | game=gomoku position=ONE | O's turn
line 400 | game=gomoku position=BOTH | no move of O leads there
line 400 | game=connect-four position=X:O....../......./......./......./......./X...... | cannot be
analysis 400 | game=tic-tac-toe chance=learned:/etc/passwd | no player here
analysis 400 | game=tic-tac-toe chance=streetwise:learned:/etc/passwd | no player here
analysis 400 | game=connect-four seconds=1e9 | at most 10
analysis 422 | game=connect-four chance=uniform | need a solved game
reply 400 | game=tic-tac-toe player=human | no player here
reply 400 | game=tic-tac-toe player=./bots.py:my_ai | was named
reply 400 | game=tic-tac-toe player=mcts:100000 | no player here
reply 400 | game=gomoku player=routes:99 | no player here
reply 400 | game=tic-tac-toe player=perfect position=O:XXX/OO./... | the end of the game
explain 400 | game=gomoku seconds=11 | at most 10
review 400 | game=tic-tac-toe | moves is missing
review 400 | game=tic-tac-toe moves=b2,b2 | ply 2
export 400 | game=tic-tac-toe | format is missing
export 400 | game=tic-tac-toe format=exe | there are html, json.gz, h
export 404 | game=../x.py format=h | no game file
export 422 | game=connect-four format=h | is not solved yet
puzzles 422 | game=connect-four | not solved yet
classroom 422 | game=tic-tac-toe position=X:.../.../... | more than 1,000 nodes
classroom 400 | game=tic-tac-toe position=O:XXX/OO./... | is the end of the game
classroom 400 | game=tic-tac-toe depth=0 | depth must be a number from 1 to 20
classroom 400 | game=tic-tac-toe depth=many | depth must be a number
classroom 400 | game=tic-tac-toe steps=1 | classroom takes game, position, depth
tournament-game 400 | number=../x | must be a whole number
tournament 404 | | --watch
"""
ROWS = ["." * 15] * 13
WORDS = {
    "LONG": "X" * 513,
    "LONG9": "a1," * 1500,
    "MANY": "1," * 1001,
    "ONE": "X:X.............." + "/..............." * 14,
    "BOTH": "X:" + "/".join(["XXXXX" + "." * 10, "OOOOO" + "." * 10, *ROWS]),
}


@pytest.mark.parametrize("case", REFUSALS.strip().splitlines())
def test_what_cannot_be_is_refused_with_the_reason(client, case):
    asking, given, words = (part.strip() for part in case.split("|"))
    task, status = asking.split()
    values = dict(pair.split("=", 1) for pair in given.split())
    values = {name: WORDS.get(value, value) for name, value in values.items()}
    assert words in refused(client, task, int(status), **values)


def test_what_a_users_file_does_is_not_told(home, capfd):
    (home / "odd.py").write_text(ODD)
    with TestClient(web.build_app(dispatcher_here([str(home / "odd.py")])), base_url="http://127.0.0.1") as client:
        for task, values in (("line", {"moves": "a1"}), ("line", {}), ("game", {})):
            response = client.get(f"/api/{task}", params={"game": "odd.py:7", **values})
            assert response.status_code == 422
            assert "secret" not in response.text
    assert "secret" in capfd.readouterr().err


def test_what_stays_true_may_be_kept(client):
    rules = asked(client, "game", game="tic-tac-toe")["rules"]
    kept = client.get("/api/analysis", params={"game": "tic-tac-toe", "rules": rules})
    assert "immutable" in kept.headers["cache-control"]
    asking = client.get("/api/analysis", params={"game": "tic-tac-toe"})
    assert asking.headers["cache-control"] == "no-cache"
    known = {"if-none-match": asking.headers["etag"]}
    again = client.get("/api/analysis", params={"game": "tic-tac-toe"}, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    assert "have changed" in refused(client, "analysis", 409, game="tic-tac-toe", rules="0123")
    for task, values in (("reply", {"game": "tic-tac-toe", "player": "random"}), ("game", {"game": "nothing"})):
        assert client.get(f"/api/{task}", params=values).headers["cache-control"] == "no-store"


def events_of(response):
    found = re.findall("^event: (.*)\ndata: (.*)$", response.text, re.M)
    return [(kind, json.loads(data)) for kind, data in found]


def test_solving_tells_how_far_it_is(client):
    assert asked(client, "game", game="lines:4,3,3")["solved"] is False
    response = client.post("/api/solve", json={"game": "lines:4,3,3"})
    events = events_of(response)
    assert response.headers["content-type"].startswith("text/event-stream")
    assert {kind for kind, _ in events[:-1]} == {"step"}
    assert events[-1][0] == "solved"
    assert asked(client, "game", game="lines:4,3,3")["solved"] is True
    found = asked(client, "analysis", game="lines:4,3,3")
    assert (found["source"], found["value"], found["distance"]) == ("table", "win", 7)
    events = events_of(client.post("/api/solve", json={"game": "connect-four"}))
    assert events[-1][0] == "refused"
    assert re.fullmatch(r"Too big to solve here: it would need about .* of memory\.", events[-1][1]["error"])


BODIES = {b"": 400, b"[1]": 400, b"\xff\xfe": 400, b'{"game": 3}': 400, b'{"game": "nothing"}': 404}
BODIES |= {b"x" * 65537: 413, b"[" * 60_000: 400}


@pytest.mark.parametrize(("body", "status"), BODIES.items(), ids=range(len(BODIES)))
def test_bodies_that_cannot_be(client, body, status):
    response = client.post("/api/solve", content=body)
    assert response.status_code == status
    assert "error" in response.json()


@pytest.mark.parametrize("game", ["tic-tac-toe", "hexapawn.py"])
def test_exports_are_what_export_writes(client, capsys, tmp_path, game):
    kinds = {"json.gz": "application/gzip", "h": "text/plain"}
    if game == "hexapawn.py":  # small, and so is its page
        kinds["html"] = "text/html"
    for kind, name in kinds.items():
        response = client.get("/api/export", params={"game": game, "format": kind})
        assert response.status_code == 200
        assert response.headers["content-type"].startswith(name)
        plain = game.removesuffix(".py")
        assert response.headers["content-disposition"] == f'attachment; filename="{plain}.{kind}"'
        path = tmp_path / f"a.{kind}"
        assert main(["export", game.replace("hexapawn", "examples/hexapawn"), "--to", str(path)]) == 0
        assert response.content == path.read_bytes()
    capsys.readouterr()


def test_the_description_names_every_request(client):
    described = client.get("/api/openapi.json").json()
    paths = {path: [*methods] for path, methods in described["paths"].items()}
    more = {"/api/saved": ["get"], "/api/export": ["get"], "/api/solve": ["post"], "/api/check": ["post"]}
    more |= {path: ["get"] for path in WATCHED}
    assert paths == {f"/api/{task}": ["get"] for task in TASKS} | more
    components = described["components"]["parameters"]
    for path, methods in described["paths"].items():
        told = methods.get("get", {}).get("parameters", [])
        names = {components[one["$ref"].rpartition("/")[2]]["name"] if "$ref" in one else one["name"] for one in told}
        if path not in ("/api/solve", "/api/check"):
            assert names - {"rules"} == set(WANTED[path.rpartition("/")[2]].all)


def test_the_page_brings_its_first_board(client):
    asked(client, "game", game="tic-tac-toe")
    page = client.get("/", params={"game": "tic-tac-toe", "moves": "b2"})
    first = json.loads(re.search('id="first">(.*)</script>', page.text)[1])
    assert first["line"]["plies"][1]["position"] == "O:.../.X./..."
    assert first["game"]["solved"] is True
    wrong = client.get("/", params={"game": "tic-tac-toe", "moves": "b2,a1,b2,c3"})
    assert len(json.loads(re.search('id="first">(.*)</script>', wrong.text)[1])["line"]["plies"]) == 3
    strange = client.get("/", params={"game": "</script><b>", "moves": "\"'<>"})
    assert strange.status_code == 200
    assert "</script><b>" not in strange.text


def test_the_gallery_has_own_games_first_then_the_best_known_each_with_its_kind(client):
    page = unescape(client.get("/").text)
    titles = re.findall(r"<strong>(.*?)</strong>", page)
    assert titles == ["hexapawn.py", *(load_game(name).look.title for name in shown_names())]
    links = re.findall(r'<a href="\./\?game=([^"]*)"', page)
    assert links == ["hexapawn.py", *shown_names()]
    tags = dict(zip(links, re.findall(r'data-tags="([^"]*)"', page), strict=True))
    assert "yours" in tags["hexapawn.py"].split()
    assert all(("large" in tags[name].split()) != ("small" in tags[name].split()) for name in links)
    assert "endless" in tags["tactic-toe"].split()
    assert {"large"} <= {*tags["gomoku"].split()} & {*tags["connect-four"].split()}
    kinds = [group for group in groups() if any(known.group == group for known in describe_games())]
    assert all(group in page for group in kinds)


@pytest.mark.parametrize("path", ["/", "/?game=tic-tac-toe"])
def test_a_page_has_no_inline_script(client, path):
    text = client.get(path).text.replace("http://www.w3.org/2000/svg", "")
    scripts = [part.partition(">")[0] for part in text.split("<script")[1:]]
    assert all("src=" in script or 'type="application/json"' in script for script in scripts)
    assert not any(word in text for word in ("style=", "http://", "https://"))


def scripts_from(*names):
    """The scripts that a browser loads with these."""
    wanted, seen = [*names], set()
    while wanted:
        name = wanted.pop()
        seen.add(name)
        text = (web.STATIC / f"{name}.js").read_text(encoding="utf-8")
        found = re.findall('^(?:import|export) .* from "./([a-z_]+).js";$', text, re.M)
        wanted += [other for other in found if other not in seen]
    return seen


def test_a_page_weighs_little_and_loads_at_first_just_what_it_takes(client):
    assert set(web.FIRST_SCRIPTS) == scripts_from("page")
    loaded = {f"{name}.js" for name in scripts_from("page", "panels")} | {"page.css", "icon.svg"}
    files = sum(len(content) for name, (content, _) in web.static_files().items() if name in loaded)
    assert files + len(client.get("/?game=connect-four").content) < 320_000
