"""The games of a batch, played by the interpreted rules beside it."""

import numpy as np

from perfectplay import FIRST, ONGOING
from perfectplay.game import after
from perfectplay.rl import batch
from perfectplay.views.planes import planes


def result_for_first(game, position, side):
    """The outcome and the margin of a position, both as the first side sees them; 0 points where there are none."""
    ended = game.outcome(*position)
    sign = 1 if side == FIRST else -1
    if ended == ONGOING:
        return ended, 0
    return sign * ended, sign * game.margin(*position) if game.margin else 0


class Expected:
    """One game of a batch by the interpreted rules."""

    def __init__(self, game, most):
        self.game, self.most = game, most
        self.begin()
        self.final = ((0, 0), FIRST, 0)

    def begin(self):
        self.position, self.side, self.plies = self.game.start, FIRST, 0

    def step(self, move):
        """What the batch must tell of this ply: reward, done, truncated, result."""
        assert self.game.moves(*self.position) >> move & 1
        mover = self.side
        self.position, self.side = after(self.game, self.position, self.side, move)
        self.plies += 1
        result, margin = result_for_first(self.game, self.position, self.side)
        truncated = result == ONGOING and self.plies == self.most
        if result == ONGOING and not truncated:
            return 0, False, False, ONGOING
        result = 0 if truncated else result
        self.final = (self.position, self.side, margin)
        self.begin()
        return result if mover == FIRST else -result, True, truncated, result


def follow(game, n, plies, seed=1, **options):
    """Plays a batch with random actions, asserts in every ply that its arrays are right; returns the games ended."""
    games = batch(game, n, seed=seed, **options)
    expected = [Expected(games.game, options.get("max_plies")) for _ in range(n)]
    ended = 0
    for _ in range(plies):
        assert_alike(games, expected)
        actions = np.asarray(games.sample())
        step = games.step(actions)
        told = [one.step(int(move)) for one, move in zip(expected, actions, strict=True)]
        for name, column in zip(step._fields, zip(*told, strict=True), strict=True):
            assert np.asarray(getattr(step, name)).tolist() == [*column], name
            assert np.asarray(getattr(games, name)).tolist() == [*column], name
        ended += sum(done for _, done, _, _ in told)
    assert_alike(games, expected)
    return ended


def assert_alike(games, expected):
    """Asserts that positions, sides, plies, legal moves, planes and final positions are these."""
    game, n = games.game, len(expected)
    mine, theirs = (np.asarray(word) for word in (games.mine, games.theirs))
    assert list(zip(mine.tolist(), theirs.tolist(), strict=True)) == [one.position for one in expected]
    assert np.asarray(games.side).tolist() == [one.side for one in expected]
    assert np.asarray(games.plies).tolist() == [one.plies for one in expected]
    moves = [game.moves(*one.position) for one in expected]
    assert np.asarray(games.moves).tolist() == moves
    legal = np.asarray(games.legal)
    assert legal.dtype == np.bool_
    assert legal.tolist() == [[bool(word >> move & 1) for move in range(games.actions)] for word in moves]
    shown = np.asarray(games.observe())
    assert (shown.dtype, shown.shape) == (np.dtype(np.int8), (n, *games.shape))
    assert shown.tobytes() == planes(game, mine, theirs).tobytes()
    final = [np.asarray(getattr(games, f"final_{name}")).tolist() for name in ("mine", "theirs", "side")]
    for one, *here, margin in zip(expected, *final, np.asarray(games.margins).tolist(), strict=True):
        assert (tuple(here[:2]), here[2], margin) == one.final
