"""What newcomers to the learning part got wrong: each mistake is refused at once, in a line that helps."""

import pytest

import perfectplay
from perfectplay import BadArgument, BadGame, BadPlayer, IllegalMove, NotCompiled
from perfectplay.rl import batch, dataset, evaluate, gymnasium, openspiel, pettingzoo


@pytest.mark.parametrize("actions", [[99], [4, 4], [0, 3, 1, 4, 2, 5]])
def test_a_state_of_openspiel_refuses_illegal_actions(actions):
    state = openspiel("tic-tac-toe").new_initial_state()
    for action in actions[:-1]:
        state.apply_action(action)
    before = str(state)
    with pytest.raises(IllegalMove, match=f"action {actions[-1]}"):
        state.apply_action(actions[-1])
    assert str(state) == before


@pytest.mark.parametrize("options", [5, "X:.../.../..."])
@pytest.mark.parametrize("make", [pettingzoo, gymnasium])
def test_options_of_a_reset_are_a_dict(make, options):
    environment = make("tic-tac-toe")
    with pytest.raises(BadArgument, match="position"):
        environment.reset(options=options)
    environment.close()


@pytest.mark.parametrize(
    ("kind", "given", "said"),
    [
        ("all", {"difficulty": 0.5}, "difficulty is for kind='hard'"),
        ("hard", {"difficulty": 5}, "not a probability"),
        ("on-policy", {}, "needs a policy"),
        ("all", {"policy": "uniform"}, "for kind='on-policy'"),
        ("all", {"opponent": "uniform"}, "for kind='on-policy'"),
        ("easy", {}, "kind='easy'"),
    ],
)
def test_arguments_of_a_dataset_belong_to_its_kind(kind, given, said):
    with pytest.raises(BadArgument, match=said):
        dataset("tic-tac-toe", kind, **given)


def test_an_empty_part_of_a_dataset_has_its_columns():
    train, _, test = dataset("tic-tac-toe").split(1, 0)
    full, empty = train.to_pandas(planes=True), test.to_pandas(planes=True)
    assert len(full) == 627
    assert len(empty) == 0
    assert list(empty.columns) == list(full.columns)


def test_a_dataset_of_a_game_without_squares_is_refused_before_it_is_solved():
    with pytest.raises(BadGame, match="planes"):
        dataset("openspiel:connect_four")


def test_a_player_by_the_clock_is_not_evaluated():
    with pytest.raises(BadPlayer, match="thinks by the clock"):
        evaluate("tic-tac-toe", "mcts")


def test_a_batch_says_that_its_rules_must_compile():
    def counted(mine, theirs):
        return perfectplay.ONGOING if bin(mine | theirs).count("1") < 2 else perfectplay.DRAW

    rules = perfectplay.load("tic-tac-toe")
    game = perfectplay.Game(moves=rules.moves, play=rules.play, outcome=counted, bits=9, shape=(3, 3))
    with pytest.raises(NotCompiled, match="a batch needs rules that compile") as caught:
        batch(game, 4)
    assert "engine=" not in str(caught.value)
