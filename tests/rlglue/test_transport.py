import socket

import pytest

from rlglue.address import parse_address
from rlglue.errors import AddressError
from rlglue.server import Peer
from rlglue.transport import Connection, connect, listen


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


def meet(host: str) -> tuple[Connection, Connection]:
    with listen(host, 0) as listener:
        name, port = listener.getsockname()[:2]
        here = connect(name, port, 5)
        return here, Peer(listener.accept())


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        pytest.param("::1", marks=pytest.mark.skipif(not has_ipv6(), reason="there is no IPv6 here")),
    ],
)
def test_both_ends_meet_at_any_address(host: str) -> None:
    here, there = meet(host)
    here.send_all(b"hello")
    assert there.recv(5) == b"hello"
    here.close()
    there.close()


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="the system has no such option")
def test_a_machine_that_does_not_answer_is_noticed_within_a_minute() -> None:
    ends = meet("127.0.0.1")
    for end in ends:
        idle, interval, count, unconfirmed = (
            end._socket.getsockopt(socket.IPPROTO_TCP, option)
            for option in (
                socket.TCP_KEEPIDLE,
                socket.TCP_KEEPINTVL,
                socket.TCP_KEEPCNT,
                socket.TCP_USER_TIMEOUT,
            )
        )
        assert idle + interval * count <= 60
        assert unconfirmed <= 60_000
        end.close()


def test_an_address_may_have_colons() -> None:
    assert parse_address("[::1]:4096") == ("::1", 4096)
    assert parse_address("::1:4096") == ("::1", 4096)
    with pytest.raises(AddressError, match=r"cannot listen on no\.such\.host\.invalid:0"):
        listen("no.such.host.invalid", 0)
