"""Games and players of other packages: found by entry points, used as a user's own; a faulty one costs a line."""

import json
import os
import subprocess
import sys
import tomllib

import pytest

from command_line import complaint, output
from homes import ROOT
from perfectplay import BadGame, BadPlayer, list_games, list_players, load
from perfectplay.__main__ import main
from perfectplay.arena.bot_makers import isolated_maker
from perfectplay.arena.bot_process import BotMaker
from perfectplay.commands import listing
from perfectplay.players.registry import player_maker
from perfectplay.rules import plugins
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.loading import split_player
from perfectplay.server.allowed_names import allow

EXAMPLE = ROOT / "examples" / "plugin"
CACHES = plugins.plugins, plugins.plugin_named, listing.plugin_games, listing.plugin_players


def forget():
    for cache in CACHES:
        cache.cache_clear()


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Installs a package as pip leaves it: its files, and its entry points in a group."""

    def install(package, group, points, files):
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[perfectplay.{group}]\n{points}\n")
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        forget()

    monkeypatch.syspath_prepend(tmp_path)
    forget()
    yield install
    forget()
    for name, module in [*sys.modules.items()]:
        if str(tmp_path) in str(getattr(module, "__file__", "")):
            del sys.modules[name]


@pytest.fixture
def example(install):
    """The example's package."""
    files = {f"my_games/{file.name}": file.read_text() for file in (EXAMPLE / "my_games").glob("*.py")}
    install(
        "my-games", "games", "apart = my_games.apart\n[perfectplay.players]\nleftmost = my_games.bots:leftmost", files
    )


def test_a_game_of_a_plug_in_has_its_sizes_and_aliases(example):
    assert "my_games" not in sys.modules
    assert load("apart:5").shape == load("apart:squares=5").shape == (5, 1)
    assert (load("apart").name, load("apart:5").name, load("far-apart").name) == ("apart", "apart:5", "far-apart")
    assert load("far-apart").bits == 15
    with pytest.raises(BadGame, match=r"has its sizes already \(apart:15: squares\).* such as apart:3"):
        load("far-apart:3")
    with pytest.raises(BadGame, match="write apart:squares=7"):
        load("apart:5,5")
    with pytest.raises(BadGame, match="1 to 30 squares, not 31"):
        load("apart:31")


def test_names_are_listed_suggested_and_completed(example, capsys):
    assert [(game.name, game.group, game.aliases) for game in list_games()][-1] == (
        "apart",
        "Plug-ins",
        {"far-apart": "15"},
    )
    assert list_players()[-1].name == "leftmost"
    assert "Plug-ins:\n  apart " in output(capsys, "games")
    assert "leftmost  Takes the first legal move" in output(capsys, "players")
    assert "apart:squares=7" in output(capsys, "games far-apart")
    script = output(capsys, "completion bash")
    assert "far-apart" in script
    assert "leftmost" in script
    assert "did you mean far-apart?" in complaint(capsys, "analyse farapart")
    assert "did you mean leftmost?" in complaint(capsys, "battle apart leftmos random")


def test_a_player_of_a_plug_in_is_a_function_in_a_file(example):
    assert split_player("leftmost")[1] == "leftmost"
    maker = isolated_maker("leftmost")
    assert isinstance(maker, BotMaker)  # in a process of its own


def test_a_server_that_is_started_with_plug_ins_knows_them_and_no_others(example):
    allowed = allow(["far-apart"], ["leftmost"])
    assert (allowed.opened, allowed.game("apart").bits, allowed.game("apart:5").bits) == (["apart:15"], 15, 5)
    assert allowed.is_own("apart")
    assert allowed.player("leftmost") == "leftmost"
    with pytest.raises(BadGame, match="no game is called 'apart'"):
        allow([], []).game("apart")
    with pytest.raises(BadPlayer, match="no player 'leftmost' was named"):
        allow([], []).player("leftmost")


RULES = """from perfectplay import DRAW, Game, ONGOING
def outcome(m, t): return ONGOING if m | t < 7 else DRAW
def play(m, t, move): return {play}
def moves(m, t): return 7 & ~(m | t)
def game(): return Game(moves=moves, play=play, outcome=outcome, bits=3, shape=(3, 1))
"""
GOOD = RULES.format(play="t, m | 1 << move")


def test_the_rules_are_those_of_a_file(install, tmp_path):
    """They may import their package, have the fingerprint of their source, and are tried before they count."""
    inside = f"from . import word\n{GOOD}".replace("m | 1 << move", "m | word << move")
    files = {
        "some/__init__.py": "word = 1",
        "some/inside.py": inside,
        "alone.py": GOOD,
        "wrong.py": RULES.format(play="9"),
    }
    install("some", "games", "inside = some.inside\nalone = alone\nwrong = wrong", files)
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "mine.py").write_text(GOOD)
    assert load("inside").play(0, 0, 1) == (0, 2)
    assert (
        fingerprint(load("alone"))
        == fingerprint(load(str(tmp_path / "copy" / "mine.py")))
        != fingerprint(load("inside"))
    )
    with pytest.raises(BadGame, match=r"play leads to 9 .*\(wrong.py, line 3\)"):
        load("wrong")


FAULTY_GAMES = {
    "bad = nowhere": "the game 'bad' of some needs the module nowhere, which has no Python file here",
    "bad = broken.inside": "needs the module broken.inside",
    "bad = broken": "broken.py (line 1) does not load: ZeroDivisionError",
    "bad = good:game": "the game 'bad' of some is 'good:game'; its entry point must be MODULE",
    "bad = empty": "bad has no function game; write: def game(): return Game(...)",
    "lines = good": "'lines' of some is never used: perfectplay has its own",
    "Tic Tac Toe = good": "'Tic Tac Toe' of some is never used",
    "b.d = good": "needs a name of letters, digits and hyphens",
    "no entry point": "the entry points of some cannot be read",
}


@pytest.mark.parametrize("point", FAULTY_GAMES)
def test_a_faulty_game_costs_a_line(install, point, capsys):
    install("some", "games", point, {"broken.py": "1 / 0", "good.py": GOOD, "empty.py": "game = 5"})
    install("other", "games", "fine = good", {})
    assert load("tic-tac-toe").outcome(0, 7) == -1
    assert load("lines").bits == 9
    if point.startswith("bad"):
        assert FAULTY_GAMES[point] in complaint(capsys, "analyse bad")
        assert FAULTY_GAMES[point] in complaint(capsys, "games bad")
    assert main(["games"]) == 0
    out, err = capsys.readouterr()
    assert "fine" in out
    assert FAULTY_GAMES[point] in err
    assert err.count("\n") == 1


FAULTY_PLAYERS = {
    "bad = bots": "the player 'bad' of some is 'bots'; its entry point must be MODULE:FUNCTION",
    "bad = bots:nothing": "bad has no function 'nothing'; there is first",
    "bad = bots:word": "bad has no function 'word'",
    "bad = broken:first": "broken.py (line 1) does not load: ZeroDivisionError",
    "perfect = bots:first": "'perfect' of some is never used: perfectplay has its own",
}


@pytest.mark.parametrize("point", FAULTY_PLAYERS)
def test_a_faulty_player_costs_a_line(install, point, capsys):
    bots = "word = 5\ndef first(board, side): return board.moves[0]"
    install("some", "players", f"{point}\nfine = bots:first", {"broken.py": "1 / 0", "bots.py": bots})
    if point.startswith("bad"):
        with pytest.raises(BadPlayer) as fault:
            player_maker("bad")
        assert FAULTY_PLAYERS[point] in str(fault.value)
    assert player_maker("perfect")
    assert [info.name for info in list_players()][-1] == "fine"
    assert main(["players"]) == 0
    err = capsys.readouterr().err
    assert FAULTY_PLAYERS[point] in err
    assert err.count("\n") == 1


def test_a_name_in_two_packages_is_refused_and_an_alias_in_two_means_nothing(install):
    one, two = (f"ALIASES = {{'both': '', '{own}': '', 'othello': ''}}\n{GOOD}" for own in ("ours", "theirs"))
    install("one", "games", "same = one\nfirst = one", {"one.py": one})
    install("two", "games", "same = two\nsecond = two", {"two.py": two})
    with pytest.raises(BadGame, match="the game 'same' of one and two is more than one; uninstall"):
        load("same")
    assert (load("ours").name, load("theirs").name, load("othello").shape) == ("ours", "theirs", (8, 8))
    with pytest.raises(BadGame, match="no game is called 'both'"):
        load("both")


def test_names_that_are_built_in_ask_for_no_plug_ins(monkeypatch, capsys, tmp_path):
    def asked(group):
        raise AssertionError(group)

    forget()
    monkeypatch.setattr(plugins, "plugins", asked)
    (tmp_path / "mine.py").write_text(GOOD)
    for name in ("tic-tac-toe", "lines:3,3,3", "Connect Four", f"{tmp_path}/mine.py"):
        assert load(name)
    assert allow(["tic-tac-toe"], []).game("lines:4,4,4").bits == 16
    assert "X moves and draws" in output(capsys, "analyse tic-tac-toe")
    assert "30 games" in output(capsys, "battle tic-tac-toe wins level:3 --games 30 --seed 1")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder into which pip has installed the example, and with which a command runs."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--disable-pip-version-check", "--target", folder, EXAMPLE], check=True, timeout=120)
    return folder


def test_the_page_shows_the_entry_points_of_the_example():
    page = (ROOT / "docs" / "how-to" / "plugins.md").read_text(encoding="utf-8")
    shown, written = (
        tomllib.loads(text)["project"]["entry-points"]
        for text in (page.partition("```toml\n")[2].partition("```")[0], (EXAMPLE / "pyproject.toml").read_text())
    )
    assert shown == written


def test_an_installed_package_brings_its_game_and_its_player(installed):
    def printed(line):
        paths = os.pathsep.join(filter(None, [str(installed), str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
        command = [sys.executable, "-m", "perfectplay", *line.split()]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONPATH": paths}
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert "O (random) wins." in printed("play apart:3 --first leftmost --second random --seed 1")
    assert json.loads(printed("solve apart:5 --json"))["value"] == "win"
    battle = json.loads(printed("battle far-apart leftmost random --games 10 --seed 1 --json"))
    assert battle["games"] == 10
    assert "Plug-ins:\n  apart " in printed("games")
