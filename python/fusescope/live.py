"""`with fusescope.live():` serves the page from this process, which answers each edit with PyTorch's own verdict."""

from __future__ import annotations

import contextlib
import hashlib
import html
import os
import shutil
import sys
import tempfile
import threading
import time
import webbrowser
from typing import Any

from .capture import Refused
from .recording import recorder, without_caches
from .live_files import Allowed
from .server import Server, opener
from .shown import in_notebook, ssh_hint

Json = Any
# A page's question for news is answered after this time, in seconds, if there is none.
PATIENCE = 20
# Graphs that are kept as objects; the recording has all.
KEPT = 200
# A question stays on screen for this time, in seconds, before the terminal hears an answer.
STEADY = 1


def typed_before_is_gone() -> None:
    """What was typed for the question before, or at the moment of this one, is no answer: nobody had read it."""
    time.sleep(STEADY)
    try:
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    except ImportError:  # Windows
        import msvcrt

        while msvcrt.kbhit():  # type: ignore[attr-defined]
            msvcrt.getwch()  # type: ignore[attr-defined]
    except (OSError, ValueError, termios.error):  # a notebook's input has no terminal
        pass


class Live:
    """A process that a page watches. `allow` is needed before a file of the page runs here."""

    # The session that is open: sessions that overlap would put back each other's settings.
    _open: Live | None = None

    def __init__(self, port: int = 0, allow: bool = False, browser: bool | None = None, height: int = 700) -> None:
        self.allowed = self._allow = allow
        self.address = ""
        self._port, self._browser, self._height = port, browser, height
        self._graphs: dict[int, Any] = {}
        self._runs: list[Json] = []
        self._version = 0
        self._news = threading.Condition()
        self._one = threading.Lock()
        self._asked = threading.Event()
        self._files: Json = None
        self._declined: Json = None
        self._files_allowed = Allowed()
        self._newest = 0
        self._typed = False
        self._ends = contextlib.ExitStack()
        self._server: Server | None = None

    def __enter__(self) -> Live:
        return self.start()

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def start(self) -> Live:
        """Serves the page until `stop`, and records what is compiled meanwhile. Ends another session of this process."""
        if _in_check() or self._server is not None:
            return self
        if Live._open is not None:
            Live._open.stop()
        server = Server(self._port)
        self.allowed, self._declined, self._typed, self._stderr = self._allow, None, False, sys.stderr
        self._files, self._files_allowed = None, Allowed()
        self._graphs, self._runs = {}, []
        self._asked.clear()
        with contextlib.ExitStack() as ends:
            self._folder = tempfile.mkdtemp(prefix="fusescope-live-")
            ends.callback(self._leave_folder)
            ends.enter_context(_with_sources())
            ends.enter_context(without_caches())
            self._path = os.path.join(self._folder, "live.fusescope")
            self._file, state = ends.enter_context(recorder().recording(self._path))
            state.on_graph, state.on_end = self._keep, lambda *_: self._tell()
            server.posts.update({"/live/state": self._state, "/live/recording": self._recording, "/live/check": self._check})
            self._server = server.start()
            ends.callback(self._end_server)
            self._ends = ends.pop_all()
        Live._open = self
        self.address = f"{server.address}#live={server.secret}"
        print(f"fusescope: live at {self.address}", file=sys.stderr, flush=True)
        ssh_hint(server.server_port)
        if self._browser or (self._browser is None and not in_notebook() and not os.environ.get("SSH_CONNECTION")):
            webbrowser.open(f"file://{self._ends.enter_context(opener(self.address))}")
        return self

    def stop(self) -> None:
        """Ends the server and the recording. What was typed in the page stays there."""
        self._ends.close()
        self._server = None
        if Live._open is self:
            Live._open = None

    def allow(self) -> None:
        """Lets the page run its files in this process, with your rights. A text that comes from elsewhere later asks again."""
        self._allow_files(self._files)

    def _allow_files(self, files: Json) -> None:
        self._files_allowed.allow(files)
        self.allowed = True
        self._tell()

    def wait(self) -> None:
        """Serves until Ctrl+C, and asks in the terminal before the first file of the page runs."""
        print("fusescope: Ctrl+C ends live.", file=sys.stderr, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            while self._server is not None:
                if self._asked.wait(0.5):
                    self._asked.clear()
                    self._ask()

    def __repr__(self) -> str:
        return f"Fusescope live at {self.address.partition('#')[0] or 'no address: it has not started'}"

    def _repr_html_(self) -> str:
        # The page itself cannot be framed by a notebook of another origin: nobody presses Run there without knowing it.
        if self._server is None:
            return "<p>Fusescope live has ended.</p>"
        return f'<a href="{html.escape(self.address)}" target="_blank" rel="noopener">Open Fusescope live</a>'

    def _ask(self) -> None:
        if self.allowed:
            return
        if not sys.stdin or not sys.stdin.isatty():
            return
        files, answer = self._files, ""
        with contextlib.suppress(EOFError):
            names, changes, whole = self._files_allowed.question(files)
            print(changes, file=sys.stderr, flush=True)
            if not whole:
                print(f"The whole texts are in {os.path.join(self._folder, 'files')}.", file=sys.stderr, flush=True)
            # What was not shown is not allowed by habit.
            yes = ("y", "yes") if whole else ("all",)
            choice = f"{yes[0]} or n" if whole else "all, the texts above and the rest, or n"
            typed_before_is_gone()
            answer = input(f"The page asks to run {names} in this process (pid {os.getpid()}), with your rights. {choice}: ")
        if answer.strip().lower() in yes:
            self._allow_files(files)  # a newer text was not in the question
        else:
            self._declined = files

    def _keep(self, run: int, graph: Any) -> None:
        from .graphs import copied

        self._graphs[run] = copied(graph)
        for old in list(self._graphs)[:-KEPT]:
            del self._graphs[old]
        compiled = recorder()._compile_id()
        self._runs.append({"run": run, "compile": compiled, "nodes": len(graph.nodes)})

    def _tell(self) -> None:
        with self._news:
            self._version += 1
            self._news.notify_all()

    def _state(self, asked: Json) -> Json:
        """What there is, at once or after news."""
        import torch

        with self._news:
            self._news.wait_for(lambda: self._version != asked.get("after") or self._server is None, PATIENCE)
            return {
                "version": self._version,
                "torch": torch.__version__,
                "pid": os.getpid(),
                "program": os.path.basename(sys.argv[0]) or "python",
                "allowed": self.allowed,
                "runs": self._runs[-KEPT:],
            }

    def _recording(self, asked: Json) -> Json:
        try:
            with open(self._file.path or self._path, encoding="utf-8", errors="replace") as file:
                return {"text": file.read()}
        except OSError as e:
            return {"error": f"The recording cannot be read: {e.strerror}."}

    def _check(self, asked: Json) -> Json:
        """A file that ran in the page runs here, if that was allowed."""
        files, script = asked.get("files"), asked.get("script")
        if not isinstance(script, str) or not isinstance(files, dict) or not all(isinstance(t, str) for t in files.values()):
            return {"error": "Expected a script and its files."}
        self._save(files)
        typed = asked.get("typed")
        # A name says nothing of who wrote the text: what was dropped or pasted into the page asks again.
        # Read once: an answer in the terminal, which is for other texts, may come meanwhile.
        allowed = self.allowed
        if allowed and not self._allow and not self._files_allowed.covers(files, typed if isinstance(typed, list) else []):
            allowed = self.allowed = False
            self._tell()
        if not allowed:
            self._files = files
            if files != self._declined:
                self._asked.set()
            names, changes, _ = self._files_allowed.question(files)
            return {"asks": True, "names": names, "changes": changes}
        from .check import check

        with self._news:
            self._newest += 1
            mine = self._newest
        with self._one:
            if mine != self._newest:
                return {"error": "A newer edit came before this one ran."}
            module = self._graphs.get(asked.get("run", -1))
            also = {name: bool(asked.get(name)) for name in ("numbers", "case")}
            return check(script, module, str(asked.get("graph")), files, **also)

    def _save(self, files: Json) -> None:
        """What was typed is on disk, so that a crash of the browser or of this process loses nothing."""
        folder = os.path.join(self._folder, "files")
        os.makedirs(folder, exist_ok=True)
        for name, text in files.items():
            safe = "".join(c if c.isalnum() or c in "._-" else "_" for c in str(name)).lstrip(".")[-100:]
            if not safe or not isinstance(text, str):
                continue
            if safe != name:  # a/b.py and a_b.py are two files
                safe = f"{hashlib.sha256(str(name).encode('utf-8', 'replace')).hexdigest()[:8]}-{safe}"
            self._typed = True
            path = os.path.join(folder, safe)
            with contextlib.suppress(OSError):
                with open(f"{path}.part", "w", encoding="utf-8", errors="surrogatepass") as file:
                    file.write(text)
                os.replace(f"{path}.part", path)

    def _end_server(self) -> None:
        server, self._server = self._server, None
        self._tell()
        if server is not None:
            server.shutdown()
            server.server_close()

    def _leave_folder(self) -> None:
        if self._typed:
            with contextlib.suppress(OSError):
                os.remove(self._file.path or self._path)
            # A check that still runs holds sys.stderr.
            with contextlib.suppress(ValueError):
                print(f"fusescope: the files as the page had them last: {self._folder}/files", file=self._stderr)
        else:
            shutil.rmtree(self._folder, ignore_errors=True)


def _in_check() -> bool:
    found = sys.modules.get(f"{__package__}.check")
    return found is not None and found.is_checking()


@contextlib.contextmanager
def _with_sources() -> Any:
    """The recording holds the files that register the patterns: the page edits these."""
    before = os.environ.get("FUSESCOPE_SOURCES")
    os.environ["FUSESCOPE_SOURCES"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["FUSESCOPE_SOURCES"]
        else:
            os.environ["FUSESCOPE_SOURCES"] = before


def live(*, port: int = 0, allow: bool = False, browser: bool | None = None) -> Live:
    """`with fusescope.live() as session:` serves the page on 127.0.0.1 while the block runs.

    Graphs arrive there as they are compiled; `session.wait()` keeps the block open until Ctrl+C. The page's files run in this
    process only with `allow=True`, after `session.allow()`, or after your answer in the terminal.
    """
    try:
        import torch  # noqa: F401
    except ImportError as e:
        raise Refused(f"{sys.executable} has no PyTorch, which live needs: {e}.") from None
    return Live(port=port, allow=allow, browser=browser)
