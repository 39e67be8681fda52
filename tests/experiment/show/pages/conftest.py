from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.report import command
from tests.experiment.show.pages.reported import RUN, games_file, run_folder, tournament


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    run, games = run_folder(folder / "runs" / RUN), games_file(folder / "games.jsonl")
    database = tournament(folder / "t.sqlite")
    made = {
        "run": (run / "report.html", [run, "--games", "4"]),
        "games": (Path(f"{games}.html"), [games, "--values", "greedy"]),
        "tournament": (Path(f"{database}.html"), [database, "--games", "5", "--values", "search:endgame=12"]),
    }
    for path, arguments in made.values():
        result = CliRunner().invoke(command, [str(argument) for argument in arguments])
        assert result.exit_code == 0, result.output
        assert result.stdout.splitlines()[-1] == str(path)
    return {name: path for name, (path, _) in made.items()}
