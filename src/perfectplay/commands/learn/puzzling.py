"""Puzzles of a game: positions in which exactly one move keeps the result."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from perfectplay import __version__
from perfectplay.commands.terminal.arguments import Progress, game_of
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.insight.puzzles.puzzle_kinds import kind_named
from perfectplay.players.models.levels import LEVELS
from perfectplay.rules.game_records import read_games
from perfectplay.rules.notation import number_of, parse_position, plies_text, read_position, replay, show_position
from perfectplay.rules.outputs import HTML, JSON, FileKind
from perfectplay.solvers.memory.interpreted import forecast_count
from perfectplay.solvers.oracle import NODES, Oracle, oracle_for, table_oracle
from perfectplay.solvers.steps import finished
from perfectplay.solvers.worth import ENTRY
from perfectplay.views.document import Board, Boards, Code, Document, Folded, List, Notes, Seen
from perfectplay.views.game_pieces import whose_pieces
from perfectplay.views.json_facts import json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST, WIN, BadArgument, BadPosition, Entry, IllegalMove, TooBig, Turn

if TYPE_CHECKING:
    from perfectplay.insight.puzzles.puzzle_choice import Candidate, Wish
    from perfectplay.insight.puzzles.puzzle_scan import Scan

MOST_SOLVED = 8_000_000
"""Games of at most so many positions are solved on the spot, in some seconds."""
MOST_DRAWN = 12
"""The puzzles of a set that are drawn in a notebook."""
SOURCES = {
    "search": "from random games of sensible players, searched, since {game} is not solved",
    "games": "from recorded games",
}
"""What is said of puzzles that are not the pick of all positions."""


@dataclass(frozen=True)
class Puzzle(metaclass=ResultClass):
    """A position in which exactly one move keeps the result, `entry`, for the side to move.

    `solution` has that move, `line` the whole solution: best moves against the longest resistance. `difficulty` is
    1 to 10: the probability in tenths that imperfect players fail. `success` has the probability that level 1 to 10
    solves it.
    """

    position: str
    side: str
    entry: Entry
    solution: tuple[str, ...]
    line: tuple[str, ...]
    difficulty: int
    rules: Game = field(repr=False, compare=False)
    success: tuple[float, ...] = field(repr=False, default=())

    @property
    def task(self) -> str:
        """What to do, in a sentence."""
        if self.entry.value != WIN:
            return f"{self.side} to move: save the draw."
        within = "" if self.entry.distance is None else f" in {plies_text(self.entry.distance)}"
        return f"{self.side} to move: win{within}."

    def document(self) -> Document:
        """The task and the board; the solution waits behind a title, and no text tells it."""
        title = f"{self.task} Difficulty {self.difficulty} of {LEVELS}."
        return Document(title, board_of(self, large=True), Seen(Folded("Solution", Notes(" ".join(self.line)))))

    @property
    def heading(self) -> str:
        """The task, and how difficult it is."""
        return f"{self.task} Difficulty {self.difficulty}."

    to_dict = json_facts("position", ENTRY, "solution", "line", "difficulty")


def board_of(puzzle: Puzzle, caption: str = "", large: bool = False) -> Board:
    """The position of a puzzle as it is drawn."""
    turn = read_position(puzzle.rules, puzzle.position)
    return Board(puzzle.rules, *turn, caption, Code(puzzle.position), large=large)


@dataclass(frozen=True)
class PuzzleSet(metaclass=ResultClass):
    """Puzzles of one game and kind, the easiest first; no two are alike.

    `source` is "table" if the whole solution was looked at, "search" for random games of sensible players, "games" for
    recorded ones. `asked` is how many were wanted; `all`: there are no others.
    """

    game: str
    kind: str
    puzzles: tuple[Puzzle, ...]
    source: str = "table"
    asked: int = 0
    all: bool = False
    rules: Game | None = field(default=None, repr=False, compare=False)

    def __iter__(self) -> Iterator[Puzzle]:
        return iter(self.puzzles)

    def __len__(self) -> int:
        return len(self.puzzles)

    def __repr__(self) -> str:
        return f"<PuzzleSet of {self.game}: {number_of(len(self), 'puzzle')} of kind {self.kind}>"

    def document(self) -> Document:
        """The puzzles, and then their solutions."""
        boards = [board_of(puzzle, f"{number}. {puzzle.heading}") for number, puzzle in enumerate(self, 1)]
        return Document(
            f"{self.game}: {number_of(len(self), 'puzzle')}",
            Seen(Notes(*{whose_pieces(puzzle.rules.look) for puzzle in self})),
            Boards(boards, MOST_DRAWN),
            Folded("Solutions", List([" ".join(puzzle.line) for puzzle in self], 1)),
            Notes(self.remark),
        )

    @property
    def remark(self) -> str:
        """How many there are if fewer than asked for, and where they come from if not from a table; or nothing."""
        where = SOURCES.get(self.source, "").format(game=self.game)
        if len(self) >= self.asked:
            return where
        few = f"there {'is' if len(self) == 1 else 'are'} only {number_of(len(self), 'such puzzle')}"
        count = (few if self.all else few.replace("there", "here")) if self.puzzles else "there is no such puzzle"
        return f"{count} in {self.game}" + (where and f", {where}")

    to_dict = json_facts("game", "kind", "puzzles")

    def to_html(self) -> str:
        """One page to solve them on, without a server."""
        from perfectplay.exports.page.page_export import puzzle_page

        oracle = oracle_for(self.rules or game_of(self.game), nodes=NODES)
        return puzzle_page(oracle, [puzzle.to_dict() for puzzle in self.puzzles])


def as_json(found: PuzzleSet) -> str:
    """The set as a JSON file."""
    return json.dumps({"perfectplay": __version__, **found.to_dict()}, indent=1) + "\n"


FORMATS: dict[FileKind, Callable[[PuzzleSet], str]] = {JSON: as_json, HTML: PuzzleSet.to_html}
"""What the kinds of files have."""


def puzzle_set(
    game: Game, wish: "Wish", count: int, seed: int, games: str | Path | None, progress: Progress | None
) -> PuzzleSet:
    """So many puzzles that are as wished for, chosen by the seed."""
    from perfectplay.insight.puzzles.puzzle_choice import choosing  # numpy: only when it is wanted

    source, oracle, candidates = sourced(game, wish, Random(seed), games, progress)
    chosen = finished(choosing(oracle, candidates, wish, count), progress)
    found = tuple(puzzle_of(oracle, one) for one in chosen.puzzles)
    return PuzzleSet(game.name, wish.kind.name, found, source, count, chosen.all and source != "search", game)


def wish_of(game: Game, kind: str | None, plies: int | None, difficulty: tuple[int, int]) -> "Wish":
    """What is asked for; raises BadArgument if that makes no sense."""
    from perfectplay.insight.puzzles.puzzle_choice import Wish

    wanted = kind_named(kind)
    if plies is not None and WIN not in wanted.values:
        raise BadArgument(
            f"puzzles of the kind {wanted.name} are no wins, so no win in {plies_text(plies)} is among them"
        )
    if plies is not None and game.margin is not None:
        raise BadArgument(f"{game.name} is played for points, not for the quickest win; leave the number of plies out")
    return Wish(wanted, plies, *difficulty)


Source = tuple[str, Oracle, "Iterator[Candidate | None]"]


def sourced(game: Game, wish: "Wish", rng: Random, games: str | Path | None, progress: Progress | None) -> Source:
    """Where the puzzles come from, what is known of positions, and the candidates."""
    from perfectplay.insight.puzzles import puzzle_choice
    from perfectplay.insight.puzzles.puzzle_choice import in_table
    from perfectplay.solvers.complete import solving_to_folder  # numba: only when it is wanted
    from perfectplay.solvers.engine import Options

    if games is not None:
        played_games, oracle = recorded_games(game, Path(games)), oracle_for(game, nodes=NODES)
        return "games", oracle, puzzle_choice.candidates(oracle, played_games, wish)
    try:
        if is_solvable(game):
            finished(solving_to_folder(game, Options()), progress)  # the table is kept, if it can be written
        scan = scan_of(game) if progress is None else scanned(game, progress)
    except TooBig:
        oracle = oracle_for(game, nodes=NODES)
        return "search", oracle, puzzle_choice.candidates(oracle, puzzle_choice.random_games(game, rng), wish)
    return "table", oracle_for(game), in_table(scan, wish, rng)


def is_solvable(game: Game) -> bool:
    """Whether there is no table of the game yet, but soon could be."""
    if table_oracle(game) is not None or game.bits > COMPILED_BITS or game.key is None:
        return False
    most = 1 << game.key_bits
    return most <= MOST_SOLVED or (forecast_count(game) or most) <= MOST_SOLVED


def scanned(game: Game, progress: Progress | None) -> "Scan":
    """All positions of the game, to be looked at; raises TooBig if there is no table of them."""
    from perfectplay.insight.puzzles.puzzle_scan import Scan
    from perfectplay.players.models.game_graph import graphing

    return Scan(finished(graphing(game, True), progress))


@lru_cache(maxsize=2)
def scan_of(game: Game) -> "Scan":
    """The same, kept for the next time."""
    return scanned(game, None)


def recorded_games(game: Game, path: Path) -> list[list[Turn]]:
    """The positions of the games in a file; raises BadArgument."""
    found = []
    for record in read_games(path):
        try:
            begin = parse_position(game, record.position) if record.position else (game.start, FIRST)
            found.append([(position, side) for position, side, _ in replay(game, *begin, record.moves)])
        except (BadPosition, IllegalMove) as fault:
            raise BadArgument(f"{record.source}: {fault}") from None
    if not any(found):
        raise BadArgument(f"the record {str(path)!r} has no moves; write a game a line, such as: b2 a1 c3")
    return found


def puzzle_of(oracle: Oracle, chosen: "Candidate") -> Puzzle:
    """The puzzle with names."""
    from perfectplay.insight.puzzles.puzzle_choice import names_in

    game, line, names = oracle.game, chosen.line, names_in(oracle.game, chosen.line)
    entry = oracle.study(line.position).here.entry
    assert entry is not None
    return Puzzle(
        show_position(game, line.position, line.side),
        game.look.sides[line.side],
        entry,
        names[:1],
        names,
        chosen.difficulty,
        game,
        tuple(chosen.success),
    )
