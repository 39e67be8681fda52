"""The console command `othello`: a group that imports a subcommand only when it is called."""

from importlib.util import find_spec
from pathlib import Path

import click

_rlglue = Path(getattr(find_spec("rlglue"), "origin", None) or "rlglue/none").parent
if _rlglue.parent != Path(__file__).parent.parent:  # rlglue-py3, or the rlglue of the registry
    raise SystemExit(
        f"Error: another package named rlglue, in {_rlglue}, is in the way of this program's own: "
        f"take it off PYTHONPATH or uninstall it; code written for it runs on ours"
    )

from othello.commands import SETTINGS, LazyGroup  # noqa: E402  only once it is known to be ours
from othello.options import run  # noqa: E402

COMMANDS = {
    "run": ("experiment.__main__", "run", "train: environment, agent and experiment as three processes"),
    "play": ("console.__main__", "main", "play at the console against any opponent or a trained agent"),
    "match": ("experiment.match.__main__", "main", "two players against each other, from many openings"),
    "environment": ("environment.__main__", "main", "serve the Othello environment"),
    "agent": ("agent.__main__", "main", "serve an agent: dqn, or any player as one"),
    "experiment": ("experiment.__main__", "main", "run episodes and write down what happened"),
    "glue": ("rlglue.__main__", "main", "an RL-Glue server alone"),
    "solve": ("console.solve.__main__", "main", "the exact value and the best move of a position"),
    "players": ("console.tools.__main__", "players", "list the players and evaluators there are"),
    "perft": ("console.tools.__main__", "perft", "count move paths"),
}
"""Subcommand: module, name of its click command there, one line about it."""
BENCH = {
    "game": ("console.tools.__main__", "bench_game", "moves, games and positions a second"),
    "glue": ("rlglue.__main__", "bench_glue", "steps a second over TCP"),
    "learn": ("agent.__main__", "bench_learn", "updates a second of the DQN, memory and draws of its replay"),
}
"""The same for the subcommands of `bench`."""
SHELLS = ("bash", "zsh", "fish")
_COMPLETE = "_OTHELLO_COMPLETE"
"""The environment variable by which a shell asks for completions: click's spelling."""

cli = LazyGroup(
    COMMANDS,
    help="""Othello reinforcement-learning lab in the RL-Glue style.

    `othello run` trains an agent, `othello play` plays against it, `othello COMMAND --help` explains.
    """,
    context_settings=SETTINGS,
)
cli.add_command(LazyGroup(BENCH, name="bench", help="measure speed on this machine"))


@cli.command("help", help="explain a command, as its --help does")
@click.argument("command", nargs=-1)
@click.pass_context
def help_(context: click.Context, command: tuple[str, ...]) -> None:
    """Print the help of a command given by its words, such as `bench game`; without any that of `othello`."""
    assert context.parent is not None  # noqa: S101  it is a command of cli
    at = context.parent
    for word in command:
        if not isinstance(at.command, click.Group):
            raise click.UsageError(f"{at.command_path!r} has no commands of its own: leave {word!r} out")
        _, found, _ = at.command.resolve_command(at, [word])
        assert found is not None  # noqa: S101  else it would have raised
        at = click.Context(found, at, info_name=word, **SETTINGS)
    click.echo(at.get_help())


@cli.command("completion", help="print what makes a shell complete commands, options, players and runs")
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script of a shell; have its start-up file evaluate that.

    \b
    ~/.bashrc:                   eval "$(othello completion bash)"
    ~/.zshrc, after compinit:    eval "$(othello completion zsh)"
    ~/.config/fish/config.fish:  othello completion fish | source
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None  # noqa: S101  click knows all of SHELLS
    click.echo(script(cli, {}, "othello", _COMPLETE).source())


def main() -> None:
    """Run the command line and end the process: one line for a foreseen error, and its exit code."""
    run(cli, name="othello")


if __name__ == "__main__":
    main()
