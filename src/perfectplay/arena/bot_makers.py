"""Players by name, bots of a user's own in processes of their own; what a match needs of them beside their moves.

    maker = isolated_maker("cmd:./mybot", [])     # raises BadPlayer if there is no such bot
    player = maker(seat)                                 # either side, any number of seats, one process
    new_game(maker)                                      # before each game, outside its clock
    move = player(position)                              # raises IllegalMove or BotFault, each with its cause
    printed(maker)                                       # after each game: what it wrote to standard error
    close(maker)                                         # at the end

All functions take any maker; for players that run in this process they do nothing.
"""

from perfectplay.arena.bot_process import BotMaker
from perfectplay.players.bots.bot_program import ProgramMaker
from perfectplay.players.registry import in_own_file, player_maker
from perfectplay.players.seat import Maker


def isolated_maker(name: str, into: list[str] | None = None) -> Maker:
    """The maker of the players of that name; bots of a user's own play in a process of their own.

    With a list, the beginning of what such a bot writes to standard error is kept for `printed`, and what was not taken
    is put into the list by `close`; without one, it goes to the standard error of this process.
    """
    if in_own_file(name):
        return BotMaker(name, into)
    maker = player_maker(name)
    if isinstance(maker, ProgramMaker):
        maker.into = into
    return maker


def new_game(maker: Maker, seed: int | None = None) -> None:
    """Makes the bots of the maker ready for a new game, outside its clock; call it after `maker(seat)`.

    Programs that offer an option Seed are told the seed.
    """
    if isinstance(maker, ProgramMaker):
        maker.new_game(seed)


def printed(maker: Maker) -> str:
    """The beginning of what the bots of the maker have written to standard error since the last call."""
    return maker.printed() if isinstance(maker, ProgramMaker) else ""


def close(maker: Maker) -> None:
    """Ends the processes of a maker's players, if it has any."""
    if isinstance(maker, ProgramMaker):
        maker.close()
