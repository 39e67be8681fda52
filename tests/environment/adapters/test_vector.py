from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

from othello_lab.environment import messages
from othello_lab.environment.adapters.gymnasium_env import OthelloEnv
from othello_lab.environment.adapters.vector import OthelloVectorEnv
from othello_lab.game import observation
from othello_lab.game.batch import Positions
from othello_lab.game.board import Board, Colour
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.observation import sides
from othello_lab.game.players.player import Policy

pytestmark = pytest.mark.slow

ID = "othello_lab.environment.adapters:OthelloLab/Othello-v0"
MODES = pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP], ids=str)


class LastLegal(Policy):
    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        return np.array([max(positions.board(index).legal_moves) for index in range(len(positions))])


@pytest.fixture
def _last_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the same opponent in both kinds of environment, whatever its name is."""
    monkeypatch.setattr(messages, "make", lambda text, size: LastLegal())


def made(games: int, **values: Any) -> OthelloVectorEnv:  # noqa: ANN401  whatever a test sets
    env = gymnasium.make_vec(ID, games, vectorization_mode="vector_entry_point", **values)
    assert isinstance(env, OthelloVectorEnv)
    return env


def some_actions(mask: NDArray[np.int8], rng: np.random.Generator, wrong: float = 0.0) -> NDArray[np.int64]:
    """Return a legal action for each game, or with the probability `wrong` any action."""
    keys = rng.random(mask.shape) * (mask + (rng.random((len(mask), 1)) < wrong))
    chosen: NDArray[np.int64] = keys.argmax(axis=1)
    return chosen


@MODES
@pytest.mark.usefixtures("_last_legal")
@pytest.mark.parametrize(
    "values",
    [
        {"size": 4},
        {"size": 6, "first": "alternate", "rewards": (3, 1, 0)},
        {"size": 4, "rewards": "discs"},
        {"first": "opponent"},
    ],
    ids=str,
)
def test_what_is_returned_is_as_from_single_environments(mode: AutoresetMode, values: dict[str, Any]) -> None:
    rng, both = (
        np.random.default_rng(0),
        (
            made(12, autoreset_mode=mode, **values),
            SyncVectorEnv([lambda: OthelloEnv(**values)] * 12, autoreset_mode=mode),
        ),
    )
    assert both[0].metadata["autoreset_mode"] is mode
    ours, theirs = (env.reset(seed=3) for env in both)
    assert data_equivalence(ours, theirs, exact=True)
    mask, ended = ours[1]["action_mask"], 0
    for _ in range(60):
        actions = some_actions(mask, rng, wrong=0.05)
        step, other = (env.step(actions) for env in both)
        assert data_equivalence(step, other, exact=True)
        mask, over = step[4]["action_mask"], step[2]
        ended += over.sum()
    assert ended > 12
    for env in both:
        env.close()


@MODES
def test_the_mask_of_a_game_that_an_illegal_action_has_ended_is_the_pass(mode: AutoresetMode) -> None:
    env = made(2, size=4, autoreset_mode=mode)
    env.reset(seed=0)
    _, _, over, _, infos = env.step(np.array([0, np.argmax(env.action_masks()[1])]))
    assert over.tolist() == [True, False]
    last = infos["final_info"] if mode is AutoresetMode.SAME_STEP else infos
    assert np.flatnonzero(last["action_mask"][0]).tolist() == [16]
    assert (env.action_masks() == infos["action_mask"].astype(bool)).all()


def test_a_seed_decides_all_games() -> None:
    def games(*seeds: int | None, first: str = "random") -> list[Any]:
        env, found = made(50, size=6, first=first, random_opening=4), []
        for seed in seeds:
            seen, infos = env.reset(seed=seed)
            rng = np.random.default_rng(0)
            for _ in range(36):  # into the third game
                seen, *_, infos = env.step(some_actions(infos["action_mask"], rng))
            found.append(seen.tolist())
        return found

    for who in ("random", "alternate"):
        first, again, other = games(5, 5, 6, first=who)
        assert first == again != other
    assert games(None) != games(None)


GAMES = 1500


def test_random_openings_are_those_of_the_single_environment() -> None:
    starts = [made(GAMES, size=4, random_opening=4, opponent="random", first="random").reset(seed=0)[0]]
    single = OthelloEnv(size=4, random_opening=4, opponent="random", first="random")
    single.reset(seed=0)
    others = [single.reset()[0] for _ in range(GAMES)]
    shares = [
        np.bincount(np.array(group)[:, :2].sum(axis=(1, 2, 3)), minlength=12) / GAMES
        for group in (starts[0], others)
    ]
    assert np.abs(shares[0] - shares[1]).max() < 5 * np.sqrt(0.5 / GAMES)
    assert (starts[0][:, 2].any(axis=(1, 2)) | starts[0][:, 3].any(axis=(1, 2))).mean() > 0.99
    for seen in starts[0][:100]:
        board = Board(*sides(seen.ravel()), Colour.BLACK)
        assert seen.ravel().tolist() == observation.encode(board, Colour.BLACK).tolist()


@pytest.mark.usefixtures("_last_legal")
def test_options_hold_for_all_games_up_to_the_next_reset() -> None:
    env, rng = made(5, size=4, autoreset_mode="SameStep"), np.random.default_rng(0)
    starts, infos = env.reset(options={"start": "b1a1", "first": "opponent"})
    begun = 0
    for _ in range(20):
        seen, _, over, _, infos = env.step(some_actions(infos["action_mask"], rng))
        assert (seen[over] == starts[over]).all()
        begun += over.sum()
    assert begun
    assert (env.reset()[0] != starts).any()


def test_a_refused_reset_leaves_the_opponent_to_games_that_go_on() -> None:
    env = made(2, size=4)
    env.reset(options={"opponent": "random"})
    with pytest.raises(ValueError, match="one game at a time"):
        env.reset(options={"opponent": "alphabeta:depth=2"})
    env.step(env.action_masks().argmax(axis=1))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: made(2, opponent="alphabeta:depth=2"), "'alphabeta:depth=2' plays one game at a time"),
        (lambda: made(2, autoreset_mode="Never"), "Never"),
        (lambda: made(2, autoreset_mode="Disabled"), "expected NextStep or SameStep"),
        (lambda: made(2).reset(options={"strat": "f5"}), "no option 'strat'"),
        (lambda: made(2).step(np.array([0, 65])), "expected ints from 0 to 64"),
        (lambda: made(2).step(np.array([0.5, 1])), "expected ints from 0 to 64"),
        (lambda: made(2).step(np.array([19])), "one move each"),
    ],
)
def test_what_is_wrong_is_named(call: Callable[[], object], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()
