from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from othello_lab.agent import checkpoint
from othello_lab.agent.learner import Seeds
from othello_lab.agent.mcq.learner import MCQLearner, Samples, batches, boards_of, returns
from othello_lab.agent.mcq.method import MCQConfig
from othello_lab.agent.memory.recorder import Transition, pack
from othello_lab.agent.selfplay.games import Decisions, GameBatch, one_game
from othello_lab.game import PASS, Board, Colour, Game, observation, symmetry
from othello_lab.game.batch import Positions
from othello_lab.game.search.textbook import children
from tests.agent.learners import MCQ
from tests.agent.parts import decisions as decisions_of
from tests.agent.parts import freeze, play, transition, transitions, trio, won
from tests.game.sampling import random_games

# Black and white have 6 discs each. The moves are black a1, a pass of white, black d3 and white d4.
# The scores after the moves are 9 to 4, 12 to 2, and 10 to 5. Then the game is over with one empty square.
BEFORE = "-XX-OOOOOXO-XXX- X"
PLAYED = [0, PASS, 11, 15]


def weigh(win: float, score: float, gamma: float) -> MCQConfig:
    return MCQConfig(win_weight=win, score_weight=score, gamma=gamma)


def ending() -> list[Board]:
    boards = [Board.parse(BEFORE)]
    for move in PLAYED:
        boards.append(boards[-1].play(move))
    assert [board.counts() for board in boards] == [(6, 6), (9, 4), (9, 4), (12, 2), (10, 5)]
    return boards


def decisions(
    boards: Sequence[Board], moves: Sequence[int], discount: Sequence[int], result: int, score: int
) -> Decisions:
    """Return one game. `result` and `score` are for the side that decides first."""
    views = np.cumprod([1, *discount[:-1]])
    following = np.append(np.arange(1, len(boards)), -1)
    return Decisions(
        Positions.of(boards),
        np.array(moves),
        following,
        np.array(discount, np.int8),
        (result * views).astype(np.int8),
        (score * views).astype(np.int16),
    )


def both_sides() -> Decisions:
    boards = ending()
    return decisions([boards[0], boards[2], boards[3]], [0, 11, 15], [1, -1, 0], result=1, score=6)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (weigh(1, 0, 1), [1, 1, -1]),
        # Two turns are between the first and the last decision, because the pass does not count.
        (weigh(1, 0, 0.5), [0.25, 0.5, -1]),
        (weigh(0, 1, 1), [6 / 16, 6 / 16, -6 / 16]),
        (weigh(0, 1, 0.5), [1.5 / 16, 3 / 16, -6 / 16]),
        # Every move turns the lead by 5. Without a discount, the return is the last lead minus this lead.
        (weigh(0, 0, 1), [5 / 16, 0, 5 / 16]),
        (weigh(0, 0, 0.5), [(5 + 0.5 * (5 - 0.5 * 5)) / 16, (5 - 0.5 * 5) / 16, 5 / 16]),
        (weigh(0, 0, 0), [5 / 16, 5 / 16, 5 / 16]),
        (weigh(0.5, 0.3, 0), [0.2 * 5 / 16, 0.2 * 5 / 16, -0.5 - 0.3 * 6 / 16 + 0.2 * 5 / 16]),
    ],
)
def test_the_returns_of_a_short_game_with_a_pass(config: MCQConfig, expected: list[float]) -> None:
    assert returns(both_sides(), config) == pytest.approx(expected)


def test_what_an_opponent_changes_that_nobody_asked_is_discounted_once_and_its_turn_too() -> None:
    """Black a2 in 4x4: 4 to 1. White a1: 3 to 3. Black decides again, takes b1 and turns one disc: 5 to 2."""
    start = Board.start(4)
    middle = start.play(4).play(0)
    assert (middle.counts(), middle.play(1).counts()) == ((3, 3), (5, 2))
    played = decisions([start, middle], [4, 1], [1, 0], result=1, score=12)
    gamma = 0.5
    immediate = MCQConfig(win_weight=0, score_weight=0, gamma=gamma)
    assert returns(played, immediate) == pytest.approx([(3 - gamma * 3 + gamma**2 * 3) / 16, 3 / 16])
    who_won = MCQConfig(gamma=gamma, win_weight=1)
    assert returns(played, who_won) == pytest.approx([gamma**2, 1])


def by_definition(game: Game, config: MCQConfig) -> list[float]:
    """Return the return of each decision, summed forwards over all later turns."""
    return [_sum_from(game, t, config) for t, move in enumerate(game.moves) if move != PASS]


def _sum_from(game: Game, first: int, config: MCQConfig) -> float:
    view, squares = game.boards[first].turn, game.size**2
    total, powers = 0.0, 0
    for t in range(first, len(game.moves)):
        if game.moves[t] != PASS:
            changed = _lead(game.boards[t + 1], view) - _lead(game.boards[t], view)
            total += config.gamma**powers * config.immediate_weight * changed / squares
            powers += 1
    lead = _lead(game.board, view)
    empty = squares - sum(game.board.counts())
    won = int(np.sign(lead))
    end = config.win_weight * won + config.score_weight * (lead + won * empty) / squares
    return total + config.gamma ** (powers - 1) * end


def _result(game: Game) -> float:
    return float(np.sign(_lead(game.board, decisions_of(game)[-1][0].turn)))


def _lead(board: Board, view: Colour) -> int:
    black, white = board.counts()
    return black - white if view is Colour.BLACK else white - black


@pytest.mark.parametrize("size", [4, 6])
def test_games_of_selfplay_over_the_wire_have_the_returns_of_the_definition(size: int) -> None:
    config = MCQConfig(gamma=0.8, win_weight=0.3, score_weight=0.5)
    for game in random_games(size, 60):
        computed = one_game(transitions(game, _result(game)), size, draw=0)
        assert returns(computed, config) == pytest.approx(by_definition(game, config))


def test_games_that_lie_between_each_other_are_told_apart() -> None:
    """The turns of the games are interleaved, as in batched self-play."""
    a, b = both_sides(), both_sides()
    order = np.array([0, 3, 1, 4, 2, 5])
    place = np.argsort(order)
    following = np.append(a.next_index, np.where(b.next_index < 0, -1, b.next_index + 3))[order]
    together = Decisions(
        Positions.of([a.positions.board(i % 3) for i in order]),
        np.append(a.moves, b.moves)[order],
        np.where(following < 0, -1, place[following]),
        np.append(a.discount, b.discount)[order],
        np.append(a.results, 0 * b.results)[order].astype(np.int8),
        np.append(a.scores, 0 * b.scores)[order].astype(np.int16),
    )
    computed = returns(together, MCQConfig(gamma=0.5, win_weight=1))
    assert computed == pytest.approx([0.25, 0, 0.5, 0, -1, 0])


def against_an_opponent(reward: float, draw: float) -> Decisions:
    """Return black's two decisions of the short game. White's last move is forced."""
    boards = ending()
    frames = [pack(observation.encode(board, Colour.BLACK)) for board in (boards[0], boards[2])]
    steps = [Transition(frames[0], 0, 0.0, 1.0, frames[1]), Transition(frames[1], 11, reward, 0.0, None)]
    return one_game(steps, 4, draw)


def test_the_end_of_a_game_that_is_not_seen_is_played_out_where_there_is_one_way() -> None:
    game = against_an_opponent(reward=1, draw=-0.5)
    assert (game.results.tolist(), game.scores.tolist()) == ([1, 1], [6, 6])
    assert returns(game, weigh(0, 0, 1)) == pytest.approx([10 / 16, 5 / 16]), (
        "white's last change was not seen"
    )


@pytest.mark.parametrize(("reward", "result"), [(1, 1), (-0.5, 0), (-1, -1)])
def test_who_won_is_what_the_reward_says(reward: float, result: int) -> None:
    """The reward decides even if the known discs differ, and the reward of a draw need not be 0."""
    game = against_an_opponent(reward, draw=-0.5)
    assert game.results.tolist() == [result] * 2
    assert np.sign(game.scores).tolist() == [result] * 2
    assert returns(game, weigh(1, 0, 1)) == pytest.approx([result] * 2)


def learner(size: int = 4, seed: int = 0, **options: object) -> MCQLearner:
    draws, weights = np.random.SeedSequence(seed).spawn(2)
    return MCQLearner(MCQConfig(**options), size, Seeds(draws, weights))  # type: ignore[arg-type]  # as written


def plain(of: MCQLearner) -> nn.Sequential:
    """Return the same network as plain layers, from the board and the one-hot move to one tanh output."""
    weights = [weight.detach().clone() for weight in of.network.parameters()]
    layers: list[nn.Module] = []
    for matrix, bias in zip(weights[::2], weights[1::2], strict=True):
        layer = nn.Linear(matrix.shape[1], matrix.shape[0])
        layer.weight.data, layer.bias.data = matrix, bias
        layers += [layer, nn.ReLU()]
    return nn.Sequential(*layers[:-1], nn.Tanh())


def inputs(boards: NDArray[np.int8], moves: NDArray[np.int64]) -> torch.Tensor:
    return torch.from_numpy(np.hstack([boards, np.eye(boards.shape[1])[moves]])).float()


def random_samples(n: int, squares: int = 16) -> Samples:
    rng = np.random.default_rng(n)
    boards = rng.integers(-1, 2, (n, squares)).astype(np.int8)
    return Samples(boards, rng.integers(squares, size=n), rng.uniform(-1, 1, n).astype(np.float32))


@pytest.mark.parametrize("network", ["net", "simple"])
def test_updates_are_those_of_adam_on_the_squared_error(network: str) -> None:
    tested = learner(network=network, learning_rate=0.01)
    units = {"net": [32, 256, 384, 256, 1], "simple": [32, 192, 256, 1]}[network]
    reference = plain(tested)
    assert [layer.in_features for layer in reference if isinstance(layer, nn.Linear)] == units[:-1]
    adam = torch.optim.Adam(reference.parameters(), lr=0.01)
    for n in (7, 12, 9):
        batch = random_samples(n)
        values = reference(inputs(batch.boards, batch.moves))[:, 0]
        loss = ((values - torch.from_numpy(batch.targets)) ** 2).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        assert tested.learn_batch(batch) == pytest.approx(float(loss.detach()), rel=1e-4)
    for mine, theirs in zip(tested.network.parameters(), reference.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-3, atol=1e-4)


LAST = Board.parse("-OX-XXXXXXXXXXXX X")


def one_game_played() -> GameBatch:
    return GameBatch(
        Positions.of([LAST]),
        moves=np.array([0]),
        values=np.zeros(1),
        on_policy=np.ones(1, np.bool_),
        next_index=np.array([-1]),
        discount=np.zeros(1, np.int8),
        results=np.ones(1, np.int8),
        scores=np.array([16], np.int16),
    )


def test_all_moves_of_many_positions_have_the_values_of_each_alone() -> None:
    tested = learner(6)
    boards = [board for game in random_games(6, 40) for board in game.boards if board.legal_moves]
    positions = Positions.of(boards)
    values = tested.move_values(positions)
    network, expected = plain(tested), []
    for board in boards:
        moves = np.array([*board.legal_moves])
        encoded = boards_of(Positions.of([board])).repeat(len(moves), axis=0)
        expected.append(network(inputs(encoded, moves))[:, 0].detach().numpy())
    assert len(values) == len(children(positions))
    np.testing.assert_allclose(values, np.concatenate(expected), atol=1e-5)


def test_a_sample_and_its_variants_are_one_game_seen_from_eight_sides() -> None:
    for board in random_games(6, 1)[0].boards[:20]:
        move = max(board.legal_moves)
        one = Samples(boards_of(Positions.of([board])), np.array([move]), np.ones(1, np.float32))
        for k in range(symmetry.SYMMETRIES):
            other = symmetry.transform(board, k)
            variant = one.transformed(np.array([0]), np.array([k]), 6)
            np.testing.assert_array_equal(variant.boards, boards_of(Positions.of([other])))
            assert other.play(variant.moves[0]) == symmetry.transform(board.play(move), k)


def symmetries_of(symmetries: str, seed: int) -> list[tuple[int, int]]:
    squares = symmetry.permutations(6)[:, 1]
    samples = Samples(np.eye(36, dtype=np.int8)[[1, 1]], np.array([1, 1]), np.array([0, 1], np.float32))
    config, pairs = MCQConfig(symmetries=symmetries, batch=3), []  # type: ignore[arg-type]
    for batch in batches(samples, 6, config, np.random.default_rng(seed)):
        assert len(batch.moves) <= 3
        assert batch.boards[np.arange(len(batch.moves)), batch.moves].all(), "disc and move turn together"
        pairs += [(int(t), [*squares].index(m)) for t, m in zip(batch.targets, batch.moves, strict=True)]
    return pairs


def test_both_symmetry_modes() -> None:
    everything = sorted((sample, k) for sample in range(2) for k in range(8))
    assert sorted(symmetries_of("all", 0)) == everything
    assert symmetries_of("all", 0) != symmetries_of("all", 1), "in an order drawn anew"
    drawn = [symmetries_of("one", seed) for seed in range(60)]
    assert all(sorted(sample for sample, _ in once) == [0, 1] for once in drawn)
    assert sorted({pair for once in drawn for pair in once}) == everything


def test_it_learns_the_same_from_games_played_at_once_as_from_the_wire() -> None:
    at_once, wire = learner(games=1), learner(games=1)
    at_once.learn(one_game_played())
    wire.learn_from(one_game([transition(LAST, 0, 1.0, 0.0, None)], 4, draw=0.0))
    assert at_once.numbers == wire.numbers
    assert at_once.numbers["return_mean"] == at_once.numbers["updates"] == 1
    for name, array in at_once.state()[0].items():
        np.testing.assert_array_equal(array, wire.state()[0][name])


def test_a_game_that_was_cut_off_is_not_learned_from() -> None:
    glue, agent = trio(MCQ, opponent="self", games="100")
    glue.RL_episode(3)
    play(glue, 1)
    samples = agent.learner.decisions
    assert np.abs(samples.boards[0]).sum() == 4, "the first decision is that of a start"
    assert len(samples.moves) <= 12, "those of one game"


@pytest.mark.slow
def test_it_learns_to_win() -> None:
    glue, _ = trio(MCQ, learning_rate="0.003", batch="16", symmetries="one")
    play(glue, 250)
    freeze(glue)
    glue.RL_env_message("episode 5000")
    assert won(glue, 100) > 0.45, "a random mover wins 35 %"


def test_decisions_off_the_board_are_refused(tmp_path: Path) -> None:
    glue, agent = trio(MCQ, tmp_path, opponent="self")
    play(glue, 3)
    stored = checkpoint.load(agent.save("one"))
    arrays = {key: array.copy() for key, array in stored.arrays.items()}
    arrays["waiting.moves"][0] = 16
    checkpoint.save(stored.path, "mcq", arrays, stored.values)
    assert "holds decisions with squares that are not on the board" in glue.RL_agent_message("load one")
