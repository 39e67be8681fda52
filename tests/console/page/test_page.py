import base64
from threading import Event

import msgspec
import pytest

from othello_lab.console.controller import Controller
from othello_lab.console.saving import SavedGame, SaveFile
from othello_lab.experiment.show.site import LARGEST
from othello_lab.game.notation import parse_square
from tests.cases import cases
from tests.console.conftest import NEARLY
from tests.console.page.serving import HOST, ONE, OWN, Browser, Greedy, in_file
from tests.console.screen.playing import PATIENCE


def ready_browser(transcript: str = "", white: str = "greedy") -> Browser:
    browser = Browser(transcript, white)
    browser.ready()
    return browser


def names(state: dict[str, list[dict[str, str]]]) -> list[str]:
    return [move["name"] for move in state["moves"]]


def test_the_first_board_does_not_wait_for_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    ready, make = Event(), Greedy.make

    def slowly(self: Greedy, file: SaveFile, saved: SavedGame | None) -> Controller:
        ready.wait(PATIENCE)
        return make(self, file, saved)

    monkeypatch.setattr(Greedy, "make", slowly)
    browser = Browser()
    state = browser.tell("play", square=parse_square("b1", 4))
    assert not state["is_ready"]
    assert state["board"]["cells"].strip("-") == "OX--XO"
    assert "made ready" in state["notice"]
    ready.set()
    assert browser.ready()["board"]["legal"]


def test_a_move_is_answered_taken_back_and_made_again() -> None:
    browser = Browser()
    assert browser.ready()["board"]["is_playable"]
    assert "legal" in browser.notice("play", square=0)
    browser.tell("play", square=parse_square("b1", 4))
    answered = browser.ready()
    assert names(answered)[0] == "b1"
    assert "greedy (white) plays" in answered["notice"]
    browser.tell("command", name="undo")
    assert browser.ready()["ply"] == 0
    browser.tell("command", name="redo")
    assert browser.ready()["ply"] == 2
    assert browser.tell("goto", ply=1)["can"]["go"]
    assert "no ply 900" in browser.notice("goto", ply=900)
    browser.tell("goto", ply=0)
    line = " ".join(names(browser.ready()))
    notice = browser.notice("play", square=parse_square("c4", 4))
    assert notice.startswith("greedy (white) plays ")
    assert notice.endswith(f". left: {line}")


def test_hints_stand_on_the_squares() -> None:
    browser = ready_browser()
    browser.tell("command", name="hint")
    state = browser.ready()
    assert len(state["board"]["values"]) == len(state["board"]["legal"]) == 4
    assert state["hint"][0].startswith("best: ")
    assert browser.tell("values")["shows_values"]


@pytest.mark.parametrize(
    ("do", "more"), [("review", {}), ("goto", {"ply": 3}), ("step", {"decisions": -1})], ids=str
)
def test_a_game_that_is_resigned_has_a_card_a_review_and_a_graph(do: str, more: dict[str, int]) -> None:
    browser = Browser(NEARLY)
    assert browser.ready()["can"]["resign"]
    assert browser.tell("command", name="resign")["is_over"]
    state = browser.await_that(lambda state: "cost" in state["card"][-1] and not state["is_busy"])
    assert state["card"][0] == "You lose: black resigned."
    assert not state["review"]["is_opened"]
    review = browser.tell(do, ONE, **more)["review"]
    assert review["is_opened"]
    assert [point["ply"] for point in review["points"]] == list(range(8))
    assert all(point["is_exact"] for point in review["points"])
    assert review["scale"] == "discs at the end of the game"
    assert any(move["loss"] for move in browser.tell()["moves"])
    assert "played" in browser.notice("goto", ply=3)


def test_a_rematch_with_the_other_colour_and_on_another_board() -> None:
    browser = ready_browser(NEARLY)
    browser.tell("seat", size=4, black="greedy", white="human", adviser="mobility", is_new=True)
    assert browser.ready()["settings"]["black"] == "greedy"
    browser.tell("seat", size=6, black="human", white="level:1", adviser="mobility", is_new=True)
    state = browser.ready()
    assert (state["board"]["size"], state["settings"]["white"], state["moves"]) == (6, "level:1", [])


@pytest.mark.parametrize("text", ["engine:sh -c true", "trained:/etc/passwd", "no-such-player"])
def test_a_page_seats_nobody_who_was_not_offered(text: str) -> None:
    browser = Browser()
    before = browser.ready()["settings"]
    state = browser.tell("seat", size=4, black="human", white=text, adviser="mobility", is_new=True)
    assert "no such player is offered" in state["notice"]
    assert browser.ready()["settings"] == before


def test_players_that_cannot_play_are_refused() -> None:
    browser = ready_browser()
    browser.tell("seat", size=4, black="human", white="greedy", adviser="human", is_new=True)
    browser.await_that(lambda state: "human" in state["notice"])


def test_where_a_player_cannot_go_on_another_can(caplog: pytest.LogCaptureFixture) -> None:
    browser = ready_browser(white="script:b1")
    browser.tell("play", square=parse_square("b1", 4))
    stuck = browser.await_that(lambda state: "script:b1 cannot go on" in state["notice"])
    assert stuck["can"]["go"]
    assert "`go` has it move" in browser.tell("play", square=0)["notice"]
    browser.tell("command", name="go")
    browser.await_that(lambda _: caplog.messages.count("a player failed") == 2)
    assert browser.await_that(lambda state: "cannot go on" in state["notice"])["ply"] == 1
    browser.tell("seat", size=4, black="human", white="greedy", adviser="mobility", is_new=False)
    browser.await_that(lambda state: state["ply"] == 2)


def test_a_game_is_saved_as_a_file_and_loaded_from_one() -> None:
    browser = ready_browser(NEARLY)
    name, content = browser.tell("save", suffix=".jsonl")["file"]
    assert name == "othello.jsonl"
    browser.tell("command", name="new")
    state = browser.tell("load", name="C:\\games\\x.JSONL", content=content, number=1)
    assert "".join(names(state)) == NEARLY
    complaint = browser.notice("load", name="x.jsonl", content=content, number=2)
    assert complaint == "the file: there is no game 2: its games are 1 to 1"
    for strange in ("/etc/passwd", f"x.{'y' * 290}", "x.jsonl\0"):
        assert "unknown format; supported: .jsonl, " in browser.notice(
            "load", name=strange, content="", number=1
        )


def test_a_position_that_is_looked_at_is_saved_as_a_picture() -> None:
    browser = ready_browser(NEARLY)
    browser.tell("goto", ply=2)
    name, content = browser.tell("save", suffix=".svg")["file"]
    assert name == "othello.svg"
    assert "3 black, 10 empty, 3 white" in base64.b64decode(content).decode()
    name, content = browser.tell("save", suffix=".png")["file"]
    assert base64.b64decode(content).startswith(b"\x89PNG")


def test_a_position_that_was_set_up_is_played_by_those_who_play_already() -> None:
    browser = ready_browser(NEARLY)
    state = browser.tell("set-up", text="-----XO--OX----- X")
    assert (state["board"]["cells"], state["moves"]) == ("-----XO--OX-----", [])
    assert (state["settings"]["black"], state["settings"]["white"]) == ("human", "greedy")
    assert "left: d3 d2" in state["notice"]
    assert state["transcript"] == "-----XO--OX----- X;"
    assert "greedy (white) has no legal move" in browser.tell("set-up", text="XO-------------- O")["notice"]


@pytest.mark.parametrize("name", ["x.sgf", "x.txt"])
def test_a_game_of_another_program_is_loaded(name: str) -> None:
    browser = ready_browser()
    state = browser.tell("load", name=name, content=in_file("(;GM[2]SZ[4];B[b1];W[a1])"), number=1)
    assert "".join(names(state)) == "b1a1"


def test_a_game_is_pasted_in_lines_too_and_a_text_opens_no_file() -> None:
    browser = ready_browser()
    assert "".join(names(browser.tell("open", text='[Event "x"]\n[SZ "4"]\n\n1. b1\n')))[:2] == "b1"
    assert "".join(names(browser.tell("open", text="(;GM[2]SZ[4]\n;B[b1]\n;W[a1])"))) == "b1a1"
    assert "neither a position nor a list of moves" in browser.notice("open", text="/etc/passwd.txt")


def test_what_is_no_position_is_one_line_and_no_change() -> None:
    browser = Browser(NEARLY)
    before = browser.ready()
    for text in ("---------------- X", "X--------------- O", "", "b1a1", "x" * 300):
        state = browser.tell("set-up", text=text)
        assert "position" in state["notice"]
        assert "\n" not in state["notice"]
        assert state["moves"] == before["moves"]


ASKED = msgspec.json.encode({"game": ONE})


@pytest.mark.parametrize(("headers", "code"), cases("page_requests_refused"))
def test_a_page_of_elsewhere_gets_nothing(headers: dict[str, str], code: int) -> None:
    browser = Browser()
    answer = browser.post(ASKED, headers)
    assert answer.status_code == code
    assert b"board" not in answer.data
    assert not browser.tabs._tabs


def asked(action: dict[str, str]) -> bytes:
    return msgspec.json.encode({"game": ONE, "action": action})


@pytest.mark.parametrize(
    "body",
    [
        *cases("page_messages_refused"),
        b"[" * 100_000,
        asked({"do": "open", "text": "d3" * 20_000}),
        asked({"do": "set-up", "text": "-" * 2001}),
    ],
)
def test_what_no_page_of_ours_says_is_refused(body: bytes) -> None:
    browser = Browser()
    assert browser.post(body).status_code == 400
    assert not browser.tabs._tabs


def test_only_what_the_page_sends_is_answered_and_not_too_much_is_read() -> None:
    browser = Browser()
    own = {"Host": "localhost:8000", "Origin": "http://localhost:8000"}
    assert browser.post(ASKED, own).status_code == 200
    for method in ("GET", "PUT", "DELETE", "OPTIONS", "HEAD"):
        assert browser.client.open("/game", method=method, headers=OWN).status_code == 405
    assert browser.post(b" " * (LARGEST + 1)).status_code == 413


@pytest.mark.parametrize("path", ["/", "/play.js", "/editing.js", "/board.js", "/style.css"])
def test_the_page_is_made_of_its_own_files(path: str) -> None:
    answer = Browser().client.get(path, headers={"Host": HOST})
    assert answer.status_code == 200
    assert "http://" not in answer.text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert Browser().client.get(path, headers={"Host": "evil.example"}).status_code == 400
