import json
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread, active_count
from urllib.request import urlopen

import pytest
from click.testing import CliRunner
from werkzeug.test import Client

from othello_lab.commands.watch import command
from othello_lab.experiment.run.outcomes import Episode, Outcome
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show import site
from othello_lab.experiment.show.pages import watch
from othello_lab.experiment.show.pages.watch import Demonstration, RunPage
from othello_lab.experiment.show.site import Site
from rlglue.transport import listen
from tests.experiment.lab import Lab
from tests.experiment.show.pages.test_demo_game import run_of

HOST, EVIL = "127.0.0.1:8000", "evil.example"
STATE = "/state.json"


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return run_of(tmp_path, "greedy", size=6, opponent="random", first="agent")


@pytest.fixture
def page(folder: RunFolder) -> Site:
    return RunPage(folder, Demonstration(folder)).site


def test_the_state_is_json(folder: RunFolder) -> None:
    with Demonstration(folder, pause=0.001) as game:
        page = RunPage(folder, game).site
        Lab.await_that(lambda: game.position is not None and game.position["moves"] != "")
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


def test_the_state_follows_the_files(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_FRESH_SECONDS", 0.0)
    monkeypatch.setattr(watch, "_READING_SHARE", 1e9)
    page = Client(RunPage(folder, Demonstration(folder)).site)
    done = []
    for number in (6, 7):
        with folder:
            folder.add_episode(Episode(number, Outcome.WIN, 1.0, 5))
        done.append(json.loads(page.get(STATE, headers={"Host": HOST}).data)["phase"]["done"])
    assert done == [6, 7]


@pytest.mark.parametrize(
    ("requests", "status"),
    [
        ([("GET", STATE, host) for host in ("localhost:8000", "127.0.0.1", "localhost")], 200),
        ([("GET", STATE, host) for host in (EVIL, f"{EVIL}:8000", f"127.0.0.1.{EVIL}", "a b")], 400),
        ([("GET", STATE, host) for host in ("0.0.0.0:8000", "[::1]:8000")], 400),
        ([(method, STATE, HOST) for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD")], 405),
        ([("GET", path, HOST) for path in ("/../config.json", "/page/watch.js", "/etc/passwd")], 404),
        ([("GET", "/%2e%2e/server.py", HOST)], 404),
    ],
)
def test_only_get_of_its_own_pages_under_a_name_of_this_machine_is_answered(
    page: Site, requests: list[tuple[str, str, str]], status: int
) -> None:
    for method, path, host in requests:
        answer = Client(page).open(path, method=method, headers={"Host": host})
        assert answer.status_code == status, (method, path, host)
        assert (b"phase" in answer.data) is (status == 200)


def test_a_folder_that_goes_is_told_on_the_page(page: Site, folder: RunFolder) -> None:
    shutil.rmtree(folder.path)
    state = json.loads(Client(page).get("/state.json", headers={"Host": HOST}).data)
    assert "has gone" in state["error"]


def test_a_port_that_is_taken_is_one_line(folder: RunFolder) -> None:
    with listen("127.0.0.1", 0) as listener:
        taken = str(listener.getsockname()[1])
        done = CliRunner().invoke(command, ["--port", taken, str(folder.path)])
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


@pytest.fixture
def server(page: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """The address of a server that answers two requests at once, and waits half a second for each."""
    monkeypatch.setattr(site, "MOST_REQUESTS", 2)
    monkeypatch.setattr(site._Handler, "timeout", 0.5)
    server = site._Server(site.HOST, 0, page, site._Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield site.HOST, server.port
    server.shutdown()
    thread.join()
    server.server_close()


def test_half_a_request_is_not_waited_for_and_holds_few_threads(server: tuple[str, int]) -> None:
    before = active_count()
    half = b"GET /state.json HTTP/1.1\r\nHost: 127.0.0.1"
    begin = time.monotonic()
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_connection(server, timeout=20)) for _ in range(6)]
        for each in sockets:
            with suppress(OSError):
                each.sendall(half)
        assert active_count() <= before + 2
        for each in sockets:
            with suppress(ConnectionError):
                assert each.recv(10) == b""
    assert time.monotonic() - begin < 10
    answer = urlopen(f"http://{server[0]}:{server[1]}/state.json")
    assert answer.status == 200


def test_a_request_that_trickles_is_not_waited_for(server: tuple[str, int]) -> None:
    begin = time.monotonic()
    with socket.create_connection(server, timeout=20) as trickling, suppress(ConnectionError):
        trickling.sendall(b"GET /state.json HTTP/1.1\r\n")
        while time.monotonic() - begin < 10:
            trickling.sendall(b"X: y\r\n")
            time.sleep(0.1)
    assert time.monotonic() - begin < 5
