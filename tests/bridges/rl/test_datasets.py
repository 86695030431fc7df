"""Datasets: every position once, exact facts about each, parts that share no symmetry class."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import perfectplay
from perfectplay import BadArgument, BadGame, BadPlayer, TooBig, rl
from perfectplay.game import canonical, images, legal_moves, levels, move_entries, start_is_symmetric
from perfectplay.insight.puzzles.difficulty import difficulty
from perfectplay.rl import position_facts
from perfectplay.rl.dataset_rows import AllPositions, fractions_of, permute
from perfectplay.rl.position_facts import CompiledDescriber, InterpretedDescriber
from perfectplay.solvers.memory.interpreted import solved_if_small
from perfectplay.solvers.oracle import TableOracle
from perfectplay.views.planes import planes
from perfectplay.words import Entry
from rings import nightly

SMALL = "lines:3,2,3"
GAMES = ["lines:3,2,2", "kalah:2,2", "dots:1,2", "nim:3", "hexapawn", "ponghauki"]


def columns_of(dataset, **how):
    batches = list(dataset.batches(**how))
    return {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}


def words_in(columns):
    return list(zip(columns["mine"].tolist(), columns["theirs"].tolist(), strict=True))


@pytest.mark.parametrize(("how", "count"), [({}, 627), ({"images": True, "finished": True}, 5478)])
def test_all_positions_of_tic_tac_toe_are_there_once(how, count):
    found = rl.dataset("tic-tac-toe", **how)
    assert len(found) == len(set(words_in(columns_of(found)))) == count


@pytest.mark.parametrize("name", GAMES)
def test_rows_say_what_a_search_says(name):
    game = perfectplay.load(name)
    entries = solved_if_small(game)
    columns = columns_of(rl.dataset(game, images=start_is_symmetric(game), finished=True))
    lookup = {canonical(game)(*position): entry for position, entry in entries.items()}
    oracle = TableOracle(game, lambda position: lookup[canonical(game)(*position)])
    if start_is_symmetric(game):
        assert set(words_in(columns)) == set(entries)
    for row, position in enumerate(words_in(columns)):
        study, legal = oracle.study(position), legal_moves(game, position)
        entry = lookup[canonical(game)(*position)]
        assert columns["value"][row] == entry.value
        assert columns["distance"][row] == (-1 if entry.distance is None else entry.distance)
        if game.margin is not None:
            assert columns["margin"][row] == entry.margin
        assert np.flatnonzero(columns["legal"][row]).tolist() == legal
        if legal:
            assert np.flatnonzero(columns["keeps"][row]).tolist() == sorted(study.keeping)
            moves = move_entries(game, position, lambda child: lookup[canonical(game)(*child)])
            best = max(moves.values(), key=Entry.preference)
            like = [move for move, entry in moves.items() if entry.as_good_as(best)]
            assert np.flatnonzero(columns["best"][row]).tolist() == like
            assert columns["difficulty"][row] == pytest.approx(float(difficulty(study)))
    assert (columns["planes"] == planes(game, columns["mine"], columns["theirs"])).all()


@pytest.mark.parametrize("name", ["kalah:2,2", *nightly(SMALL)])
def test_compiled_rules_say_what_python_says(name):
    solution = position_facts.class_grades(perfectplay.load(name))
    plain, compiled = InterpretedDescriber(solution), CompiledDescriber(solution)
    all_positions = AllPositions(plain, images=True)
    numbers = np.arange(0, all_positions.size, 7)
    places, turns = numbers // all_positions.turns, numbers % all_positions.turns
    one, other = (way.unfold(solution.keys[places], turns) for way in (plain, compiled))
    assert (one[2] == other[2]).all()
    mine, theirs = (words[one[2]] for words in one[:2])
    assert (mine == other[0][one[2]]).all()
    assert (theirs == other[1][one[2]]).all()
    assert (plain.keys(mine, theirs) == compiled.keys(mine, theirs)).all()
    for here, there in zip(plain.facts(mine, theirs), compiled.facts(mine, theirs), strict=True):
        assert here == pytest.approx(there) if here.dtype == float else (here == there).all()


def test_a_large_table_lies_in_a_file_and_says_the_same(monkeypatch):
    game = perfectplay.load("lines:4,3,3")
    perfectplay.solve(game)
    expected = position_facts.class_grades(game)
    monkeypatch.setattr(position_facts, "IN_MEMORY", 100)
    monkeypatch.setattr(position_facts, "FEW", 0)
    found = position_facts.class_grades(game)
    assert isinstance(found.keys, np.memmap)
    assert (found.keys == expected.keys).all()
    assert (found.grades == expected.grades).all()


def test_hard_positions_are_those_where_players_go_wrong():
    everything = columns_of(rl.dataset("tic-tac-toe"))
    hard = columns_of(rl.dataset("tic-tac-toe", "hard", difficulty=0.5))
    assert len(hard["value"]) == 9 == int((everything["difficulty"] >= 0.5).sum())
    assert len(rl.dataset("tic-tac-toe", "hard")) == int((everything["difficulty"] >= 0.3).sum())


@pytest.mark.parametrize(("first", "second"), [("random", None), ("noisy:0.1", "perfect")])
def test_reach_is_the_exact_probability_to_get_there(first, second):
    game = perfectplay.load(SMALL)
    columns = columns_of(rl.dataset(game, "on-policy", policy=first, opponent=second, images=True, finished=True))
    reach = dict(zip(words_in(columns), columns["reach"], strict=True))
    exact = {game.start: Fraction(1)}
    lookup = solved_if_small(game)
    for ply, level in enumerate(levels(game)):
        name = (first, second or first)[ply % 2]
        for position in level:
            moves = move_entries(game, position, lookup.__getitem__)
            best = [m for m, e in moves.items() if e.as_good_as(max(moves.values(), key=Entry.preference))]
            noise = {"random": Fraction(1), "noisy:0.1": Fraction(1, 10), "perfect": Fraction(0)}[name]
            for move in moves:
                odds = noise / len(moves) + (1 - noise) * (move in best) / len(best)
                child = game.play(*position, move)
                exact[child] = exact.get(child, 0) + exact.get(position, 0) * odds
    assert {position: pytest.approx(float(odds)) for position, odds in exact.items() if odds} == reach
    odds = perfectplay.odds(game, first, second or first)
    ended = ~columns["legal"].any(axis=1)
    stones = [(mine.bit_count() + theirs.bit_count()) % 2 for mine, theirs in words_in(columns)]
    lost = ended & (columns["value"] == -1)
    assert columns["reach"][lost & (np.array(stones) == 1)].sum() == pytest.approx(float(odds.win))


def test_reach_of_a_class_is_that_of_its_images_together():
    game = perfectplay.load(SMALL)
    apart = columns_of(rl.dataset(game, "on-policy", policy="random", images=True))
    together = columns_of(rl.dataset(game, "on-policy", policy="random"))
    expected = Counter()
    for position, reach in zip(words_in(apart), apart["reach"], strict=True):
        expected[canonical(game)(*position)] += reach
    assert dict(zip(words_in(together), together["reach"], strict=True)) == {
        position: pytest.approx(reach) for position, reach in expected.items()
    }


def test_a_policy_may_be_a_function():
    def corner(observations, legal):
        return np.eye(9)[np.argmax(legal, axis=1)]

    columns = columns_of(rl.dataset("tic-tac-toe", "on-policy", policy=corner, finished=True, images=True))
    assert columns["reach"].tolist() == [1] * 8


@pytest.mark.parametrize("name", [SMALL, "hexapawn", "ponghauki"])
def test_no_position_has_an_image_in_another_part(name):
    game = perfectplay.load(name)
    whole, turns = rl.dataset(game, images=True), images(game)
    parts = [set(words_in(columns_of(part))) for part in whole.split(0.6, 0.2, seed=3)]
    assert sum(map(len, parts)) == len(whole) == len(set.union(*parts))
    for part in parts:
        others = set.union(*parts) - part
        assert not any(turns.image(*position, i) in others for position in part for i in range(turns.count))


def test_parts_are_of_the_sizes_that_were_asked_for():
    whole = rl.dataset("tic-tac-toe", images=True)
    train, validation, test = whole.split(seed=1)
    assert abs(len(train) / len(whole) - 0.8) < 0.05
    assert len(train) + len(validation) + len(test) == len(whole)
    assert [len(part) for part in whole.split(1, 0)] == [len(whole), 0, 0]
    assert len(whole.split(0.5, 0.5).test) == 0
    again = train.split(0.5, 0.5, seed=1)
    assert len(again.train) + len(again.validation) == len(train)
    assert words_in(columns_of(whole.split(seed=1).test)) == words_in(columns_of(test))
    policy = rl.dataset("tic-tac-toe", "on-policy", policy="random", images=True).split(seed=1)
    assert set(words_in(columns_of(policy.test))) == set(words_in(columns_of(test)))


def test_a_seed_alone_decides_the_order():
    data = rl.dataset("tic-tac-toe")
    plain, shuffled = columns_of(data), columns_of(data, shuffle=5)
    assert words_in(shuffled) == words_in(columns_of(data, shuffle=5, batch_size=10))
    assert words_in(shuffled) != words_in(plain)
    assert words_in(shuffled) != words_in(columns_of(data, shuffle=6))
    assert sorted(words_in(shuffled)) == sorted(words_in(plain))
    assert [len(batch["value"]) for batch in data.batches(100)] == [100] * 6 + [27]
    assert sum(len(batch["value"]) for batch in data) == 627
    first, *_ = data.batches(10)
    first["value"][:] = 7
    again, *_ = data.batches(10)
    assert (again["value"] != 7).all()


@pytest.mark.parametrize("size", [1, 2, 3, 64, 65, 1000])
def test_a_permutation_has_every_number_once(size):
    found = permute(np.arange(size), size, 11)
    assert sorted(found.tolist()) == list(range(size))
    assert permute(np.arange(size - 1, size), size, 11) == found[-1]


def test_hashes_are_even_and_take_wide_keys():
    numbers = fractions_of(np.arange(10_000), 1)
    assert np.histogram(numbers, 10, (0, 1))[0].min() > 900
    assert numbers.max() < 1
    wide = fractions_of(np.array([1 << 100, 5], object), 1)
    assert wide[1] == fractions_of(np.array([5]), 1)[0]


def test_parquet_has_the_same_rows(tmp_path):
    import duckdb
    from pyarrow import parquet

    data = rl.dataset("tic-tac-toe", "on-policy", policy="random")
    path = tmp_path / "data.parquet"
    assert data.to_parquet(path, shuffle=1) == 627
    table, columns = parquet.read_table(path), columns_of(data, shuffle=1)
    assert table.column_names == [*columns]
    assert table.schema.metadata[b"planes"] == b"2,3,3"
    seen = np.array(table["planes"].to_pylist(), np.int8).reshape(-1, 2, 3, 3)
    assert (seen == columns["planes"]).all()
    assert (np.array(table["best"].to_pylist()) == columns["best"]).all()
    assert (table["reach"].to_numpy() == columns["reach"]).all()
    count = duckdb.sql(f"select count(*) from '{path}' where value = 1").fetchall()[0][0]
    assert count == int((columns["value"] == 1).sum())
    assert data.to_parquet(path, planes=False) == 627
    assert "planes" not in parquet.read_schema(path).names
    with pytest.raises(BadArgument, match="empty"):
        data.split(1, 0).test.to_parquet(path)


def test_a_data_frame_has_moves_by_number():
    frame = rl.dataset("tic-tac-toe", finished=True).to_pandas()
    assert len(frame) == 765
    assert frame.legal[0] == tuple(range(9))
    assert (frame.legal.map(len) >= frame.keeps.map(len)).all()
    assert "planes" not in frame
    full, _, empty = (part.to_pandas(planes=True) for part in rl.dataset("tic-tac-toe").split(1, 0))
    assert full.planes[0].shape == (2, 3, 3)
    assert (len(full), len(empty)) == (627, 0)
    assert list(empty.columns) == list(full.columns)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"kind": "easy"}, "kind='easy' is not 'all', 'on-policy' or 'hard'"),
        ({"kind": "on-policy"}, "needs a policy.*policy='noisy:0.1'"),
        ({"policy": "random"}, "for kind='on-policy'"),
        ({"opponent": "uniform"}, "for kind='on-policy'"),
        ({"kind": "on-policy", "opponent": "random"}, "policy"),
        ({"difficulty": 0.5}, "difficulty is for kind='hard'"),
        ({"kind": "hard", "difficulty": 2}, "difficulty=2.*not a probability"),
        ({"kind": "hard", "difficulty": math.nan}, "difficulty=nan"),
        ({"kind": "on-policy", "policy": lambda planes: np.full((len(planes), 9), np.nan)}, r"in X:\.\.\./\.\.\."),
    ],
)
def test_bad_arguments_are_refused(arguments, words):
    with pytest.raises(BadArgument, match=words):
        rl.dataset("tic-tac-toe", **arguments)


@pytest.mark.parametrize(
    ("game", "error", "words"),
    [
        ("tic-tac-to", BadGame, "tic-tac-toe"),
        ("gomoku", TooBig, "too large"),
        ("openspiel:connect_four", BadGame, "planes"),  # before it is solved
    ],
)
def test_games_that_cannot_be(game, error, words):
    with pytest.raises(error, match=words):
        rl.dataset(game)


def test_parts_and_batches_that_cannot_be():
    with pytest.raises(BadPlayer):
        rl.dataset(SMALL, "on-policy", policy="nobody")
    data = rl.dataset(SMALL)
    for sizes in [(0.9, 0.2), (-0.1, 0.5), (math.nan, 0.1), ("most", 0.1)]:
        with pytest.raises(BadArgument, match="not parts of 1"):
            data.split(*sizes)
    with pytest.raises(BadArgument, match="batch_size=0"):
        data.batches(0)
    with pytest.raises(BadArgument, match="shuffle=True"):
        data.batches(shuffle=True)
