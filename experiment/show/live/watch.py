"""Watching a run from a terminal, to the run's end or to Ctrl-C."""

import time
from collections.abc import Iterator
from contextlib import suppress

from rich.console import Console
from rich.live import Live

from experiment.run.evaluation.result import by_opponent, in_words
from experiment.run.results.run_folder import RunFolder
from experiment.show import shell_commands
from experiment.show.live.shown_game import GameShow
from experiment.show.live.snapshot import Phase, Snapshot, snapshot
from experiment.show.live.terminal_view import TerminalView
from experiment.show.progress import PlainDisplay
from experiment.show.run_files import Following

LOOK_SECONDS = 1.0
"""Between two looks at the files and at the game, which is slower: each of its positions is seen."""
_LEAVE = "Ctrl-C ends this view, not the run"


def watch(folder: RunFolder, console: Console) -> None:
    """Show a run until it ends; Ctrl-C ends the view before. Raises RunFolderError, RunFolderGoneError."""
    run = Following(folder)
    on_screen = console.is_terminal and not console.is_dumb_terminal
    with suppress(KeyboardInterrupt):
        (_on_screen if on_screen else _in_lines)(run, console)
        console.print(TerminalView(snapshot(run), None, _picture(folder)))


def _picture(folder: RunFolder) -> str:
    return f"as a picture: {shell_commands.othello('experiment', 'plot', str(folder.path))}"


def _looks(run: Following) -> Iterator[Snapshot]:
    """Yield the run as it stands, each second until it ends."""
    run.look()
    while not (now := snapshot(run)).phase.ended:
        yield now
        time.sleep(LOOK_SECONDS)
        run.look()


def _on_screen(run: Following, console: Console) -> None:
    with GameShow(run) as game, Live(console=console, screen=True, auto_refresh=False) as live:
        for now in _looks(run):
            foot = ". ".join(filter(None, (game.says, _LEAVE)))
            live.update(TerminalView(now, game.shown, foot), refresh=True)


def _in_lines(run: Following, console: Console) -> None:
    """Print at once what is watched, then a line a minute, and each evaluation."""
    display, told = PlainDisplay(console, 0, 0), 0
    for look, now in enumerate(_looks(run)):
        if look == 0:
            display.line(_greeting(run.folder, now.phase))
        for results in by_opponent(run.evaluations[told:]).values():
            display.line(f"after {results[0].episode:,} games: {in_words(results)}")
        told = len(run.evaluations)
        phase = now.phase
        facts = [phase.says, *(f"{name} {text}" for name, text in now.numbers.items())]
        display.advance(phase.done, facts, phase.seconds_left, phase.total)


def _greeting(folder: RunFolder, now: Phase) -> str:
    games = f"{now.done:,} of {now.total:,} training games" if now.total else f"{now.done:,} training games"
    return f"{folder.path}: {now.says}, {games}. A line a minute and each evaluation follow; {_LEAVE}"
