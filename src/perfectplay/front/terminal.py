"""`perfectplay play`: games in the terminal, between people and players in any mixture."""

import sys
from argparse import Namespace
from contextlib import suppress
from random import Random

from rich.console import Console
from rich.text import Text

from perfectplay.arena.bot_process import isolated_maker
from perfectplay.arena.referee import MOST_PLIES, play_move, winner_of
from perfectplay.front.draw import STYLES, drawn_board
from perfectplay.front.progress import waiting
from perfectplay.game import Game, legal_moves
from perfectplay.loading import load_game
from perfectplay.notation import move_name, moves_are_squares, parse_move
from perfectplay.players import CLASSIC_NAMES, HUMAN, Seat, player_maker
from perfectplay.players.level import LEVELS
from perfectplay.players.strongest import strongest
from perfectplay.words import FIRST, ONGOING, SECOND, BotFault, IllegalMove, Move, PerfectplayError, Player, Position

HELP = """Type a move by its name{numbers}. Legal now: {legal}
  hint   shows what {strongest} would play
  undo   takes your last move back
  quit   ends the game
  help   shows this"""


class Quit(Exception):
    """The person at the terminal has had enough, or there is no more input."""


class Undo(Exception):
    """The person wants the last move back."""


def play(options: Namespace) -> int:
    """Plays games until nobody wants another."""
    game = load_game(options.game)
    first = CLASSIC_NAMES.get(options.first, options.first)
    console = Console(highlight=False, markup=False)
    second = options.second or (opponent(game, console) if first == HUMAN else HUMAN)
    names = [first, CLASSIC_NAMES.get(second, second)]
    with waiting("the players sit down; a search is compiled the first time, some seconds"):
        evening = Evening(game, names, Random(options.seed), options.toss, options.seconds, console)
    with suppress(Quit):
        evening.run()
    evening.say(evening.farewell())
    return 0


def opponent(game: Game, console: Console) -> str:
    """Whom the person wants to play; where nobody can be asked, the strongest player."""
    if sys.stdin is None or not sys.stdin.isatty():
        return strongest(game)
    while True:
        try:
            question = f"How strong? 1 to {LEVELS}, or a player's name; Enter for {strongest(game)}: "
            text = console.input(question).strip()
        except EOFError:
            console.print()
            return strongest(game)
        name = f"level:{text}" if text.isdecimal() else CLASSIC_NAMES.get(text, text) or strongest(game)
        if name == HUMAN:
            return name
        try:
            with waiting("the player looks at the game; a search is compiled the first time, some seconds"):
                isolated_maker(name)(Seat(game, SECOND, Random()))
            return name
        except PerfectplayError as fault:
            console.print(f"{fault}.", soft_wrap=True)


class Evening:
    """One game after another between the same two, and the score."""

    def __init__(
        self, game: Game, names: list[str], rng: Random, toss: bool, seconds: float | None, console: Console
    ) -> None:
        self.game, self.names, self.rng, self.toss, self.console = game, names, rng, toss, console
        self.seconds = seconds
        self.wins, self.draws = [0, 0], 0
        self.players = {
            (who, side): self.seated(names[who], side)
            for who in (0, 1)
            for side in (FIRST, SECOND)
            if toss or who == side
        }

    def say(self, text: str, style: str | None = None) -> None:
        """Prints a line as it is, however long."""
        self.console.print(text, style=style, soft_wrap=True)

    def seated(self, name: str, side: int) -> Player | None:
        """The player of that name in that seat; None stands for a person."""
        return None if name == HUMAN else isolated_maker(name)(self.seat(name, side))

    def seat(self, name: str, side: int) -> Seat:
        """The seat of a player of that name."""
        return Seat(self.game, side, self.rng, self.seconds, lambda text: self.say(f"{name}: {text}"))

    def run(self) -> None:
        """Plays until the person has had enough; players among themselves play once."""
        self.say(f"{self.game.name}: {self.names[0]} against {self.names[1]}.")
        if HUMAN in self.names:
            self.say("Type a move, or help.")
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
            if self.ask("Another game? [Y/n] ").lower() in ("n", "no", "q", "quit"):
                raise Quit

    def play_game(self, order: list[int]) -> int | None:
        """The side that wins, or None for a draw."""
        game, history = self.game, [self.game.start]
        while True:
            position, side = history[-1], (len(history) - 1) % 2
            before = history[-2] if len(history) > 1 else None
            outcome, player = game.outcome(*position), self.players[order[side], side]
            if player is None or outcome != ONGOING or HUMAN not in self.names:
                self.console.print(drawn_board(game, position, side, before))
            if outcome != ONGOING:
                return self.announce(order, winner_of(outcome, side))
            if HUMAN not in self.names and len(history) > MOST_PLIES:
                self.say(f"Called a draw after {MOST_PLIES:,} plies.")
                return None
            try:
                move = self.ask_move(order, position, side) if player is None else self.thought(player, position)
                history.append(play_move(game, position, side, move))
            except Undo:
                self.take_back(order, history)
                continue
            except (IllegalMove, BotFault) as fault:
                what = "An illegal move" if isinstance(fault, IllegalMove) else "Such a fault"
                self.say(f"{self.label(order, side)}: {fault}\n{what} loses the game.")
                return self.announce(order, 1 - side)
            self.say(f"{self.label(order, side)} plays {move_name(game, position, side, move)}")

    def thought(self, player: Player, position: Position) -> Move:
        """The player's move; a person who waits for it sees that."""
        if not self.console.is_terminal:
            return player(position)
        with self.console.status("thinking"):
            return player(position)

    def take_back(self, order: list[int], history: list[Position]) -> None:
        """Shortens the history to the last position in which a person was to move."""
        for length in range(len(history) - 1, 0, -1):
            if self.players[order[(length - 1) % 2], (length - 1) % 2] is None:
                del history[length:]
                return
        self.say("There is no move of yours to take back.")

    def ask_move(self, order: list[int], position: Position, side: int) -> Move:
        """The legal move that the person names."""
        game = self.game
        while True:
            text = self.ask(f"{self.label(order, side)} to move: ")
            with suppress(IllegalMove):
                return parse_move(game, position, side, text)
            match text.lower():
                case "":
                    self.say("Type a move, or help.")
                case "help" | "?":
                    self.say(self.help(position, side))
                case "hint":
                    name = strongest(game)
                    move = player_maker(name)(self.seat(name, side))(position)
                    self.say(f"{name} would play {move_name(game, position, side, move)}")
                case "undo":
                    raise Undo
                case "quit" | "exit" | "q":
                    raise Quit
                case _:
                    self.say(f"{text!r} is not a legal move. Type help to see those that are.")

    def help(self, position: Position, side: int) -> str:
        """What can be typed here."""
        game = self.game
        moves = [move_name(game, position, side, move) for move in legal_moves(game, position)]
        return HELP.format(
            numbers=" or by the number of its square in reading order" if moves_are_squares(game) else "",
            legal=" ".join(moves),
            strongest=strongest(game),
        )

    def ask(self, prompt: str) -> str:
        """What the person types; Quit when there is no more input."""
        try:
            if sys.stdin is None:
                raise EOFError
            return self.console.input(Text(prompt)).strip()
        except EOFError:
            self.console.print()
            raise Quit from None

    def label(self, order: list[int], side: int) -> str:
        """The side and who plays it: X (human)."""
        return f"{self.game.look.sides[side]} ({self.names[order[side]]})"

    def announce(self, order: list[int], winner: int | None) -> int | None:
        """Says who has won, and returns it."""
        if winner is None:
            self.say("Drawn.", style="bold")
        else:
            self.say(f"{self.label(order, winner)} wins.", style=STYLES[winner])
        return winner

    def score(self) -> str:
        """The score so far."""
        a, b = self.names if self.names[0] != self.names[1] else (f"first {self.names[0]}", f"second {self.names[1]}")
        return f"Score: {a} {self.wins[0]}, {b} {self.wins[1]}, drawn {self.draws}"

    def farewell(self) -> str:
        """The last line."""
        played = sum(self.wins) + self.draws
        return f"{self.score()}. Goodbye." if played else "Goodbye."
