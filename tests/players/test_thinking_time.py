"""How long a player thinks: as told for this move, by its clock, by its seat, or as usual; and how it is stopped."""

from random import Random
from threading import Event, Thread

import pytest
from hypothesis import given, strategies as st

from perfectplay import load
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import (
    PROVING_SECONDS,
    RESERVE,
    THINKING_SECONDS,
    Clock,
    Seat,
    SoFar,
    thinking_time,
    told_time,
)
from perfectplay.solvers.search.search_clock import StopSignal, alarm_after
from rings import nightly

GOMOKU, TIC_TAC_TOE, CYCLES = load("gomoku"), load("tic-tac-toe"), load("mutorere")
SECONDS = st.floats(0, 10_000)


def seat(game=CYCLES, side=0, seconds=None, **told):
    """A seat that is told these things of the game so far; nothing if there are none."""
    begin = (game.start, 0)
    return Seat(game, side, Random(1), seconds, so_far=lambda: SoFar(begin, (), **told) if told else None)


def test_without_a_clock_a_player_thinks_as_its_name_its_seat_or_nobody_says():
    start = CYCLES.start
    assert thinking_time(seat(), start, None) == THINKING_SECONDS
    assert thinking_time(seat(seconds=3), start, None) == 3
    assert thinking_time(seat(seconds=3), start, 0.5) == 0.5
    assert told_time(seat(), start, PROVING_SECONDS) == PROVING_SECONDS
    assert told_time(seat(), start, None) is None
    assert told_time(seat(seconds=3), start, None) == 3


def test_the_time_of_this_move_comes_before_all_others():
    told = SoFar((CYCLES.start, 0), (), Clock((100.0, 100.0)), seconds=0.25)
    here = seat(seconds=3)._replace(so_far=lambda: told)
    assert told_time(here, CYCLES.start, None) == thinking_time(here, CYCLES.start, None) == 0.25
    assert thinking_time(here, CYCLES.start, 0.5) == 0.25
    assert thinking_time(here, CYCLES.start, 0.1) == 0.1


@given(SECONDS, SECONDS, SECONDS, SECONDS)
def test_a_clock_is_never_overrun(first, second, increment, named):
    clock = Clock((first, second), (increment, increment))
    for side, left in enumerate((first, second)):
        for game in (CYCLES, TIC_TAC_TOE):
            here = seat(game, side, clock=clock)
            for time in (thinking_time(here, game.start, None), thinking_time(here, game.start, named)):
                assert 0 <= time <= left
                assert time <= max(left - RESERVE, left / 10)


def test_the_share_of_a_move_depends_on_how_long_the_game_can_last():
    clock = Clock((100.0, 10.0), (1.0, 2.0))
    assert told_time(seat(clock=clock), CYCLES.start, None) == 100 / 20 + 0.8
    assert told_time(seat(side=1, clock=clock), CYCLES.start, None) == 10 / 20 + 1.6
    assert told_time(seat(GOMOKU, clock=clock), GOMOKU.start, None) == 100 / 20 + 0.8
    assert told_time(seat(TIC_TAC_TOE, clock=clock), TIC_TAC_TOE.start, None) == 100 / 5 + 0.8
    almost = (0b000101010, 0b010010101)  # two squares are left
    assert told_time(seat(TIC_TAC_TOE, clock=clock), almost, None) == 100 - RESERVE


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("connect-four", "mcts"),
        *nightly(("lines:9,9,5", "threats"), ("lines:9,9,5", "routes:40"), ("lines:9,9,5", "mcts")),
        *nightly(("lines:9,9,5", "level:10"), ("drop:6,5,4", "perfect")),
        *nightly(("lines:12,12,5", "hard")),
    ],
)
def test_a_search_without_end_is_stopped(game, name):
    """The player is made once, thinks as long as it is told for each move, and stops when it is told to."""
    game, stop, times, done = load(game), StopSignal(), [], Event()

    def so_far():
        times.append(1e6)
        return SoFar((game.start, 0), (), None, times[-1])

    player = player_maker(name)(Seat(game, 0, Random(1), so_far=so_far, stop=stop))
    assert not times

    def think():
        player((1, 2) if game.shape[0] > 8 else game.start)
        done.set()

    thread = Thread(target=think)
    thread.start()
    assert not done.wait(0.2), "it thinks for as long as it is told"
    stop.set()
    assert done.wait(60)
    thread.join()
    assert times


def test_a_signal_reaches_searches_that_run_and_those_that_begin():
    stop, rung = StopSignal(), []
    with alarm_after(None, lambda: rung.append(1), stop):
        assert rung == []
        stop.set()
        assert rung == [1]
    with alarm_after(None, lambda: rung.append(2), stop):
        assert rung == [1, 2]
    stop.clear()
    with alarm_after(None, lambda: rung.append(3), stop):
        pass
    stop.set()
    assert rung == [1, 2]
