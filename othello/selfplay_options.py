"""Options of `othello selfplay`, and the run that they describe."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from experiment.run.record import TENTHS, SelfPlayConfig
from othello.agent import AgentText
from othello.checks import checked_size
from othello.ending import blaming
from othello.options import given, option, options, refuse, whole_number
from othello.player_names import named
from othello.shared_options import a_config, a_player, a_player_or_run, a_seed, a_size
from othello.training import RunOptions, check_opponents, training_config
from othello.workers import jobs_option, ray_option

if TYPE_CHECKING:
    import torch

    from experiment.run.record import TrainingConfig

DEFAULT_LEARNER: Final = "ntuple"
LENGTHS: Final = {"games", "minutes", "plies"}
"""The options that say how long a run is."""
EVALUATED_WITH: Final = ("corner-greedy", "weights:swh")
"""Whom a learner of self-play is always evaluated with, as black and as white."""


@options
class _Games:
    learner: str = option(
        "The learner: dqn, ntuple, td or mcq, with options such as ntuple,lam=0.5.",
        default=DEFAULT_LEARNER,
        type=AgentText(),
        metavar="TEXT",
        shell_complete=a_player,
        section="Training",
    )
    games: int = whole_number(
        "Number of training games. Schedules, and how often it is evaluated, follow from it.",
        default=200_000,
        lowest=1,
    )
    minutes: float | None = option(
        "Instead of --games: minutes of training, without the evaluations.",
        type=click.FloatRange(0, min_open=True),
    )
    plies: int | None = whole_number(
        "Instead of --games: decisions of both sides; the round that reaches this number is the last.",
        lowest=1,
    )
    from_: str | None = option(
        "Begin with the policy of this run or checkpoint; it must be of the same learner.",
        metavar="RUN|PATH",
        shell_complete=a_player_or_run,
    )
    jobs: int = jobs_option()
    ray: str | None = ray_option()
    device: str | None = option(
        "Have torch play and learn all of it there, such as on a GPU; of the learners dqn can.  [default: "
        "games by compiled code, on processors]",
        metavar="auto|cpu|cuda[:N]",
    )
    seed: int = a_seed()
    size: int = a_size(section="Games")
    games_at_once: int | None = whole_number(
        "Games of a round: they are played, then learned from. A process takes 512 at a time.  "
        "[default: 1024; on a GPU 32768]",
        lowest=1,
    )
    random_opening: int = whole_number(
        "Begin games with random plies: a random number of them, 0 to this.", default=10, highest=60
    )
    opponents: str | None = option(
        "Opponents of the learner, each with its share of the games: random, corner-greedy, "
        "random-weights (new square weights in each game), past (earlier policies of the learner), or an "
        "evaluator, which looks one ply ahead. In the rest of the games the learner plays itself; none: in "
        "all.  [default: opponents in three games of five]",
        metavar="NAME=SHARE,...",
    )


@options
class SelfPlayOptions(_Games, RunOptions):
    """Options of `othello selfplay`."""

    length = "--games"
    config: None = a_config()


@dataclass(frozen=True)
class Wanted:
    """A new run of self-play."""

    learner: str
    config: "TrainingConfig"
    selfplay: SelfPlayConfig
    start: Path | None
    """The checkpoint that it begins with."""


def checked(said: SelfPlayOptions) -> Wanted:
    """Return what options say of a new run; raise click.BadParameter."""
    from agent.selfplay.pool import STANDARD, read_pool

    size, opponents, device = checked_size(said.size), said.opponents or STANDARD, device_of(said.device)
    at_once = said.games_at_once or (32_768 if device and device.type == "cuda" else 1024)
    if device:
        refuse(given() & {"jobs", "ray"}, "this is no option for games on a device")
        learner = _learner_on(device, said.learner, size, at_once, opponents)
    else:
        with blaming("--learner"):
            learner = _checked_learner(said.learner, size)
    with blaming("--opponents"):
        read_pool(opponents, size)
    check_opponents(said, size)
    start = _start(said, learner)
    own = SelfPlayConfig(at_once, said.random_opening, opponents, start is not None, said.device)
    return Wanted(learner, _config(said), own, start)


def device_of(text: str | None) -> "torch.device | None":
    """Return the device of a text, None without one; raise click.BadParameter if it is not there."""
    if text is None:
        return None
    from agent.device.torch_device import read_device

    with blaming("--device"):
        return read_device(text)


def _learner_on(device: "torch.device", text: str, size: int, at_once: int, opponents: str) -> str:
    """Return the text of a learner with its options for a device; raise click.BadParameter."""
    from agent.device.selfplay import check_opponents, check_size, learner_for

    with blaming("--size"):
        check_size(size)
    with blaming("--learner"):
        whole = learner_for(text, size, device, at_once)
    with blaming("--opponents"):
        check_opponents(opponents, size)
    return whole


def _checked_learner(text: str, size: int) -> str:
    """Return the text of a learner with its options for many games at once; raise ValueError if none."""
    from agent.make import check_learner
    from agent.selfplay.training import check_batches, for_batches

    check_learner(text, size)
    whole = for_batches(text)
    check_batches(whole, size)
    return whole


def _start(said: SelfPlayOptions, learner: str) -> Path | None:
    """Return the checkpoint that --from names, None without it; raise click.BadParameter for a wrong one."""
    from agent import checkpoint
    from agent.learner import find_method
    from game.registry import RegistryError, parse

    if not said.from_:
        return None
    found = parse(named(said.from_, said.runs_dir, "--from").text)
    with blaming("--from"):
        if found.argument is None:
            raise RegistryError(f"{said.from_!r} is a player, but no run or checkpoint")
        method = find_method(parse(learner).name)
        stored = checkpoint.load(Path(found.argument), method.name)
        method.read(stored, said.size)
    return stored.path


def _config(said: SelfPlayOptions) -> "TrainingConfig":
    """Return how long a run is, and how often it evaluates and saves."""
    opponents = tuple(dict.fromkeys([*EVALUATED_WITH, *said.eval_opponent]))
    own = {"eval_opponent": opponents, "yardstick": said.yardstick is not False}
    if not (said.minutes or said.plies):
        return training_config(said, said.games, **own)
    every = TENTHS if said.eval_every is None else said.eval_every
    games = 100 if said.eval_games is None else said.eval_games
    final = 1000 if said.final_games is None else said.final_games
    return training_config(said, 0, eval_every=every, eval_games=games, final_games=final, **own)
