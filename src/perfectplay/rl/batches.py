"""Batches of games that are played side by side, with the rules compiled into the loop, on all cores or on a GPU."""

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.bits import bit_numbers
from perfectplay.commands.kinds import THREADS, Choice, Whole, seed as seed_kind
from perfectplay.commands.terminal.arguments import GameLike, game_of, whole
from perfectplay.commands.verb import checked
from perfectplay.compiler.batch_code import SMALL, TALLIES, WORDS
from perfectplay.compiler.compilable import count_moves, is_wide
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.rules.notation import move_name, show_position
from perfectplay.solvers.engine import cores
from perfectplay.solvers.forecast import free_memory
from perfectplay.views.planes import planes_of
from perfectplay.words import ONGOING, BadArgument, BadGame, IllegalMove, NoGPU, NotCompiled, Position, TooBig

Array = Any
"""A numpy array; on a GPU a GpuArray, which torch, JAX and CuPy take without a copy."""
MOST_GAMES, MOST_PLIES = 1 << 30, (1 << 31) - 1
SEED = seed_kind("makes random actions repeatable, on any device and any number of threads")
BYTES = 66
"""The bytes of a game in the arrays of a batch."""
MOST_NAMED = 20
"""The most legal actions that a message names."""


class BatchStep(NamedTuple):
    """What a step of a batch tells of each game: the rewards of the sides that moved, which games ended, and how.

    A reward is 1 for a win, -1 for a loss, else 0. `results` are for the first side, WIN, DRAW or LOSS, and ONGOING
    where no game ended; a game that reached `max_plies` is a DRAW, and truncated. The arrays are the batch's own:
    the next step overwrites them.
    """

    rewards: Array
    done: Array
    truncated: Array
    results: Array


class Playouts(NamedTuple):
    """How random games ended: `first` and `second` are wins; `truncated` games count nowhere else.

    `plies` is the sum of the lengths of all these games, `margin` that of their margins for the first side.
    """

    first: int
    drawn: int
    second: int
    truncated: int
    plies: int
    margin: int

    @property
    def games(self) -> int:
        """The number of games that ended."""
        return self.first + self.drawn + self.second + self.truncated

    def __str__(self) -> str:
        """The counts in a line."""
        cut = f", {self.truncated:,} truncated" if self.truncated else ""
        won = f"first wins {self.first:,}, second wins {self.second:,}, {self.drawn:,} drawn{cut}"
        return f"{self.games:,} games in {self.plies:,} plies: {won}"


class Batch:
    """Games side by side; `batch(game, n)` makes them.

    Positions are `mine` and `theirs` (int64), seen by the side to move; `side` (int8), `plies` (int32) and `moves`
    (int64: bit m says that action m is legal) complete them. All have an entry for each game. These arrays and those
    of the last `BatchStep` are always the same ones, which each step overwrites: copy what you keep. A game that ends
    begins again in the same step; `final_mine`, `final_theirs`, `final_side` and, in a game for points, `margins`
    (for the first side) then tell of its end, and keep that until the next game in the same place ends.
    """

    def __init__(self, game: Game, games: Any, device: str, most: int, seed: int | None) -> None:
        self.game, self.n, self.device = game, games.n, device
        self.actions = count_moves(game)
        self.shape = planes_of(game).shape
        self.max_plies = None if most == MOST_PLIES else most
        self._games, self._most = games, most
        words = {name: games.view(games.words[row]) for row, name in enumerate(WORDS)}
        small = {name: games.small[row] for row, name in enumerate(SMALL)}
        self.mine, self.theirs, self.moves = words["mine"], words["theirs"], words["moves"]
        self.final_mine, self.final_theirs, self.margins = words["final_mine"], words["final_theirs"], words["margins"]
        self.side, self.final_side = games.view(small["side"]), games.view(small["final_side"])
        self.results, self.rewards = games.view(small["results"]), games.view(small["rewards"])
        self.done, self.truncated = games.view(small["done"], np.bool_), games.view(small["truncated"], np.bool_)
        self.plies = games.view(games.plies)
        self._legal: Array = None
        self._is_fresh = False
        self._tests = plane_tests(game)
        self._start, self._draw = first_number(seed), 0
        self.reset()

    def __len__(self) -> int:
        return int(self.n)

    def __repr__(self) -> str:
        return f"<Batch of {self.n:,} games of {self.game.name}, {self.actions} actions, on {self.device}>"

    @property
    def legal(self) -> Array:
        """Which actions are legal, a bool for each game and action; made from `moves` when it is asked for."""
        if self._legal is None:
            self._legal = self._games.new((self.n, self.actions), np.bool_)
        if not self._is_fresh:
            self._games.write_masks(self._legal)
            self._is_fresh = True
        return self._legal

    @checked
    def reset(self, mask: Array = None, *, seed: Annotated[int | None, SEED] = None) -> None:
        """Begins the games again where the mask is true, or all; a seed also begins the random actions again."""
        if mask is None:
            mask = np.ones(self.n, np.bool_)
        else:
            mask = np.asarray(mask)
            if mask.shape != (self.n,) or mask.dtype != np.bool_:
                has = f"has the shape {mask.shape} and the type {mask.dtype}"
                raise BadArgument(f"mask {has}; give a bool for each game, the shape ({self.n},)")
        if seed is not None:
            self._start, self._draw = first_number(seed), 0
        self._games.reset(mask)
        self._is_fresh = False

    def step(self, actions: Array) -> BatchStep:
        """Plays one ply in each game, and begins those again that it ends.

        `actions` are move numbers, one for each game, of any integer type. If one is illegal, nothing is played.
        """
        numbers = self._games.action_array(actions)
        illegal, fault = self._games.step(numbers, self._most)
        if illegal >= 0:
            raise self._illegal(illegal, self._games.value(numbers, illegal))
        self._after_plies(fault)
        return BatchStep(self.rewards, self.done, self.truncated, self.results)

    def sample(self, out: Array = None) -> Array:
        """A random legal action for each game, all equally likely; written to `out`, int64, if it is given."""
        actions = self._out(out, (self.n,), np.int64)
        self._games.draw(self._games.own(actions), self._start, self._draw)
        self._draw += 1
        return actions

    @checked
    def play_random(self, plies: Annotated[int, Whole("plies in each game", 0, MOST_PLIES)]) -> Playouts:
        """Plays so many random plies in each game, as `step(sample())` would, and counts the games that end."""
        if plies == 0:
            return Playouts(*[0] * len(TALLIES))
        fault, tallies = self._games.play(self._start, self._draw, plies, self._most)
        self._draw += plies
        self._after_plies(fault)
        return Playouts(*tallies)

    def observe(self, out: Array = None, *, final: bool = False) -> Array:
        """The positions as planes of 0 and 1, int8 (n, planes, rows, columns), the pieces of the side to move first.

        They are written to `out` if it is given. With `final`, they show the final positions.
        """
        planes = self._out(out, (self.n, *self.shape), np.int8)
        self._games.write_planes(final, *self._tests, self._games.own(planes))
        return planes

    def position(self, i: int) -> Position:
        """The position of game i, seen by the side to move."""
        whole("i", i, 0, self.n - 1, optional=False)
        return self._games.value(self._games.words[0], i), self._games.value(self._games.words[1], i)

    def text(self, i: int) -> str:
        """The position of game i as text."""
        return show_position(self.game, self.position(i), self._games.value(self._games.small[0], i))

    def _out(self, out: Array, shape: tuple[int, ...], kind: Any) -> Array:
        """The array to write to; raises BadArgument if one of another form is given."""
        if out is None:
            return self._games.new(shape, kind)
        if not self._games.fits(out, shape, kind):
            has = f"shape {tuple(out.shape)}, {out.dtype}" if hasattr(out, "shape") else f"a {type(out).__name__}"
            where = "contiguous" if self.device == "cpu" else "contiguous, on the GPU"
            raise BadArgument(f"out is {has}; it must be {np.dtype(kind)} of the shape {shape}, {where}")
        return out

    def _after_plies(self, fault: int) -> None:
        """Raises BadGame if the rules broke the contract in a game; forgets the masks of earlier positions."""
        self._is_fresh = False
        if fault >= 0:
            raise BadGame(
                f"{self.game.name} breaks the contract of a game after {self.text(fault)}, game {fault} of the batch: "
                "an outcome is LOSS, DRAW, WIN or ONGOING, and where it is ONGOING there is a legal move"
            )

    def _illegal(self, i: int, action: int) -> IllegalMove:
        """The error for an illegal action."""
        position, side = self.position(i), self._games.value(self._games.small[0], i)
        legal = bit_numbers(self._games.value(self._games.words[2], i))
        names = [f"{move} ({move_name(self.game, position, side, move)})" for move in legal[:MOST_NAMED]]
        more = " ..." if len(legal) > MOST_NAMED else ""
        return IllegalMove(f"actions[{i}] = {action} is not legal in {self.text(i)}; legal are {' '.join(names)}{more}")


@checked
def batch(
    game: GameLike,
    n: Annotated[int, Whole("number of games", 1, MOST_GAMES)],
    *,
    seed: Annotated[int | None, SEED] = None,
    device: Annotated[str, Choice("where they are played", ("cpu", "cuda"), 'neither "cpu" nor "cuda"')] = "cpu",
    threads: Annotated[int | None, THREADS] = None,
    max_plies: Annotated[int | None, Whole("plies after which a game is a truncated draw", 1, MOST_PLIES)] = None,
) -> Batch:
    """So many games side by side, at their start.

    The same seed gives the same random actions, on any device and any number of threads. `device` is "cpu" or "cuda";
    on the CPU `threads` are used, all cores if it is None. Games that reach `max_plies` end as truncated draws: without
    it a game that can repeat may go on for ever.
    """
    rules = game_of(game)
    if is_wide(rules):
        has = f"needs {rules.bits} bits a word" if rules.bits > COMPILED_BITS else f"has {count_moves(rules)} moves"
        raise BadGame(f"{rules.name} {has}; a batch takes up to {COMPILED_BITS}")
    if rules.outcome(*rules.start) != ONGOING:
        raise BadGame(f"{rules.name} is over at its start; a batch needs a game with moves")
    try:
        if device == "cpu":  # either needs numba, so it is imported on demand
            from perfectplay.rl.cpu_games import CpuGames

            if n * BYTES > free_memory():
                room = f"{n * BYTES / 2**30:.1f} GiB, and {free_memory() / 2**30:.1f} GiB are free"
                raise TooBig(f"{n:,} games take {room}")
            games: Any = CpuGames(rules, n, threads or cores())
        else:
            from perfectplay.rl.gpu_games import GpuGames

            games = GpuGames(rules, n)
    except NoGPU as fault:  # it speaks to those who solve
        message = str(fault).replace('engine="cuda"', 'device="cuda"').replace('engine="numba"', 'device="cpu"')
        raise NoGPU(message) from None
    except NotCompiled as fault:  # it, too
        raise NotCompiled(f"{str(fault).rpartition('; ')[0]}; a batch needs rules that compile") from None
    return Batch(rules, games, device, max_plies or MOST_PLIES, seed)


def first_number(seed: int | None) -> int:
    """Where the random numbers of a seed begin; anywhere if it is None."""
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64).view(np.int64)[0])


def plane_tests(game: Game) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each entry of the planes of one word, the mask and the value that a piece there has; no word matches none."""
    shape = planes_of(game)
    masks, values = np.zeros(shape.size // 2, np.int64), np.ones(shape.size // 2, np.int64)
    for place, word, mask, value in shape.tests:
        if word == 0:
            masks[place], values[place] = mask, value
    return masks, values
