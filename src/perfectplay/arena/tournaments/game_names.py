"""Games of a tournament with moves by number, as they are played, and by name, as they are recorded."""

from perfectplay.arena.referee import Record
from perfectplay.arena.tournaments.host import GameResult, begin_of
from perfectplay.arena.tournaments.played_game import RESULTS, PlayedGame
from perfectplay.arena.tournaments.regret import Prices
from perfectplay.arena.tournaments.tournament_settings import Fixture, Opening, Tournament
from perfectplay.game import Game, after
from perfectplay.rules.notation import move_name, read_position, replay, show_position
from perfectplay.words import FIRST, Move, Turn


class GameNames:
    """Turns games with moves by number into records with moves by name."""

    def __init__(self, game: Game, tournament: Tournament) -> None:
        self.game, self.tournament, self.labels = game, tournament, tournament.labels
        self.begins = [begin_of(game, opening) for opening in tournament.openings]

    def to_record(self, game: GameResult) -> PlayedGame:
        """The record of the game."""
        fixture, record, opening = game.fixture, game.record, Opening()
        turn, text = (self.game.start, FIRST), ""
        if fixture.opening is not None:
            opening, turn = self.tournament.openings[fixture.opening], self.begins[fixture.opening].turn
            text = show_position(self.game, *turn)
        return PlayedGame(
            game.number,
            self.tournament.game,
            (self.labels[fixture.first], self.labels[fixture.second]),
            self.move_names(turn, record.moves),
            RESULTS[record.winner],
            opening.moves,
            text,
            record.seconds,
            record.movers,
            record.cause,
            record.forfeit,
            game.prices.regret,
            game.prices.wasted,
            record.margin,
            game.printed,
            record.unfinished,
            game.thrown,
            game.nodes,
            game.unproven,
            game.prices.values,
            game.prices.points,
            game.prices.forfeit,
        )

    def move_names(self, turn: Turn, moves: tuple[Move, ...]) -> tuple[str, ...]:
        """The names of moves that are made one after another."""
        names = []
        for move in moves:
            names.append(move_name(self.game, *turn, move))
            turn = after(self.game, *turn, move)
        return tuple(names)

    def from_record(self, game: PlayedGame) -> GameResult:
        """The game of a record; raises what reading a position or a move does, or ValueError for a foreign player."""
        turn = read_position(self.game, game.position) if game.position else (self.game.start, FIRST)
        moves = tuple(move for _, _, move in replay(self.game, *turn, game.moves))
        first, second = (self.labels.index(name) for name in game.players)
        record = Record(
            moves, game.winner, game.fault, game.unfinished, game.margin, game.cause, game.movers, game.clock
        )
        prices = Prices(game.regret, game.wasted, game.points, game.values, game.forfeit_regret)
        fixture = Fixture(game.number, first, second)
        return GameResult(fixture, record, game.nodes, game.unproven, game.thrown, game.printed, prices)
