"""Evaluation of agents: matches against several opponents, played here or over RL-Glue."""

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TypeAlias

from rich.console import Console

from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.compare.match import play as play_match
from othello_lab.experiment.run.control import ControlError, opponent_forfeits, require, tell_agent
from othello_lab.experiment.run.episodes import RunTask, episodes, read_task
from othello_lab.experiment.run.evaluation import FrozenGames, Stopped
from othello_lab.experiment.run.outcomes import Episode, Outcome
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart, derive
from othello_lab.experiment.show.progress import Display
from othello_lab.experiment.workers.pool import Workers
from othello_lab.experiment.workers.trio import Trio, agent_command, environment_command
from othello_lab.game import Board, Colour, Game
from othello_lab.game.play import Pairing, Played
from othello_lab.game.players import catalogue as registry
from othello_lab.game.records import Forfeited, Record
from rlglue.address import Address, parse_address
from rlglue.client import connect_experiment
from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.server import Server


@dataclass(frozen=True)
class Trial(Pairing):
    """A match of an agent (A) against an opponent (B), with their names."""

    agent: str = ""
    """Name of A. The field `a` may be a command line, or "" for an agent that has connected."""
    opponent: str = ""


@dataclass
class Judgement:
    """The result of a trial."""

    trial: Trial
    summary: Summary = field(init=False)
    notes: tuple[str, ...] = ()
    """Notes for the reader, for example that learning could not be frozen."""
    lost: list[Record] = field(default_factory=list)
    """The games that the agent lost."""

    def __post_init__(self) -> None:
        self.summary = Summary(self.trial)

    @property
    def discs(self) -> float | None:
        """The mean disc difference of the agent; None if every game was forfeited."""
        return self.summary.mean_discs

    def forfeits(self, side: str) -> int:
        """Return the number of games that the agent, `a`, or the opponent, `b`, forfeited."""
        return self.summary.forfeits[side].total()


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
"""The default opponents: names and registry texts; they play on every board."""


Play: TypeAlias = Callable[[Judgement], Generator[Played, None, None]]
"""A function that plays the games of a trial in order and may add notes to the judgement."""


def played_by(workers: Workers) -> Play:
    """Return a function that plays trials of two players; it raises ValueError and WorkersError."""
    return lambda judgement: play_match(judgement.trial, workers)


def judge(trials: Sequence[Trial], play: Play, terminal: Console, judgements: list[Judgement]) -> None:
    """Play trials one after another, until the end or an interrupt, and append their judgements.

    After an interrupt or an error, the last judgement has the games that were played. Raises ValueError for
    a player that does not support the games, WorkersError if workers fail, GlueError if a peer leaves.
    """
    done, total = 0, sum(trial.games for trial in trials)
    display = Display(terminal, 0, total, "game")
    with suppress(KeyboardInterrupt, Stopped), display:
        for trial in trials:
            for judgement in _play(trial, play):
                judgements += [judgement] if judgement.summary.total.games == 1 else []
                done += 1
                display.advance(done, [f"{trial.opponent} {judgement.summary.total.score:.3f}"])


def _play(trial: Trial, play: Play) -> Iterator[Judgement]:
    """Play a trial; yield its judgement after each game."""
    begin, judgement = time.monotonic(), Judgement(trial)
    with closing(play(judgement)) as games:
        for game in games:
            judgement.summary.add(game)
            judgement.lost += [game.record] if game.points == 0 else []
            judgement.summary.seconds = time.monotonic() - begin
            yield judgement


def othello_task(glue: Glue) -> tuple[RunTask, int]:
    """Call RL_init; return the task and the board size; raise ControlError if the task is not Othello."""
    task = read_task(glue.RL_init())
    if task.size is None:
        raise ControlError(
            f"the environment's task is no Othello: {task.text[:100]!r}; `othello environment` serves one"
        )
    return task, task.size


class OverGlue:
    """A player of trials over RL-Glue; it raises GlueError if the agent or the environment leaves."""

    def __init__(self, glue: Glue, task: RunTask, stop: Callable[[], bool] = lambda: False) -> None:
        self._glue, self._task, self._stop = glue, task, stop
        self._takes_luck = True

    def play(self, judgement: Judgement) -> Generator[Played, None, None]:
        """Play a trial with the agent frozen; note in the judgement what could not be frozen.

        Messages set the opponent, the seed and, for each game, the random numbers, the first player and the
        opening. An agent that understands `luck` gets the seed of its random numbers too. Raises
        ControlError if the environment does not obey, Stopped after an interrupt.
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
        # Always a position: after `standard`, an environment may play random plies.
        require(self._glue, f"start {luck.opening or Board.start(trial.size)}")
        if self._takes_luck:
            self._takes_luck = tell_agent(self._glue, f"luck {trial.seed} {luck.episode(colour)}")

    def _read(self, trial: Trial, number: int, episode: Episode, is_given_up: bool) -> Played:
        """Return the last game, read from the environment's transcript."""
        colour = trial.colour_of_a(number)
        game = self._transcript(trial.size)
        forfeit = None
        if is_given_up:
            forfeit = Forfeited(colour.other, "it gave the game up")
        elif episode.illegal and not game.board.is_over:  # an environment may ignore an illegal action
            forfeit = Forfeited(colour, "illegal action")
        names = (trial.agent, trial.b) if colour is Colour.BLACK else (trial.b, trial.agent)
        opening = len(Game.from_transcript(trial.opening(number), trial.size).moves)
        played = Played(Record(game, *names, opening, trial.seed, number, forfeit), colour)
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
    """Connect to a running server, HOST:PORT; raise GlueError if no connection is possible."""
    with connect_experiment(*parse_address(server), patience) as glue:
        yield glue
        with suppress(GlueError):  # the evaluation is over: a peer that has left needs no message
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
    """Host a server and start an environment and an agent; if `agent` is "", wait for an agent to connect.

    `agent` is a command line. Messages can set the environment's opponent to one of `opponents`. Raises
    CommandError if the program does not exist, GlueError if a connection fails.
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
    rmtree(logs)  # not after an error: its message names the logs
