"""Live on a stub of PyTorch: who is answered, what runs before it is allowed, and what is left at the end."""

import contextlib
import functools
import http.client
import io
import itertools
import json
import os
import pathlib
import re
import sys
import threading
import types
import unittest
import unittest.mock
import urllib.error
import urllib.request

from test_package import Folder
from torch._inductor import pattern_matcher as pm  # the stub

from fusescope import live, live_files, server


class Live(Folder):
    def setUp(self):
        super().setUp()
        self.ran = []

        def check(script, module, graph, files, **also):
            if script == "raises":
                raise ValueError("no")
            self.ran.append((script, module, graph, files, also))
            return {"counts": {"p": 2}}

        fakes = {
            "fusescope.graphs": types.SimpleNamespace(copied=lambda graph: "a copy"),
            "fusescope.check": types.SimpleNamespace(check=check, is_checking=lambda: False),
        }
        module = sys.modules["fusescope.live"]
        for patch in (
            unittest.mock.patch.dict(sys.modules, fakes),
            unittest.mock.patch.object(module, "STEADY", 0.1),
            unittest.mock.patch.object(module, "Server", functools.partial(server.Server, page=str(self.page))),
        ):
            patch.start()
            self.addCleanup(patch.stop)
        self.said = io.StringIO()

    @contextlib.contextmanager
    def session(self, **options):
        with contextlib.redirect_stderr(self.said), live(browser=False, **options) as session:
            self.address, self.token = session.address.split("#live=")
            yield session

    def post(self, path, body, **headers):
        own = {"origin": self.address[:-1], "x-fusescope-token": self.token, **headers}
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), own)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as e:
            with e:
                return e.code, json.load(e)

    def test_answers_its_own_page_alone(self):
        with self.session():
            self.assertEqual(self.post("live/state", {})[0], 200)
            port = self.address.rpartition(":")[2][:-1]
            for headers in (
                {"x-fusescope-token": "x"},
                {"x-fusescope-token": ""},
                {"x-fusescope-token": "é".encode().decode("latin-1")},
                {"origin": "https://evil.example"},
                {"origin": "null"},
                {"origin": "http://127.0.0.1:1"},
                {"host": f"evil.example:{port}", "origin": f"http://evil.example:{port}"},
            ):
                with self.subTest(headers):
                    self.assertEqual(self.post("live/state", {}, **headers)[0], 403)
            self.assertEqual(self.post("live/other", {})[0], 403)
            self.assertEqual(self.post("live/state", [])[0], 400)
            self.assertEqual(self.post("live/state", {}, **{"content-length": "999999999999"})[0], 413)
            request = urllib.request.Request(self.address + "live/state", method="OPTIONS")
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request)
            refused.exception.close()
            self.assertNotIn("access-control-allow-origin", refused.exception.headers)
        with self.assertRaises(urllib.error.URLError):
            self.post("live/state", {})

    def test_runs_a_file_of_the_page_once_it_is_allowed(self):
        asked = {"script": "text", "run": 0, "graph": "g", "files": {"a.py": "typed", "../b.py": "typed"}}
        with self.session() as session:
            passes = pm.PatternMatcherPass()
            pm.PatternEntry(lambda match: None).register(passes)
            passes.apply(sys.modules["torch"].fx.Graph())
            state = self.post("live/state", {"after": -1})[1]
            self.assertEqual((state["allowed"], [r["run"] for r in state["runs"]]), (False, [0]))
            self.assertIn('"record":"applied"', self.post("live/recording", {})[1]["text"])
            self.assertEqual(self.post("live/check", asked)[1]["names"], "a.py, ../b.py")
            self.assertEqual(self.ran, [])
            session.allow()
            self.assertNotEqual(self.post("live/state", {"after": state["version"]})[1]["version"], state["version"])
            self.assertEqual(self.post("live/check", asked)[1], {"counts": {"p": 2}})
            self.assertEqual(self.ran, [("text", "a copy", "g", asked["files"], {"numbers": False, "case": False})])
            # A file that was dropped into the page asks again; an edit that was typed in one that was allowed does not.
            more = {**asked, "files": {**asked["files"], "a.py": "edited"}, "typed": ["a.py", "sent\n.py"]}
            self.assertEqual(self.post("live/check", more)[1], {"counts": {"p": 2}})
            more["files"]["sent\n.py"] = "typed"
            changes = "sent .py is new here, 1 lines:\n+ typed"
            self.assertEqual(self.post("live/check", more)[1], {"asks": True, "names": "sent .py", "changes": changes})
            self.assertEqual((len(self.ran), self.post("live/state", {"after": -1})[1]["allowed"]), (2, False))
            session.allow()
            self.assertEqual(self.post("live/check", more)[1], {"counts": {"p": 2}})
        folder = pathlib.Path(re.search(r"as the page had them last: (.*)", self.said.getvalue())[1])
        self.addCleanup(__import__("shutil").rmtree, folder.parent)
        names = sorted(re.sub("^[0-9a-f]{8}-", "HASH-", p.name) for p in folder.iterdir())
        self.assertEqual(names, ["HASH-_b.py", "HASH-sent_.py", "a.py"])

    def test_runs_no_text_from_elsewhere_under_a_name_that_was_allowed(self):
        def check(text, typed=()):
            files = {"a.py": text}
            return "counts" in self.post("live/check", {"script": "text", "graph": "g", "files": files, "typed": [*typed]})[1]

        with self.session() as session:
            session.allow()  # before a file came: only what the page has from the process may run
            self.assertFalse(check("sent"))
            session._files = None
            session.allow()
            self.assertTrue(check("recorded", ["a.py"]))
            self.assertTrue(check("recorded, and typed", ["a.py"]))
            self.assertFalse(check("dropped"))
            self.assertFalse(check("dropped, and typed in"))
            session.allow()
            self.assertTrue(check("dropped, and typed in"))
            self.assertTrue(check("recorded"), "undo brings back what ran")
            check("shown")
            # The terminal's answer counts for the text that it showed.
            with unittest.mock.patch.object(sys, "stdin") as terminal, unittest.mock.patch("builtins.input") as asked:
                terminal.isatty.return_value, terminal.fileno.side_effect = True, OSError
                asked.side_effect = lambda _: check("put in its place") or "y"
                session._ask()
            self.assertTrue(check("shown"))
            self.assertFalse(check("put in its place"))
            # The answer comes while the process looks at another text.
            answered = unittest.mock.PropertyMock(side_effect=itertools.chain([False], itertools.repeat(True)))
            with unittest.mock.patch.object(type(session), "allowed", answered, create=True):
                self.assertFalse(check("put in its place"))
        self.addCleanup(__import__("shutil").rmtree, session._folder)
        self.assertNotIn("put in its place", [files["a.py"] for _, _, _, files, _ in self.ran])

    @unittest.skipUnless(hasattr(os, "openpty"), "no terminals")
    def test_takes_no_answer_that_was_typed_before_the_question(self):
        """The second line of a double "y" waits in the terminal, and a text from elsewhere asks later."""
        files = {"script": "text", "graph": "g", "files": {"a.py": "from elsewhere"}}
        module = sys.modules["fusescope.live"]
        ours, theirs = os.openpty()
        self.addCleanup(os.close, ours)
        with self.session() as session, open(theirs) as terminal, unittest.mock.patch.object(sys, "stdin", terminal):
            os.write(ours, b"y\ny\n")
            self.post("live/check", files)
            answered = threading.Timer(2 * module.STEADY, os.write, (ours, b"n\n"))
            answered.start()
            with contextlib.redirect_stdout(io.StringIO()):
                session._ask()
            answered.join()
            self.assertFalse(session.allowed)
        self.addCleanup(__import__("shutil").rmtree, session._folder)

    def test_asks_in_few_lines_without_control_characters(self):
        allowed = live_files.Allowed()
        allowed.allow({"a.py": "one\ntwo\nthree"})
        names, changes, whole = allowed.question({"a.py": "one\n2\x1b[2J\nthree"})
        self.assertEqual((whole, names, changes), (True, "a.py", "a.py was changed from elsewhere, in line 2:\n+ 2\\x1b[2J\n- two"))
        names, changes, whole = allowed.question({f"{i}.py": "x\n" * 99 for i in range(1000)})
        self.assertFalse(whole)
        self.assertTrue(names.endswith("7.py and 992 more"), names)
        self.assertEqual(len(changes.splitlines()), live_files.ROWS + 1)
        # Code after blanks is shown, and blanks that look like letters are escaped.
        _, changes, whole = allowed.question({"a.py": "x = 1;" + " " * 200 + "\u3164hidden()"})
        self.assertTrue(whole)
        self.assertIn("\\u3164hidden()", changes)
        _, changes, whole = allowed.question({"a.py": "x = 1;" + " " * 10**6 + "hidden()"})
        self.assertFalse(whole)
        self.assertIn("characters in all", changes)

    def test_asks_again_for_other_files_alone(self):
        files = {"script": "text", "graph": "g", "files": {"a.py": "1"}}
        with self.session() as session, unittest.mock.patch.object(sys, "stdin") as terminal:
            terminal.isatty.return_value, terminal.fileno.side_effect = True, OSError
            for answer, texts, asks in ((EOFError, {"a.py": "1"}, True), ("n", {"a.py": "1"}, False), ("y", {"a.py": "2"}, True)):
                self.post("live/check", {**files, "files": texts})
                self.assertEqual(session._asked.is_set(), asks)
                session._asked.clear()
                if asks:
                    with unittest.mock.patch("builtins.input", side_effect=[answer]):
                        session._ask()
            self.assertTrue(session.allowed)
            self.assertEqual(self.post("live/check", {**files, "files": {"a.py": "2"}, "script": "raises"}), (500, {"error": "ValueError: no"}))
        self.addCleanup(__import__("shutil").rmtree, session._folder)

    def test_ends_the_session_before_and_starts_anew(self):
        with self.session(allow=False) as first:
            first.allow()
            with self.session() as second:
                self.assertIsNone(first._server)
                first.stop()
                self.assertEqual(self.post("live/state", {})[1]["pid"], os.getpid())
            second.stop()
            with contextlib.redirect_stderr(self.said):
                self.assertFalse(first.start().allowed)

    def test_headers_are_those_of_the_file(self):
        with self.session():
            for path, status, header in (("assets/a.mjs", 200, "2"), ("/x%2f..%2fassets/a.mjs", 404, "1"), ("assets%2fa.mjs", 200, "2"),
                                         ("assets/..%2findex.html", 404, "1"), ("assets/../index.html", 404, "1")):  # fmt: skip
                connection = http.client.HTTPConnection(self.address.split("/")[2])
                connection.request("GET", "/" + path)
                answer = connection.getresponse()
                self.assertEqual((path, answer.status, answer.headers["x-one"]), (path, status, header))
                connection.close()

    def test_names_no_token_to_other_users(self):
        with server.opener("http://127.0.0.1:1/#live=</script>") as path:
            self.assertEqual(pathlib.Path(path).stat().st_mode & 0o077, 0)
            self.assertEqual(pathlib.Path(path).read_text().count("</script>"), 1)
        self.assertFalse(pathlib.Path(path).exists())
        with self.session() as session:
            self.assertNotIn(self.token, repr(session))


if __name__ == "__main__":
    unittest.main()
