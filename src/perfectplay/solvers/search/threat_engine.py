"""The search for threats on large boards of lines: near marks, and for wins by fours and open threes."""

from functools import lru_cache
from random import Random
from typing import Any

from perfectplay.bits import bit_numbers, run_masks, runs
from perfectplay.compiler.line_rules import full_line_outcome, lines_fault
from perfectplay.game import Game, legal_moves
from perfectplay.solvers.scores import TOP, Bounds
from perfectplay.solvers.search.search_clock import ENDLESS, NODES, Clock, StopSignal
from perfectplay.solvers.worth import Study, Worth, best_first, best_of, worth_of
from perfectplay.words import LOSS, ONGOING, BadPlayer, Move, Position

TABLE_BITS = 18
"""The table of scores has 2 ** TABLE_BITS places: 10 MiB."""
FORCE_NODES = 30_000
"""Nodes of a search for a win by force, for either side."""
SAFE_NODES = 5_000
"""The same after each move that is to be safe."""
ROOT_MOVES = 30
"""The most squares that are tried at the root."""
DEEPEST = 40
"""Searches end at this depth, if nothing ends them before."""
WIDEST = 64
"""How long the longer side of a board may be, with a line more at either end."""


class Engine:
    """The state of a player from move to move: the board, on which the side to move is 0, and the table of scores."""

    def __init__(self, game: Game, rng: Random, stop: StopSignal | None = None) -> None:
        fault = threats_fault(game)
        if fault:
            raise cannot_play("threats", game, fault)
        width, height = game.shape
        self.game, self.rng, self.clock = game, rng, Clock(stop)
        self.loops = load_threats()
        self.won: int = self.loops.WON
        self.board = self.loops.new_shapes(width, height, line_length(game))
        self.stack = self.loops.new_stack(width * height, TABLE_BITS)
        if width * height > 1:
            self.choose((0, 1), 0.0)  # compiles or loads, so that no move has to wait for it

    def search(self, side: int, mode: int, depth: int, low: int, high: int) -> int:
        """The score for a side to move on the board as it is."""
        return int(self.loops.search(self.board, side, mode, depth, low, high, *self.stack, self.clock.work))

    def choose(self, position: Position, seconds: float) -> Move:
        """The move found in `seconds`."""
        legal = legal_moves(self.game, position)
        set_up(self.loops, self.board, position)
        with self.clock.running(seconds):
            moves = self.answers() or legal
            if len(moves) == 1:
                return moves[0]
            if not self.board.count:
                return self.rng.choice(self.middle())
            best = self.win_by_force(0, FORCE_NODES)
            return self.deepen(moves[:ROOT_MOVES]) if best is None else best

    def best_at_depth(self, position: Position, depth: int, seconds: float) -> list[Move]:
        """The moves that look best at that depth, as far as there is time."""
        legal = legal_moves(self.game, position)
        set_up(self.loops, self.board, position)
        if not self.board.count:
            return self.middle()
        with self.clock.running(seconds):
            moves = (self.answers() or legal)[:ROOT_MOVES]
            scores = self.scores(moves, depth)
        return [max(scores, key=scores.__getitem__, default=moves[0])]

    def answers(self) -> list[Move]:
        """The moves to be looked at, the most promising first; one that wins or must be is the only one."""
        squares, board = self.stack[0][0], self.board
        five, never = self.loops.FIVE, self.loops.NEVER
        for mine, theirs in ((five, never), (never, five), (self.loops.WINNING, never)):
            count = self.loops.squares_of_kind(board, 0, mine, theirs, squares)
            if count:
                return [int(squares[0]) & self.loops.LOW]
        count = self.loops.candidates(board, 0, self.loops.EVERY, False, False, squares)
        return [promise & self.loops.LOW for promise in sorted(squares[:count].tolist(), reverse=True)]

    def middle(self) -> list[Move]:
        """The squares nearest to the middle of the board."""
        width, height = self.game.shape
        off = {
            y * width + x: abs(2 * x + 1 - width) + abs(2 * y + 1 - height) for y in range(height) for x in range(width)
        }
        return [move for move, far in off.items() if far == min(off.values())]

    def win_by_force(self, side: int, nodes: int) -> Move | None:
        """The first move of a win of the side by fours, or by fours and open threes, found within `nodes` each."""
        for mode in (self.loops.FOURS, self.loops.THREES):
            if self.plies_to_win(side, mode, nodes) is not None:
                return int(self.stack[1][0, self.loops.BEST_MOVE])
        return None

    def plies_to_win(self, side: int, mode: int, nodes: int) -> int | None:
        """The plies within which a side to move wins by force, by iterative deepening; None if none is found.

        The win is proven, and it may take fewer plies. Its first move is the search's best move, unless the side can
        make a five, an open four or two fours at once.
        """
        work, before = self.clock.work, -1
        self.clock.allow(nodes)
        for depth in range(1, DEEPEST):
            begin = work[NODES]
            score = self.search(side, mode, depth, 0, 1)
            if self.clock.spent:
                break
            if score >= self.loops.SURE:
                return self.won - score
            if work[NODES] - begin == before:
                break  # nothing was cut off by the depth
            before = work[NODES] - begin
        return None

    def deepen(self, moves: list[Move]) -> Move:
        """The best move that iterative deepening finds in time, and that is not refuted by force."""
        safe: set[Move] = set()
        for depth in range(1, DEEPEST):
            self.clock.allow(ENDLESS)
            scores = self.scores(moves, depth)
            if not scores:
                break  # the time is up
            unknown = -self.loops.SURE  # better than a loss, for what time did not allow to look at
            moves = sorted(moves, key=lambda move: scores.get(move, unknown), reverse=True)
            while len(moves) > 1 and moves[0] not in safe and not self.clock.stopped:
                if self.loses_by_force(moves[0]):
                    del moves[0]
                else:
                    safe.add(moves[0])
            if self.clock.stopped or len(moves) == 1 or abs(scores[moves[0]]) >= self.loops.SURE:
                break
        return moves[0]

    def loses_by_force(self, move: Move) -> bool:
        """Whether the other side is found to win by force after a move."""
        self.loops.put(self.board, move, 0)
        lost = self.board.tally[0, self.loops.FIVE] == 0 and self.win_by_force(1, SAFE_NODES) is not None
        self.loops.take(self.board, move)
        return bool(lost)

    def scores(self, moves: list[Move], depth: int) -> dict[Move, int]:
        """The scores of the moves at that depth; less good ones at most that. Some only, if time is up."""
        scores: dict[Move, int] = {}
        low = -self.won
        for move in moves:
            self.loops.put(self.board, move, 0)
            score = low + 1
            if scores:  # is it better at all?
                score = -self.search(1, self.loops.EVERY, depth - 1, -low - 1, -low)
            if score > low:
                score = -self.search(1, self.loops.EVERY, depth - 1, -self.won, -low)
            self.loops.take(self.board, move)
            if self.clock.stopped:
                break
            scores[move] = score
            low = max(low, score)
        return scores


def load_threats() -> Any:
    """The functions of `threat_board.py` and `threat_search.py`."""
    from perfectplay.compiler.compiled import NO_RULES, load_pattern  # numba: only when it is wanted

    return load_pattern(["solvers/search/threat_board", "solvers/search/threat_search"], NO_RULES, "")


def set_up(loops: Any, board: Any, position: Position) -> None:
    """Puts the marks of a position on a board, and no others."""
    loops.clear(board)
    for side, word in enumerate(position):
        for square in bit_numbers(word):
            loops.put(board, square, side)


def threats_fault(game: Game) -> str:
    """Why the engine cannot play the game, if so."""
    fault = lines_fault(game)
    if fault or game.winning_lines is None:
        return fault
    if full_line_outcome(game) != LOSS:
        return "it tries to make lines, and here the side that makes one loses"
    (width, height), length = game.shape, line_length(game)
    if {*game.winning_lines()} != {*run_masks(runs(width, height, length), length)}:
        return "its winning lines are not all the straight lines of one length"
    if max(width, height) + 2 * length > WIDEST:
        return "it is too big"
    return ""


def line_length(game: Game) -> int:
    """The squares of a line."""
    assert game.winning_lines is not None
    return next(iter(game.winning_lines())).bit_count()


def cannot_play(player: str, game: Game, fault: str) -> BadPlayer:
    """The error that a player cannot play a game."""
    return BadPlayer(f"{player} cannot play {game.name}: {fault}; it plays boards such as lines:15,15,5")


# Proofs by threats on a large board of lines: wins and losses with the plies they take at most, never an opinion.
#
# Squares tell exactly who wins within four plies: a side with a five wins in 1; one that faces a five anywhere else
# loses in 2; a mark that makes an open four, or two fours, wins in 3. Beyond that a search by open threes and fours
# proves wins, whose length is the most that they take. What it does not find is open.


PROOF_NODES = 1_000_000
"""The nodes of an analysis, if no other limit is set; a second or two."""


class Proofs:
    """The study of one position after another by the engine of the player `threats`."""

    def __init__(self, game: Game) -> None:
        assert game.winning_lines is not None
        self.game, self.lines = game, tuple(game.winning_lines())
        self.engine = Engine(game, Random(1))
        self.board, self.loops = self.engine.board, self.engine.loops
        self.nodes = 0

    def study(self, position: Position, seconds: float | None = None, nodes: int | None = None) -> Study:
        """The study of the position within these limits."""
        outcome = self.game.outcome(*position)
        if outcome != ONGOING:
            return Study(worth_of(Bounds(outcome * TOP, outcome * TOP), 0), {})
        set_up(self.loops, self.board, position)
        self.nodes = budget = PROOF_NODES if nodes is None else nodes
        moves = self.at_a_glance(position)
        with self.engine.clock.running(seconds):
            here = best_of([*moves.values()])
            if here.bounds.low < 0 < here.bounds.high:
                self.look_for_a_win(moves)
            if best_of([*moves.values()]).bounds.low < 0:
                self.look_for_losses(moves)
        return Study(best_of([*moves.values()]), best_first(moves), budget - max(0, self.nodes))

    def at_a_glance(self, position: Position) -> dict[Move, Worth]:
        """The worth of each move by the squares alone: every end within four plies, and lines still open."""
        mine, theirs = position
        hopes = [any(line & word == 0 for line in self.lines) for word in (theirs, mine)]
        fives = [self.squares(side, self.loops.FIVE) for side in (0, 1)]
        empty = self.board.area - self.board.count
        return {move: self.glance(move, fives, hopes, empty) for move in legal_moves(self.game, position)}

    def squares(self, side: int, kind: int) -> set[Move]:
        """The empty squares on which a mark of the side would do at least this."""
        buffer, never = self.engine.stack[0][0], self.loops.NEVER
        count = self.loops.squares_of_kind(self.board, side, kind, never, buffer)
        return {int(square) & self.loops.LOW for square in buffer[:count]}

    def glance(self, move: Move, fives: list[set[Move]], hopes: list[bool], empty: int) -> Worth:
        """The worth of a move by the squares, `empty` of which are left."""
        if move in fives[0]:
            return end_worth(TOP - 1)
        if fives[1] - {move}:
            return end_worth(2 - TOP)
        self.loops.put(self.board, move, 0)
        stops = self.squares(0, self.loops.FIVE)  # the other side must take them all
        wins = self.squares(1, self.loops.WINNING)
        self.loops.take(self.board, move)
        if len(stops) > 1:
            return end_worth(TOP - 3)
        if wins & stops if stops else wins:
            return end_worth(4 - TOP)
        low = 6 - TOP if hopes[1] and empty >= 6 else 0
        high = TOP - 5 if hopes[0] and empty >= 5 else 0
        return worth_of(Bounds(low, high), empty)

    def look_for_a_win(self, moves: dict[Move, Worth]) -> None:
        """Writes down the first move of a win by force, if one is found with half of the nodes."""
        plies = self.plies_to_win(0, self.nodes // 2)
        if plies is not None:
            move = int(self.engine.stack[1][0, self.loops.BEST_MOVE])
            moves[move] = moves[move].narrowed(Worth(Bounds(TOP - plies, TOP)))

    def look_for_losses(self, moves: dict[Move, Worth]) -> None:
        """Writes down after which moves the other side wins by force, if it would win after a pass: no mark harms."""
        candidates = [move for move, worth in moves.items() if worth.value is None]
        if not self.squares(1, self.loops.FIVE) and self.plies_to_win(1, self.nodes // 2) is None:
            return
        for number, move in enumerate(candidates):
            self.loops.put(self.board, move, 0)
            plies = self.plies_to_win(1, self.nodes // (len(candidates) - number))
            self.loops.take(self.board, move)
            if plies is not None:
                moves[move] = moves[move].narrowed(Worth(Bounds(-TOP, plies + 1 - TOP)))

    def plies_to_win(self, side: int, nodes: int) -> int | None:
        """The plies within which a side to move wins by force, if that is found within `nodes`."""
        for mode in (self.loops.FOURS, self.loops.THREES):
            plies = self.engine.plies_to_win(side, mode, nodes // 2)
            self.nodes -= int(self.engine.clock.work[NODES])
            if plies is not None:
                return plies
        return None


def end_worth(score: int) -> Worth:
    """The worth of a move with this score."""
    return worth_of(Bounds(score, score))


@lru_cache(maxsize=2)
def proofs_for(game: Game) -> Proofs:
    """The proofs of a game whose threats can be searched; raises BadPlayer for others."""
    return Proofs(game)
