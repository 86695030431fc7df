"""Batches of games on a GPU: the same games as on the CPU, bit by bit; arrays that others take without a copy."""

import gc

import numpy as np
import pytest

from batch_games import follow
from both_gpus import on_both
from perfectplay import BadArgument, IllegalMove
from perfectplay.compiler.cuda import CONFIG
from perfectplay.rl import batch, gpu_arrays

NAMES = ("mine", "theirs", "side", "plies", "moves", "results", "rewards", "done", "truncated", "legal")
FINAL = ("final_mine", "final_theirs", "final_side", "margins")


def assert_same(one, other):
    """Asserts that all arrays of two batches are equal."""
    for name in (*NAMES, *FINAL):
        found, expected = np.asarray(getattr(one, name)), np.asarray(getattr(other, name))
        assert found.dtype == expected.dtype, name
        assert (found == expected).all(), name
    for final in (False, True):
        assert np.asarray(one.observe(final=final)).tobytes() == other.observe(final=final).tobytes()


@pytest.mark.parametrize(
    "name",
    on_both(["kalah:3,2"], ["connect-four", "kalah:4,3", "tactic-toe", "kingpawns", "lines:7,6,4"], ["tic-tac-toe"]),
)
def test_a_batch_on_a_gpu_plays_by_the_rules(name):
    assert follow(name, 4, 20, device="cuda", max_plies=18) > 2


@pytest.mark.parametrize("name", on_both(["tic-tac-toe"], ["connect-four", "kalah:4,3", "tactic-toe", "lines:7,6,4"]))
def test_the_gpu_plays_the_random_games_of_the_cpu(name):
    n = 11 if CONFIG.ENABLE_CUDASIM else 300_000
    on_gpu, on_cpu = (batch(name, n, seed=4, device=device, max_plies=40) for device in ("cuda", "cpu"))
    assert on_gpu.play_random(37) == on_cpu.play_random(37)
    assert_same(on_gpu, on_cpu)
    assert (np.asarray(on_gpu.sample()) == on_cpu.sample()).all()
    mask = np.asarray(on_cpu.plies) > 5
    on_gpu.reset(mask), on_cpu.reset(mask)
    assert_same(on_gpu, on_cpu)
    assert [*map(np.ndarray.tolist, map(np.asarray, on_gpu.step(on_gpu.sample())))] == [
        *map(np.ndarray.tolist, on_cpu.step(on_cpu.sample()))
    ]


@pytest.mark.usefixtures("gpu")
def test_bad_actions_change_nothing_on_a_gpu():
    games = batch("tic-tac-toe", 5, seed=1, device="cuda")
    games.step(np.zeros(5, np.int32))
    with pytest.raises(IllegalMove, match=r"actions\[3\] = 0 is not legal in O:X../.../...; legal are 1 \(b1\)"):
        games.step([1, 2, 3, 0, 0])
    on_gpu = (games.done, "bool"), (batch("tic-tac-toe", 4, device="cuda").moves, "shape")
    for actions, words in ((np.full(5, np.nan), "nan"), ([1, 2], "shape"), (None, "actions"), *on_gpu):
        with pytest.raises(BadArgument, match=words):
            games.step(actions)
    with pytest.raises(BadArgument, match="on the GPU"):
        games.sample(np.zeros(5, np.int64))
    assert games.plies.numpy().tolist() == [1] * 5
    games.step([1, 2, 3, 4, 5])
    assert games.plies.numpy().tolist() == [2] * 5
    out = games.sample()
    assert games.sample(out) is out
    games.step(out)
    assert repr(games.done) == "<GpuArray bool (5,)>"
    assert len(games.done) == 5


def test_capsules_are_read_without_a_copy_and_given_back():
    games = batch("tic-tac-toe", 6, seed=1, device="cuda")
    if not CONFIG.ENABLE_CUDASIM:
        pytest.skip("numpy reads no array on a GPU")
    mine, done = np.from_dlpack(games.mine), np.from_dlpack(games.done)
    before = mine.copy()
    games.play_random(3)
    assert (before != mine).any()
    assert (mine == games.mine.numpy()).all()
    assert done.dtype == np.bool_
    assert len(gpu_arrays.lent) == 2
    unread = games.theirs.__dlpack__()
    assert len(gpu_arrays.lent) == 3
    del mine, done, unread
    gc.collect()
    assert gpu_arrays.lent == {}
    with pytest.raises(BufferError, match="copy"):
        games.mine.__dlpack__(copy=True)


@pytest.mark.gpu
@pytest.mark.parametrize("library", ["cupy", "jax", "torch"])
def test_other_packages_share_the_arrays(library):
    module = pytest.importorskip(library)
    take = module.dlpack.from_dlpack if library == "jax" else module.from_dlpack
    games, same = (batch("connect-four", 4096, seed=2, device=device) for device in ("cuda", "cpu"))
    for _ in range(9):
        actions = take(games.sample())
        assert actions.shape == (4096,)
        step = games.step(actions)
        same.step(same.sample())
    assert_same(games, same)
    done = take(step.done)
    assert str(done.dtype).endswith("bool")
    assert int(done.sum()) == same.done.sum()
    planes = take(games.observe())
    assert int(planes.sum()) == int(same.observe().sum())
    if library != "jax":  # JAX's arrays do not change
        before = int(take(games.plies).sum())
        shared = take(games.plies)
        games.play_random(1)
        assert int(shared.sum()) == int(games.plies.numpy().sum()) != before


@pytest.mark.gpu
def test_torch_writes_and_reads_in_place():
    torch = pytest.importorskip("torch")
    games, same = (batch("connect-four", 2048, seed=2, device=device) for device in ("cuda", "cpu"))
    out = torch.empty((2048, *games.shape), dtype=torch.int8, device="cuda")
    drawn = torch.empty(2048, dtype=torch.int64, device="cuda")
    legal = torch.as_tensor(games.legal, device="cuda")
    assert legal.shape == (2048, 7)
    assert legal.all()
    for _ in range(12):
        games.sample(drawn)
        games.step(drawn.to(torch.int32))
        same.step(same.sample())
    assert games.observe(out) is out
    assert out.cpu().numpy().tobytes() == same.observe().tobytes()
    with pytest.raises(IllegalMove):
        games.step(torch.full((2048,), 7, device="cuda"))
    with pytest.raises(BadArgument, match="float32"):
        games.step(torch.zeros(2048, device="cuda"))
