"""A local web site that serves files and JSON."""

from collections.abc import Callable, Iterable, Mapping
from io import BufferedReader, RawIOBase
from threading import BoundedSemaphore
from time import monotonic
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, MethodNotAllowed, NotFound
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler
from werkzeug.wrappers import Request, Response

HOST: Final = "127.0.0.1"
_NAMES: Final = (HOST, "localhost")  # The allowed host names, as a protection against DNS rebinding.
LARGEST: Final = 2_000_000  # The maximum size of a request, in bytes.
MOST_REQUESTS: Final = 32  # The maximum number of simultaneous requests. A browser sends up to 6.
_JSON: Final = "application/json"
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
Files = Mapping[str, tuple[str, bytes]]  # The media type and content of each path.


class Site:
    """A web site as a WSGI application (PEP 3333)."""

    def __init__(
        self,
        files: Callable[[], Files],
        get: Mapping[str, Callable[[], bytes]] | None = None,
        post: Mapping[str, Callable[[bytes], bytes]] | None = None,
    ) -> None:
        """Create a site from `files` and JSON handlers, by path.

        A `post` handler receives the body of a same-origin request. Raises ValueError for an invalid body.
        """
        self._files, self._get, self._post = files, get or {}, post or {}

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request. The answer to an invalid request is an HTTP error in plain text."""
        try:
            response = self._answer(Request(environ))
        except HTTPException as error:
            response = Response(f"{error.code} {error.name}\n", error.code, mimetype="text/plain")
        response.headers.update(_HEADERS)
        return response(environ, start)

    def _answer(self, request: Request) -> Response:
        request.trusted_hosts = [*_NAMES]
        _ = request.host  # raises an error for an untrusted host name
        method = "POST" if request.path in self._post else "GET"
        if request.method != method:
            raise MethodNotAllowed([method])
        if method == "POST":
            return _posted(request, self._post[request.path])
        if request.path in self._get:
            return Response(self._get[request.path](), mimetype=_JSON)
        if request.path not in self._files():
            raise NotFound
        kind, content = self._files()[request.path]
        return Response(content, mimetype=kind)


def _posted(request: Request, answer: Callable[[bytes], bytes]) -> Response:
    """Answer a POST request. Raises Forbidden if the request is cross-origin or not JSON."""
    if f"{request.headers.get('Origin')}/" != request.host_url or request.mimetype != _JSON:
        raise Forbidden
    request.max_content_length = LARGEST
    try:
        content = answer(request.get_data())
    except ValueError:
        raise BadRequest from None
    return Response(content, 200 if content else 204, mimetype=_JSON)


def serve(app: WSGIApplication, port: int, say: Callable[[str], None]) -> None:
    """Serve an application until Ctrl-C. Port 0 means any free port. Raises ValueError for a bad port."""
    server = _Server(HOST, port, app, _Handler)
    say(f"http://{HOST}:{server.port}/")
    server.serve_forever()


class _Server(ThreadedWSGIServer):
    """A server that limits simultaneous requests, and raises ValueError if the port cannot be used."""

    def __init__(self, *arguments: Any) -> None:  # noqa: ANN401  Werkzeug's
        super().__init__(*arguments)
        self._free = BoundedSemaphore(MOST_REQUESTS)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  socketserver's
        """Answer the request in a new thread. If too many requests are running, close the connection."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  socketserver's
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def server_bind(self) -> None:
        try:
            super().server_bind()
        except OSError as error:
            why = error.strerror or str(error)
            raise ValueError(f"cannot listen on {HOST}:{self.port} ({why}): choose another") from None


class _Reader(RawIOBase):
    """The input stream of a connection, with a deadline after `seconds`."""

    def __init__(self, connection: Any, seconds: float) -> None:  # noqa: ANN401  socketserver's
        super().__init__()
        self._connection, self._deadline = connection, monotonic() + seconds

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        fileno: int = self._connection.fileno()
        return fileno

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  as RawIOBase
        """Read some bytes. Raises TimeoutError after the connection's timeout or the deadline."""
        if monotonic() > self._deadline:
            raise TimeoutError
        received: int = self._connection.recv_into(buffer)
        return received


class _Handler(WSGIRequestHandler):
    """A request handler that logs nothing. The maximum time to read a request is twice `timeout` seconds."""

    timeout = 5.0

    def setup(self) -> None:
        super().setup()
        self.rfile = BufferedReader(_Reader(self.connection, self.timeout))

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002  werkzeug's name
        pass
