"""`othello agent TEXT`: an agent as a process that meets the others over RL-Glue."""

from pathlib import Path

import click

from rlglue.logs import configure_logging
from rlglue.options import blaming, client_options, run


@click.command()
@click.argument("text", default="dqn")
@click.option("--size", type=int, help="Refuse environments of another board size.  [default: take any]")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of all its randomness.")
@click.option(
    "--checkpoint-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("checkpoints"),
    show_default=True,
    help="Where the messages save and load read and write.",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Threads of torch. With 1 the same seed gives the same run to the byte.",
)
@client_options
def main(
    text: str,
    size: int | None,
    seed: int,
    checkpoint_dir: Path,
    threads: int,
    host: str,
    port: int,
    connect_timeout: float,
    stay: bool,
) -> None:
    """Serve an agent to the RL-Glue server at HOST:PORT.

    TEXT is `dqn`, which learns (`dqn,preset=classic,frames=1` and so on), or any player of the registry:
    random, greedy, corner-greedy, dqn:PATH.
    """
    from agent.make import make_agent
    from agent.task import TaskError
    from game.players.base import UnplayableError
    from rlglue.client import serve_agent

    configure_logging()
    with blaming("TEXT"):
        agent = make_agent(text, seed, checkpoint_dir, size, threads)
    try:
        serve_agent(agent, host, port, connect_timeout, stay)
    except (TaskError, UnplayableError) as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    run(main)
