"""Games in the terminal, one after another between the same two, and the hints of a teacher."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import NamedTuple

from rich.console import Console

from perfectplay.arena.bot_makers import close, isolated_maker, new_game
from perfectplay.arena.referee import MOST_PLIES, margin_of_first, play_turn, winner_of
from perfectplay.arena.stop_watch import StopWatch
from perfectplay.commands.know.analysing import moves_table
from perfectplay.commands.know.verdicts import must
from perfectplay.commands.matches.battle_result import move_times
from perfectplay.commands.matches.choose_players import Quit, asked, opponent
from perfectplay.commands.matches.match import match_at
from perfectplay.commands.matches.reviewing import review_of
from perfectplay.commands.terminal.draw_board import STYLES, drawn_board
from perfectplay.commands.terminal.progress import waiting
from perfectplay.commands.terminal.streams import show
from perfectplay.commands.terminal.terminal import plain_terminal, say
from perfectplay.game import Game, legal_moves
from perfectplay.insight.hints import Hint, hint
from perfectplay.insight.scene import Scene
from perfectplay.insight.sentences import why_move
from perfectplay.players.player_kind import HUMAN
from perfectplay.players.registry import plain_name, strongest
from perfectplay.players.seat import Seat, SoFar
from perfectplay.rules.loading import checked_outcome
from perfectplay.rules.notation import in_turn, move_name, moves_are_squares, typed_move
from perfectplay.solvers.oracle import oracle_for
from perfectplay.solvers.worth import OPEN
from perfectplay.views.document import Document
from perfectplay.views.document_text import text
from perfectplay.words import (
    FIRST,
    ONGOING,
    SECOND,
    BotFault,
    IllegalMove,
    Move,
    Player,
    Position,
    Turn,
)

HELP = """Type a move{ways}. Legal now: {legal}
  hint         gives an idea
  hint again   shows the move that the strongest player would play
  hint why     says why it would
  moves        shows what every move is worth
  undo         takes your last move back
  quit         ends the game
  help         shows this"""
YES, NO = ("y", "yes"), ("n", "no")
LEAVE = ("q", "quit", "exit")


class Undo(Exception):
    """The person wants the last move back."""


def play_games(
    game: Game, first: str, second: str | None, rng: Random, toss: bool, seconds: float | None, threads: int
) -> None:
    """Plays games until nobody wants another; whom a person plays is asked if it is not told."""
    console = plain_terminal()
    try:
        second = second or (opponent(game, console) if first == HUMAN else HUMAN)
    except Quit:
        console.print("Goodbye.")
        return
    names = [first, plain_name(second)]
    with waiting("the players sit down; a search is compiled the first time, some seconds"):
        evening = Evening(game, names, rng, toss, seconds, console, threads)
    try:
        with suppress(Quit):
            evening.run()
        evening.say(evening.farewell())
    finally:
        evening.close()


def turn_before(history: list[Turn]) -> Turn | None:
    """The position in which the latest turn began, one or several moves of the same side; None at the start."""
    if len(history) < 2:
        return None
    first = len(history) - 2
    while first > 0 and history[first - 1][1] == history[first][1]:
        first -= 1
    return history[first]


class Evening:
    """One game after another between the same two, and the score."""

    def __init__(
        self,
        game: Game,
        names: list[str],
        rng: Random,
        toss: bool,
        seconds: float | None,
        console: Console,
        threads: int = 1,
    ) -> None:
        self.game, self.names, self.rng, self.toss, self.console = game, names, rng, toss, console
        self.seconds, self.threads = seconds, threads
        self.wins, self.draws = [0, 0], 0
        self.made: list[str] = []
        """The latest moves that have not been said."""
        self.moves: list[Move] = []
        """The moves of the game."""
        self.teacher = Teacher(game, lambda side: Seat(game, side, rng, seconds, threads=threads, lazy=True))
        self.watches = (StopWatch(), StopWatch())
        self.makers = {name: isolated_maker(name) for name in names if name != HUMAN}
        self.players = {
            (who, side): self.seated(who, side) for who in (0, 1) for side in (FIRST, SECOND) if toss or who == side
        }

    def say(self, text: str, style: str | None = None) -> None:
        """Prints a text."""
        say(self.console, text, style)

    def seated(self, who: int, side: int) -> Player | None:
        """That player in that seat; None stands for a person."""
        name = self.names[who]
        return None if name == HUMAN else self.makers[name](self.seat(who, side))

    def close(self) -> None:
        """Ends the processes of bots."""
        for maker in self.makers.values():
            close(maker)

    def seat(self, who: int, side: int) -> Seat:
        """The seat of that player."""
        name, count = self.names[who], self.watches[who].searched
        say = lambda text: self.say(f"{name}: {text}")  # noqa: E731
        told = (self.seconds, say, count, self.so_far)
        return Seat(self.game, side, self.rng, *told, threads=self.threads, lazy=True)

    def so_far(self) -> SoFar:
        """The game until now, for bots that want to know it."""
        return SoFar((self.game.start, FIRST), tuple(self.moves))

    def run(self) -> None:
        """Plays until the person has had enough; players among themselves play once."""
        self.say(f"{self.game.name}: {self.names[0]} against {self.names[1]}.")
        if HUMAN in self.names:
            self.say(self.invitation())
        if self.game.look.note:
            self.say(self.game.look.note)
        while True:
            order = [0, 1]
            if self.toss:
                self.rng.shuffle(order)
                self.say(f"The toss: {self.label(order, FIRST)} moves first.")
            winner = self.play_game(order)
            if winner is None:
                self.draws += 1
            else:
                self.wins[order[winner]] += 1
            if HUMAN not in self.names:
                return
            self.say(self.score())
            self.offer_review()
            if asked(self.console, "Another game? [Y/n] ").lower() in (*NO, *LEAVE):
                raise Quit

    def offer_review(self) -> None:
        """Reviews the game if the person wants that."""
        if not self.moves:
            return
        answer = asked(self.console, "Review the game? [y/N] ").lower()
        if answer in LEAVE:
            raise Quit
        if answer in YES:
            with waiting("looking at the game"):
                found = review_of(self.game, (self.game.start, FIRST), self.moves)
            show(found.document())

    def play_game(self, order: list[int]) -> int | None:
        """The side that wins, or None for a draw."""
        game = self.game
        history: list[Turn] = [(game.start, FIRST)]
        self.moves.clear()
        with waiting("the players get ready"):
            for maker in self.makers.values():
                new_game(maker)
        while True:
            position, side = history[-1]
            outcome, player = checked_outcome(game, position, side), self.players[order[side], side]
            again = outcome == ONGOING and len(history) > 1 and history[-2][1] == side
            if not again or player is None:
                self.say_turn(order, history, again)
            if player is None or outcome != ONGOING or (HUMAN not in self.names and not again):
                self.console.print(drawn_board(game, position, side, turn_before(history), self.console.width))
            if outcome != ONGOING:
                return self.announce(order, winner_of(outcome, side), margin_of_first(game, position, side))
            if HUMAN not in self.names and len(history) > MOST_PLIES:
                self.say_times(order)
                self.say(f"Called a draw after {MOST_PLIES:,} plies.")
                return None
            try:
                move = self.watches[order[side]].timed(self.chooser(order, side))(position)
                history.append(play_turn(game, position, side, move))
            except Undo:
                self.take_back(order, history)
                continue
            except (IllegalMove, BotFault) as fault:
                self.say_turn(order, history)
                what = "An illegal move" if isinstance(fault, IllegalMove) else "Such a fault"
                self.say(f"{self.label(order, side)}: {fault}\n{what} loses the game.")
                return self.announce(order, 1 - side)
            self.moves.append(move)
            self.made.append(move_name(game, position, side, move))

    def say_turn(self, order: list[int], history: list[Turn], again: bool = False) -> None:
        """Says what was played and not said yet: all moves of a player's turn at once, those of a person one by one."""
        if self.made:
            more = " and moves again" if again else ""
            self.say(f"{self.label(order, history[-2][1])} plays {in_turn(self.made)}{more}")
            self.made.clear()

    def chooser(self, order: list[int], side: int) -> Player:
        """The function that gives the move of that side: it asks the person, or lets the player think, visibly."""
        player = self.players[order[side], side]
        if player is None:
            return lambda position: self.ask_move(order, position, side)

        def thought(position: Position) -> Move:
            with self.console.status("thinking"):
                return player(position)

        return thought if self.console.is_terminal else player

    def say_times(self, order: list[int]) -> None:
        """Says how long each side took for a move of the game."""
        for side in (FIRST, SECOND):
            times = self.watches[order[side]].read()
            if times.moves:
                self.say(move_times(self.label(order, side), times.mean, times.longest, times.mean_nodes))

    def take_back(self, order: list[int], history: list[Turn]) -> None:
        """Shortens the history to the last position in which a person was to move."""
        for length in range(len(history) - 1, 0, -1):
            side = history[length - 1][1]
            if self.players[order[side], side] is None:
                del history[length:], self.moves[length - 1 :]
                return
        self.say("There is no move of yours to take back.")

    def ask_move(self, order: list[int], position: Position, side: int) -> Move:
        """The legal move that the person names."""
        game = self.game
        while True:
            text = asked(self.console, f"{self.label(order, side)} to move: ")
            try:
                return typed_move(game, position, side, text)
            except IllegalMove as fault:
                refusal = str(fault)
            match " ".join(text.lower().split()):
                case "":
                    self.say(self.invitation())
                case "help" | "?":
                    self.say(self.help(position, side))
                case "hint":
                    self.say(self.teacher.idea(position, side))
                case "hint again":
                    self.say(self.teacher.move(position, side))
                case "hint why":
                    self.say(self.teacher.why(position, side))
                case "moves":
                    self.say(self.teacher.moves(position, side))
                case "undo":
                    raise Undo
                case "quit" | "exit" | "q":
                    raise Quit
                case _:
                    self.say(f"{refusal}.")

    def help(self, position: Position, side: int) -> str:
        """What can be typed here."""
        game = self.game
        moves = [move_name(game, position, side, move) for move in legal_moves(game, position)]
        return HELP.format(ways=self.ways(), legal=" ".join(moves))

    def invitation(self) -> str:
        """What a person can type, in a line."""
        ways = self.ways()
        return f"Type a move{ways}{';' if ways else ','} or help."

    def ways(self) -> str:
        """How a square may be written, each way with the same square as the example; empty if moves are no squares."""
        game = self.game
        if not moves_are_squares(game):
            return ""
        column = min(1, game.shape[0] - 1)
        name, number = game.look.columns[column] + game.look.rows[0], column + 1
        return f": {name}, square {number}, or row and column from 0: (0, {column}) or 0 {column}"

    def label(self, order: list[int], side: int) -> str:
        """The side and who plays it: X (human)."""
        return f"{self.game.look.sides[side]} ({self.names[order[side]]})"

    def announce(self, order: list[int], winner: int | None, margin: int | None = None) -> int | None:
        """Says how long the sides took, who has won, and by how many points if it is played for them; returns who."""
        self.say_times(order)
        if winner is None:
            self.say("Drawn.", style="bold")
        else:
            points = "" if margin is None else f" by {abs(margin)}"
            self.say(f"{self.label(order, winner)} wins{points}.", style=STYLES[winner])
        return winner

    def score(self) -> str:
        """The score so far."""
        a, b = self.names if self.names[0] != self.names[1] else (f"first {self.names[0]}", f"second {self.names[1]}")
        return f"Score: {a} {self.wins[0]}, {b} {self.wins[1]}, drawn {self.draws}"

    def farewell(self) -> str:
        """The last line."""
        played = sum(self.wins) + self.draws
        return f"{self.score()}. Goodbye." if played else "Goodbye."


# A teacher at the terminal: first an idea, then the move, then the reason, and what every move is worth.


SECONDS = 1.0
"""What a hint may take to prove, where no table tells it."""


class Lesson(NamedTuple):
    """What the teacher has found out about a position."""

    scene: Scene
    hint: Hint
    player: str
    move: Move


class Teacher:
    """Gives hints for a game; it remembers the last position, so that all hints there are about the same move."""

    def __init__(self, game: Game, seat: Callable[[int], Seat]) -> None:
        self.game, self.seat = game, seat
        self.last: Lesson | None = None

    def lesson(self, position: Position, side: int) -> Lesson:
        """What there is to say about the position: the idea, and the move of the strongest player that fits it."""
        if self.last is None or (self.last.scene.position, self.last.scene.side) != (position, side):
            scene = Scene(oracle_for(self.game, SECONDS, threads=self.seat(side).threads), position, side)
            idea = hint(scene)
            name, player = strongest(self.seat(side))
            move = player(position)
            fits = not idea.moves or move in idea.moves
            self.last = Lesson(scene, idea, name, move if fits else idea.moves[0])
        return self.last

    def idea(self, position: Position, side: int) -> str:
        """An idea that does not name the move."""
        return self.lesson(position, side).hint.text

    def move(self, position: Position, side: int) -> str:
        """What the strongest player would play, and what is known of that move."""
        lesson = self.lesson(position, side)
        shown = lesson.scene.name(lesson.move)
        analysis = match_at(self.game, position, side).analyse(seconds=SECONDS)
        moves = {found.move: found for found in analysis.moves}
        worth = moves[shown].text.replace(OPEN, "not proven, ")
        only = must(self.game.look.sides[side], analysis, moves)
        return f"{lesson.player} would play {shown}: " + f"{worth}. {only}".rstrip(" .")

    def why(self, position: Position, side: int) -> str:
        """Why it would play that move."""
        lesson = self.lesson(position, side)
        return why_move(lesson.scene, lesson.move).text

    def moves(self, position: Position, side: int) -> str:
        """What every move is worth."""
        return text(Document("", moves_table(match_at(self.game, position, side).analyse(seconds=SECONDS))))
