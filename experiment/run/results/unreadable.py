"""Parts of a run's files that cannot be read."""

from experiment.run.results.run_folder import RunFolder


def unreadable_rows(folder: RunFolder) -> list[str]:
    """Say of which files lines could not be read, so that they are missing in what is shown."""
    found = {folder.games_file: folder.rounds() or folder.episodes(), "evaluations.csv": folder.evaluations()}
    lines = {name: folder.rows_written(name) - len(rows) for name, rows in found.items()}
    return [
        f"{name}: {count} line{'s' * (count != 1)} left out, which cannot be read"
        for name, count in lines.items()
        if count > 0
    ]
