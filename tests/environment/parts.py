import json

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.environment.testing import action_of, board_of
from othello_lab.game.notation import PASS
from rlglue.types import Observation


def environment(**values: object) -> OthelloEnvironment:
    made = OthelloEnvironment(EnvironmentConfig(**values))  # type: ignore[arg-type]  # whatever a test sets
    made.env_init()
    return made


def legal_of(state: Observation) -> list[int]:
    return list(board_of(state).legal_moves) or [PASS]


def stats(env: OthelloEnvironment) -> dict[str, object]:
    read: dict[str, object] = json.loads(env.env_message("stats"))
    return read


def play_first_legal(env: OthelloEnvironment) -> tuple[float, Observation]:
    seen = env.env_start()
    for _ in range(1000):
        result = env.env_step(action_of(legal_of(seen)[0]))
        seen = result.o
        if result.terminal:
            return result.r, seen
    raise AssertionError("the game never ended")
