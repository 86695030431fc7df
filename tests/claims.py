"""Checks claims of explanations against a table and the bare rules, by other ways than the explanations are made.

A pass is made from the text of the position; what no table holds after it is searched by plain negamax.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from perfectplay.game import Game, after, legal_moves
from perfectplay.rules.notation import VALUE_NAMES, move_name, parse_position, pieces_on, show_position
from perfectplay.words import LOSS, ONGOING, WIN, BadPosition, Entry, Lookup, Position

Claim = dict[str, object]
VALUES = {name: value for value, name in VALUE_NAMES.items()}


class Checker:
    """The truth of one game."""

    def __init__(self, game: Game, lookup: Lookup) -> None:
        self.game = game
        self.entry = lru_cache(maxsize=200_000)(lookup)
        self.grundy_values: dict[Position, int] = {}
        self.checked: dict[str, int] = {}
        """How many claims of each kind were checked."""

    def check(self, claims: Iterable[Claim]) -> None:
        """Raises AssertionError for a claim that is not true."""
        for claim in claims:
            kind = str(claim["claim"])
            position, side = parse_position(self.game, str(claim["position"]))
            facts = {name: value for name, value in claim.items() if name not in ("claim", "position")}
            told: Callable[..., bool] = getattr(self, kind)
            assert told(position, side, **facts), claim
            self.checked[kind] = self.checked.get(kind, 0) + 1

    # What the checks are made of.

    def moves(self, position: Position, side: int) -> dict[str, tuple[Position, int]]:
        """What follows each legal move, by name, and who is to move then."""
        legal = legal_moves(self.game, position)
        return {move_name(self.game, position, side, move): after(self.game, position, side, move) for move in legal}

    def worth(self, turn: tuple[Position, int], side: int) -> Entry:
        """What a position is worth to this side, one ply before."""
        return self.entry(turn[0]).before(turn[1] == side)

    def entries(self, position: Position, side: int) -> dict[str, Entry]:
        """What each move is worth."""
        return {name: self.worth(turn, side) for name, turn in self.moves(position, side).items()}

    def wins(self, position: Position, side: int) -> set[str]:
        """The moves that end the game as a win of the mover."""
        found = set()
        for name, (child, mover) in self.moves(position, side).items():
            outcome = self.game.outcome(*child)
            if outcome != ONGOING and (outcome if mover == side else -outcome) == WIN:
                found.add(name)
        return found

    def passed(self, position: Position, side: int) -> Position:
        """The same board, the other side to move."""
        letter = self.game.look.sides[1 - side][0]
        board = show_position(self.game, position, side).partition(":")[2]
        return parse_position(self.game, f"{letter}:{board}")[0]

    def value_after_pass(self, position: Position, side: int, plies: int) -> int | None:
        """The value of a position that maybe no table holds, as far as so many plies show; None if they do not."""
        try:
            return self.entry(position).value
        except BadPosition:
            low, high = self.bounds(position, plies)
            return low if low == high else None

    def bounds(self, position: Position, plies: int) -> tuple[int, int]:
        """The least and the greatest value, by plain search of so many plies."""
        outcome = self.game.outcome(*position)
        if outcome != ONGOING or plies == 0:
            return (LOSS, WIN) if outcome == ONGOING else (outcome, outcome)
        found = []
        for child, mover in (after(self.game, position, 0, move) for move in legal_moves(self.game, position)):
            low, high = self.bounds(child, plies - 1)
            found.append((low, high) if mover == 0 else (-high, -low))
            if found[-1][0] == WIN:
                break
        return max(low for low, _ in found), max(high for _, high in found)

    def owners(self, position: Position, side: int) -> dict[str, int | None]:
        """Who has a piece on each square, by its name."""
        look, squares = self.game.look, pieces_on(self.game, position, side)
        names = [column + row for row in look.rows for column in look.columns]
        return {name: None if at is None else at[0] for name, at in zip(names, squares, strict=False)}

    # The claims.

    def result(
        self, position: Position, side: int, value: str, distance: int | None, margin: int | None = None
    ) -> bool:
        """The value and the distance."""
        entry = self.entry(position)
        return (entry.value, entry.distance, entry.margin) == (VALUES[value], distance, margin)

    def wins_at_once(self, position: Position, side: int, moves: list[str], lines: dict[str, list[str]]) -> bool:
        """Each of the moves wins, and the lines named stand on the board with pieces of one kind."""
        return set(moves) <= self.wins(position, side) and all(
            self.stands(self.moves(position, side)[move], line) for move in lines for line in lines[move]
        )

    def stands(self, turn: tuple[Position, int], line: str) -> bool:
        """Whether one side has pieces on all squares of a line after a move."""
        if line.endswith(" in a row"):
            return int(line.split()[0]) > 1
        owners = self.owners(*turn)
        return {owners[square] for square in line.split("-")} in ({0}, {1})

    def threat(
        self,
        position: Position,
        side: int,
        moves: list[str],
        value: str,
        plies: int | None,
        lines: dict[str, list[str]],
        **_: object,
    ) -> bool:
        """After a pass these moves get this value, and in so many plies; without a pass the mover had more."""
        other = self.passed(position, side)
        children = self.moves(other, 1 - side)
        if plies == 1:
            stand = all(self.stands(children[move], line) for move in lines for line in lines[move])
            return self.wins(other, 1 - side) == set(moves) and stand
        if VALUES[value] <= -self.entry(position).value:
            return False
        worst = {self.value_after_pass(children[move][0], side, (plies or 1) - 1) for move in moves}
        return worst == {-VALUES[value]}

    def answers(self, position: Position, side: int, move: str) -> bool:
        """After the move the other side cannot win at once."""
        child, mover = self.moves(position, side)[move]
        return mover == side or not self.wins(child, mover)

    def double_threat(self, position: Position, side: int, moves: list[str], **_: object) -> bool:
        """Two moves or more win after a pass, the mover cannot win first, and after every move one of them is left."""
        winning = self.wins(self.passed(position, side), 1 - side)
        unanswered = not any(self.answers(position, side, move) for move in self.moves(position, side))
        return len(moves) > 1 and winning == set(moves) and unanswered and not self.wins(position, side)

    def keeping(self, position: Position, side: int) -> set[str]:
        """The moves that keep the result."""
        value = self.entry(position).value
        return {name for name, entry in self.entries(position, side).items() if entry.value == value}

    def only_move(self, position: Position, side: int, move: str) -> bool:
        """No other legal move keeps the result."""
        return self.keeping(position, side) == {move} and len(self.moves(position, side)) > 1

    def only_legal(self, position: Position, side: int, move: str) -> bool:
        """There is no other legal move."""
        return set(self.moves(position, side)) == {move}

    def safe_moves(self, position: Position, side: int, moves: list[str]) -> bool:
        """These moves, and no others, keep the result."""
        return self.keeping(position, side) == set(moves)

    def keeps(self, position: Position, side: int, moves: list[str]) -> bool:
        """These moves keep the result."""
        return self.keeping(position, side) >= set(moves)

    def worsens(self, position: Position, side: int, moves: list[str], value: str, distance: int | None) -> bool:
        """These moves have that value, which is less than the position's."""
        entries = self.entries(position, side)
        found = {(entries[move].value, entries[move].distance) for move in moves}
        return found == {(VALUES[value], distance)} and VALUES[value] < self.entry(position).value

    def refutation(self, position: Position, side: int, move: str, reply: str) -> bool:
        """The reply is the best there is, and the move worsens the result."""
        child, mover = self.moves(position, side)[move]
        replies = self.entries(child, mover)
        best = max(replies.values(), key=Entry.preference)
        return replies[reply].as_good_as(best) and best.value > -self.entry(position).value

    def trap(self, position: Position, side: int, move: str, depth: int) -> bool:
        """A search of depth - 1 plies finds nothing better than this move, one of that depth does, and so do all."""
        entries = self.entries(position, side)
        if entries[move].value >= self.entry(position).value or depth <= 2:
            return False

        def seen(name: str, plies: int) -> float:
            value, distance = entries[name].value, entries[name].distance
            return value * (1000 - distance) if distance is not None and distance <= plies else 0

        better = [any(seen(name, plies) > seen(move, plies) for name in entries) for plies in range(depth - 1, 400)]
        return not better[0] and all(better[1:])

    def zugzwang(self, position: Position, side: int) -> bool:
        """To pass would be worth more than any move."""
        other = self.passed(position, side)
        try:
            high = self.entry(other).value
        except BadPosition:
            high = self.bounds(other, 8)[1]
        return -high > self.entry(position).value

    def line(self, position: Position, side: int, moves: list[str], repeats: int | None) -> bool:
        """Every move is best, and the line ends with the game or repeats."""
        met = [(position, side)]
        for name in moves:
            entries = self.entries(position, side)
            best = max(entries.values(), key=Entry.preference)
            if entries[name].preference() != best.preference():
                return False
            position, side = self.moves(position, side)[name]
            met.append((position, side))
        return self.game.outcome(*position) != ONGOING if repeats is None else met[repeats] == met[-1]

    def forced(self, position: Position, side: int, move: str) -> bool:
        """The other side threatens to win at once, and only this move stops that."""
        threatened = bool(self.wins(self.passed(position, side), 1 - side))
        return threatened and [name for name in self.moves(position, side) if self.answers(position, side, name)] == [
            move
        ]

    def longest(self, position: Position, side: int, moves: list[str]) -> bool:
        """The position is lost, and these moves lose latest."""
        entries = self.entries(position, side)
        latest = max(entry.distance or 0 for entry in entries.values())
        lost = all(entry.value == LOSS for entry in entries.values())
        return lost and {name for name, entry in entries.items() if entry.distance == latest} == set(moves)

    def fails(self, position: Position, side: int, moves: list[str]) -> bool:
        """None of these moves keeps the result."""
        return set(moves) <= set(self.moves(position, side)) - self.keeping(position, side)

    def loses(self, position: Position, side: int, moves: list[str]) -> bool:
        """These moves lose."""
        return all(self.entries(position, side)[move].value == LOSS for move in moves)

    def moves_again(self, position: Position, side: int, move: str) -> bool:
        """The same side is to move after this move."""
        return self.moves(position, side)[move][1] == side

    def grundy(self, position: Position, side: int, value: int, moves: dict[str, int]) -> bool:
        """The least number that no move leads to, here and after each move."""
        children = {name: child for name, (child, _) in self.moves(position, side).items()}
        return value == self.mex(position) and moves == {name: self.mex(child) for name, child in children.items()}

    def mex(self, position: Position) -> int:
        """The Grundy value, from the definition."""
        if position not in self.grundy_values:
            legal = legal_moves(self.game, position)
            reached = {self.mex(self.game.play(*position, move)) for move in legal}
            self.grundy_values[position] = next(number for number in range(99) if number not in reached)
        return self.grundy_values[position]
