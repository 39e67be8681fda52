"""Evaluate agents with matches against several opponents, in this process or over RL-Glue."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.run.control import ControlError, opponent_forfeits, require, tell_agent
from othello_lab.experiment.run.episodes import RunTask, episodes, read_task
from othello_lab.experiment.run.evaluation import FrozenGames
from othello_lab.experiment.run.outcomes import Episode, Outcome
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart, derive
from othello_lab.experiment.workers.interrupts import Stopped
from othello_lab.experiment.workers.trio import Trio, agent_command, environment_command
from othello_lab.game import Board, Colour, Game
from othello_lab.game import catalogue as registry
from othello_lab.game.play import Pairing, Played
from othello_lab.game.records import Forfeited, Record
from rlglue.address import Address, parse_address
from rlglue.client import connect_experiment
from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.server import Server

OPPONENTS: Mapping[str, str] = {
    "random": "random",
    "corner-greedy": "corner-greedy",
    "weights:swh": "weights:swh",
    "weights:heur": "weights:heur",
    "weights:bench": "weights:bench",
    "positional": "positional",
    "positional 4-ply": "alphabeta:depth=4,eval=positional",
    "mobility 4-ply": "alphabeta:depth=4,eval=mobility",
}
"""The default opponents, as names and registry texts. Every opponent plays on boards of every size."""


def othello_task(glue: Glue) -> tuple[RunTask, int]:
    """Call RL_init, and return the task and the board size.

    Raises ControlError if the task is not Othello.
    """
    task = read_task(glue.RL_init())
    if task.size is None:
        raise ControlError(
            f"the environment's task is no Othello: {task.text[:100]!r}; `othello environment` serves one"
        )
    return task, task.size


class OverGlue:
    """A connection that plays matches. Raises GlueError if the agent or the environment leaves."""

    def __init__(self, glue: Glue, task: RunTask, stop: Callable[[], bool] = lambda: False) -> None:
        self._glue, self._task, self._stop = glue, task, stop
        self._takes_luck = True

    def play(self, summary: Summary) -> Generator[Played, None, None]:
        """Play a match with a frozen agent. Raises ControlError if the environment refuses a message.

        The summary gets a note on each part of the agent that cannot be frozen. An interrupt raises Stopped.
        """
        match = summary.match
        games = FrozenGames(self._glue, self._task, match.seed, [match.b])
        with games.frozen(match.b) as notes:
            if notes is None:
                raise ControlError("the environment understands no messages: it has to be told the openings")
            summary.notes = notes
            yield from self._games(summary)

    def _games(self, summary: Summary) -> Iterator[Played]:
        match, played = summary.match, episodes(self._glue, self._task)
        for number in range(match.games):
            if self._stop():
                raise Stopped
            self._set_up(match, number)
            before = opponent_forfeits(self._glue)
            episode = next(played)
            yield self._read(summary, number, episode, opponent_forfeits(self._glue) > before)

    def _set_up(self, match: Pairing, number: int) -> None:
        colour, luck = match.colour_of_a(number), match.luck(number)
        require(self._glue, f"episode {luck.episode(colour.other)}")
        require(self._glue, f"first {'agent' if colour is Colour.BLACK else 'opponent'}")
        # Always send a position, because after `standard`, an environment may play random plies.
        require(self._glue, f"start {luck.opening or Board.start(match.size)}")
        if self._takes_luck:
            self._takes_luck = tell_agent(self._glue, f"luck {match.seed} {luck.episode(colour)}")

    def _read(self, summary: Summary, number: int, episode: Episode, is_given_up: bool) -> Played:
        match = summary.match
        colour, game = match.colour_of_a(number), self._transcript(match.size)
        forfeit = None
        if is_given_up:
            forfeit = Forfeited(colour.other, "it gave the game up")
        elif episode.illegal and not game.board.is_over:  # an environment may ignore an illegal action
            forfeit = Forfeited(colour, "illegal action")
        names = (summary.agent, match.b) if colour is Colour.BLACK else (match.b, summary.agent)
        opening = len(Game.from_transcript(match.opening(number), match.size).moves)
        played = Played(Record(game, *names, opening, match.seed, number, forfeit), colour)
        _check(played, episode)
        return played

    def _transcript(self, size: int) -> Game:
        transcript = self._glue.RL_env_message("transcript")
        try:
            return Game.from_transcript(transcript, size)
        except ValueError as error:
            raise ControlError(f"the environment's transcript cannot be read: {error}") from None


def _check(played: Played, episode: Episode) -> None:
    """Raise ControlError if the record and the rewards contradict each other."""
    outcome = Outcome.of_points(played.points) if played.record.is_over else None
    if outcome is None or outcome is not episode.outcome:
        raise ControlError(
            f"the environment's rewards say {episode.outcome or 'nothing'}, "
            f"its transcript {outcome or 'an unfinished game'}: expected the same"
        )


@contextmanager
def joined(server: str, patience: float) -> Iterator[Glue]:
    """Connect to a running server, HOST:PORT. Raises GlueError if no connection is possible."""
    with connect_experiment(*parse_address(server), patience) as glue:
        yield glue
        with suppress(GlueError):  # the evaluation is over, so the peer may have left
            glue.RL_cleanup()


@contextmanager
def hosted(
    agent: str,
    opponents: Sequence[str],
    size: int,
    where: Address,
    patience: float,
    say: Callable[[str], None],
    seed: int,
) -> Iterator[Glue]:
    """Host a server, and start an environment and an agent. Raises GlueError if a connection fails.

    The text `agent` is a command line. If `agent` is "", the function waits until an agent connects. Messages
    can set the environment's opponent to one of `opponents`. Raises CommandError if the program does not
    exist.
    """
    seeds, logs = derive(seed), Path(mkdtemp(prefix="othello-"))
    allowed = [text for text in opponents if not registry.is_built_in(text, size)]
    with Trio() as children, Server(*where) as server:
        environment = environment_command(EnvironmentPart(size), seeds, allowed)
        children.start("environment", environment, logs / "environment.log", server.address)
        if agent:
            command = agent_command(AgentPart(command=agent), seeds)
            children.start("agent", command, logs / "agent.log", server.address)
        else:
            say("waiting for an agent on {}:{}, such as `othello agent dqn`".format(*server.address))
        with children.connected(server, patience) as glue:
            yield glue
            with suppress(GlueError):
                glue.RL_cleanup()
    rmtree(logs)  # not after an error, because the error message names the logs
