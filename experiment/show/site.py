"""A site for browsers on this machine: its files, what it answers in JSON, and the server."""

from collections.abc import Callable, Iterable, Mapping
from io import BufferedReader, RawIOBase
from threading import BoundedSemaphore
from time import monotonic
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, MethodNotAllowed, NotFound
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler
from werkzeug.wrappers import Request, Response

NAMES: Final = ("127.0.0.1", "localhost")
"""What this server may be called: a page of another name that has been made to lead here gets nothing."""
HOST: Final = "127.0.0.1"
LARGEST: Final = 2_000_000
"""Bytes of what a page may send at once: a file of games."""
MOST_REQUESTS: Final = 32
"""Requests that are answered at once; browsers send up to 6."""
_JSON: Final = "application/json"
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
Files = Mapping[str, tuple[str, bytes]]
"""What a page is made of: by path its kind and its bytes."""


class Site:
    """A page as a WSGI application (PEP 3333). Nothing but what is given here is read or answered."""

    def __init__(
        self,
        files: Callable[[], Files],
        shown: Mapping[str, Callable[[], bytes]] | None = None,
        told: Mapping[str, Callable[[bytes], bytes]] | None = None,
    ) -> None:
        """`shown` answers a GET, and `told` what a page of this site sends by POST, both in JSON.

        What `told` answers may be empty; it raises ValueError for what it does not understand.
        """
        self._files, self._shown, self._told = files, shown or {}, told or {}

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request that came by a name of this machine's own."""
        try:
            response = self._answer(Request(environ))
        except HTTPException as error:
            response = Response(f"{error.code} {error.name}\n", error.code, mimetype="text/plain")
        response.headers.update(_HEADERS)
        return response(environ, start)

    def _answer(self, request: Request) -> Response:
        request.trusted_hosts = [*NAMES]
        _ = request.host  # raises for others
        method = "POST" if request.path in self._told else "GET"
        if request.method != method:
            raise MethodNotAllowed([method])
        if method == "POST":
            return _told(request, self._told[request.path])
        if request.path in self._shown:
            return Response(self._shown[request.path](), mimetype=_JSON)
        if request.path not in self._files():
            raise NotFound
        kind, content = self._files()[request.path]
        return Response(content, mimetype=kind)


def _told(request: Request, answer: Callable[[bytes], bytes]) -> Response:
    """Answer what a page of this site says; a page of elsewhere has another origin."""
    if f"{request.headers.get('Origin')}/" != request.host_url or request.mimetype != _JSON:
        raise Forbidden
    request.max_content_length = LARGEST
    try:
        found = answer(request.get_data())
    except ValueError:
        raise BadRequest from None
    return Response(found, 200 if found else 204, mimetype=_JSON)


class PortError(ValueError):
    """A port that cannot be listened on."""


def serve(app: WSGIApplication, port: int, say: Callable[[str], None]) -> None:
    """Serve an application until Ctrl-C, at any free port if it is 0, and say where; raises PortError."""
    server = _Server(HOST, port, app, _Handler)
    say(f"http://{HOST}:{server.port}/")
    server.serve_forever()


class _Server(ThreadedWSGIServer):
    """Answers a limited number of requests at once, and raises PortError where Werkzeug ends the process."""

    def __init__(self, *arguments: Any) -> None:  # noqa: ANN401  Werkzeug's
        super().__init__(*arguments)
        self._free = BoundedSemaphore(MOST_REQUESTS)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  socketserver's
        """Answer in a thread; close the connection at once if too many others are being answered."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  socketserver's
        """Answer one request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def server_bind(self) -> None:
        try:
            super().server_bind()
        except OSError as error:
            why = error.strerror or str(error)
            raise PortError(f"cannot listen on {HOST}:{self.port} ({why}): choose another") from None


class _Reader(RawIOBase):
    """The bytes of a connection, up to a deadline."""

    def __init__(self, connection: Any, seconds: float) -> None:  # noqa: ANN401  socketserver's
        super().__init__()
        self._connection, self._deadline = connection, monotonic() + seconds

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        fileno: int = self._connection.fileno()
        return fileno

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  as RawIOBase
        """Read some bytes; raise TimeoutError if none come, or if the deadline has passed."""
        if monotonic() > self._deadline:
            raise TimeoutError
        received: int = self._connection.recv_into(buffer)
        return received


class _Handler(WSGIRequestHandler):
    """Logs no requests. Waits `timeout` seconds for more of one, and at most twice as long for all of it."""

    timeout = 5.0

    def setup(self) -> None:
        super().setup()
        self.rfile = BufferedReader(_Reader(self.connection, self.timeout))

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002  werkzeug's name
        pass
