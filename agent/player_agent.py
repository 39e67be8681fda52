"""An RL-Glue agent that plays the moves of a player."""

import json
import logging
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import CheckpointError
from othello_lab.agent.task import TOO_EARLY, Task, checked_board, read_position, read_task
from othello_lab.game.board import Board, IllegalMoveError
from othello_lab.game.catalogue import make
from othello_lab.game.errors import UnplayableError
from othello_lab.game.game import Game
from othello_lab.game.luck import LARGEST_LUCK, LAST_EPISODE, seat_seed, turn_generator
from othello_lab.game.notation import PASS
from othello_lab.game.observation import board_of, sides
from othello_lab.game.players.player import Forfeit, Player, Policy
from rlglue.errors import RequestError
from rlglue.messages import LARGEST_SEED, answer, natural
from rlglue.types import Action, Observation

log = logging.getLogger("agent")
Numbers = np.ndarray[tuple[int], np.dtype[np.int32]]  # The ints of an observation.
_KIND = "player"  # The kind of the checkpoints of this agent.


class _Saved(msgspec.Struct):
    player: str
    random: dict[str, Any]


class PlayerAgent:
    """An agent that plays the moves of a player in the catalogue. It never learns.

    Games with frozen exploring do not change the random draws of later games.
    """

    task: Task  # The task of the last `agent_init`.

    def __init__(
        self, text: str, seed: int = 0, size: int | None = None, directory: Path | None = None
    ) -> None:
        """Create an agent from the registry text of a player. Raises RegistryError for an unknown player."""
        self.text, self.size, self.directory = text, size, directory
        self._rng = np.random.default_rng(seed)
        # While exploring is frozen, the generator for later games, otherwise None.
        self._unfrozen_rng: np.random.Generator | None = None
        self._luck = 0  # The seed of the player's draws in the current game.
        self._next_luck: int | None = None
        self._player: Player | None = make(text, size) if size else None
        self._game: Game | None = None  # The current game, if the player needs more than the position.
        self._gave_up = self._in_episode = False
        self._messages = {
            **dict.fromkeys(
                ("freeze learning", "unfreeze learning"),
                lambda _: "message understood, this player never changes",
            ),
            "freeze exploring": lambda _: self._freeze(),
            "unfreeze exploring": lambda _: self._unfreeze(),
            "luck": self._take_luck,
            "seed": lambda _: "message understood, the seed stays that of --seed",
            "save": lambda name: f"message understood, saved {self.save(name)}",
            "load": lambda name: f"message understood, loaded {self.load(name)}",
            "remove": lambda name: f"message understood, removed {checkpoint.remove(self._path(name))}",
            "stats": lambda _: json.dumps({"learning": False, "exploring": self._unfrozen_rng is None}),
            "config": lambda _: json.dumps({"agent": text, "text": text}),
        }

    def agent_init(self, task_spec: str) -> None:
        """Make the player for the board size of the task. Raises TaskError for an unsuitable task."""
        task = self.task = read_task(task_spec, self.size)
        self._unfreeze()  # an experiment may have been killed during an evaluation
        if self._player is None:
            self._player = make(self.text, task.size)
        self.size = task.size

    def agent_start(self, observation: Observation) -> Action:
        """Return the first move of a game. Raises RequestError for an invalid call."""
        self._game, self._gave_up, self._in_episode = None, False, False
        if self._next_luck is None:
            self._next_luck = int(self._rng.integers(1 << 64, dtype=np.uint64))
        self._luck, self._next_luck = self._next_luck, None
        return self._act(observation)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Return the next move. Raises RequestError for an invalid call."""
        return self._act(observation)

    def agent_end(self, reward: float) -> None:
        """Forget the game."""
        self._game = None

    def agent_cleanup(self) -> None:
        """Forget the game and close the player, which may play in another run."""
        self._game = None
        if self._player:
            self._player.close()

    def agent_message(self, message: str) -> str:
        """Handle a message and return the answer. The message `help` lists all messages."""
        return answer(self._messages, message, "agent")

    def _freeze(self) -> str:
        if self._unfrozen_rng is None:
            self._unfrozen_rng, self._rng = self._rng, deepcopy(self._rng)
        return "message understood, games from here on do not change the draws of later ones"

    def _unfreeze(self) -> str:
        if self._unfrozen_rng is not None:
            self._rng, self._unfrozen_rng = self._unfrozen_rng, None
        return "message understood, games draw as if there had been none in between"

    def _path(self, name: str) -> Path:
        return checkpoint.path_of(self.directory, name)

    def save(self, name: str) -> Path:
        """Write the state of the random generator for resuming. Raises CheckpointError."""
        path, rng = self._path(name), self._unfrozen_rng or self._rng
        checkpoint.save(path, _KIND, {}, {"player": self.text, "random": rng.bit_generator.state})
        return path

    def load(self, name: str) -> Path:
        """Load a checkpoint from `save`. Raises CheckpointError for an unsuitable checkpoint."""
        path = self._path(name)
        saved = checkpoint.typed(path, checkpoint.load(path, _KIND).values, _Saved)
        if saved.player != self.text:
            raise CheckpointError(f"{path} is of another agent, this one is {self.text}")
        self._rng, self._unfrozen_rng = checkpoint.generator(path, saved.random), None
        return path

    def _take_luck(self, text: str) -> str:
        """Set the seed of the next game's draws from `SEED`, or from the environment's `SEED EPISODE`."""
        first, _, episode = text.partition(" ")
        if episode:
            self._next_luck = seat_seed(natural(first, LARGEST_SEED), natural(episode, LAST_EPISODE))
        else:
            self._next_luck = natural(first, LARGEST_LUCK)
        return f"message understood, the next game draws from {text}"

    def _act(self, observation: Observation) -> Action:
        player, action = self._player, Action()
        if player is None or self.size is None:
            raise RequestError(TOO_EARLY)
        first = not self._in_episode
        numbers = read_position(observation, self.size, first)
        if isinstance(player, Policy):
            if first:
                self._begin(player, follow(None, numbers))
            board = board_of(numbers, self.size)
            move = self._choose(player, Game(board)) if board.legal_moves else PASS
        else:
            move = self._move_in_game(player, numbers)
        action.intArray = [move]
        self._in_episode = True
        return action

    def _move_in_game(self, player: Player, numbers: Numbers) -> int:
        """Return the move of a player that needs the whole game, and play it in `_game`."""
        if self._has_passed(numbers):
            return PASS
        game, move = self._follow(player, numbers), PASS
        if game.board.legal_moves:
            move = self._choose(player, game)
            if move != PASS:
                game.play(move)
                player.observe(move)
        if game.pass_if_forced():
            player.observe(PASS)
        return move

    def _has_passed(self, numbers: Numbers) -> bool:
        """Return whether `numbers` show the position before this agent's last move, a pass.

        In self-play, this agent plays the other side's forced pass at once, but the environment then asks for
        this pass.
        """
        game = self._game
        return bool(game and game.moves[-1:] == [PASS] and _shows(numbers, game.boards[-2]))

    def _follow(self, player: Player, numbers: Numbers) -> Game:
        before, observed = self._game, len(self._game.moves) if self._game else 0
        self._game = game = follow(before, numbers)
        if game is not before:
            self._begin(player, game)
        else:
            for move in game.moves[observed:]:
                player.observe(move)
        return game

    def _begin(self, player: Player, game: Game) -> None:
        try:
            player.start(game)
        except Forfeit as forfeit:
            self._give_up(forfeit)
        except UnplayableError as error:
            self._game = None
            if game.boards[0] == Board.start(game.size):  # the standard start
                raise
            raise RequestError(str(error)) from None

    def _choose(self, player: Player, game: Game) -> int:
        """Return the player's move, or PASS if the player gives up. This illegal move loses the game."""
        if self._gave_up:
            return PASS
        try:
            move = player.choose(game, turn_generator(self._luck, game.board))
            if move not in game.board.legal_moves:
                game.board.play(move)  # raises IllegalMoveError
        except (Forfeit, IllegalMoveError) as why:
            self._give_up(why)
            return PASS
        return move

    def _give_up(self, why: Exception) -> None:
        self._gave_up = True
        log.warning("the game is given up: %s", why)


def follow(game: Game | None, numbers: Numbers) -> Game:
    """Return `game` if at most one more move leads to the observation. Otherwise return a new game.

    In a new game the agent is black, unless the position is one move after the standard start. Raises
    PositionError for an impossible position of a new game.
    """
    size, own, opponent = sides(numbers)
    game = game or Game(Board.start(size))
    board = game.board
    if _shows(numbers, board):
        return game
    placed = (own | opponent) & ~(board.black | board.white)
    move = placed.bit_length() - 1  # PASS if there is no new disc
    legal = board.must_pass if move == PASS else placed == 1 << move and placed & board.legal_moves.bits
    if legal and _shows(numbers, game.play(move)):
        return game
    return Game(checked_board(numbers))


def _shows(numbers: Numbers, board: Board) -> bool:
    """Return whether an observation shows a position from the side to move."""
    return sides(numbers) == (board.size, board.own, board.opponent)
