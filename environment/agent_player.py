"""An RL-Glue agent in any language as a player: `python my_agent.py`, or `agent:python my_agent.py`."""

import glob
import logging
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.game import observation
from othello_lab.game.board import Board, Colour, IllegalMoveError, Outcome
from othello_lab.game.game import Game
from othello_lab.game.luck import seat_seed_from
from othello_lab.game.notation import PASS
from othello_lab.game.players.engines.process import (
    OPTIONS,
    START_SECONDS,
    Launch,
    Program,
    launch_of,
    search_path,
)
from othello_lab.game.players.player import Forfeit, Player
from othello_lab.game.registry import Entry, Spec
from rlglue import wire
from rlglue.address import CHECKPOINT_DIR, DEFAULT_HOST, variables
from rlglue.errors import GlueError
from rlglue.glue import AgentLike
from rlglue.messages import truncate_middle, understood
from rlglue.server import Server
from rlglue.types import Action, Observation

_EXAMPLE = "agent:python my_agent.py"
_SHOWN = 60
"""Characters of a wrong answer."""


_PEER = re.compile(rf"^the {wire.AGENT} \([^)]*\) ")
"""How an error about it begins."""
_LEFT = re.compile(r"left\b.*")


class AbsentError(Forfeit):
    """A program that does not connect, or cannot load its checkpoint: to start it again would not help."""


class AgentProgram:
    """A running agent, asked by `agent`; calls raise GlueError where it fails. Who starts it closes it."""

    def __init__(self, launch: Launch, variables: Mapping[str, str]) -> None:
        """Start it with these environment variables and wait until it has connected; raise Forfeit."""
        self._launch, self._variables = launch, variables
        self._program: Program | None = None
        self._server = Server(DEFAULT_HOST, 0, answer_timeout=launch.seconds, loss_level=logging.INFO)
        self.agent: AgentLike = self._server.glue.agent
        try:
            self._program = self._started()
            self._meet(self._program)
        except BaseException:
            self.close()
            raise

    def forfeit(self, error: GlueError) -> Forfeit:
        """Return the Forfeit that says how it has failed."""
        what = _PEER.sub("", str(error))
        if self._program and _LEFT.fullmatch(what):
            what += f": it {self._program.how_it_ended()}"
        return self._lost(what)

    def close(self) -> None:
        """Say goodbye and end it; calling it again does nothing."""
        self._server.close()
        if self._program:
            self._program.close()

    def _started(self) -> Program:
        own = {**self._variables, **variables(self._server.address), "PATH": search_path()}
        try:
            return Program(self._launch.command, self._launch.folder, own)
        except OSError as error:
            raise self._lost(f"cannot be started: {error}") from None

    def _meet(self, program: Program) -> None:
        def check() -> None:
            if program.has_ended:
                raise self._lost(f"{program.how_it_ended()}, before it had connected")

        try:
            self._server.wait_for_peers(START_SECONDS, check=check, roles=(wire.AGENT,))
        except GlueError:
            raise AbsentError(
                f"{self._launch.name} has not connected within {START_SECONDS:g} s: expected an RL-Glue agent"
            ) from None

    def _lost(self, why: str) -> Forfeit:
        return Forfeit(f"{self._launch.name} {why}")


class AgentPlayer(Player):
    """Another program, asked over RL-Glue for its moves. One that dies, hangs or answers rubbish forfeits.

    It is started when it is first needed, and again once it has failed; it is frozen as in an evaluation. It
    is asked what an environment would ask, its forced passes included, and told its reward when a game ends.
    A game that is not the one that it was in, as after an undo, is a new episode from there.
    """

    def __init__(self, launch: Launch, size: int, checkpoint: Path | None = None) -> None:
        """`size` is that of the board, `checkpoint` the path of what the agent has to load."""
        self._launch, self._config, self._checkpoint = launch, EnvironmentConfig(size), checkpoint
        self._program: AgentProgram | None = None
        self._absent: AbsentError | None = None
        self._takes_luck = False
        self._begin(Game(Board.start(size)))

    def start(self, game: Game) -> None:
        """Start the program if it does not run; it hears of the game at its first turn."""
        self._begin(game)
        with self._running():
            pass

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return its move; an agent of ours draws from the luck that is taken from the generator."""
        if not self._goes_on(game):
            self._begin(game)
        self._game = game.until()
        return self._ask(game.board.turn, seat_seed_from(rng))

    def observe(self, move: int) -> None:
        """Follow the game; tell the agent its reward once that is over."""
        try:
            board = self._game.play(move)
        except IllegalMoveError:  # of another game: the next choice begins with that
            return
        if (outcome := board.outcome()) and self._colour:
            with suppress(Forfeit):  # its game is played
                self._end(outcome, self._colour)

    def close(self) -> None:
        """End the program."""
        if self._program:
            with suppress(GlueError):
                self._program.agent.agent_cleanup()
        self._stop()

    def _begin(self, game: Game) -> None:
        self._game = game.until()
        """What is known of the game."""
        self._asked = len(game.moves)
        """The plies at which the agent need not be asked any more."""
        self._colour: Colour | None = None
        """The agent's, None before its first turn."""

    def _goes_on(self, game: Game) -> bool:
        """Tell whether a game goes on from what is known; the agent had to pass where it was not asked."""
        known, turn = self._game, game.board.turn
        missed = [ply for ply in range(self._asked, len(game.moves)) if game.boards[ply].turn is turn]
        return (
            known.start == game.start
            and known.moves == game.moves[: len(known.moves)]
            and self._asked <= len(game.moves)
            and self._colour in (None, turn)
            and all(game.moves[ply] == PASS for ply in missed)
        )

    def _ask(self, colour: Colour, luck: int = 0) -> int:
        """Return its answer at its last turn in the game; it is asked at each that is new to it."""
        answer = PASS
        for board in self._game.boards[self._asked :]:
            if board.turn is colour and not board.is_over:
                answer = self._answer(board, luck)
        self._asked = len(self._game.boards)
        return answer

    def _answer(self, board: Board, luck: int) -> int:
        with self._running() as agent:
            ints = list(self._act(agent, board, luck).intArray)
        if len(ints) == 1 and int(ints[0]) in (board.legal_moves or (PASS,)):
            return int(ints[0])
        with suppress(Forfeit), self._running() as agent:
            agent.agent_end(self._config.reward_loss)
        self._colour = None
        said = truncate_middle(str([int(each) for each in ints]), _SHOWN)
        raise Forfeit(f"{self._launch.name} answered {said}, which is not legal in {board}")

    def _act(self, agent: AgentLike, board: Board, luck: int) -> Action:
        seen = Observation()
        seen.intArray = observation.encode(board, board.turn)
        if self._colour:
            return agent.agent_step(0.0, seen)
        if self._takes_luck:
            self._takes_luck = understood(agent.agent_message(f"luck {luck}") or "")
        self._colour = board.turn
        return agent.agent_start(seen)

    def _end(self, outcome: Outcome, colour: Colour) -> None:
        self._ask(colour)  # the passes that were its last turns
        with self._running() as agent:
            agent.agent_end(self._config.reward_of(outcome, colour))
        self._colour = None

    @contextmanager
    def _running(self) -> Iterator[AgentLike]:
        """Yield the running agent; end it if anything fails: a late answer would be taken for another."""
        try:
            yield self._present()
        except GlueError as error:
            assert self._program is not None  # noqa: S101  it has failed
            why = self._program.forfeit(error)
            self._stop()
            raise why from None
        except BaseException:  # also KeyboardInterrupt
            self._stop()
            raise

    def _present(self) -> AgentLike:
        """Return the agent; if it does not run, start it, send the task and freeze it."""
        if self._program is None:
            self._program = self._started()
            agent = self._program.agent
            agent.agent_init(self._config.task_spec())
            if self._checkpoint:
                self._load(agent, self._checkpoint.name)
            for what in ("learning", "exploring"):
                agent.agent_message(f"freeze {what}")
            self._takes_luck = True
        return self._program.agent

    def _load(self, agent: AgentLike, name: str) -> None:
        answer = agent.agent_message(f"load {name}") or ""
        if not understood(answer):
            why = truncate_middle(answer, _SHOWN) or "no answer"
            self._absent = AbsentError(f"{self._launch.name} has not loaded the checkpoint {name}: {why}")
            raise self._absent

    def _started(self) -> AgentProgram:
        if self._absent:
            raise self._absent
        folder = {CHECKPOINT_DIR: str(self._checkpoint.parent.absolute())} if self._checkpoint else {}
        try:
            return AgentProgram(self._launch, folder)
        except AbsentError as absent:
            self._absent = absent
            raise

    def _stop(self) -> None:
        if self._program:
            self._program.close()
        self._program, self._colour = None, None


def _launch(spec: Spec) -> Launch:
    spec.refuse_extras(argument=True, options=tuple(_OPTIONS))
    launch = launch_of(spec, [search_path()], _EXAMPLE)
    return launch._replace(name=launch.name or str(spec.argument))


def _files(spec: Spec, size: int) -> tuple[Path, ...]:
    """Return the program, if its path is given, its script (the first file of the command line), and its
    checkpoint; raise RegistryError.

    Other files of the command line may be for the agent to write.
    """
    folder = _launch(spec).folder or Path()
    program, *others = (folder / word for word in shlex.split(spec.argument or ""))
    scripts = [path for path in others if path.is_file()][:1]
    checkpoint = _checkpoint(spec)
    # The ending of the file is the agent's own.
    saved = map(Path, sorted(glob.glob(f"{glob.escape(str(checkpoint))}*"))) if checkpoint else ()
    return tuple(path for path in (program, *scripts, *saved) if path.is_file())


def _checkpoint(spec: Spec) -> Path | None:
    return Path(spec.options["load"]) if spec.options.get("load") else None


_OPTIONS = {
    **OPTIONS,
    "load": "path of a checkpoint, without its ending, for the message load",
    "name": "what to call it (its command)",
}
AGENT: Entry[Player] = Entry(
    lambda spec, size: AgentPlayer(_launch(spec), size, _checkpoint(spec)),
    "an RL-Glue agent, started when it is first needed",
    "COMMAND",
    _OPTIONS,
    files=_files,
)
