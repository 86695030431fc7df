"""Checks a game's hints against trying the moves."""

from collections.abc import Iterable, Sequence

from perfectplay.game import Game, legal_moves, moves_again
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Move, Position


def has_hints(game: Game) -> bool:
    """Whether there is a hint that could be wrong."""
    return not game.wins is game.safe is game.plies_left is game.hopeless is None


class Hints:
    """Compares hints with the rules, position by position, and remembers the moves it has tried."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.won: dict[Position, int] = {}
        self.tried = 0
        """The number of moves made so far."""

    def winning(self, position: Position) -> int:
        """The moves that win immediately, as bits, found by trying all moves."""
        if position not in self.won:
            legal = legal_moves(self.game, position)
            self.tried += len(legal)
            self.won[position] = mask_of(move for move in legal if end_value(self.game, position, move) == WIN)
        return self.won[position]

    def first_fault(self, positions: Iterable[Position], most: int) -> tuple[str, Position] | None:
        """The first wrong hint and its position, found within `most` moves."""
        for position in positions:
            fault = self.fault(position)
            if fault is not None:
                return fault, position
            if self.tried > most:
                break
        return None

    def fault(self, position: Position) -> str | None:
        """The fault of a hint at this position, or None."""
        game = self.game
        outcome = game.outcome(*position)
        if outcome in (ONGOING, DRAW):
            fault = self.fault_of_plies_left(position, outcome)
            if fault is not None:
                return fault
        if outcome != ONGOING:
            return None
        won = self.winning(position)
        if game.wins is not None and game.wins(*position) != won:
            return f"wins is {game.wins(*position):#b}, but the moves that win are {won:#b}"
        if game.hopeless is not None and won and game.hopeless(*position):
            return "hopeless is true, but a move wins"
        return None if game.safe is None or won else self.fault_of_safe(position)

    def fault_of_plies_left(self, position: Position, outcome: int) -> str | None:
        """The fault of plies_left at a position that nobody has won, or None."""
        game = self.game
        if game.plies_left is None:
            return None
        plies = game.plies_left(*position)
        if (plies == 0) != (outcome == DRAW):
            return f"plies_left is {plies}, but the game is {'drawn' if outcome == DRAW else 'not over'}"
        after = {game.plies_left(*game.play(*position, move)) for move in legal_moves(game, position)}
        if after - {plies - 1}:
            return f"plies_left goes from {plies} to {max(after - {plies - 1})} with one move"
        return None

    def fault_of_safe(self, position: Position) -> str | None:
        """The fault of safe at a position without a winning move, or None."""
        game = self.game
        assert game.safe is not None
        legal = legal_moves(game, position)
        if any(end_value(game, position, move) == LOSS for move in legal):
            return "safe is given, but a move loses immediately; leave safe out for such a game"
        right = mask_of(
            move for move in legal if moves_again(game, position, move) or not self.winning(game.play(*position, move))
        )
        safe = game.safe(*position)
        return None if safe == right else f"safe is {safe:#b}, but the safe moves are {right:#b}"


def end_value(game: Game, position: Position, move: Move) -> int:
    """The value to the mover of the end that the move brings about; ONGOING if it does not end the game."""
    outcome = game.outcome(*game.play(*position, move))
    return outcome if outcome == ONGOING or moves_again(game, position, move) else -outcome


def falsely_hopeless(game: Game, positions: Sequence[Position]) -> Position | None:
    """The first position of a game that is called hopeless but won; None if there is none or there are too many."""
    if game.hopeless is None:
        return None
    number = {position: at for at, position in enumerate(positions)}
    outcomes = [game.outcome(*position) for position in positions]
    parents: list[list[tuple[int, int]]] = [[] for _ in positions]
    undecided = []
    for at, position in enumerate(positions):
        children = {move: game.play(*position, move) for move in legal_moves(game, position)}
        if any(child not in number for child in children.values()):
            return None
        undecided.append(len(children))
        for move, child in children.items():
            parents[number[child]].append((at, 1 if moves_again(game, position, move) else -1))
    value = {at: outcome for at, outcome in enumerate(outcomes) if outcome in (LOSS, WIN)}
    waiting = list(value)
    for at in waiting:
        for parent, sign in parents[at]:
            here = sign * value[at]
            undecided[parent] -= here == LOSS
            if parent not in value and (here == WIN or undecided[parent] == 0):
                value[parent] = here
                waiting.append(parent)
    return next(
        (p for at, p in enumerate(positions) if outcomes[at] == ONGOING and value.get(at) == WIN and game.hopeless(*p)),
        None,
    )


def mask_of(moves: Iterable[Move]) -> int:
    """The moves as bits."""
    return sum(1 << move for move in moves)
