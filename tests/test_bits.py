"""Runs, turns and mirrors against definitions by coordinates."""

from hypothesis import given, strategies as st

from perfectplay.bits import bit_numbers, has_run, runs, turns_and_mirrors

sides = st.integers(1, 7)


@given(st.integers(0, 2**200))
def test_bit_numbers_are_the_set_bits(word):
    assert sum(1 << number for number in bit_numbers(word)) == word
    assert bit_numbers(word) == sorted(set(bit_numbers(word)))


@given(sides, sides, st.integers(1, 5), st.data())
def test_has_run_means_k_squares_in_a_row(width, height, k, data):
    board = data.draw(st.integers(0, 2 ** (width * height) - 1))
    filled = {(n % width, n // width) for n in bit_numbers(board)}
    expected = any(
        all((x + i * dx, y + i * dy) in filled for i in range(k))
        for x, y in filled
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )
    assert has_run(board, runs(width, height, k), k) == expected


@given(sides, sides, st.integers(1, 5), st.data())
def test_runs_do_not_depend_on_how_squares_are_numbered(width, height, k, data):
    board = data.draw(st.integers(0, 2 ** (width * height) - 1))
    tall = height + 1
    other = sum(1 << (n % width * tall + n // width) for n in bit_numbers(board))
    upright = has_run(other, runs(width, height, k, across=tall, down=1), k)
    assert upright == has_run(board, runs(width, height, k), k)


@given(sides, sides)
def test_turns_and_mirrors_form_a_group(width, height):
    found = turns_and_mirrors(width, height)
    assert found[0] == tuple(range(width * height))
    assert all(sorted(turn) == list(range(width * height)) for turn in found)
    assert {tuple(b[i] for i in a) for a in found for b in found} == set(found)
    if width == height > 1:
        assert len(found) == 8
