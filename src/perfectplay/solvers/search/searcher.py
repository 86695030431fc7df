"""Answers questions about a position by search: its entry, a study of its moves, the best moves."""

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import NamedTuple

from perfectplay.compiler.compilable import check_compiles
from perfectplay.game import WIDE_BITS, Game, canonical, is_position, legal_moves, moves_again
from perfectplay.rules.notation import not_a_position
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.solvers.scores import TOP, Bounds, bounds_of, end_bounds
from perfectplay.solvers.search.alphabeta import Question, Search
from perfectplay.solvers.search.best_line import Line
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.solvers.steps import Step, Steps, finished
from perfectplay.solvers.table.table import Table, keys_of
from perfectplay.solvers.table.table_folder import book_of
from perfectplay.solvers.unsolved import advice, can_solve
from perfectplay.solvers.validity.validation import check_hints, check_rules
from perfectplay.solvers.worth import Study, Worth, best_first, best_of, exact_worth, worth_of
from perfectplay.words import DRAW, ONGOING, BadGame, BadPosition, Brief, Entry, Move, Position, TooBig

SLOT_BITS = 24
"""Interactive questions may be hard: 128 MiB, of which easy searches touch little."""
TURN = 1 << 14
"""Nodes for each move in the first round of a limited search; each round doubles them."""
GLANCE = 1 << 10
"""Nodes between two checks of the depth that a search has completed."""
CHECKED = 10_000
"""Positions at which the hints of a user's game are checked, near those of the first searches."""
DRAWN_POSITIONS = 20_000
"""The most drawn positions examined to find the shortest draw."""


class BestMoves(NamedTuple):
    """The best moves as far as is known, and whether it is proven that none is better.

    If neither that nor a draw is proven, `unclear` are the moves that may be as good as these. `nodes` is what it took.
    """

    moves: list[Move]
    proven: bool
    unclear: list[Move]
    nodes: int = 0


SoFar = Callable[[dict[Move, Worth], int], Study]
"""Makes the study of a position from the worth of moves that have been searched, and the nodes."""


class Child(NamedTuple):
    """A position after a move, and whether the side that made the move is to move again."""

    position: Position
    again: bool


class Searcher(metaclass=Brief):
    """Answers any position of a game without a table: from its book if possible, else by search.

    The search of a game with a book is compiled when the first question goes beyond the book.
    """

    @rule_faults
    def __init__(self, game: Game) -> None:
        try:
            check_compiles(game, WIDE_BITS)
        except BadGame as fault:
            raise TooBig(f"{game.name} is too large to solve, and a search needs compiled rules: {fault}") from None
        check_rules(game, compiled=False)
        self.game = game
        self.book: Table | None = book_of(game)
        self.smallest = canonical(game)
        self.key, self.unkey = keys_of(game)
        self.checked = 0
        """The number of positions at which hints have been checked."""
        if self.book is None:
            self.prepare()

    @cached_property
    def search(self) -> Search:
        """The compiled search; raises NotCompiled."""
        return Search(self.game, SLOT_BITS)

    def prepare(self, position: Position | None = None) -> None:
        """Compiles or loads the search now, unless a position is given and the book has it and all its moves."""
        if position is None or self._in_book(position) is None or self._split_by_book(position)[1]:
            self.search  # noqa: B018  # made when it is first asked for

    def check(self, position: Position) -> None:
        """Raises BadPosition for words that are no position, as far as the keys show, and BadGame for a wrong hint."""
        if not is_position(position, self.game.bits):
            raise not_a_position(self.game, position)
        try:
            fits = self.unkey(self.key(*position)) == position
        except (ArithmeticError, LookupError, ValueError):  # words outside what the rules expect
            fits = False
        if not fits:
            raise BadPosition(f"{position} cannot be reached in {self.game.name} by legal play from the start")
        self._trust(position)

    def _trust(self, position: Position) -> None:
        """Raises BadGame if a hint is wrong at positions near this one."""
        if self.checked < CHECKED:
            self.checked += check_hints(self.game, position) or CHECKED

    @rule_faults
    def lookup(self, position: Position, threads: int = 1) -> Entry:
        """The entry of the position, without a time limit; raises TooBig if a search cannot find it."""
        self.check(position)
        worth = self._in_book(position)
        if worth is None:
            worth = self._worth(position, Question(self.search, threads).ask(position).answer())
        if worth.entry is None:
            what = "the length of the draw" if worth.value == DRAW else "a result within a hundred plies"
            instead = f"; {advice(self.game)}" if can_solve(self.game) else ""
            raise TooBig(f"a search of {self.game.name} does not find {what}{instead}")
        return worth.entry

    @rule_faults
    def analyse(
        self, position: Position, seconds: float | None = None, nodes: int | None = None, threads: int = 1
    ) -> Study:
        """The study of the position, complete unless a limit is reached."""
        return finished(self.studying(position, Limits(seconds, nodes, threads)))

    def _in_book(self, position: Position) -> Worth | None:
        """The position's worth by the book, if it is there."""
        entry = None if self.book is None else self.book.find(position)
        return None if entry is None else exact_worth(entry)

    @rule_faults
    def seen(self, position: Position, plies: int) -> dict[Move, int]:
        """The score of each move by a search of `plies` plies; 0 where the game lasts longer."""
        self._trust(position)
        question, scores = Question(self.search), {}
        for move, (child, again) in self._children(position).items():
            if self.game.margin is not None:
                scores[move] = self._points_within(question, child, plies - 1).before(again).low
                continue
            question.ask(child, deepen=True)
            while not question.done and question.bounds.complete_depth() < plies - 1:
                question.pursue(GLANCE)
            bounds = question.bounds.before(again)
            near = bounds.exact and bounds.low and TOP - abs(bounds.low) <= plies
            scores[move] = bounds.low if near else 0
        return scores

    def _points_within(self, question: Question, position: Position, plies: int) -> Bounds:
        """The margin of the position if the game were drawn after so many plies."""
        if self.game.outcome(*position) != ONGOING:
            return end_bounds(self.game, position)
        return question.ask(position, horizon=plies).answer() if plies else bounds_of(self.game, 0, 0)

    def _children(self, position: Position) -> dict[Move, Child]:
        moves = legal_moves(self.game, position)
        return {move: Child(self.game.play(*position, move), moves_again(self.game, position, move)) for move in moves}

    def _split_by_book(self, position: Position) -> tuple[dict[Move, Worth], dict[Move, Child]]:
        """The moves whose worth is in the book, for the side to move, and what follows the others."""
        children = self._children(position)
        books = {move: self._in_book(child.position) for move, child in children.items()}
        moves = {move: worth.before(children[move].again) for move, worth in books.items() if worth is not None}
        return moves, {move: child for move, child in children.items() if move not in moves}

    def _worth(self, position: Position, bounds: Bounds, limits: Limits | None = None) -> Worth:
        """What the bounds prove; a draw with its length, if that is found within the limits."""
        if bounds != (0, 0) or self.game.margin is not None:
            return worth_of(bounds)
        if self.game.outcome(*position) == DRAW:
            return worth_of(bounds, 0)
        if self.game.plies_left is not None:
            return worth_of(bounds, self.game.plies_left(*position))
        return worth_of(bounds, self._shortest_draw(position, limits or Limits()))

    def _shortest_draw(self, position: Position, limits: Limits) -> int | None:
        """The plies to the end of a draw if both sides shorten it; None if that takes too long to find."""
        layer, seen, plies = [position], {self.smallest(*position)}, 0
        question = Question(self.search, limits.threads)
        while layer and len(seen) < DRAWN_POSITIONS:
            plies += 1
            fresh = []
            for here in layer:
                for child in (self.game.play(*here, move) for move in legal_moves(self.game, here)):
                    outcome, least = self.game.outcome(*child), self.smallest(*child)
                    if outcome == DRAW:
                        return plies
                    if outcome != ONGOING or least in seen:
                        continue
                    question.ask(child)
                    while not question.done:
                        if not (budget := limits.budget()):
                            return None
                        question.pursue(budget)
                    if question.bounds == (0, 0):
                        seen.add(least)
                        fresh.append(child)
            layer = fresh
        return None

    def studying(self, position: Position, limits: Limits) -> Steps[Study]:
        """The study, in steps with what is proven so far, complete unless a limit is reached.

        Raises BadPosition and BadGame.
        """
        self.check(position)
        if self.game.outcome(*position) != ONGOING:
            return Study(worth_of(end_bounds(self.game, position), 0), {})
        worths, children = self._split_by_book(position)
        nodes_here, here = None, self._in_book(position)

        def study(more: dict[Move, Worth], nodes: int) -> Study:
            moves = best_first({move: (worths | more)[move] for move in legal_moves(self.game, position)})
            best = best_of([*moves.values()])
            return Study(best if here is None or best.exact else best.narrowed(here), moves, nodes, nodes_here)

        if not children:
            return study({}, 0)
        if limits.set:
            return study(*(yield from self._little_by_little(children, here, limits, study)))
        question = Question(self.search, limits.threads)
        if here is None:
            here = worth_of((yield from self._pursue(question.ask(position), "the position", 0, limits)))
            nodes_here = question.nodes
        return study(*(yield from self._to_the_end(question, children, here, nodes_here or 0, limits, study)))

    def _to_the_end(
        self,
        question: Question,
        children: dict[Move, Child],
        here: Worth,
        nodes: int,
        limits: Limits,
        study: SoFar,
    ) -> Steps[tuple[dict[Move, Worth], int]]:
        """The worth of each move of a position that is worth `here`, and the nodes with those before.

        It is exact, without a time limit, unless the search is stopped.
        """
        worths = {move: Worth(here.bounds.of_child(again).before(again)) for move, (_, again) in children.items()}
        for number, (move, (child, again)) in enumerate(children.items(), 1):
            what = f"move {number} of {len(children)}"
            yield Step(f"searching {what}", nodes, study=study(worths, nodes))
            question.ask(child).expect(here.bounds.of_child(again))
            bounds = yield from self._pursue(question, what, nodes, limits)
            nodes += question.nodes
            worths[move] = (worth_of(bounds) if limits.stopped else self._worth(child, bounds, limits)).before(again)
        return worths, nodes

    def _pursue(self, question: Question, what: str, before: int, limits: Limits) -> Steps[Bounds]:
        """The bounds when the search is done or stopped."""
        while (budget := limits.budget()) and not question.pursue(budget):
            yield Step(f"searching {what}", before + question.nodes)
        return question.bounds

    def _little_by_little(
        self, children: dict[Move, Child], here: Worth | None, limits: Limits, study: SoFar | None = None
    ) -> Steps[tuple[dict[Move, Worth], int]]:
        """The worth of the moves when the limit is reached; all get equal effort.

        Without a study the search ends as soon as one move is proven to be as good as any.
        """

        def proven() -> dict[Move, Worth]:
            return {move: worth_of(questions[move].bounds).before(child.again) for move, child in children.items()}

        questions = {move: Question(self.search, limits.threads) for move in children}
        for move, child in children.items():
            questions[move].ask(child.position, deepen=True)
        if here is not None:
            for move, question in questions.items():
                question.expect(here.bounds.of_child(children[move].again))
        turn = TURN if limits.nodes is None else min(TURN, max(1, limits.nodes // (4 * len(children))))
        while limits.budget() and not all(question.done for question in questions.values()):
            if study is None and is_settled([worth.bounds for worth in proven().values()]):
                break
            for question in questions.values():
                spent, share = question.nodes, turn
                while share > 0 and not question.done and (budget := limits.budget()):
                    question.pursue(min(budget, share))
                    limits.spend(question.nodes - spent)
                    share -= max(1, question.nodes - spent)
                    spent = question.nodes
                nodes = sum(question.nodes for question in questions.values())
                yield Step("searching", nodes)
            turn *= 2
            if study is not None:
                yield Step("searching", nodes, study=study(proven(), nodes))
        nodes = sum(question.nodes for question in questions.values())
        if study is None or limits.stopped:  # draw lengths take extra time
            return proven(), nodes
        bounds = {move: question.bounds for move, question in questions.items()}
        worths = {move: self._worth(child.position, bounds[move], limits) for move, child in children.items()}
        return {move: worths[move].before(child.again) for move, child in children.items()}, nodes

    def choosing(self, position: Position, limits: Limits) -> Steps[BestMoves]:
        """The best moves, as far as is known when the limit is reached."""
        self._trust(position)
        worths, children = self._split_by_book(position)
        nodes = 0
        if children:
            more, nodes = yield from self._little_by_little(children, self._in_book(position), limits)
            worths.update(more)
        moves = {move: worth.bounds for move, worth in worths.items()}
        best = max(bounds.promise() for bounds in moves.values())
        candidates = [move for move, bounds in moves.items() if bounds.promise() == best]
        proven = is_settled(list(moves.values()))
        order = self.game.order
        if not proven and callable(order):
            liked = max(order(*position, move) for move in candidates)
            candidates = [move for move in candidates if order(*position, move) == liked]
        unclear = [] if proven or best[0] >= 0 else [move for move, bounds in moves.items() if bounds.high >= 0]
        return BestMoves(candidates, proven, unclear, nodes)

    @rule_faults
    def worth(self, position: Position, limits: Limits) -> Worth:
        """The worth of the position alone, as far as it is proven within the limits."""
        self.check(position)
        known = self._in_book(position)
        if known is not None:
            return known
        question = Question(self.search, limits.threads).ask(position)
        bounds = finished(self._pursue(question, "the position", 0, limits))
        return worth_of(bounds, self.game.plies_left and self.game.plies_left(*position))

    @rule_faults
    def best_moves(self, position: Position, limits: Limits | None = None) -> list[Move]:
        """The moves proven to be best within the limits; without limits all of them."""
        limits = limits or Limits()
        here = self.worth(position, limits).bounds
        if not here.exact:
            return []
        worths, children = self._split_by_book(position)
        good = {move for move, worth in worths.items() if worth.bounds.low >= here.low}
        good |= {
            move
            for move, child in children.items()
            if is_worth(Question(self.search, limits.threads), child, here, limits)
        }
        return sorted(good)

    def best_line(self, position: Position, worth: Worth, limits: Limits | None) -> Line:
        """The line of best play from a position of this worth, as far as it is proven within the limits.

        Without limits nothing is searched: the line goes as far as the book.
        """
        moves: list[Move] = []
        bounds, plies = worth.bounds, worth.distance
        while worth.exact:
            plies = None if plies is None else plies - 1
            children = self._children(position)
            best = (move for move, child in children.items() if self._is_best(child, bounds, plies, limits))
            move = next(best, None)
            if move is None:
                break
            moves.append(move)
            position, again = children[move]
            bounds = bounds.after(again)
        return Line(tuple(moves))

    def _is_best(self, child: Child, bounds: Bounds, plies: int | None, limits: Limits | None) -> bool:
        """Whether a move, which is worth at most this, is proven to be worth it, and if a draw, to last so long."""
        worth = self._in_book(child.position)
        if worth is None:
            if limits is None or not is_worth(Question(self.search, limits.threads), child, bounds, limits):
                return False
            worth = self._worth(child.position, bounds.after(child.again), limits)
        return worth.bounds == bounds.after(child.again) and (bounds != (0, 0) or worth.distance == plies)


def is_worth(question: Question, child: Child, bounds: Bounds, limits: Limits | None = None) -> bool:
    """Whether a move is proven to be worth at least the lower bound."""
    low, high = bounds.after(child.again)
    question.ask(child.position)
    return question.at_least(low, limits) if child.again else question.at_most(high, limits)


def is_settled(moves: list[Bounds]) -> bool:
    """Whether one move is proven to be at least as good as all others."""
    best = max(moves, key=Bounds.promise)
    return all(best.low >= bounds.high for bounds in moves if bounds is not best)


@lru_cache(maxsize=4)
def searcher_for(game: Game) -> Searcher:
    """The game's searcher, which keeps its transposition table; raises TooBig if the rules do not compile."""
    return Searcher(game)
