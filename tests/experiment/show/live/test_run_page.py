"""The page of a run: browsers on this machine get it, and no other site."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from werkzeug.test import Client

from othello_lab.commands.watch import command
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show import site
from othello_lab.experiment.show.live.demo_game import Demonstration
from othello_lab.experiment.show.live.run_page import RunPage
from othello_lab.experiment.show.run_files import Following
from othello_lab.experiment.show.site import Site
from rlglue.net.transport import Listener
from tests.experiment.show.live.test_demo_game import await_that, run_of

HOST = "127.0.0.1:8000"


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return run_of(tmp_path, "greedy", size=6, opponent="random", first="agent")


@pytest.fixture
def page(folder: RunFolder) -> Site:
    run = Following(folder)
    return RunPage(run, Demonstration(run)).site


def test_the_state_is_json(folder: RunFolder) -> None:
    run = Following(folder)
    with Demonstration(run, pause=0.001) as game:
        page = RunPage(run, game).site
        await_that(lambda: game.position is not None and game.position.moves != "")
        answer = Client(page).get("/state.json", headers={"Host": HOST})
    assert answer.content_type == "application/json"
    state = json.loads(answer.data)
    assert state["phase"]["done"] == 5
    assert state["rates"]["series"][0]["label"] == "training: won, last 100 games"
    game_now = state["game"]
    assert len(game_now["cells"]) == 36
    assert sum(game_now["discs"]) == 36 - game_now["cells"].count("-")
    if game_now["values"]:
        assert len(game_now["values"]) == len(game_now["legal"])


@pytest.mark.parametrize("path", ["/", "/watch.js", "/charts.js", "/board.js", "/style.css"])
def test_the_page_is_made_of_its_own_files(page: Site, path: str) -> None:
    answer = Client(page).get(path, headers={"Host": HOST})
    assert answer.status_code == 200
    assert "http://" not in answer.text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "0.0.0.0:8000", "[::1]:8000", "a b"],
)
def test_a_page_of_another_name_that_leads_here_reads_nothing(page: Site, host: str) -> None:
    answer = Client(page).get("/state.json", headers={"Host": host})
    assert answer.status_code == 400
    assert b"phase" not in answer.data


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "localhost"])
def test_this_machines_own_names_are_answered(page: Site, host: str) -> None:
    assert Client(page).get("/state.json", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"])
def test_only_get_is_answered(page: Site, method: str) -> None:
    answer = Client(page).open("/state.json", method=method, headers={"Host": HOST})
    assert answer.status_code == 405
    assert b"phase" not in answer.data


@pytest.mark.parametrize("path", ["/../config.json", "/page/watch.js", "/%2e%2e/server.py", "/etc/passwd"])
def test_no_other_file_is_served(page: Site, path: str) -> None:
    assert Client(page).get(path, headers={"Host": HOST}).status_code == 404


def test_a_folder_that_goes_is_told_on_the_page(page: Site, folder: RunFolder) -> None:
    shutil.rmtree(folder.path)
    state = json.loads(Client(page).get("/state.json", headers={"Host": HOST}).data)
    assert "has gone" in state["error"]


def test_a_port_that_is_taken_is_one_line(folder: RunFolder) -> None:
    listener = Listener("127.0.0.1", 0)
    taken = str(listener.address[1])
    try:
        done = CliRunner().invoke(command, ["--port", taken, str(folder.path)])
    finally:
        listener.close()
    assert done.exit_code == 2
    assert f"cannot listen on 127.0.0.1:{taken} " in done.output


def test_the_newest_run_is_the_default(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "serve", lambda page, port, say: say("http://an-address/"))
    done = CliRunner().invoke(command, ["--runs-dir", str(folder.path.parent)])
    assert done.exit_code == 0
    assert done.output == f"{folder.path} is shown at http://an-address/ until Ctrl-C\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [([], "there is no run in"), (["one"], "there is no run in"), (["--port", "70000"], "--port")],
)
def test_an_error_is_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(command, [*arguments, "--runs-dir", str(tmp_path)])
    assert done.exit_code == 2
    assert message in done.output
    assert "Traceback" not in done.output
