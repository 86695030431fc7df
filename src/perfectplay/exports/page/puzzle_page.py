"""Puzzles as one offline page: with each comes the small tree of positions that solving it needs, and no table."""

from itertools import islice
from pathlib import Path

from perfectplay.exports.page import PUZZLED, STATIC
from perfectplay.exports.page.game_data import Fields, game_data
from perfectplay.exports.page.page_bundle import rendered
from perfectplay.exports.page.page_export import summary
from perfectplay.exports.page.shown_position import here
from perfectplay.game import after, legal_moves
from perfectplay.insight.puzzles.puzzle_lines import Guide
from perfectplay.rules.notation import VALUE_NAMES, entry_text, move_name, parse_position, replay, show_position
from perfectplay.solvers.oracle import Oracle
from perfectplay.solvers.worth import entry_fields
from perfectplay.views.board_squares import change_of
from perfectplay.words import Move, Position, Turn

REFUTED = 3
"""Plies of the line that shows why a move is wrong."""


def puzzle_page(oracle: Oracle, puzzles: list[Fields]) -> str:
    """The page of these puzzles."""
    name = Path(oracle.game.name).name
    places: dict[str, Fields] = {}
    for puzzle in puzzles:
        Tree(oracle, puzzle, places).grow()
    data = game_data(name, oracle.game, solved=True, players=[])
    first = {"game": data, "puzzles": puzzles, "places": places}
    title = f"Puzzles: {data['title']} · perfectplay"
    values = {"first": first, "about": summary(oracle.game), "title": title}
    return rendered("puzzle_page", values, (PUZZLED, STATIC)).decode()


class Tree:
    """The positions that can come up when a puzzle is solved, by their text, and what is known of them."""

    def __init__(self, oracle: Oracle, puzzle: Fields, places: dict[str, Fields]) -> None:
        self.oracle, self.game, self.places = oracle, oracle.game, places
        self.root = parse_position(self.game, puzzle["position"])
        self.guide = Guide(oracle, *self.root)
        self.told = {position: move for position, _, move in replay(self.game, *self.root, puzzle["line"])}

    def grow(self) -> None:
        """Adds all positions after good moves and the replies to them, and the refutations of wrong ones."""
        waiting: list[tuple[Turn, int]] = [(self.root, 0)]
        met = set()
        while waiting:
            turn, turns = waiting.pop()
            if turn in met:
                continue
            met.add(turn)
            position, side = turn
            solver = side == self.guide.solver
            following = self.good(position) if solver else self.reply(position, side)
            done = self.guide.solved(position, side, turns)
            self.add(turn, following, refuted=solver and not done)
            if not done:
                waiting += [(after(self.game, *turn, move), turns + solver) for move in following]

    def good(self, position: Position) -> list[Move]:
        """The moves that are accepted; where a search does not prove what follows others, the one of the line."""
        found = self.guide.good(position)
        return found if self.oracle.proves else [move for move in found if move == self.told.get(position)]

    def reply(self, position: Position, side: int) -> list[Move]:
        """The move of the other side, if the game goes on."""
        if not legal_moves(self.game, position):
            return []
        move = self.told.get(position, self.guide.reply(position, side))
        return [] if move is None else [move]

    def add(self, turn: Turn, following: list[Move], refuted: bool) -> None:
        """Adds a position, of which these moves may be made."""
        position, side = turn
        study, solver = self.oracle.study(position), side == self.guide.solver
        moves = []
        for move, worth in study.moves.items():
            child = after(self.game, *turn, move)
            if refuted and move in study.failing:
                self.add_refutation(child)
            change = change_of(self.game, turn, child)
            facts = {} if worth.entry is None else {**entry_fields(worth.entry), "text": entry_text(worth.entry)}
            squares = {"child": show_position(self.game, *child), "to": change.to, "from": [*change.left]}
            moves.append(
                {"move": move_name(self.game, *turn, move), "best": move in following, **value_field(worth.value)}
                | facts
                | squares
            )
        name = {"reply": move_name(self.game, *turn, following[0])} if following and not solver else {}
        known = {"value": None, **value_field(study.here.value)}
        whole = {"side": side, "here": here(self.game, *turn), **known, "moves": moves, **name}
        self.places[show_position(self.game, *turn)] = whole

    def add_refutation(self, turn: Turn) -> None:
        """Adds a position after a wrong move, with the best line from there."""
        text = show_position(self.game, *turn)
        if text in self.places:
            return
        names, there = [], turn
        for move in islice(self.oracle.line(turn[0]).moves or self.oracle.study(turn[0]).best[:1], REFUTED):
            names.append(move_name(self.game, *there, move))
            there = after(self.game, *there, move)
        over = not legal_moves(self.game, turn[0])
        nothing: Fields = {"over": over, "winner": None, "rows": [], "going": [], "moves": []}
        self.places[text] = {"side": turn[1], "here": nothing, "best": names}


def value_field(value: int | None) -> Fields:
    """A value as JSON has it; nothing if it is not known."""
    return {} if value is None else {"value": VALUE_NAMES[value]}
