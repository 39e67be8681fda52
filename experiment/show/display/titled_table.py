"""The look of result tables on a terminal."""

from rich import box
from rich.table import Table


def titled_table(title: str) -> Table:
    """Return a table without columns yet: its title above it, flush left, and a line under the headings."""
    return Table(
        title=f"\n{title}",
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
