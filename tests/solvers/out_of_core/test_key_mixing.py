import numpy as np
import pytest
from hypothesis import given, strategies as st

from perfectplay import load
from perfectplay.solvers.out_of_core.worker_state import mixing, with_mixed_keys


@pytest.mark.parametrize("bits", [1, 2, 9, 13])
def test_mixing_is_a_bijection(bits):
    mixed = mixing(bits)
    assert sorted(map(mixed.mix, range(1 << bits))) == list(range(1 << bits))


@given(st.integers(1, 63), st.data())
def test_unmixing_inverts_mixing_of_numbers_and_arrays(bits, data):
    keys = data.draw(st.lists(st.integers(0, (1 << bits) - 1), min_size=1))
    mixed = mixing(bits)
    array = mixed.mix(np.array(keys, np.int64))
    assert array.tolist() == [mixed.mix(key) for key in keys]
    assert mixed.unmix(array).tolist() == keys == [mixed.unmix(mixed.mix(key)) for key in keys]


def test_an_invalid_key_stays_invalid():
    mixed = mixing(20)
    assert mixed.mix(1 << 20 | 5) >> 20 == 1
    assert mixed.mix(-3) < 0


def test_neighbouring_keys_are_spread_evenly():
    counts = np.bincount(mixing(40).mix(np.arange(1 << 22, dtype=np.int64)) >> 37, minlength=8)
    assert counts.min() > 0.8 * counts.mean()


def test_a_game_with_mixed_keys_is_the_same_game():
    game = load("drop:4,4,4")
    mixed = with_mixed_keys(game, mixing(game.key_bits))
    assert mixed.key(*game.start) == mixing(game.key_bits).mix(game.key(*game.start))
    after = game.play(*game.play(*game.start, 0), 2)
    assert mixed.unkey(mixed.key(*after)) == after
