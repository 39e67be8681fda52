import numpy as np
import pytest

from othello_lab.environment.config import MOST_IGNORED
from othello_lab.environment.othello import NotStartedError, OthelloEnvironment
from othello_lab.environment.testing import action_of, board_of
from othello_lab.game import Board, Colour, Game
from othello_lab.game.notation import PASS
from tests.environment.parts import environment, legal_of, play_first_legal, stats


def test_task_spec_of_8x8_is_the_documented_one() -> None:
    assert environment().env_init() == (
        "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 0.99 OBSERVATIONS INTS (256 0 1) "
        "ACTIONS INTS (-1 63) REWARDS (-1.0 1.0) EXTRA othello size=8 "
        "planes=own,opponent,legal,opponent_legal win=1.0 draw=-0.5 loss=-1.0"
    )


def test_the_agent_opens_by_default_or_the_opponent_inside_env_start() -> None:
    assert board_of(environment().env_start()) == Board.start(8)
    assert board_of(environment(first="opponent").env_start()).counts() == (1, 4)


def test_the_side_that_opens_alternates_or_is_drawn() -> None:
    alternating, drawn = (
        [(env.env_start(), stats(env)["colour"])[1] for _ in range(40)]
        for env in (environment(first=first, size=4) for first in ("alternate", "random"))
    )
    assert alternating == ["black", "white"] * 20
    assert 8 < drawn.count("black") < 32


def test_random_openings_vary_and_leave_a_move() -> None:
    env = environment(random_opening=6, size=6)
    discs = set()
    for _ in range(60):
        seen = env.env_start()
        assert legal_of(seen) != [-1]
        discs.add(sum(board_of(seen).counts()))
    assert {4, 6, 8, 10} <= discs <= {4, 5, 6, 7, 8, 9, 10, 11}


def test_an_episode_that_the_opponents_first_move_ends_is_over_with_the_agents_pass() -> None:
    env = environment(random_opening=12, size=4)
    found = 0
    for _ in range(200):
        seen = env.env_start()
        if board_of(seen).is_over:
            found += 1
            result = env.env_step(action_of(-1))
            own, opponent = board_of(seen).counts()
            assert result.terminal
            assert result.r == (1.0 if own > opponent else -1.0 if own < opponent else -0.5)
    assert 0 < found < 20, "an opening that itself ends the game is drawn again"


def test_a_forced_pass_of_the_agent_is_a_step_of_its_own() -> None:
    env = environment(size=4, opponent="random", seed=3)
    passes = 0
    for _ in range(60):
        seen, terminal = env.env_start(), False
        while not terminal:
            legal = legal_of(seen)
            passes += legal == [-1]
            result = env.env_step(action_of(legal[0]))
            seen, terminal = result.o, bool(result.terminal)
    assert passes > 5
    assert stats(env)["illegal_total"] == 0


@pytest.mark.parametrize(("opponent", "reward"), [("random", -3.0), ("self", -1.0)])
def test_illegal_actions_are_counted(opponent: str, reward: float, caplog: pytest.LogCaptureFixture) -> None:
    env = environment(opponent=opponent, reward="1,-0.5,-3")
    seen = env.env_start()
    result = env.env_step(action_of(0))
    assert (result.r, result.terminal) == (reward, True)
    assert board_of(result.o) == board_of(seen)
    assert "illegal action [0]" in caplog.text
    assert stats(env)["illegal"] == 1
    env.env_start()
    assert (stats(env)["illegal"], stats(env)["illegal_total"]) == (0, 1)
    caplog.clear()
    env.env_step(action_of(*[7] * 100_000))
    assert 0 < len(caplog.text) < 1000


@pytest.mark.parametrize("opponent", ["random", "self"])
def test_an_illegal_action_may_be_ignored(opponent: str, caplog: pytest.LogCaptureFixture) -> None:
    env = environment(size=4, opponent=opponent, illegal_action="ignored")
    seen = env.env_start()
    for ints in ((0,), (-1,), (99,), ()):
        result = env.env_step(action_of(*ints))
        assert (result.r, result.terminal) == (0.0, False)
        assert board_of(result.o) == board_of(seen)
    assert caplog.text.count("it is ignored, like all others of this game") == 1
    legal = legal_of(seen)[0]
    assert board_of(env.env_step(action_of(legal)).o) != board_of(seen)
    assert (stats(env)["illegal"], stats(env)["illegal_total"]) == (4, 4)


def test_nothing_but_illegal_actions_loses_in_the_end(caplog: pytest.LogCaptureFixture) -> None:
    env = environment(size=4, opponent="random", illegal_action="ignored")
    legal = legal_of(env.env_start())[0]
    results = [env.env_step(action_of(0)) for _ in range(MOST_IGNORED - 1)]
    assert not any(result.terminal for result in results)
    seen = env.env_step(action_of(legal)).o
    results = [env.env_step(action_of(-2)) for _ in range(MOST_IGNORED)]
    assert [(r.r, r.terminal) for r in results[-2:]] == [(0.0, False), (-1.0, True)]
    assert board_of(results[-1].o) == board_of(seen)
    assert caplog.text.count("the game is lost") == 1


def test_a_step_before_the_first_start_is_refused() -> None:
    with pytest.raises(NotStartedError, match="before the first env_start"):
        environment().env_step(action_of(19))


def test_rewards_follow_the_options() -> None:
    env = environment(size=4, opponent="random", reward="5,2,1")
    seen = set()
    for _ in range(100):
        reward, final = play_first_legal(env)
        own, opponent = board_of(final).counts()
        assert reward == (5.0 if own > opponent else 1.0 if own < opponent else 2.0)
        seen.add(reward)
    assert seen == {1.0, 2.0, 5.0}


@pytest.mark.parametrize("values", [{"first": "alternate"}, {"opponent": "self"}], ids=str)
def test_the_reward_may_be_in_discs(values: dict[str, str]) -> None:
    env = environment(size=4, reward="discs", **{"opponent": "random", **values})
    assert env.env_init().endswith(
        "REWARDS (-16.0 16.0) EXTRA othello size=4 "
        "planes=own,opponent,legal,opponent_legal win=16.0 draw=0.0 loss=-16.0 reward=discs"
    )
    seen = set()
    for _ in range(100):
        reward, final = play_first_legal(env)
        own, opponent = board_of(final).counts()
        assert reward == own - opponent
        seen.add(reward)
    assert len(seen) > 5 or values == {"opponent": "self"}
    env.env_start()
    assert env.env_step(action_of(-2)).r == -16, "who gives up has lost all discs"


def test_an_episode_depends_on_seed_and_index_alone() -> None:
    def transcript(env: OthelloEnvironment, *messages: str) -> str:
        for message in messages:
            env.env_message(message)
        play_first_legal(env)
        return env.env_message("transcript")

    env = environment(seed=5)
    games = [transcript(env) for _ in range(6)]
    assert transcript(environment(seed=5), "episode 4") == games[4]
    assert transcript(environment(seed=9), "seed 5", "episode 4") == games[4]
    assert len(set(games)) > 3


def test_no_global_random_state_is_used() -> None:
    before = np.random.get_state()  # noqa: NPY002  the state that must not change
    play_first_legal(environment(random_opening=4, first="random"))
    after = np.random.get_state()  # noqa: NPY002  the same
    assert str(before) == str(after)


@pytest.mark.parametrize("first", ["agent", "opponent"])
def test_a_start_from_moves_gets_no_random_opening(first: str) -> None:
    env = environment(first=first, random_opening=20)
    assert env.env_message("start d3c5f6f5").startswith("message understood")
    wanted = Game.from_transcript("d3c5f6f5").board
    for _ in range(5):
        seen = board_of(env.env_start())
        assert seen == wanted if first == "agent" else sum(seen.counts()) == 9
        assert env.env_message("transcript").startswith("d3c5f6f5")
    for text in ("standard", "Start", " "):
        env.env_message(f"start {text}")
        assert max(sum(board_of(env.env_start()).counts()) for _ in range(9)) > 9


def test_start_from_a_position_with_white_to_move() -> None:
    env = environment(first="opponent", size=6)
    board = Board.start(6).play(8)
    assert env.env_message(f"start {board}").startswith("message understood")
    seen = board_of(env.env_start())
    assert (seen.black, seen.white) == (board.white, board.black)
    assert board.turn is Colour.WHITE


@pytest.mark.parametrize(
    "values",
    [
        {"first": "white"},
        {"illegal_action": "forgiven"},
        {"reward": "money"},
        {"random_opening": -1},
        {"reward": "1,1,-1"},
        {"size": 7},
        {"opponent": "x"},
    ],
)
def test_wrong_values_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"expected|must|even|no player"):
        environment(**values)


@pytest.mark.parametrize("seed", range(8))
def test_in_self_play_every_ply_is_asked_for_and_seen_by_the_side_to_move(seed: int) -> None:
    env, rng = environment(size=4, opponent="self"), np.random.default_rng(seed)
    seen, plies, reward = env.env_start(), 0, 0.0
    while not env.over:
        board = env.game.board
        own, _, legal, _ = np.reshape(seen.intArray, (4, 16))
        assert np.flatnonzero(legal).tolist() == sorted(board.legal_moves)
        assert int(own.sum()) == board.own.bit_count()
        move = int(rng.choice(sorted(board.legal_moves))) if board.legal_moves else PASS
        step = env.env_step(action_of(move))
        seen, reward, plies = step.o, step.r, plies + 1
        assert step.terminal or not reward
    assert plies == len(env.game.moves)
    own, opponent, _, _ = np.reshape(seen.intArray, (4, 16))
    lead = int(own.sum()) - int(opponent.sum())
    assert reward == np.sign(lead), "the reward is that of the side that has just moved"


def test_self_play_can_be_left_and_begun_by_messages() -> None:
    env = environment(size=4, opponent="self")
    assert " draw=0.0 " in env.env_init(), "worth the same to both"
    assert env.env_message("opponent corner-greedy").startswith("message understood")
    env.env_start()
    env.env_step(action_of(min(env.game.board.legal_moves)))
    assert len(env.game.moves) >= 2, "the opponent has answered"
    assert env.env_message("opponent self").startswith("message understood")
    assert stats(env)["opponent"] == "self"
    stranger = environment(size=4, allow_opponent=("self",))
    assert "start the environment with --opponent self" in stranger.env_message("opponent self")
