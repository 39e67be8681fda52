import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays
from othello_lab.agent.learner import Seeds
from othello_lab.agent.make import make_agent
from othello_lab.agent.tabular.learner import State, TabularLearner
from othello_lab.agent.tabular.method import TabularConfig
from othello_lab.agent.task import TaskError
from othello_lab.commands.cli import cli
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import PASS, Board, Colour, Game, observation, symmetry
from othello_lab.game.batch import Positions
from othello_lab.game.catalogue import make, make_evaluator
from othello_lab.game.registry import RegistryError
from tests.agent.parts import frame, freeze, play, seated, transition, trio, won


def state_of(learner: TabularLearner, board: Board) -> State:
    planes = observation.encode(board, board.turn).astype(np.uint8).reshape(1, 4, 16)
    return learner.table.find(planes)[0]


def values(learner: TabularLearner, board: Board) -> list[float]:
    computed: list[float] = learner.table.values(state_of(learner, board)).tolist()
    return computed


START = Board.start(4)
FIRST, SECOND, THIRD, FOURTH = START.legal_moves
AFTER = START.play(FIRST)
REPLY, OTHER, LAST = AFTER.legal_moves


def learner(config: TabularConfig) -> TabularLearner:
    return TabularLearner(config, 4, Seeds(*np.random.SeedSequence(0).spawn(2)))


ONLINE = TabularConfig(learning_rate=0.5, backward=False, symmetries=False)


def test_a_value_moves_towards_reward_and_the_best_reply() -> None:
    learned = learner(ONLINE)
    learned.take(transition(AFTER, REPLY, -1.0, 0.0, None))  # the end
    assert values(learned, AFTER) == [-0.5, 0, 0]
    learned.take(transition(AFTER, REPLY, -1.0, 0.0, None))
    assert values(learned, AFTER) == [-0.75, 0, 0]
    learned.take(transition(AFTER, OTHER, 0.5, 0.0, None))
    assert values(learned, AFTER) == [-0.75, 0.25, 0]
    # The other side decides next, and takes its best move: 0 + (-1 * 0.25 - 0) / 2.
    learned.take(transition(START, FIRST, 0.0, -1.0, AFTER))
    # After a pass, the same side decides next: a discount of 0.8, and a reward of 0.1 on the way.
    learned.take(transition(START, SECOND, 0.1, 0.8, AFTER))
    assert values(learned, START) == pytest.approx([-0.125, 0.5 * (0.1 + 0.8 * 0.25), 0, 0])


def test_the_best_reply_is_a_legal_one() -> None:
    learned = learner(ONLINE)
    for move in (REPLY, OTHER, LAST):
        learned.take(transition(AFTER, move, -1.0, 0.0, None))
    # All three legal moves lose. Illegal squares have the value 0.
    learned.take(transition(START, FIRST, 0.0, -1.0, AFTER))
    assert values(learned, START) == [0.25, 0, 0, 0]


def test_without_a_learning_rate_a_value_is_the_mean_of_its_targets() -> None:
    learned = learner(TabularConfig(learning_rate=None, backward=False))
    for target in (1.0, -1.0, 0.25, 0.5):
        learned.take(transition(AFTER, REPLY, target, 0.0, None))
    assert max(values(learned, AFTER), key=abs) == pytest.approx(0.75 / 4)
    assert learned.numbers["updates"] == 4


def test_backward_the_result_reaches_the_first_move_at_once() -> None:
    game = [transition(START, FIRST, 0.0, -1.0, AFTER), transition(AFTER, REPLY, 1.0, 0.0, None)]
    for backward, first in ((True, -1.0), (False, 0.0)):
        learned = learner(TabularConfig(learning_rate=1.0, backward=backward, symmetries=False))
        for one in game:
            learned.take(one)
        assert (values(learned, START)[0], values(learned, AFTER)[0]) == (first, 1.0)


def test_a_game_that_was_cut_off_teaches_nothing_backward() -> None:
    learned = learner(TabularConfig())
    learned.take(transition(START, FIRST, 0.0, -1.0, AFTER))
    learned.begin(best=False)
    learned.take(transition(AFTER, REPLY, 1.0, 0.0, None))
    assert learned.numbers["updates"] == 1


def by_hand(transcripts: list[str], rate: float, gamma: float) -> dict[tuple[Board, int], float]:
    """Return the value of each played move, from Q-learning backward through the games."""
    computed: dict[tuple[Board, int], float] = defaultdict(float)
    for text in transcripts:
        game = Game.from_transcript(text, 4)
        decisions = [
            (board, move) for board, move in zip(game.boards, game.moves, strict=False) if move != PASS
        ]
        target = {Colour.BLACK: 1.0, Colour.WHITE: -1.0, None: 0.0}[game.board.outcome().winner]  # type: ignore[union-attr]  # it is over
        for board, move in reversed(decisions):
            black = 1 if board.turn is Colour.BLACK else -1
            computed[board, move] += rate * (black * target - computed[board, move])
            target = black * gamma * max(computed[board, other] for other in board.legal_moves)
    return computed


def test_a_move_is_as_well_known_as_the_least_known_way_on() -> None:
    learned = learner(ONLINE)

    def known(board: Board) -> list[int]:
        return learned.table.least(state_of(learned, board)).tolist()  # type: ignore[no-any-return]  # ints

    for move in (REPLY, REPLY, OTHER):
        learned.take(transition(AFTER, move, 1.0, 0.0, None))
    learned.take(transition(START, FIRST, 0.0, -1.0, AFTER))
    assert (known(AFTER), known(START)) == ([2, 1, 0], [0, 0, 0, 0])  # LAST was never tried
    learned.take(transition(AFTER, LAST, 1.0, 0.0, None))
    learned.take(transition(START, FIRST, 0.0, -1.0, AFTER))
    assert (known(AFTER), known(START)) == ([2, 1, 1], [1, 0, 0, 0])
    learned.begin(best=False)
    rng, legal = np.random.default_rng(0), np.array(list(AFTER.legal_moves))
    assert {learned.choose(frame(AFTER)[None], legal, rng) for _ in range(20)} == {OTHER, LAST}


def test_many_games_teach_what_a_dictionary_learns_from_their_transcripts() -> None:
    glue, agent = trio("tabular", opponent="self", learning_rate="0.3", gamma="0.9", symmetries="false")
    transcripts = play(glue, 100)
    assert any(PASS in Game.from_transcript(text, 4).moves for text in transcripts)
    wanted = by_hand(transcripts, 0.3, 0.9)
    for board in {board for board, _ in wanted}:
        assert values(agent.learner, board) == [
            pytest.approx(wanted[board, move], abs=1e-12) for move in board.legal_moves
        ]
    assert agent.learner.numbers["states"] == len({(board.own, board.opponent) for board, _ in wanted})


def test_what_is_learned_of_a_position_is_known_of_its_reflections() -> None:
    learned = learner(TabularConfig(learning_rate=1.0))
    learned.take(transition(AFTER, REPLY, 0.5, 0.0, None))
    for k in range(8):
        board, target = symmetry.transform(AFTER, k), symmetry.permutations(4)[k][REPLY]
        assert values(learned, board) == [0.5 if move == target else 0 for move in board.legal_moves]
    assert learned.numbers["states"] == 1
    apart = learner(TabularConfig(learning_rate=1.0, symmetries=False))
    apart.take(transition(AFTER, REPLY, 0.5, 0.0, None))
    assert sum(any(values(apart, symmetry.transform(AFTER, k))) for k in range(8)) == 1


@pytest.mark.slow
def test_self_play_teaches_it_to_win(tmp_path: Path) -> None:
    glue, agent = trio("tabular", tmp_path, opponent="self")
    play(glue, 300)
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", first="alternate"))
    seat = seated(make_agent(f"trained:{agent.save_policy('table')}"), environment)
    assert won(seat, 200) > 0.65, "without learning it wins half"


@pytest.mark.parametrize("explore", ["least-known", "random"])
def test_epsilon_is_the_share_of_moves_that_explore(explore: str) -> None:
    glue, agent = trio("tabular", opponent="self", explore=explore, epsilon="0")
    games = set(play(glue, 20))
    assert len(games) < 12, "it goes on with what did well"
    assert json.loads(agent.agent_message("stats"))["epsilon"] == 0
    glue, agent = trio("tabular", opponent="self", explore=explore)
    assert len(set(play(glue, 20))) > 12
    assert json.loads(agent.agent_message("stats"))["epsilon"] == 1
    freeze(glue)
    assert len(set(play(glue, 20))) == 1
    assert json.loads(agent.agent_message("stats"))["epsilon"] == 0


def test_it_plays_and_learns_on_with_a_policy(tmp_path: Path) -> None:
    glue, agent = trio("tabular", tmp_path, opponent="self")
    play(glue, 50)
    agent.save_policy("table")
    again, other = trio("tabular", tmp_path, seed=2, opponent="self")
    assert again.RL_agent_message("load_policy table").startswith("message understood")
    assert other.learner.numbers["moves"] == agent.learner.numbers["moves"]
    play(again, 5)
    assert other.learner.numbers["updates"] > 0
    apart, _ = trio("tabular", tmp_path, opponent="self", symmetries="false")
    assert "holds another policy: symmetries=True, here False" in apart.RL_agent_message("load_policy table")


def test_a_position_is_worth_its_best_move_also_for_who_must_pass(tmp_path: Path) -> None:
    glue, agent = trio("tabular", tmp_path, opponent="self")
    transcripts = play(glue, 100)
    text = f"trained:{agent.save_policy('table')}"
    boards = [board for transcript in transcripts for board in Game.from_transcript(transcript, 4).boards]
    evaluator = make_evaluator(text, 4)
    computed = evaluator.values(Positions.of(boards))
    for board, value in zip(boards, computed, strict=True):
        if board.must_pass:
            (after,) = evaluator.values(Positions.of([board.play(PASS)]))
            assert value == -after
        elif board.is_over:
            assert value == 0
        else:
            assert value == max(values(agent.learner, board))
    assert any(board.must_pass for board in boards)
    assert make(f"search:depth=2,eval={text}", 4).choose(Game(Board.start(4)), np.random.default_rng(0)) >= 0


@pytest.mark.slow
def test_boards_larger_than_4x4_are_refused() -> None:
    with pytest.raises(TaskError, match=r"boards up to 4x4, not 6x6: use --size 4"):
        make_agent("tabular", size=6)
    agent = make_agent("tabular")
    with pytest.raises(TaskError, match="boards up to 4x4, not 8x8"):
        agent.agent_init(OthelloEnvironment(EnvironmentConfig()).env_init())
    for line, blamed in (("run --agent tabular", "--agent"), ("agent tabular --size 8", "AGENT")):
        result = CliRunner().invoke(cli, line.split())
        assert result.exit_code == 2
        assert f"{blamed}: this agent is for boards up to 4x4, not 8x8: use --size 4" in result.output


def reverse(arrays: Arrays) -> None:
    arrays.update({name: array[::-1] for name, array in arrays.items()})


def repeat(arrays: Arrays) -> None:
    arrays["keys"][1] = arrays["keys"][0]


def overflow(arrays: Arrays) -> None:
    arrays["tries"][0, 0] = 2**32 - 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (overflow, "tries of a move"),
        (reverse, "states that are not in ascending order"),
        (repeat, "states that are not in ascending order"),
        (lambda arrays: arrays.pop("tries"), "lacks array 'tries'"),
        (lambda arrays: arrays.update(keys=arrays["keys"].astype(np.int64)), "has another array 'keys'"),
        (lambda arrays: arrays.update(values=arrays["values"][:, :9]), "has another array 'values'"),
    ],
)
def test_a_forged_table_changes_nothing(tmp_path: Path, change: Callable[[Arrays], object], why: str) -> None:
    glue, agent = trio("tabular", tmp_path, opponent="self")
    play(glue, 5)
    path = agent.save("good")
    stored = checkpoint.load(path)
    change(stored.arrays)
    checkpoint.save(tmp_path / "forged.safetensors", "tabular", stored.arrays, stored.values)
    for message in ("load forged", "load_policy forged"):
        assert why in agent.agent_message(message)
    with pytest.raises(RegistryError, match=why):
        make(f"trained:{tmp_path / 'forged.safetensors'}", 4)
    assert agent.save("after").read_bytes() == path.read_bytes()


def test_a_checkpoint_is_for_4x4_alone(tmp_path: Path) -> None:
    glue, agent = trio("tabular", tmp_path, opponent="self")
    play(glue, 5)
    stored = checkpoint.load(agent.save("four"))
    checkpoint.save(tmp_path / "six.safetensors", "tabular", stored.arrays, {**stored.values, "size": 6})
    with pytest.raises(RegistryError, match="is for 6x6 boards, a table for 4x4 alone"):
        make(f"trained:{tmp_path / 'six.safetensors'}", 6)
