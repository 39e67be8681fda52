from pathlib import Path
from typing import Any

import numpy as np

from othello_lab.agent.dqn.method import DQN
from othello_lab.agent.learner import BatchLearner, Seeds, find_method
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.make import make_agent
from othello_lab.agent.memory.recorder import Frame, Transition, pack
from othello_lab.agent.selfplay.games import GameBatch
from othello_lab.agent.selfplay.play import GameSettings, SelfPlayGames, by_values
from othello_lab.agent.selfplay.pool import read_pool
from othello_lab.agent.selfplay.training import SelfPlay
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Board, Game, observation
from othello_lab.game.batch import repeated
from othello_lab.game.registry import parse
from rlglue.glue import AgentLike, EnvironmentLike, Glue

AnyAgent = LearningAgent
AGAINST_RANDOM = EnvironmentConfig(size=4, opponent="random", seed=1)


def dqn_agent(
    options: dict[str, str], seed: int = 0, size: int | None = None, directory: Path | None = None
) -> AnyAgent:
    return LearningAgent(DQN, options, seed, size, directory)


def agent_of(
    text: str, directory: Path | None = None, seed: int = 1, size: int = 4, **options: str
) -> AnyAgent:
    spec = parse(text)
    return LearningAgent(find_method(spec.name), spec.options | options, seed, size, directory)


def seated(agent: AgentLike, environment: EnvironmentLike) -> Glue:
    glue = Glue(agent, environment)
    glue.RL_init()
    return glue


def trio(
    text: str,
    directory: Path | None = None,
    seed: int = 1,
    opponent: str = "random",
    size: int = 4,
    **options: str,
) -> tuple[Glue, AnyAgent]:
    agent = agent_of(text, directory, seed, size, **options)
    config = EnvironmentConfig(size=size, opponent=opponent, seed=seed)
    return seated(agent, OthelloEnvironment(config)), agent


def for_selfplay(text: str, directory: Path, seed: int = 1, **options: str) -> AnyAgent:
    return trio(text, directory, seed, "self", 4, **options)[1]


def selfplay(agent: AnyAgent, pool: Pool, opponents: str, random_opening: int = 2) -> SelfPlay:
    """Train an agent on 4x4 against the pool `opponents`, with the processes of `pool`."""
    rules = GameSettings(4, random_opening=random_opening)
    return SelfPlay(agent, rules, read_pool(opponents, 4), 5, pool.in_order)


def learner_of(text: str, seed: int = 0, **options: str) -> Any:  # noqa: ANN401  of any method
    spec = parse(text)
    method = find_method(spec.name)
    config = method.configure(spec.options | options, 4, None)
    return method.load(config)(config, 4, Seeds(*np.random.SeedSequence(seed).spawn(2)))


def played_by(player: BatchLearner, games: int = 64) -> GameBatch:
    rules = GameSettings(4, random_opening=2, epsilon=0.2)
    decide = by_values(player.move_values, rules.epsilon)
    return SelfPlayGames(rules, np.arange(games), decide, (), seed=5).play().batch


def play(glue: Glue, games: int) -> list[str]:
    transcripts = []
    for _ in range(games):
        glue.RL_episode(0)
        transcripts.append(glue.RL_env_message("transcript"))
    return transcripts


def won(glue: Glue, games: int) -> float:
    returns = []
    for _ in range(games):
        glue.RL_episode(0)
        returns.append(glue.RL_return())
    return float(np.mean(np.array(returns) > 0))


def freeze(glue: Glue) -> None:
    for message in ("freeze learning", "freeze exploring"):
        assert glue.RL_agent_message(message).startswith("message understood")


def games_of_policy(
    path: Path, games: int = 100, config: EnvironmentConfig = AGAINST_RANDOM, player: str = "trained"
) -> list[str]:
    """Return games of a saved policy as a player in the agent's seat, from episode 5000 on."""
    seat = seated(make_agent(f"{player}:{path}"), OthelloEnvironment(config))
    seat.RL_env_message("episode 5000")
    return play(seat, games)


def hand_made(best: list[float], on_policy: list[bool], discount: list[int], **columns: object) -> GameBatch:
    """Return one game on 4x4 with these decisions. The other columns are zeros."""
    n = len(best)
    positions = repeated(Board.start(4), n)
    following = np.array([*range(1, n), -1])
    zeros = {"moves": np.zeros(n, np.int64), "results": np.zeros(n, np.int8), "scores": np.zeros(n, np.int16)}
    chosen = {"values": np.array(best), "on_policy": np.array(on_policy)}
    chosen["discount"] = np.array(discount, np.int8)
    return GameBatch(positions=positions, next_index=following, **chosen, **{**zeros, **columns})  # type: ignore[arg-type]


def frame(board: Board) -> Frame:
    """Return the packed planes of a position from the view of its side to move."""
    return pack(observation.encode(board, board.turn))


def transition(board: Board, move: int, reward: float, discount: float, after: Board | None) -> Transition:
    return Transition(frame(board), move, reward, discount, frame(after) if after else None)


def decisions(game: Game) -> list[tuple[Board, int]]:
    played = zip(game.boards[:-1], game.moves, strict=True)
    return [(board, move) for board, move in played if board.legal_moves]


def transitions(game: Game, result: float) -> list[Transition]:
    """Return the transitions of a self-play game. `result` is the result of the side that moved last."""
    *others, (last, last_move) = decisions(game)
    following = [board for board, _ in decisions(game)][1:]
    return [
        transition(board, move, 0.0, 1.0 if after.turn is board.turn else -1.0, after)
        for (board, move), after in zip(others, following, strict=True)
    ] + [transition(last, last_move, result, 0.0, None)]
