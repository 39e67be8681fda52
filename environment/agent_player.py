"""An RL-Glue agent in any language as a player, such as `agent:python my_agent.py`."""

import glob
import logging
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.game import observation
from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.catalogue import Entry
from othello_lab.game.game import Game
from othello_lab.game.luck import seat_seed_from
from othello_lab.game.notation import PASS
from othello_lab.game.players.player import Forfeit, Player
from othello_lab.game.players.process import OPTIONS, START_SECONDS, Launch, Program, launch_of
from othello_lab.game.program_trust import search_path
from othello_lab.game.registry import Spec
from rlglue import wire
from rlglue.address import CHECKPOINT_DIR, DEFAULT_HOST, variables
from rlglue.errors import GlueError
from rlglue.glue import AgentLike
from rlglue.messages import truncate_middle, understood
from rlglue.server import Server
from rlglue.types import Action, Observation

_EXAMPLE = "agent:python my_agent.py"
_MAX_ANSWER = 60  # The maximum length of an answer in an error message, in characters.
_PEER = re.compile(rf"^the {wire.AGENT} \([^)]*\) ")
_LEFT = re.compile(r"left\b.*")


class AgentPlayer(Player):
    """A program that plays over RL-Glue. The program forfeits if it stops, hangs or gives a wrong answer.

    The program starts at the first use, and again after a failure. Learning and exploring are frozen.
    Each game is an episode with forced passes and a final reward. After an undo, a new episode begins.
    """

    def __init__(self, launch: Launch, size: int, checkpoint: Path | None = None) -> None:
        """Store the arguments. `checkpoint` is the path of the checkpoint to load, or None."""
        self._launch, self._config, self._checkpoint = launch, EnvironmentConfig(size), checkpoint
        self._server: Server | None = None
        self._program: Program | None = None
        self._absent: Forfeit | None = None  # The error of a failed start, which prevents a new start.
        self._understands_luck = False
        self._begin(Game(Board.start(size)))

    def start(self, game: Game) -> None:
        """Start the program if it is not running. The agent receives the game at its first turn."""
        self._begin(game)
        with self._running():
            pass

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the agent's move. An agent of this package gets a seed drawn from `rng`."""
        if not self._goes_on(game):
            self._begin(game)
        self._game = game.until()
        return self._ask(game.board.turn, seat_seed_from(rng))

    def observe(self, move: int) -> None:
        """Record a move. At the end of the game, send the reward to the agent."""
        try:
            board = self._game.play(move)
        except IllegalMoveError:  # the move belongs to another game, which begins at the next `choose`
            return
        outcome, colour = board.outcome(), self._colour
        if outcome and colour:
            with suppress(Forfeit):  # the game is over, so a failure changes nothing
                self._ask(colour)  # send the passes at the end of the game
                with self._running() as agent:
                    agent.agent_end(self._config.reward_of(outcome, colour))
            self._begin(self._game)

    def close(self) -> None:
        """End the program."""
        if self._server:
            with suppress(GlueError):
                self._server.glue.agent.agent_cleanup()
        self._stop()

    def _begin(self, game: Game) -> None:
        self._game = game.until()  # The known part of the game.
        self._sent = len(game.moves)  # The ply of the next position to send.
        self._colour: Colour | None = None

    def _goes_on(self, game: Game) -> bool:
        """Return whether `game` continues the known part, and the agent has missed only forced passes."""
        known, turn = self._game, game.board.turn
        unsent = [ply for ply in range(self._sent, len(game.moves)) if game.boards[ply].turn is turn]
        return (
            known.start == game.start
            and known.moves == game.moves[: len(known.moves)]
            and self._sent <= len(game.moves)
            and self._colour in (None, turn)
            and all(game.moves[ply] == PASS for ply in unsent)
        )

    def _ask(self, colour: Colour, luck: int = 0) -> int:
        """Send all new turns to the agent. Return the answer to the last turn."""
        answer = PASS
        for board in self._game.boards[self._sent :]:
            if board.turn is colour and not board.is_over:
                answer = self._answer(board, luck)
        self._sent = len(self._game.boards)
        return answer

    def _answer(self, board: Board, luck: int) -> int:
        with self._running() as agent:
            ints = list(self._act(agent, board, luck).intArray)
        if len(ints) == 1 and int(ints[0]) in (board.legal_moves or (PASS,)):
            return int(ints[0])
        with suppress(Forfeit), self._running() as agent:
            agent.agent_end(self._config.rewards[2])
        self._colour = None
        answer = truncate_middle(str([int(number) for number in ints]), _MAX_ANSWER)
        raise Forfeit(f"{self._launch.name} answered {answer}, which is not legal in {board}")

    def _act(self, agent: AgentLike, board: Board, luck: int) -> Action:
        state = Observation()
        state.intArray = observation.encode(board, board.turn)
        if self._colour:
            return agent.agent_step(0.0, state)
        if self._understands_luck:
            self._understands_luck = understood(agent.agent_message(f"luck {luck}") or "")
        self._colour = board.turn
        return agent.agent_start(state)

    @contextmanager
    def _running(self) -> Iterator[AgentLike]:
        """Yield the running agent. An error ends the agent, because the next call could get a late answer."""
        try:
            yield (self._server or self._start()).glue.agent
        except GlueError as error:
            reason = _PEER.sub("", str(error))
            if self._program and _LEFT.fullmatch(reason):
                reason += f": it {self._program.how_it_ended()}"
            self._stop()
            raise self._lost(reason) from None
        except BaseException:  # KeyboardInterrupt too
            self._stop()
            raise

    def _start(self) -> Server:
        if self._absent:
            raise self._absent
        self._server = server = Server(
            DEFAULT_HOST, 0, answer_timeout=self._launch.seconds, on_loss=logging.getLogger("rlglue").info
        )
        environ = {**variables(server.address), "PATH": search_path()}
        if self._checkpoint:
            environ[CHECKPOINT_DIR] = str(self._checkpoint.parent.absolute())
        try:
            self._program = program = Program(self._launch.command, self._launch.folder, environ)
        except OSError as error:
            raise self._lost(f"cannot be started: {error}") from None

        def check() -> None:
            if program.has_ended:
                raise self._lost(f"{program.how_it_ended()}, before it connected")

        try:
            server.wait_for_peers(START_SECONDS, check=check, roles=(wire.AGENT,))
        except GlueError:
            self._absent = self._lost(
                f"has not connected within {START_SECONDS:g} s: expected an RL-Glue agent"
            )
            raise self._absent from None
        agent: AgentLike = server.glue.agent
        agent.agent_init(self._config.task_spec())
        if self._checkpoint:
            answer = agent.agent_message(f"load {self._checkpoint.name}") or ""
            if not understood(answer):
                reason = truncate_middle(answer, _MAX_ANSWER) or "no answer"
                self._absent = self._lost(f"has not loaded the checkpoint {self._checkpoint.name}: {reason}")
                raise self._absent
        for ability in ("learning", "exploring"):
            agent.agent_message(f"freeze {ability}")
        self._understands_luck = True
        return server

    def _lost(self, reason: str) -> Forfeit:
        return Forfeit(f"{self._launch.name} {reason}")

    def _stop(self) -> None:
        if self._server:
            self._server.close()
        if self._program:
            self._program.close()
        self._server = self._program = self._colour = None


def _launch(spec: Spec) -> Launch:
    launch = launch_of(spec, [search_path()], _EXAMPLE)
    return launch._replace(name=launch.name or str(spec.argument))


def _files(spec: Spec, size: int) -> tuple[Path, ...]:
    """Return program, first file argument and checkpoint, without files that the agent may write."""
    folder = _launch(spec).folder or Path()
    program, *others = (folder / word for word in shlex.split(spec.argument or ""))
    scripts = [path for path in others if path.is_file()][:1]
    checkpoint = _checkpoint(spec)
    # The agent chooses the suffix of the checkpoint file.
    saved_files = map(Path, sorted(glob.glob(f"{glob.escape(str(checkpoint))}*"))) if checkpoint else ()
    return tuple(path for path in (program, *scripts, *saved_files) if path.is_file())


def _checkpoint(spec: Spec) -> Path | None:
    return Path(spec.options["load"]) if spec.options.get("load") else None


_OPTIONS = {
    **OPTIONS,
    "load": "path of a checkpoint without its suffix, which the agent gets in the message load",
    "name": "the name in tables (the command)",
}
AGENT: Entry[Player] = Entry(
    lambda spec, size: AgentPlayer(_launch(spec), size, _checkpoint(spec)),
    "an RL-Glue agent, started when it is first needed",
    "COMMAND",
    _OPTIONS,
    files=_files,
)
