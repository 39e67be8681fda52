"""Pages of elsewhere and messages of nobody: they get nothing and change nothing."""

import msgspec
import pytest

from othello_lab.experiment.show.site import LARGEST
from tests.console.page.serving import HOST, ONE, OWN, Browser

ASKED = msgspec.json.encode({"game": ONE})


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Host": "evil.example"}, 400),
        ({"Host": "evil.example:8000", "Origin": "http://evil.example:8000"}, 400),
        ({"Host": "127.0.0.1.evil.example"}, 400),
        ({"Host": "localhost:8000"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:9000"}, 403),
        ({"Origin": f"https://{HOST}"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Content-Type": "text/plain"}, 403),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 403),
    ],
)
def test_a_page_of_elsewhere_gets_nothing(headers: dict[str, str], code: int) -> None:
    browser = Browser()
    answer = browser.post(ASKED, headers)
    assert answer.status_code == code
    assert b"board" not in answer.data
    assert not browser.tabs._tabs


def test_by_its_own_name_it_is_answered() -> None:
    own = {"Host": "localhost:8000", "Origin": "http://localhost:8000"}
    assert Browser().post(ASKED, own).status_code == 200


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"])
def test_only_what_the_page_sends_is_answered(method: str) -> None:
    assert Browser().client.open("/game", method=method, headers=OWN).status_code == 405


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no json",
        b"\xff",
        b"[" * 100_000,
        b"{}",
        b"[]",
        b'{"game": "../../x"}',
        b'{"game": "1"}',
        msgspec.json.encode({"game": ONE, "more": 1}),
        *(
            msgspec.json.encode({"game": ONE, "action": action})
            for action in (
                {"do": "quit"},
                {"do": "play"},
                {"do": "play", "square": -1},
                {"do": "play", "square": "d3"},
                {"do": "word", "word": "quit"},
                {"do": "goto", "ply": 10**9},
                {"do": "open", "text": "d3" * 20_000},
                {"do": "open", "text": " \n"},
                {"do": "follow", "link": "d3" * 2000},
                {"do": "seat", "size": 5, "black": "human", "white": "human", "adviser": "x", "is_new": True},
                {"do": "load", "name": "x.txt", "content": "no base64", "number": 1},
                {"do": "set-up", "text": "-" * 2001},
                {"do": "save", "suffix": "/../x.txt"},
            )
        ),
    ],
)
def test_what_no_page_of_ours_says_is_refused(body: bytes) -> None:
    browser = Browser()
    assert browser.post(body).status_code == 400
    assert not browser.tabs._tabs


def test_too_much_is_not_read() -> None:
    assert Browser().post(b" " * (LARGEST + 1)).status_code == 413


@pytest.mark.parametrize("path", ["/", "/play.js", "/editing.js", "/board.js", "/style.css"])
def test_the_page_is_made_of_its_own_files(path: str) -> None:
    answer = Browser().client.get(path, headers={"Host": HOST})
    assert answer.status_code == 200
    assert "http://" not in answer.text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in answer.text
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert Browser().client.get(path, headers={"Host": "evil.example"}).status_code == 400
