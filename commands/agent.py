"""`othello agent AGENT`: run an agent as a process that connects to an RL-Glue server."""

from contextlib import suppress
from pathlib import Path

import click

from othello_lab.commands import fields
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import Command, option, options, takes, whole_number
from rlglue.address import CHECKPOINT_DIR, SEED
from rlglue.scripts import configure_logging

DEFAULT_AGENT = "dqn"
_TYPED = "othello.agent"  # The key of the command's first argument in the context's `meta`.


@options
class _Options(fields.Client):
    agent: str = fields.player_argument(DEFAULT_AGENT, metavar="[AGENT]")
    size: int | None = fields.size(
        "Accept only environments with this board size.  [default: any size]", default=None, section=""
    )
    seed: int = fields.seed("Seed of all randomness.", envvar=SEED, show_envvar=True)
    checkpoint_dir: Path = option(
        "Folder in which messages save and load checkpoints.",
        default=Path("checkpoints"),
        type=fields.FOLDER,
        envvar=CHECKPOINT_DIR,
        show_envvar=True,
    )
    threads: int = whole_number(
        "Number of threads that torch uses. With 1 thread, the same seed gives exactly the same run.",
        default=1,
        lowest=1,
    )
    device: str | None = option(
        "The torch device for the networks of dqn, alphazero and ppo. All other learners use the CPU.  "
        "[default: cpu]",
        metavar="auto|cpu|cuda[:N]",
    )
    gpu: int | None = whole_number(
        "The torch device as a number. N means cuda:N, and -1 means cpu.", lowest=-1, metavar="N"
    )
    runs_dir: Path = fields.runs_dir()
    # An agent ends with its experiment, because the next experiment may have a different agent.
    stay: bool = option("When an experiment ends, keep the learned policy and wait for the next experiment.")
    config: None = fields.config()


class _AgentCommand(Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_TYPED] = (args or [""])[0]
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from othello_lab.agent.learner import method_names
        from othello_lab.commands.players import write_learner
        from othello_lab.game.registry import RegistryError, parse

        with suppress(RegistryError):
            spec = parse(ctx.meta.get(_TYPED, ""))
            if spec.name in method_names():
                write_learner(formatter, spec.name, spec.options.get("preset", ""))


@takes(_Options, cls=_AgentCommand)
def command(options: _Options) -> None:
    """Serve an agent to the RL-Glue server at HOST:PORT.

    AGENT is a learner with its options, such as dqn or dqn,preset=classic,frames=1. `othello agent dqn
    --help` lists the options of dqn. AGENT can also be a player, a run or the path of a checkpoint, which
    plays without learning.
    """
    from othello_lab.agent.make import make_agent
    from rlglue.client import serve_agent
    from rlglue.scripts import use_threads

    configure_logging()
    use_threads(options.threads)
    device, text = _device(options.device, options.gpu), _text(options.agent, options.runs_dir)
    with blaming("AGENT"):
        agent = make_agent(text, options.seed, options.checkpoint_dir, options.size, device)
    try:
        serve_agent(agent, *options.server, options.stay)
    finally:
        agent.agent_cleanup()


def _device(device: str | None, gpu: int | None) -> str:
    from othello_lab.agent.make import read_device

    if device is not None and gpu is not None:
        raise click.UsageError("--device and --gpu: expected one of them")
    with blaming("--device" if device else "--gpu"):
        return read_device(device or ("cpu" if gpu in (None, -1) else f"cuda:{gpu}"))


def _text(agent: str, runs_dir: Path) -> str:
    from othello_lab.agent.make import learns
    from othello_lab.game.registry import RegistryError, parse

    with suppress(RegistryError):  # a path is not a valid registry text
        if learns(parse(agent)):
            return agent
    from othello_lab.commands.checks import named  # lazy import: learners do not need `named`

    return named(agent, runs_dir, "AGENT").text
