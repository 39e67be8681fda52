"""Games, memory and learning on a device."""

import copy

import pytest
import torch
from torch import Tensor

from othello_lab.agent.device.games import Games
from othello_lab.agent.device.learning import Judge, Learning
from othello_lab.agent.device.luck import Luck, Randomness
from othello_lab.agent.device.pool import Pool
from othello_lab.agent.device.ring import Batch, Ring
from othello_lab.agent.device.rules import Played, Positions, Rules
from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.q_learning import QLearning
from othello_lab.agent.selfplay.play import SELF
from othello_lab.agent.selfplay.pool import read_shares
from othello_lab.game import Board, Colour, symmetry

CPU = torch.device("cpu")
TINY = DQNConfig(hidden=(16,), batch=32, warm_up=0, replay=800, n_step=2, gamma=1.0, average_rate=0.01)
POOL = "random=0.1,corner-greedy=0.1,positional=0.2,random-weights=0.1,past=0.1"


def stream(opponents: str = POOL) -> tuple[Games, Ring, Pool]:
    """Forty games, their memory and their pool, on the CPU, with an untrained network."""
    rules, random, games = Rules(4), Randomness(3, CPU), 40
    ring = Ring(300, games, 1.0, 1, CPU)
    q = QLearning(TINY, 4, 1)
    past = [Judge(rules, copy.deepcopy(q.online))]
    pool = Pool(read_shares(opponents), rules, games, past)
    made = Games(rules, random, Judge(rules, q.online), pool, ring, games, 2, 3)
    made.epsilon.fill_(0.3)
    return made, ring, pool


def ply(games: Games) -> None:
    games.judge()
    games.oppose()
    games.play()


def board(words: Tensor, size: int = 4) -> Board:
    return Board(size, int(words[0]), int(words[1]), Colour.BLACK)


def test_what_is_remembered_are_games_by_the_rules() -> None:
    games, ring, _ = stream()
    games.spread()
    for _ in range(100):
        ply(games)
    batch = ring.sample(600, Randomness(1, CPU))
    ended = 0
    for words, square, reward, discount, following in zip(*batch, strict=True):
        before = board(words)
        assert int(words[2]) == before.legal_moves.bits
        after = before.play(int(square))
        outcome = after.outcome()
        if outcome is not None:
            ended += 1
            winner = {Colour.BLACK: 1, Colour.WHITE: -1, None: 0}[outcome.winner]
            assert (float(reward), float(discount)) == (winner, 0)
            continue
        if after.must_pass:
            after = after.play(-1)
        own, opponent = after.own, after.opponent
        assert (int(following[0]), int(following[1])) == (own, opponent)
        assert (float(reward), float(discount)) == (0, 1 if after.turn is Colour.BLACK else -1)
    assert 600 / 16 < ended < 600 / 8, "a game of 4x4 has about eleven discs to place"


def test_games_begin_anew_and_count_their_results() -> None:
    games, _, pool = stream()
    games.spread()
    for _ in range(120):
        ply(games)
    ended: dict[str, int] = {}
    for (name, _), three in games.take_results().items():
        ended[name] = ended.get(name, 0) + sum(three)
    seats = {seat.name: seat.last - seat.first for seat in pool.seats} | {SELF: 40 - pool.opposed}
    per_game = {name: ended[name] / own for name, own in seats.items()}
    assert all(9 < each < 14 for each in per_game.values()), "ten to twelve plies a game"
    assert not games.take_results(), "they are counted once"
    discs = [board(words).counts() for words in torch.stack(games.positions, 1)]
    assert len({sum(count) for count in discs}) > 5, "the games are not in step"


def test_players_of_the_pool_play_their_own_side_of_their_own_games() -> None:
    class First:
        """Takes the lowest legal square, which nobody else does on purpose."""

        def __call__(self, positions: Positions, luck: Luck) -> Tensor:
            lowest = positions.legal & -positions.legal
            return torch.log2(lowest.double()).long()

    games, ring, pool = stream("random=0.5")
    pool.seats[0] = pool.seats[0]._replace(player=First())
    games.epsilon.fill_(0)
    games._random_opening = 0
    for _ in range(60):
        ply(games)
    held = ring._held[:60, :20]
    lowest = torch.log2((held[..., 2] & -held[..., 2]).double()).long()
    followed = ((held[..., 4] & 255) == lowest).float().mean()
    assert 0.5 < followed < 0.95, "every other ply, and by chance"
    greedy = (held[..., 4] >> 12).float().mean()
    assert 0.3 < greedy < 0.7, "the learner's own best moves are every other ply"


def filled(signs: list[int], results: list[int], greedy: list[int], n_step: int, gamma: float) -> Batch:
    """Return the transitions of one game whose rows have these notes; its positions are 0, 1, 2 ..."""
    ring = Ring(len(signs), 1, gamma, n_step, CPU)
    for index, (sign, result, own) in enumerate(zip(signs, results, greedy, strict=True)):
        words = torch.tensor([index])
        played = Played(Positions(words, words, words, words), torch.tensor([sign]), torch.tensor([result]))
        ring.write(played.positions, torch.tensor([index]), played, torch.tensor([bool(own)]))
    return ring.sample(400, Randomness(1, CPU))


def seen(batch: Batch) -> dict[int, tuple[float, float, int]]:
    """Reward, discount and second position of each transition, by its square."""
    rows = zip(batch.square, batch.reward, batch.discount, batch.following, strict=True)
    return {int(s): (float(r), round(float(d), 6), int(f[0])) for s, r, d, f in rows}


def test_a_transition_spans_what_the_learner_played_best() -> None:
    # From 0: over the greedy 1 to 2, twice the other side's turn: + 0.81. From 1: 2 was not greedy.
    # From 2: over 3, after which the game ended with a win of who played there, a loss of who played 2.
    found = seen(filled([-1, -1, -1, 0, -1, -1], [0, 0, 0, 1, 0, 0], [1, 1, 0, 1, 1, 1], n_step=2, gamma=0.9))
    assert found == {
        0: (0, 0.81, 2),
        1: (0, -0.9, 2),
        2: (pytest.approx(-0.9), 0, found[2][2]),
        3: (1, 0, found[3][2]),
    }


def test_a_pass_keeps_the_sign() -> None:
    found = seen(filled([1, -1, -1], [0, 0, 0], [1, 1, 1], n_step=1, gamma=1.0))
    assert found == {0: (0, 1, 1), 1: (0, -1, 2)}


def test_targets_are_double_q_of_legal_moves_within_the_results() -> None:
    games, ring, _ = stream()
    for _ in range(40):
        ply(games)
    rules = Rules(4)
    q = QLearning(TINY, 4, 1)
    learning = Learning(TINY, q, rules, ring, Randomness(5, CPU))
    with torch.no_grad():
        for weight in q.target.parameters():
            weight.mul_(3)
    batch = ring.sample(200, Randomness(2, CPU))
    wanted = learning._targets(batch)
    online, target = Judge(rules, q.online), Judge(rules, q.target)
    for index in range(200):
        position = Positions(*(batch.following[index : index + 1, field] for field in range(4)))
        legal = [square for square in range(16) if int(position.legal) >> square & 1]
        liked, judged = online.values(position)[0], target.values(position)[0]
        worth = float(judged[max(legal, key=lambda square: float(liked[square]))]) if legal else 0.0
        expected = float(batch.reward[index]) + float(batch.discount[index]) * worth
        assert float(wanted[index]) == pytest.approx(min(max(expected, -1), 1), abs=1e-5)


def test_an_update_moves_the_networks_as_torch_says() -> None:
    """The same batch, without symmetries drawn, by an optimiser over the weights one by one."""
    games, ring, _ = stream()
    for _ in range(40):
        ply(games)
    rules = Rules(4)
    q = QLearning(TINY, 4, 1)
    q.updates = 1000
    learning = Learning(TINY, q, rules, ring, Randomness(5, CPU))
    learning.set_rates(TINY.learning_rate)
    other = copy.deepcopy(q.online)
    draws = Randomness(5, CPU)
    batch = ring.sample(TINY.batch, draws)
    wanted = learning._targets(batch)
    turn = draws.below(8, TINY.batch)
    planes = ((batch.words[..., None] >> rules.squares) & 1).float()
    turned = torch.stack(
        [planes[i][:, symmetry.inverses(4)[k].tolist()] for i, k in enumerate(turn.tolist())]
    )
    squares = torch.tensor(
        [symmetry.permutations(4)[k][s] for k, s in zip(turn.tolist(), batch.square.tolist(), strict=True)]
    )
    loss = torch.nn.functional.smooth_l1_loss(other(turned)[torch.arange(32), squares], wanted)
    optimiser = torch.optim.Adam(other.parameters(), lr=TINY.learning_rate)
    loss.backward()  # type: ignore[no-untyped-call]
    before = copy.deepcopy(q.average)
    optimiser.step()
    learning.update()
    networks = (q.online, other, q.average, before)
    for own, expected, average, start in zip(*(one.parameters() for one in networks), strict=True):
        assert torch.allclose(own, expected, atol=1e-6)
        assert torch.allclose(average, start + 0.01 * (expected - start), atol=1e-6)
