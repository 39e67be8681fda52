"""Trials over RL-Glue: anybody's agent, and an environment that is told how games begin."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from othello_lab.experiment.compare.judging.trial import Judgement, Trial
from othello_lab.experiment.run.connecting import agent_command, environment_command, met
from othello_lab.experiment.run.control import ControlError, opponent_forfeits, require, tell_agent
from othello_lab.experiment.run.episodes import RunTask, episodes, read_task
from othello_lab.experiment.run.evaluation import FrozenGames, Stopped
from othello_lab.experiment.run.outcomes import Episode, Outcome
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart, Seeds, derive
from othello_lab.experiment.workers.trio import Trio
from othello_lab.game import Board, Colour, Game
from othello_lab.game.play import Played
from othello_lab.game.players import catalogue as registry
from othello_lab.game.records import Forfeited, Record
from rlglue.address import Address, parse_address
from rlglue.client import connect_experiment
from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.server import Server


def othello_task(glue: Glue) -> tuple[RunTask, int]:
    """Begin a run and return its task and the size of its board; raise ControlError if it is no Othello."""
    task = read_task(glue.RL_init())
    if task.size is None:
        raise ControlError(
            f"the environment's task is no Othello: {task.text[:100]!r}; `othello environment` serves one"
        )
    return task, task.size


class OverGlue:
    """Plays trials with the agent and the environment behind a Glue. Raises GlueError if one leaves."""

    def __init__(self, glue: Glue, task: RunTask, stop: Callable[[], bool] = lambda: False) -> None:
        self._glue, self._task, self._stop = glue, task, stop
        self._takes_luck = True

    def play(self, judgement: Judgement) -> Generator[Played, None, None]:
        """Play a trial, the agent frozen; note in the judgement what could not be frozen.

        The environment is told the opponent, the seed, and for each game its luck, who begins and the
        opening; an agent that takes it is told its luck too. Raises ControlError if the environment does not
        obey, Stopped.
        """
        trial = judgement.trial
        games = FrozenGames(self._glue, self._task, trial.seed, [trial.b])
        with games.frozen(trial.b) as notes:
            if notes is None:
                raise ControlError("the environment understands no messages: it has to be told the openings")
            judgement.notes = notes
            yield from self._games(trial)

    def _games(self, trial: Trial) -> Iterator[Played]:
        played = episodes(self._glue, self._task)
        for number in range(trial.games):
            if self._stop():
                raise Stopped
            self._set_up(trial, number)
            before = opponent_forfeits(self._glue)
            episode = next(played)
            yield self._read(trial, number, episode, opponent_forfeits(self._glue) > before)

    def _set_up(self, trial: Trial, number: int) -> None:
        colour, luck = trial.colour_of_a(number), trial.luck(number)
        require(self._glue, f"episode {luck.episode(colour.other)}")
        require(self._glue, f"first {'agent' if colour is Colour.BLACK else 'opponent'}")
        # A position, since an environment may play random plies after `standard`.
        require(self._glue, f"start {luck.opening or Board.start(trial.size)}")
        if self._takes_luck:
            self._takes_luck = tell_agent(self._glue, f"luck {trial.seed} {luck.episode(colour)}")

    def _read(self, trial: Trial, number: int, episode: Episode, given_up: bool) -> Played:
        """Return the game that was played, from the environment's transcript."""
        colour = trial.colour_of_a(number)
        game = self._transcript(trial.size)
        forfeit = None
        if given_up:
            forfeit = Forfeited(colour.other, "it gave the game up")
        elif episode.illegal and not game.board.is_over:  # an environment may ignore it
            forfeit = Forfeited(colour, "illegal action")
        names = (trial.agent, trial.b) if colour is Colour.BLACK else (trial.b, trial.agent)
        opening = len(Game.from_transcript(trial.opening(number), trial.size).moves)
        played = Played(Record(game, *names, opening, trial.seed, number, forfeit), colour)
        _check(played, episode)
        return played

    def _transcript(self, size: int) -> Game:
        said = self._glue.RL_env_message("transcript")
        try:
            return Game.from_transcript(said, size)
        except ValueError as error:
            raise ControlError(f"the environment's transcript cannot be read: {error}") from None


def _check(played: Played, episode: Episode) -> None:
    """Raise ControlError where the record and the rewards tell two stories."""
    outcome = Outcome.of_points(played.points) if played.record.is_over else None
    if outcome is None or outcome is not episode.outcome:
        raise ControlError(
            f"the environment's rewards say {episode.outcome or 'nothing'}, "
            f"its transcript {outcome or 'an unfinished game'}: expected the same"
        )


@contextmanager
def joined(server: str, patience: float) -> Iterator[Glue]:
    """Join a server at HOST:PORT, where agent and environment are. Raises GlueError."""
    with connect_experiment(*parse_address(server), patience) as glue:
        yield glue
        with suppress(GlueError):  # all is over: a peer that has left by now needs no message
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
    """Host a server, start an environment and the agent of that command line; "": wait for one to connect.

    `opponents` are those that the environment accepts by message. Raises GlueError, CommandError.
    """
    with _logs() as logs, Trio() as children, Server(*where) as server:
        _start(children, agent, opponents, size, logs, server.address, derive(seed))
        if not agent:
            say("waiting for an agent on {}:{}, such as `othello agent dqn`".format(*server.address))
        with met(children, server, patience) as glue:
            yield glue
            with suppress(GlueError):
                glue.RL_cleanup()


@contextmanager
def _logs() -> Iterator[Path]:
    """Yield a new folder for logs, which stays only where there is an error to explain."""
    path = Path(mkdtemp(prefix="othello-"))
    yield path
    rmtree(path)


def _start(
    children: Trio,
    agent: str,
    opponents: Sequence[str],
    size: int,
    logs: Path,
    server: Address,
    seeds: Seeds,
) -> None:
    allowed = [text for text in opponents if not registry.is_built_in(text, size)]
    environment = environment_command(EnvironmentPart(size), seeds, allowed)
    children.start("environment", environment, logs / "environment.log", server)
    if agent:
        command = agent_command(AgentPart(command=agent), seeds)
        children.start("agent", command, logs / "agent.log", server)
