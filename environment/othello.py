"""Othello against an opponent, as an environment of RL-Glue."""

import logging
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.environment.config import MOST_IGNORED, EnvironmentConfig
from othello_lab.environment.messages import Settings, answer
from othello_lab.game import observation
from othello_lab.game.board import Colour, IllegalMoveError
from othello_lab.game.errors import UnplayableError
from othello_lab.game.game import STANDARD, Game
from othello_lab.game.luck import luck_of, seat_seed, turn_generator
from othello_lab.game.notation import PASS
from othello_lab.game.players.player import Forfeit, Player
from othello_lab.game.players.simple import pick
from rlglue.messages import truncate_middle
from rlglue.types import Action, Observation, Reward_observation_terminal

log = logging.getLogger("environment")
_MAX_ACTION = 100


class NotStartedError(RuntimeError):
    """`env_step` was called before the first `env_start`."""


class OthelloEnvironment:
    """Othello against an opponent. In each step the agent moves and the opponent replies.

    Module `game.observation` describes the observation, int32 [4*N*N]. The action is one int: a square, or -1
    for a forced pass. An illegal action loses the game or, by option, is ignored with the reward 0. If the
    opponent forfeits or plays an illegal move, the agent wins. With the opponent `self` the agent plays both
    sides. Then the observation belongs to the side to move, and the reward to the side that has just moved.
    The seed and the index of the episode determine the random numbers of an episode.
    """

    def __init__(self, config: EnvironmentConfig | None = None) -> None:
        """Create the environment. Raises ValueError for an invalid board size or opponent."""
        self.config = config or EnvironmentConfig()
        self.settings = Settings(self.config)
        self.illegal_total = 0
        self.opponent_forfeits = 0
        self._clear()

    def _clear(self) -> None:
        self.game = self.settings.start_from.until()
        self.started = False
        self.colour = Colour.BLACK
        self.over = False
        self.won_by_forfeit = False
        self.illegal = self._illegal_in_a_row = 0
        self._informed: Player | None = None  # The opponent on which `start` was called, or None.
        self._opponent_seed = 0

    def env_init(self) -> str:
        """Return the task specification. After a killed evaluation, restore the earlier settings."""
        self.settings.undo_evaluation()
        self._clear()
        return self.config.task_spec()

    def env_start(self) -> Observation:
        """Begin the next episode and return the observation. The opponent may have made the first move."""
        settings, episode = self.settings, self.settings.next_episode
        settings.next_episode += 1
        rng, self._opponent_seed = luck_of(settings.seed, episode), seat_seed(settings.seed, episode)
        self.started, self.over, self.won_by_forfeit = True, False, False
        self.illegal = self._illegal_in_a_row = 0
        is_black = agent_is_black(settings.first, np.array([episode]), rng)[0]
        self.colour = Colour.BLACK if is_black else Colour.WHITE
        self.game = with_random_opening(settings.start_from, settings.random_opening, rng)
        self._informed = None
        if self.config.render:
            self._render()
        self._advance_to_agent()
        return self._observe()

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """Play the agent's move and the opponent's reply. Raises NotStartedError before the first start."""
        if not self.started:
            raise NotStartedError("env_step came before the first env_start: call RL_start first")
        if self.over:
            log.error("env_step came after the end of the episode: expected env_start")
            return Reward_observation_terminal(0.0, self._observe(), True)
        if self.awaits_move:
            try:
                (move,) = action.intArray
                board = self.game.play(int(move))
            except ValueError:  # the action is not one int, or the move is not legal
                return self._refuse(action)
            self._illegal_in_a_row = 0
            self._announce(int(move))
            if not board.is_over:
                self._advance_to_agent()
        self.over = self.won_by_forfeit or self.game.board.is_over
        return Reward_observation_terminal(self._reward(), self._observe(), self.over)

    @property
    def awaits_move(self) -> bool:
        """Whether the next action must be a legal move. False after the end or the opponent's forfeit."""
        return not (self.over or self.game.board.is_over or self.won_by_forfeit)

    def give_up(self) -> Reward_observation_terminal:
        """End the episode as a loss of the agent. The position does not change."""
        self.over = True
        return Reward_observation_terminal(self.config.rewards[2], self._observe(), True)

    def env_cleanup(self) -> None:
        """Clear the episode and close the opponent. A new run may follow."""
        self.settings.close_opponent()
        self._clear()

    def env_message(self, message: str) -> str:
        """Return the answer to a message. The message `help` lists all messages."""
        return answer(message, self.settings, self.game, self.stats())

    def stats(self) -> dict[str, Any]:
        """Return the values in the answer to the message `stats`."""
        settings = self.settings
        black, white = self.game.board.counts()
        own, opponent = (black, white) if self.colour is Colour.BLACK else (white, black)
        return {
            "size": self.config.size,
            "opponent": settings.opponent_text,
            "first": settings.first,
            "start": settings.start_text,
            "seed": settings.seed,
            "episode": settings.next_episode - 1,
            "colour": self.colour.value,
            "illegal": self.illegal,
            "illegal_total": self.illegal_total,
            "opponent_forfeits": self.opponent_forfeits,
            "discs_own": own,
            "discs_opponent": opponent,
        }

    def _announce(self, move: int) -> None:
        if self._informed and self._informed is self.settings.opponent:
            self._informed.observe(move)
        if self.config.render:
            self._render()

    def _advance_to_agent(self) -> None:
        if self.settings.opponent is None:
            self.colour = self.game.board.turn
        elif self.game.board.turn is not self.colour:
            self._play_opponent(self.settings.opponent)

    def _play_opponent(self, opponent: Player) -> None:
        game, board = self.game, self.game.board
        if board.legal_moves:
            try:
                if self._informed is not opponent:
                    opponent.start(game)
                    self._informed = opponent
                move = opponent.choose(game, turn_generator(self._opponent_seed, board))
                game.play(move)
                self._announce(move)
            except (Forfeit, IllegalMoveError, UnplayableError) as error:
                # If the player cannot play from the standard start, it cannot play any episode.
                if isinstance(error, UnplayableError) and self.settings.start_text == STANDARD:
                    raise
                self.won_by_forfeit = True
                self.opponent_forfeits += 1
                log.warning("the agent wins episode %d by forfeit: %s", self.settings.next_episode - 1, error)
        elif not board.is_over:
            game.play(PASS)
            self._announce(PASS)

    def _refuse(self, action: Action) -> Reward_observation_terminal:
        self.illegal += 1
        self.illegal_total += 1
        self._illegal_in_a_row += 1
        if self.config.illegal_action == "loses" or self._illegal_in_a_row >= MOST_IGNORED:
            self._warn(action, "the game is lost")
            return self.give_up()
        if self.illegal == 1:
            self._warn(action, "it is ignored, like all others of this game")
        return Reward_observation_terminal(0.0, self._observe(), False)

    def _warn(self, action: Action, effect: str) -> None:
        log.warning(
            "illegal action %s in episode %d: %s; legal here: %s",
            truncate_middle(str(np.asarray(action.intArray).tolist()), _MAX_ACTION),
            self.settings.next_episode - 1,
            effect,
            list(self.game.board.legal_moves) or [PASS],
        )

    def _reward(self) -> float:
        if not self.over:
            return 0.0
        if self.won_by_forfeit:
            return self.config.rewards[0]
        outcome = self.game.board.outcome()
        assert outcome is not None  # noqa: S101  the game is over
        return self.config.reward_of(outcome, self.colour)

    def _observe(self) -> Observation:
        planes = Observation()
        planes.intArray = observation.encode(self.game.board, self.colour)
        return planes

    def _render(self) -> None:
        print(self.env_message("render"), end="\n\n", flush=True)


def agent_is_black(first: str, episodes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return True for each episode in which the agent plays black, bool [n]."""
    if first == "random":
        return rng.random(len(episodes)) < 0.5
    if first == "alternate":
        even: NDArray[np.bool_] = episodes % 2 == 0
        return even
    return np.full(len(episodes), first == "agent")


def with_random_opening(start: Game, most: int, rng: np.random.Generator) -> Game:
    """Return a copy with 0 to `most` random plies. If `start` has a legal move, the copy also has one."""
    while True:
        game = start.until()
        plies = int(rng.integers(most + 1)) if most and start.board.legal_moves else 0
        while plies and game.board.legal_moves:
            game.play(pick(game.board.legal_moves, rng))
            plies -= 1
        if game.board.legal_moves or not start.board.legal_moves:
            return game
