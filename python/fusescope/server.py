"""Serves the packaged page and the files that are shown, on loopback only."""

from __future__ import annotations

import contextlib
import hmac
import json
import mimetypes
import os
import posixpath
import re
import secrets
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from .capture import Refused

_HERE = os.path.dirname(os.path.abspath(__file__))
# In a clone the page is the one that `npm run build` made.
_CLONE = os.path.isfile(os.path.join(_HERE, "..", "build_wheel.py"))
PAGE = os.path.join(_HERE, "..", "..", "dist") if _CLONE else os.path.join(_HERE, "page")
TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".ttf": "font/ttf"}
# In bytes: a script with its files.
LARGEST_POST = 32 << 20
# A page of another site whose name resolves to this machine (DNS rebinding) sends its own name in Host.
HOST = re.compile(r"(?:localhost|127\.0\.0\.1)(?::\d{1,5})?", re.IGNORECASE)


def header_rules(text: str) -> list[tuple[str, dict[str, str]]]:
    """The build's `_headers`: paths, and indented below each its headers. `! name` is for hosts that join values."""
    rules: list[tuple[str, dict[str, str]]] = []
    for line in text.splitlines():
        if line and not line.startswith(" "):
            rules.append((line.rstrip("*"), {}))
        elif ":" in line:
            name, _, value = line.strip().partition(": ")
            rules[-1][1][name] = value
    return rules


class Server(ThreadingHTTPServer):
    """The page at `address`; a file that is shown has an address that cannot be guessed."""

    daemon_threads = True
    # The library's 5 lets a burst of connections wait for seconds, until their senders ask again.
    request_queue_size = 128

    def __init__(self, port: int = 0, page: str = PAGE) -> None:
        if not os.path.isfile(os.path.join(page, "index.html")):
            raise Refused(f"the page is not in this installation ({page}); a wheel made by `npm run wheel` holds it.")
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except (OSError, OverflowError) as e:
            raise Refused(f"port {port}: {getattr(e, 'strerror', None) or e}.") from None
        self.page = os.path.realpath(page)
        self.token = secrets.token_urlsafe(16)
        self.shown: dict[str, bytes] = {}
        # What pages may ask by POST, by path, with the secret that only their address held.
        self.secret = secrets.token_urlsafe(32)
        self.posts: dict[str, Callable[[Any], Any]] = {}
        with open(os.path.join(page, "_headers"), encoding="utf-8") as file:
            self.rules = header_rules(file.read())
        self.address = f"http://127.0.0.1:{self.server_port}/"

    def show(self, name: str, data: bytes) -> str:
        """The address of the page with this file open."""
        path = f"shown/{self.token}/{quote(name, safe='')}"
        self.shown["/" + path] = data
        return f"{self.address}?from={quote(self.address + path, safe='')}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves early writes nothing into the user's terminal."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def start(self) -> Server:
        """Serves in a thread that ends with the process."""
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self


@contextlib.contextmanager
def opener(address: str) -> Iterator[str]:
    """A file that only this user reads and that leads to the address: other users see what a browser is started with."""
    handle, path = tempfile.mkstemp(suffix=".html", prefix="fusescope-")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            target = json.dumps(address).replace("<", "\\u003c")
            file.write(f'<!doctype html><meta charset="utf-8"><title>Fusescope</title><script>location.replace({target})</script>')
        yield path
    finally:
        with contextlib.suppress(OSError):
            os.remove(path)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    # A client that sends half a request ends here; a page that waits for news sends nothing for less long.
    timeout = 120
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "fusescope", ""

    def log_message(self, *args: Any) -> None:
        """The terminal is the user's."""

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def do_GET(self) -> None:
        self.answer(body=True)

    def do_POST(self) -> None:
        try:
            status, answer = self.posted()
        except Exception as e:
            status, answer = 500, {"error": f"{type(e).__name__}: {e}"[:4000]}
        if status in (403, 413):
            self.close_connection = True  # its body is not read
        self.send(status, "application/json", json.dumps(answer).encode())

    def posted(self) -> tuple[int, Any]:
        """A page of another origin cannot send this header without asking, and is not answered when it asks."""
        host, given = self.headers.get("host", ""), self.headers.get("x-fusescope-token", "")
        own = HOST.fullmatch(host) and self.headers.get("origin") == f"http://{host}"
        known = hmac.compare_digest(given.encode("utf-8", "replace"), self.server.secret.encode())
        handler = self.server.posts.get(self.path)
        try:
            size = int(self.headers.get("content-length", ""))
        except ValueError:
            size = -1
        if not own or not known or handler is None or size < 0:
            return 403, {"error": "This request is not allowed."}
        if size > LARGEST_POST:
            return 413, {"error": f"This request is larger than {LARGEST_POST >> 20} MB."}
        try:
            asked = json.loads(self.rfile.read(size))
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            return 400, {"error": "Expected a JSON object."}
        return 200, handler(asked)

    def answer(self, body: bool) -> None:
        try:
            path, resolved = self.target()
        except ValueError:  # of urlsplit
            path, resolved = "", None
        status, kind, data = self.found(path, resolved)
        self.send(status, kind, data, body, resolved)

    def send(self, status: int, kind: str, data: bytes, body: bool = True, resolved: str | None = None) -> None:
        self.send_response(status)
        for name, value in self.headers_of(resolved or "/").items():
            self.send_header(name, value)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if body:
            self.wfile.write(data)

    def found(self, path: str, resolved: str | None) -> tuple[int, str, bytes]:
        if not HOST.fullmatch(self.headers.get("host", "")):
            return 403, "text/plain", b"This server answers to 127.0.0.1 and localhost only.\n"
        if path in self.server.shown:
            return 200, "application/octet-stream", self.server.shown[path]
        file = os.path.realpath(os.path.join(self.server.page, (resolved or "/..").lstrip("/") or "index.html"))
        if not file.startswith(self.server.page + os.sep) or not os.path.isfile(file):
            return 404, "text/plain", b"There is no such file.\n"
        with open(file, "rb") as opened:
            return (
                200,
                TYPES.get(os.path.splitext(file)[1]) or mimetypes.guess_type(file)[0] or "application/octet-stream",
                opened.read(),
            )

    def target(self) -> tuple[str, str | None]:
        """The path as sent, and that of a file below the page, which has its headers however the request spells it; None: it can
        name no file, or names a parent folder."""
        sent = urlsplit(self.path).path
        path = unquote(sent)
        named = "\0" not in path and ".." not in re.split(r"[/\\]", path)
        return sent, posixpath.normpath("/" + path.lstrip("/")) if named else None

    def headers_of(self, path: str) -> dict[str, str]:
        headers: dict[str, str] = {}
        for prefix, values in self.server.rules:
            if path.startswith(prefix):
                headers.update(values)
        return headers
