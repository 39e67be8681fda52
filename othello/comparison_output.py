"""The output of a comparison: its tables, and where its pictures are."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from experiment.show.tables import Table


def print_tables(tables: "Sequence[Table]", as_markdown: bool) -> None:
    """Print tables, as Markdown if asked, and what their intervals are."""
    from rich.console import Console

    from experiment.show.files import as_markdown as markdown_of
    from experiment.show.terminal_tables import grid

    if as_markdown:
        click.echo("\n\n".join(markdown_of(table) for table in tables))
        return
    console = Console()
    console.print(*(grid(table) for table in tables))
    console.print(*dict.fromkeys(table.says for table in tables), sep="\n", markup=False, highlight=False)


def say_where(picture: Path, as_markdown: bool) -> None:
    """Say where a picture is; Markdown is not disturbed by that."""
    click.echo(f"picture: {picture}, and the same as .svg", err=as_markdown)
