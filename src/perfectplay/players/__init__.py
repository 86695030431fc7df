"""Players: functions position -> move, each made by a small factory for a seat, found by name or in a user's file."""

from re import fullmatch

from perfectplay.loading import split_path
from perfectplay.players.blocks import blocks_player
from perfectplay.players.file_player import maker_in_file
from perfectplay.players.json_player import json_maker
from perfectplay.players.level_player import level_maker
from perfectplay.players.line_games.open_lines_player import Depth, routes_maker
from perfectplay.players.line_games.threats_player import threats_maker
from perfectplay.players.minimax_player import minimax_player
from perfectplay.players.monte_carlo.mcts_player import mcts_maker
from perfectplay.players.perfect import perfect_player
from perfectplay.players.policy_player import policy_maker
from perfectplay.players.random_player import random_player
from perfectplay.players.seat import THINKING_SECONDS, Maker, Seat
from perfectplay.players.streetwise import streetwise_player
from perfectplay.players.tricky import tricky_player
from perfectplay.players.wins import wins_player
from perfectplay.words import BadPlayer

__all__ = ["BY_ROWS", "BY_SHARES", "CLASSIC_NAMES", "FROM_FILE", "HUMAN", "MAKERS", "Maker", "Seat", "player_maker"]

MAKERS: dict[str, Maker] = {
    "random": random_player,
    "wins": wins_player,
    "blocks": blocks_player,
    "minimax": minimax_player,
    "perfect": perfect_player,
    "tricky": tricky_player,
    "streetwise": streetwise_player,
    "mcts": mcts_maker(),
}
"""From the weakest to the strongest."""

BY_SHARES = {
    "streetwise": "street-smart against such an opponent, streetwise:slips:0.1",
    "level": "from random, level:1, to perfect, level:10, in even steps; where there is no table, by search",
    "uniform": "any legal move",
    "weighted": "some moves more often than others, weighted:centre=3,a1=2",
    "slips": "perfect, but with that share any move, slips:0.1",
    "shallow": "sees so many plies and does the best that it sees, shallow:2",
    "softmax": "prefers by value and distance; the hotter, the less, softmax:0.5",
    "learned": "plays as in recorded games, learned:games.txt",
}
"""Players with more behind their name, all of which are models of opponents in solved games, too."""

BY_ROWS = {
    "routes": "looks so many plies ahead, then counts the rows still open, routes:3",
    "easy": "routes:3",
    "medium": "routes, half as deep as there are open squares, as far as its time allows",
    "hard": "routes, as deep as there are open squares but one, as far as its time allows",
    "threats": "an engine for great boards; 0.5 seconds a move, threats:0.5",
}
"""Players for boards on which any empty square may be taken and a full row wins."""

FROM_FILE = "json"
"""The name of a player from a file of `perfectplay export`, json:FILE."""

HUMAN = "human"
"""The name of a person at the terminal, whom only a front end can ask."""

CLASSIC_NAMES = {
    "random_ai": "random",
    "finds_winning_moves_ai": "wins",
    "finds_winning_and_losing_moves_ai": "blocks",
    "minimax_ai": "minimax",
    "street_smart_minimax_ai": "tricky",
    "human_player": HUMAN,
}


def player_maker(name: str) -> Maker:
    """The maker of the players of that name: `wins`, `minimax_ai`, `./bots.py:my_ai`, `json:FILE`."""
    if name.partition(":")[0] == FROM_FILE:
        return json_maker(name)
    path, rest = split_path(name)
    if path is not None:
        return maker_in_file(name, path, rest)
    known = CLASSIC_NAMES.get(name, name)
    if known in MAKERS:
        return MAKERS[known]
    if known.partition(":")[0] == "level":
        return level_maker(known)
    if known.partition(":")[0] in BY_SHARES:
        return policy_maker(known)
    if known.partition(":")[0] == "mcts":
        return mcts_maker(seconds_in(known))
    if known.partition(":")[0] in BY_ROWS:
        return rows_maker(known)
    if known == HUMAN:
        raise BadPlayer("human can only play in the terminal: perfectplay play GAME --first human")
    from difflib import get_close_matches

    close = get_close_matches(name, [*MAKERS, *BY_SHARES, *BY_ROWS, *CLASSIC_NAMES, HUMAN], 1)
    there = ", ".join([*MAKERS, "level:5", "routes:3", "threats", HUMAN])
    hint = f"did you mean {close[0]}?" if close else f"there are {there}, or ./bots.py:my_ai"
    raise BadPlayer(f"no player is called {name!r}; {hint}")


DEPTHS: dict[str, Depth] = {
    "easy": lambda squares: min(3, squares),
    "medium": lambda squares: max(1, squares // 2),
    "hard": lambda squares: max(1, squares - 1),
}
"""How deep the players of these names look with so many squares open."""


def rows_maker(name: str) -> Maker:
    """The maker of players that count rows: `routes:3`, `hard`, `threats:0.5`."""
    kind, colon, rest = name.partition(":")
    if kind == "threats":
        return threats_maker(seconds_in(name))
    if kind == "routes" and fullmatch("[1-9][0-9]{0,3}", rest):
        return routes_maker(name, lambda squares: min(int(rest), squares))
    if kind == "routes" or colon:
        raise BadPlayer(f"{name!r} cannot be; write {'routes:3, with a depth in plies' if kind == 'routes' else kind}")
    return routes_maker(name, DEPTHS[kind], None if kind == "easy" else THINKING_SECONDS)


def seconds_in(name: str) -> float | None:
    """The seconds behind a player's name, if there are any."""
    kind, colon, rest = name.partition(":")
    if not colon:
        return None
    seconds = float(rest) if fullmatch(r"[0-9]{1,7}(\.[0-9]{0,9})?|\.[0-9]{1,9}", rest) else 0.0
    if not 0 < seconds < 10**6:
        raise BadPlayer(f"{name!r} needs seconds for a move, up to a million, such as {kind}:0.5")
    return seconds
