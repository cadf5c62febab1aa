"""`fusescope show` and `fusescope.show`: a graph, a dump or a recording in the packaged page."""

from __future__ import annotations

import atexit
import contextlib
import html
import inspect
import json
import os
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING, Any

from .capture import Refused
from .server import Server, opener

if TYPE_CHECKING:
    from .recording import Run

_server: Server | None = None
_ends = contextlib.ExitStack()
atexit.register(_ends.close)
# A file of this size opens in the page (MAX_REMOTE of its loader).
LARGEST = 64 << 20


class Shown:
    """What `show` returns: its address, and in a notebook a frame."""

    def __init__(self, address: str, name: str, text: str | None, height: int) -> None:
        self.address, self._name, self._text, self._height = address, name, text, height

    def __repr__(self) -> str:
        return f"Fusescope at {self.address}"

    def _repr_html_(self) -> str:
        link = f'<a href="{html.escape(self.address)}" target="_blank" rel="noopener">Open in Fusescope</a>'
        frame = self._frame()
        if frame is None:
            return link
        size = f'width="100%" height="{int(self._height)}" style="border:0"'
        return f'<iframe src="{html.escape(frame)}" title="Fusescope" {size}></iframe><br>{link}'

    def _frame(self) -> str | None:
        """The page that other sites may frame: it shows the graph of a link, and runs no code."""
        try:
            from .recording import recorder

            capture = recorder()
        except ImportError:  # without PyTorch
            return None
        link = capture.link_of(self._text, self._name) if self._text is not None else ""
        return f"{self.address.split('?')[0]}embed.html{link}" if 0 < len(link) <= capture.FIREFOX_LIMIT else None


def _graph_text(value: Any) -> str:
    """A GraphModule with shapes and strides; a Graph as it prints where no module owns it."""
    module = value if hasattr(value, "print_readable") else getattr(value, "owning_module", None)
    if module is not None and hasattr(module, "print_readable"):
        wanted = {"include_stride": True, "include_device": True}
        known = inspect.signature(module.print_readable).parameters
        return str(module.print_readable(print_output=False, **{k: v for k, v in wanted.items() if k in known}))
    if hasattr(value, "nodes"):
        return str(value)
    raise Refused(
        f"a {type(value).__name__} cannot be shown; expected a GraphModule, a Graph, a run, text, or the path of a file."
    )


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as e:
        raise Refused(f"{path}: {e.strerror or e}.") from None
    if len(data) > LARGEST:
        raise Refused(f"{path} has more than {LARGEST >> 20} MiB, which the page does not open.")
    return data


def _name_of(path: Any) -> str:
    """A file may have a name that is no UTF-8, and an address none that is not."""
    return os.fsencode(os.path.basename(os.fspath(path))).decode("utf-8", "replace")


def _data_of(what: Any) -> tuple[str, bytes]:
    """(name, bytes) of what is shown."""
    path = getattr(what, "path", what)
    if isinstance(path, os.PathLike) or (isinstance(path, str) and "\n" not in path):
        return _name_of(path), _read(os.fspath(path))
    return "graph.txt", (what if isinstance(what, str) else _graph_text(what)).encode()


def _pattern_file(pattern: Any) -> dict[str, str]:
    """Python text, the path of a Python file, or a function or module whose file is meant."""
    if isinstance(pattern, str) and "\n" in pattern:
        return {"name": "pattern.py", "text": pattern}
    if not isinstance(pattern, (str, os.PathLike)):
        try:
            lines, _ = inspect.findsource(pattern)
        except (OSError, TypeError):
            raise Refused(f"the source of {pattern!r} is not at hand; give its file or its text.") from None
        name = os.path.basename(inspect.getsourcefile(pattern) or "pattern.py")
        return {"name": name if name.endswith(".py") else "pattern.py", "text": "".join(lines)}
    return {"name": _name_of(pattern), "text": _read(os.fspath(pattern)).decode("utf-8", "replace")}


def _snapshot(name: str, text: str, pattern: Any) -> dict[str, Any]:
    files = [_pattern_file(pattern)]
    workspace = {"name": name, "graph": {"name": name, "text": text}, "files": files, "options": {"timeLimitS": 10}}
    view = {"selection": None, "mode": "before", "panel": "whynot", "openFile": files[0]["name"]}
    return {"v": 1, "workspace": workspace, "view": view, "summary": None}


def _opened(what: Any, pattern: Any, port: int, height: int) -> Shown:
    global _server
    name, data = _data_of(what)
    text = None if data[:2] in (b"\x1f\x8b", b"PK") else data.decode("utf-8", "replace")
    if pattern is not None:
        if text is None:
            raise Refused(f"{name} is an archive, to which no pattern is added; give a graph's text or a GraphModule.")
        data, served = json.dumps(_snapshot(name, text, pattern)).encode(), f"{name}.json"
    else:
        served = name
    if _server is None or port not in (0, _server.server_port):
        _server = Server(port).start()
    return Shown(_server.show(served, data), name, text, height)


def in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return hasattr(shell, "kernel") or "marimo" in sys.modules


def show(what: Any, pattern: Any = None, *, port: int = 0, height: int = 560, browser: bool | None = None) -> Shown:
    """Shows a GraphModule, a Graph, a run of `record()`, a graph's text, or a file (any dump, a recording).

    The page is served on 127.0.0.1 for as long as this process runs. It opens in the browser, except in a notebook, which
    shows a frame. `pattern` is Python text, a file, or a function or module whose file registers patterns.
    """
    shown = _opened(what, pattern, port, height)
    if browser or (browser is None and not in_notebook()):
        _open(shown.address)
    return shown


def _open(address: str) -> None:
    """The file that leads there stays until the process ends: a browser may start slowly."""
    webbrowser.open(f"file://{_ends.enter_context(opener(address))}")


def command(argv: list[str]) -> int:
    """`fusescope show FILE`"""
    options, files = _options(argv)
    if len(files) != 1:
        raise Refused("show needs one file after it: fusescope show FILE.")
    if "html" in options:
        from .page import write_html

        write_html(files[0], options["html"])
        return 0
    try:
        port = int(options.get("port", "0"))
    except ValueError:
        raise Refused(f"--port is {options['port']}; expected a number.") from None
    shown = _opened(files[0], options.get("pattern"), port, 560)
    print(shown.address, flush=True)
    if not ssh_hint(_server_port()) and "no-browser" not in options:
        _open(shown.address)
    print("Ctrl+C ends it.", file=sys.stderr, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()
    return 0


def ssh_hint(port: int) -> bool:
    """Over ssh the browser is on another machine. Returns False elsewhere."""
    if not os.environ.get("SSH_CONNECTION"):
        return False
    print(f"From your own machine: ssh -L {port}:127.0.0.1:{port} HOST, then open the address.", file=sys.stderr)
    return True


def _server_port() -> int:
    return _server.server_port if _server is not None else 0


def _options(argv: list[str]) -> tuple[dict[str, str], list[str]]:
    options: dict[str, str] = {}
    files, rest = [], list(argv)
    while rest:
        name, _, value = rest.pop(0).partition("=")
        if name == "--no-browser":
            options["no-browser"] = "1"
        elif name in ("--port", "--pattern", "--html"):
            if not value and not rest:
                raise Refused(f"{name} needs a value after it.")
            options[name[2:]] = value or rest.pop(0)
        elif name.startswith("--"):
            raise Refused(f"show has no option {name}; it has --pattern FILE, --port N, --no-browser and --html OUT.")
        else:
            files.append(f"{name}={value}" if value else name)
    return options, files


def run_html(run: Run) -> str:
    """A run in a notebook: counts and near misses, also where no frame is shown."""
    from .page import body_of

    body = body_of(run.path) if os.path.exists(run.path) else f"<p>{html.escape(run.report())}</p>"
    # A name such as $x$ is no formula: the classes of MathJax 2, and of 3 and 4.
    return f'<div class="tex2jax_ignore mathjax_ignore">{body}</div>'
