"""Shell completion for the names of players and runs."""

from pathlib import Path

import click
from click.shell_completion import CompletionItem


def _named(context: click.Context, begin: str, players: bool, runs: bool) -> list[CompletionItem]:
    """Return what a shell completes a name with; a path is for the shell itself to complete."""
    from experiment.run.results.names import run_names
    from game.players import catalogue as registry

    names = registry.names() if players else []
    names += run_names(context.params.get("runs_dir") or Path("runs")) if runs else []
    found = [CompletionItem(name) for name in names if name.startswith(begin)]
    return found or [CompletionItem(begin, type="file")]


def a_player(context: click.Context, _: click.Parameter, begin: str) -> list[CompletionItem]:
    """Complete the name of a player."""
    return _named(context, begin, players=True, runs=False)


def a_run(context: click.Context, _: click.Parameter, begin: str) -> list[CompletionItem]:
    """Complete the name of a run."""
    return _named(context, begin, players=False, runs=True)


def a_player_or_run(context: click.Context, _: click.Parameter, begin: str) -> list[CompletionItem]:
    """Complete the name of either, or the path of a checkpoint."""
    return _named(context, begin, players=True, runs=True)
