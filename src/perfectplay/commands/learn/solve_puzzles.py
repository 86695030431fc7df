"""Puzzles solved in the terminal: the whole line, against the longest resistance."""

from contextlib import suppress

from rich.console import Console

from perfectplay.commands.learn.puzzling import Puzzle, PuzzleSet
from perfectplay.commands.matches.choose_players import Quit, asked
from perfectplay.commands.terminal.draw_board import drawn_board
from perfectplay.commands.terminal.terminal import plain_terminal, say
from perfectplay.game import Game, after, legal_moves
from perfectplay.insight.puzzles.puzzle_lines import Guide
from perfectplay.insight.scene import Scene
from perfectplay.insight.sentences import effect, why_move
from perfectplay.players.named.one_ply_players import hasty_moves
from perfectplay.rules.notation import number_of, parse_position, replay, typed_move
from perfectplay.solvers.oracle import oracle_for
from perfectplay.words import WIN, IllegalMove, Move, Position, Turn

HELP = """Type a move by its name. Legal now: {legal}
  hint   helps; a second hint tells the move
  skip   shows the solution and goes on to the next puzzle
  quit   ends
  help   shows this"""


class Skip(Exception):
    """The person wants the next puzzle."""


class Solving:
    """One puzzle after another, and the score."""

    def __init__(self, game: Game, found: PuzzleSet, console: Console | None = None) -> None:
        self.game, self.found = game, found
        self.console = console or plain_terminal()
        self.oracle = oracle_for(game)
        self.solved = self.clean = 0

    def say(self, text: str, style: str | None = None) -> None:
        """Prints a text."""
        say(self.console, text, style)

    def run(self) -> None:
        """Asks until all are done or the person has had enough."""
        many = number_of(len(self.found), "puzzle")
        self.say(f"{self.game.name}: {many}, the easiest first. Type a move, hint, skip, quit or help.")
        with suppress(Quit):
            for number, puzzle in enumerate(self.found, 1):
                self.say(
                    f"\nPuzzle {number} of {len(self.found)}, difficulty {puzzle.difficulty}. {puzzle.task}", "bold"
                )
                try:
                    self.solve(puzzle)
                except Skip:
                    self.say(f"The solution: {' '.join(puzzle.line)}")
        self.say(f"Solved {self.solved} of {len(self.found)}, {self.clean} of them without help. Goodbye.")

    def solve(self, puzzle: Puzzle) -> None:
        """Plays one puzzle to its end."""
        turn: Turn = parse_position(self.game, puzzle.position)
        guide, turns, self.helped, before = Guide(self.oracle, *turn), 0, False, None
        told = {here: move for here, _, move in replay(self.game, *turn, puzzle.line)}
        while not guide.solved(*turn, turns):
            position, side = turn
            if side == guide.solver:
                self.console.print(drawn_board(self.game, position, side, before, self.console.width))
                move = self.ask(guide, position, side)
                turns += 1
            else:
                move = self.reply(guide, told, position, side)
            before, turn = turn, after(self.game, position, side, move)
        self.console.print(drawn_board(self.game, *turn, before, self.console.width))
        self.say("Solved!" if puzzle.entry.value == WIN else "Solved: you kept the draw.", "bold green")
        self.solved += 1
        self.clean += not self.helped

    def reply(self, guide: Guide, told: dict[Position, Move], position: Position, side: int) -> Move:
        """The other side's move, said aloud."""
        found = told.get(position, guide.reply(position, side))
        move = legal_moves(self.game, position)[0] if found is None else found
        self.say(f"{self.game.look.sides[side]} answers {Scene(self.oracle, position, side).name(move)}.")
        return move

    def ask(self, guide: Guide, position: Position, side: int) -> Move:
        """The good move that the person finds."""
        scene, hints = Scene(self.oracle, position, side), 0
        while True:
            text = asked(self.console, f"{scene.mover} to move: ")
            match text.lower():
                case "quit" | "exit" | "q":
                    raise Quit
                case "skip":
                    raise Skip
                case "hint":
                    self.helped, hints = True, hints + 1
                    self.say(hint(scene, guide, hints))
                    continue
                case "" | "help" | "?":
                    self.say(HELP.format(legal=" ".join(scene.names(legal_moves(self.game, position)))))
                    continue
            try:
                move = typed_move(self.game, position, side, text)
            except IllegalMove as fault:
                self.say(f"{fault}.")
                continue
            if move in guide.good(position):
                return move
            if move in scene.study.keeping:
                self.say(f"{scene.name(move)} wins too, but it takes longer. Find the quickest win.")
                continue
            self.helped = True
            self.say(f"Not this one. {why_move(scene, move).text} Try again.")


def hint(scene: Scene, guide: Guide, number: int) -> str:
    """First what the good move does, or a move that is wrong and why; then the good move."""
    good = guide.good(scene.position)
    does = effect(scene, good[0]).text
    if number > 1:
        return f"Play {scene.name(good[0])}{f': it {does}' if does else ''}."
    wrong = [move for move in (*hasty_moves(scene.game, scene.position), *scene.study.failing) if move not in good]
    if does and "wins at once" not in does and not any(scene.name(move) in does for move in good):
        return f"The move that you look for {does}."
    return f"Not {scene.name(wrong[0])}. {why_move(scene, wrong[0]).text}" if wrong else "Every move is good here."
