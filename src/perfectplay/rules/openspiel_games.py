"""Games of OpenSpiel as games of ours: `openspiel:connect_four`, `openspiel:breakthrough(rows=6,columns=6)`.

OpenSpiel keeps the state of a game, and only the moves so far can be written down for every game. So a position is
the history: the actions one after another in `mine`, behind a leading 1, and nothing in `theirs`. A state is found by
replaying its history; states of late are kept, which changes no answer. Two ways to the same board are two positions,
so such a game has no cycles and no transpositions: any player plays it, but only small games can be solved.
"""

import re
from collections import Counter
from collections.abc import Callable
from difflib import get_close_matches
from functools import cached_property
from threading import Lock
from typing import Any

from perfectplay.game import Game, Look, Texts
from perfectplay.words import DRAW, FIRST, LOSS, ONGOING, WIN, BadGame, BadPosition, Move, Position, Sides, require

PREFIX = "openspiel:"
NAME = re.compile(r"(?P<game>\w+)(\((?P<parameters>.*)\))?", re.ASCII)
KEPT = 4_096
"""States that are kept, at most."""
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
NOTHING = "-"
"""The text of a game in which nobody has moved yet."""
ROOT = 1


def openspiel_game(name: str) -> Game:
    """The game of OpenSpiel that the name means; raises BadGame if it is none of ours."""
    history = History(load_openspiel(name), name)
    texts = Texts(history.write, history.read, history.draw)
    look = Look(
        sides=Sides("First", "Second"),
        title=f"{history.title} (OpenSpiel)",
        columns=("",),
        rows=("",),
        note="The board is drawn as OpenSpiel writes it.",
        summary=f"{history.title}, by the rules of OpenSpiel.",
    )
    return Game(
        name=name,
        moves=history.moves,
        play=history.play,
        outcome=history.outcome,
        again=history.again,
        margin=history.margin if history.most > 1 else None,
        tier=history.plies,
        start=(ROOT, 0),
        bits=history.bits,
        shape=(1, 1),
        cells=("",),
        move_names=ActionNames(history.move_name, history.count),
        look=look,
        texts=texts,
    )


def load_openspiel(name: str) -> Any:
    """The game in OpenSpiel; raises BadGame where it has no game of that name, or one of another kind."""
    text = name.removeprefix(PREFIX)
    match = NAME.fullmatch(text)
    if match is None:
        raise BadGame(f"{name!r} is no game of OpenSpiel; write one such as openspiel:breakthrough(rows=6,columns=6)")
    pyspiel = require("pyspiel", "openspiel", f"the game {name}")
    games = {one.short_name: one for one in pyspiel.registered_games()}
    if match["game"] not in games:
        close = get_close_matches(match["game"], games, 1)
        hint = f"did you mean {PREFIX}{close[0]}?" if close else "pyspiel.registered_names() lists its games"
        raise BadGame(f"OpenSpiel has no game {match['game']!r}; {hint}")
    try:
        game = pyspiel.load_game(text)
        game.new_initial_state()  # which some parameters only refuse here
    except pyspiel.SpielError as fault:
        takes = ", ".join(f"{key}={value}" for key, value in games[match["game"]].parameter_specification.items())
        raise BadGame(f"{name!r}: {' '.join(str(fault).split())}; it takes {takes or 'no parameters'}") from None
    wrong = unsuitable(pyspiel, game)
    if wrong:
        raise BadGame(f"{name} {wrong}; games here have two players, no chance, nothing hidden, one winner")
    return game


def unsuitable(pyspiel: Any, game: Any) -> str:
    """What the game has that ours never have; empty if it is one of ours."""
    kind, types = game.get_type(), pyspiel.GameType
    if game.num_players() != 2:
        return f"has {game.num_players()} players, not two"
    if kind.dynamics != types.Dynamics.SEQUENTIAL:
        return "is not sequential: players move at the same time"
    if kind.chance_mode != types.ChanceMode.DETERMINISTIC:
        return "is not deterministic: it has moves of chance"
    if kind.information != types.Information.PERFECT_INFORMATION:
        return "has no perfect information: something is hidden from a player"
    if kind.utility != types.Utility.ZERO_SUM:
        return "is not zero-sum: what one player wins is not what the other loses"
    return ""


class HistoryState:
    """A state of OpenSpiel, and the side that sees it: who is to move, or at the end, who did not move last."""

    def __init__(self, state: Any, side: int) -> None:
        self.state = state
        self.side: int = side

    @cached_property
    def legal(self) -> frozenset[int]:
        """The legal actions."""
        return frozenset(self.state.legal_actions())

    @cached_property
    def names(self) -> dict[Move, str]:
        """The legal actions as OpenSpiel writes them, without blanks; with their numbers if two are written alike."""
        player = self.state.current_player()
        texts = {action: "".join(self.state.action_to_string(player, action).split()) for action in self.legal}
        alike = Counter(text.lower() for text in texts.values())
        return {move: text if alike[text.lower()] == 1 else f"{text}#{move}" for move, text in texts.items()}


class ActionNames:
    """The names of moves as a function of a position, and how many moves there are."""

    def __init__(self, name: Callable[[int, int, int], str], count: int) -> None:
        self.name, self.count = name, count

    def __call__(self, mine: int, theirs: int, move: Move) -> str:
        """The name of the move in that position."""
        return self.name(mine, theirs, move)

    def __len__(self) -> int:
        return self.count


class History:
    """The rules of a game of OpenSpiel as functions of its history; what it keeps changes no answer."""

    def __init__(self, game: Any, name: str) -> None:
        start = game.new_initial_state()
        self.name, self.title = name, str(game.get_type().long_name)
        self.count, self.most = int(game.num_distinct_actions()), float(game.max_utility())
        self.width = max(1, (self.count - 1).bit_length())
        self.bits = 1 + self.width * max(1, game.max_game_length())
        self.first = start.current_player()
        """Who moves first, which need not be player 0."""
        self.start = HistoryState(start, FIRST)
        self.states: dict[int, HistoryState] = {}
        self.lock = Lock()

    def __repr__(self) -> str:
        return self.name

    def step(self, word: int) -> HistoryState:
        """The state after the actions in the word; raises BadPosition if they are not legal."""
        with self.lock:
            step = self.states.get(word)
            if step is not None:
                return step
            actions, prefix = [], word
            while prefix > ROOT and prefix not in self.states:
                actions.append(prefix & (1 << self.width) - 1)
                prefix >>= self.width
            step = self.start if prefix == ROOT else self.states.get(prefix)
            if step is None:
                raise BadPosition(f"{(word, 0)} is not a position of {self.name}")
            for action in reversed(actions):
                step, prefix = self.next(step, action), prefix << self.width | action
                self.keep(prefix, step)
            return step

    def next(self, step: HistoryState, action: int) -> HistoryState:
        """The state after one more action; raises BadPosition if it is not legal."""
        if action not in step.legal:
            raise BadPosition(f"{self.name} has no action {action} after {step.state.history()}")
        state = step.state.child(action)
        return HistoryState(state, 1 - step.side if state.is_terminal() else state.current_player() ^ self.first)

    def keep(self, word: int, step: HistoryState) -> None:
        """Keeps the state, and forgets the one that was kept first."""
        self.states[word] = step
        if len(self.states) > KEPT:
            del self.states[next(iter(self.states))]

    def plies(self, mine: int, theirs: int) -> int:
        """How many actions there were."""
        return (mine.bit_length() - 1) // self.width

    def moves(self, mine: int, theirs: int) -> int:
        """The legal actions as bits."""
        return sum(1 << action for action in self.step(mine).legal)

    def play(self, mine: int, theirs: int, move: Move) -> Position:
        """The history with one more action."""
        return mine << self.width | move, 0

    def again(self, mine: int, theirs: int, move: Move) -> bool:
        """Whether the same player is to move after the action."""
        return self.step(mine << self.width | move).side == self.step(mine).side

    def outcome(self, mine: int, theirs: int) -> int:
        """The sign of what the side to move gets."""
        step = self.step(mine)
        if not step.state.is_terminal():
            return ONGOING
        gets = self.gets(step)
        return WIN if gets > 0 else LOSS if gets < 0 else DRAW

    def gets(self, step: HistoryState) -> float:
        """What the side that sees the end gets."""
        return float(step.state.returns()[step.side ^ self.first])

    def margin(self, mine: int, theirs: int) -> int:
        """What the side to move gets, where that is more than a win."""
        gets = self.gets(self.step(mine))
        if gets != int(gets):
            raise BadGame(f"{self.name} returns {gets}, and points here are whole numbers")
        return int(gets)

    def move_name(self, mine: int, theirs: int, move: Move) -> str:
        """The action as OpenSpiel writes it; of one that is not legal its number."""
        return self.step(mine).names.get(move, f"#{move}")

    def write(self, mine: int, theirs: int) -> str:
        """The actions by number, with commas between them."""
        return ",".join(map(str, self.step(mine).state.history())) or NOTHING

    def read(self, text: str, side: int) -> Position:
        """The position after these actions, where this side is to move; raises BadPosition."""
        word, step = ROOT, self.start
        for part in text.split(",") if text != NOTHING else ():
            if not (part.isdecimal() and len(part) < 9):
                raise BadPosition(f"{part!r} is not the number of an action; write them as in 3,0,3, or {NOTHING}")
            step = self.next(step, int(part))
            word = word << self.width | int(part)
        if step.side != side:
            raise BadPosition(f"the other side is to move after {text}")
        return word, 0

    def draw(self, mine: int, theirs: int) -> str:
        """The state as OpenSpiel writes it, without colours."""
        return COLOURS.sub("", str(self.step(mine).state)).rstrip("\n")
