"""The server of the Model Context Protocol: tools, own rules and their limits, resources, and how it ends."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from typing import Annotated

import pytest

from command_line import complaint
from perfectplay.bridges.mcp.server import INSTRUCTIONS
from perfectplay.bridges.mcp.tools import TOOLS, input_schema, options_of, parameters, tools
from perfectplay.commands.kinds import FORCE, GAME, Choice, Flag, Memory, Named, Names, Range, Size, Whole, players
from perfectplay.commands.verb import Verb, parameters_of
from perfectplay.words import BadArgument, BadGame, BadPlayer

GAME_NAME = "tic-tac-toe"
OWN = "from perfectplay" + INSTRUCTIONS.partition("from perfectplay")[2].partition("\n\nA position")[0]
ENDLESS = OWN.replace("        return full &", "        while True: pass\n        return full &")
RAISES = OWN.replace("        return full &", "        return 1 // 0 * full &")
GREEDY = OWN.replace(
    "        return full &", "        hoard = [0]\n        while True: hoard += hoard\n        return full &"
)
SEEN = OWN.replace("def game(", "import os\nopen(os.path.expanduser('~/seen'), 'w').close()\ndef game(")
BOTS = "def first_free(board, side):\n    return min(i for i, mark in enumerate(''.join(board)) if mark in '. ')\n"
CALLS = {
    "games": [{}, {"game": "nim"}],
    "check": [{"game": GAME_NAME}, {"rules": OWN, "game": "three:3,3"}],
    "solve": [{"game": GAME_NAME}, {"rules": OWN, "game": "three:3,3"}],
    "analyse": [{"game": GAME_NAME, "moves": ["b2", "b1"]}],
    "explain": [{"game": GAME_NAME, "moves": ["b2", "b1"]}],
    "review": [{"game": GAME_NAME, "moves": "a1 b1 b2 c3 a3 a2 c1".split()}],
    "puzzles": [{"game": GAME_NAME, "count": 2, "difficulty": [1, 4]}],
    "odds": [{"game": GAME_NAME, "first": "random", "second": "blocks"}],
    "certify": [
        {"game": GAME_NAME, "players": ["perfect"]},
        {"game": GAME_NAME, "players": ["./bots.py:first_free"], "bots": BOTS},
    ],
    "strategy": [{"game": GAME_NAME, "side": "second"}, {"rules": OWN, "game": "three:3,3"}],
}


# Schemas and arguments, in this process


def kinds(
    game: Annotated[str, GAME],
    *moves: Annotated[str, Named("moves", argument=True)],
    player: Annotated[str, players("whoever plays")],
    opponents: Annotated[list[str] | None, players("whoever plays against it", repeats=True)] = None,
    side: Annotated[str, Choice("the side", ("first", "second"))] = "first",
    count: Annotated[int, Whole("how many", 1, 9)] = 3,
    grades: Annotated[tuple[int, int], Range("how hard")] = (1, 10),
    names: Annotated[tuple[str, ...], Names("which ones")] = (),
    cache: Annotated[str, Size("how large")] = "4K",
    exact: Annotated[bool, Flag("as fractions")] = False,
    to: Annotated[str | None, Named("where to write it", metavar="FILE.html")] = None,
    force: Annotated[bool, FORCE] = False,
    memory: Annotated[str | None, Memory("how much")] = None,
    workers: Annotated[int | None, Whole("how many workers", rare=True)] = None,
) -> None:
    """All kinds of parameters."""


SAMPLE = Verb("sample", kinds, "know", "a sample", (), parameters=parameters_of(kinds))
ENOUGH = {"game": GAME_NAME, "player": "random"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, home):
    """Where rules and bots are written."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_schema_follows_from_the_signature():
    schema = input_schema(SAMPLE)
    text = {"type": "string"}
    assert schema["required"] == ["player"]
    assert not schema["additionalProperties"]
    assert {name: {**one, "description": ""} for name, one in schema["properties"].items()} == {
        name: {**one, "description": ""}
        for name, one in {
            **dict.fromkeys(("game", "player", "rules", "bots"), text),
            "moves": {"type": "array", "items": text},
            "opponents": {"type": "array", "items": text},
            "side": {"type": "string", "enum": ["first", "second"], "default": "first"},
            "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
            "grades": {**Range().schema(), "default": (1, 10)},
            "names": {"type": "array", "items": text, "default": ()},
            "cache": {"type": "string", "default": "4K"},
            "exact": {"type": "boolean", "default": False},
        }.items()
    }
    assert schema["properties"]["count"]["description"] == "how many"


def test_arguments_become_those_of_the_verb():
    given = {**ENOUGH, "moves": ["b2"], "grades": [3, 5], "names": ["a", "b"], "side": None}
    options = vars(options_of(SAMPLE, given, 1 << 30))
    wanted = {"moves": ["b2"], "grades": (3, 5), "names": ("a", "b"), "side": "first", "memory": 1 << 30, "to": None}
    assert options.items() >= wanted.items()


def test_rules_and_bots_become_files(folder):
    options = options_of(SAMPLE, {"rules": "R", "game": "mine:5,5", "player": "./bots.py:ai", "bots": "B"}, 1 << 30)
    assert (options.game, options.player) == ("./mine.py:5,5", "./bots.py:ai")
    assert {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()} == {
        "mine.py": "R",
        "bots.py": "B",
    }
    assert options_of(SAMPLE, {"rules": "R", "player": "random"}, 1 << 30).game == "./mygame.py"


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"gme": "x"}, BadArgument, "no parameter of sample is called 'gme'; did you mean game?"),
        ({"to": "x.html"}, BadArgument, "no parameter of sample is called 'to'"),
        ({"workers": 2}, BadArgument, "no parameter of sample is called 'workers'"),
        ({"game": None}, BadArgument, "or rules, the text of a Python file"),
        ({"player": None}, BadArgument, "sample needs player: whoever plays"),
        ({"game": 5}, BadArgument, "game=5 is not a text"),
        ({"moves": "b2"}, BadArgument, "moves='b2' is not a list"),
        ({"moves": [5]}, BadArgument, "is not a list of texts"),
        ({"grades": [5, 3]}, BadArgument, "'5..3' is not a number from 1 to 10"),
        ({"rules": "", "game": "../x"}, BadGame, "'../x' is not a name for rules"),
        ({"game": "./mygame.py"}, BadGame, "'./mygame.py' is not for clients"),
        ({"game": "/etc/passwd"}, BadGame, "is not for clients"),
        ({"game": "openspiel:efg_game(filename=/etc/passwd)"}, BadGame, "is not for clients"),
        ({"player": "cmd:touch x"}, BadPlayer, "player='cmd:touch x' is not for clients"),
        ({"player": "./bots.py:ai"}, BadPlayer, "needs bots: the text of the Python file"),
        ({"player": "./other.py:ai", "bots": ""}, BadPlayer, "is not for clients"),
        ({"opponents": ["random", "human"]}, BadPlayer, "is not for clients"),
        ({"opponents": ["streetwise:./bots.py:ai"]}, BadPlayer, "is not for clients"),
        ({"moves": ["/etc/passwd"]}, BadPlayer, "is not for clients"),
    ],
)
def test_wrong_arguments_are_refused(arguments, error, words):
    with pytest.raises(error) as wrong:
        options_of(SAMPLE, {**ENOUGH, **arguments}, 1 << 30)
    assert words in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_no_tool_writes_files():
    for verb in tools():
        assert {*parameters(verb)}.isdisjoint({"to", "path", "force", "report", "record", "workdir", "save_after"})


def test_a_missing_package_is_named(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert "an MCP server needs mcp, which is missing: pip install 'perfectplay[mcp]'" in complaint(capsys, "mcp")


# The server, and the client that comes with the package


def with_client(use, *limits):
    """What the function returns that is given a client of a server with these limits."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "perfectplay", "mcp", *limits], env=dict(os.environ)
    )

    async def talk():
        async with Client(stdio_client(server)) as client:
            return await use(client)

    return asyncio.run(talk())


def test_every_tool_answers_with_json_and_text():
    async def use(client):
        listed = (await client.list_tools()).tools
        assert [one.name for one in listed] == [verb.name for verb in tools()]
        assert {one.name: one.input_schema for one in listed} == json.loads(
            json.dumps({verb.name: input_schema(verb) for verb in tools()})
        )
        return [(one.name, call, await client.call_tool(one.name, call)) for one in listed for call in CALLS[one.name]]

    for name, call, result in with_client(use):
        text = result.content[0].text
        assert not result.is_error, (name, call, text)
        assert result.structured_content, (name, call)
        assert len(text) > 20, (name, call)


def test_every_tool_has_an_example():
    assert CALLS.keys() == {*TOOLS}


def test_what_is_wrong_is_told_in_one_line():
    wrong = {
        "side='third' is neither 'first' nor 'second'": ("strategy", {"game": GAME_NAME, "side": "third"}),
        "seconds=0 is not a time in seconds": ("strategy", {"game": GAME_NAME, "seconds": 0}),
        "did you mean nim?": ("strategy", {"game": "nimm"}),
        "no tool is called 'strateg'; did you mean strategy?": ("strateg", {}),
        "'./mygame.py' (line 7) does not work: ZeroDivisionError": ("strategy", {"rules": RAISES}),
        "./mygame.py (line 1) does not load: SyntaxError": ("strategy", {"rules": "def game("}),
    }

    async def use(client):
        return {words: await client.call_tool(*call) for words, call in wrong.items()}

    for words, result in with_client(use).items():
        assert result.is_error
        assert words in result.content[0].text
        assert "\n" not in result.content[0].text


def test_rules_that_hang_or_eat_memory_cost_one_answer():
    async def use(client):
        three = [{"rules": ENDLESS}, {"rules": GREEDY}, {"rules": OWN, "game": "three:3,3"}]
        return [await client.call_tool("strategy", arguments) for arguments in three]

    endless, greedy, good = with_client(use, "--seconds", "20", "--memory", "400M")
    assert endless.is_error
    assert greedy.is_error
    assert not good.is_error
    assert "has not returned for 5 s" in endless.content[0].text
    assert "memory" in greedy.content[0].text
    assert good.structured_content["game"] == "./three.py:3,3"


def test_a_call_has_a_time_limit():
    async def use(client):
        return await client.call_tool("strategy", {"rules": "import time; time.sleep(9)"})

    assert with_client(use, "--seconds", "0.5").content[0].text == "strategy took longer than 0.5 s"


def test_own_rules_cannot_write(folder, monkeypatch):
    from perfectplay.players.bots.bot_program import sandbox_fault

    if sandbox_fault():
        pytest.skip(f"there is no sandbox: {sandbox_fault()}")
    monkeypatch.setenv("HOME", str(folder))

    async def use(client):
        return await client.call_tool("strategy", {"rules": SEEN})

    assert "Read-only file system" in with_client(use).content[0].text
    assert not (folder / "seen").exists()


def test_resources_are_the_games_and_the_tables():
    async def use(client):
        listed = [one.uri for one in (await client.list_resources()).resources]
        addresses = (*listed[:2], "perfectplay://games/tic-tac-toe")
        texts = [(await client.read_resource(address)).contents[0].text for address in addresses]
        with pytest.raises(Exception, match="no game is called 'nimm'; did you mean nim"):
            await client.read_resource("perfectplay://games/nimm")
        return listed, *map(json.loads, texts)

    listed, games, tables, page = with_client(use)
    assert {f"perfectplay://games/{game['name']}" for game in games} <= {*listed}
    assert tables == []
    assert page["name"] == "lines"


@pytest.mark.parametrize("how", ["end of input", signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_stays_however_it_ends(how):
    server = subprocess.Popen(
        [sys.executable, "-m", "perfectplay", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

    def send(method, **more):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, **more}) + "\n")
        server.stdin.flush()

    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    send("initialize", id=1, params=about)
    assert json.loads(server.stdout.readline())["result"]["serverInfo"]["name"] == "perfectplay"
    send("notifications/initialized")
    send("tools/call", id=2, params={"name": "strategy", "arguments": {"rules": "import time; time.sleep(99)"}})
    time.sleep(0.5)
    if how == "end of input":
        server.stdin.close()
    else:
        server.send_signal(how)
    code = server.wait(20)
    complaint = server.stderr.read()
    for pipe in (server.stdin, server.stdout, server.stderr):
        pipe.close()
    assert code == {"end of input": 0, signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -9}[how]
    assert complaint.count("\n") == (how in (signal.SIGINT, signal.SIGTERM))
