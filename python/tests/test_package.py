"""The package: the wheel in an empty environment, reports of recorded runs, assertions on a stub of PyTorch."""

import contextlib
import gzip
import io
import json
import linecache
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree
import zipfile

HERE = pathlib.Path(__file__).parent
PYTHON = HERE.parent
CAPTURES = PYTHON.parent / "conformance" / "captures"
sys.path[:0] = [str(PYTHON), str(PYTHON.parent / "public" / "capture"), str(HERE / "stub")]

import build_wheel  # noqa: E402
from fusescope import baseline, cli, page, record, recording, repair, report, server, shown  # noqa: E402
from fusescope.align import Alignment, Difference, alignment  # noqa: E402
from fusescope.capture import Capture, Refused  # noqa: E402


def quiet(*command, **options):
    return subprocess.run([str(c) for c in command], text=True, capture_output=True, check=True, **options)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.page = self.folder / "page"
        (self.page / "assets").mkdir(parents=True)
        (self.page / "index.html").write_text("<title>the page</title>")
        (self.page / "assets" / "a.mjs").write_text("export {}")
        (self.page / "_headers").write_text("/*\n  x-one: 1\n/assets/*\n  ! x-one\n  x-one: 2\n")


def has_pip():
    ran = subprocess.run([sys.executable, "-m", "pip", "--version"], text=True, capture_output=True)
    return ran.returncode == 0 and int(ran.stdout.split()[1].split(".")[0]) >= 23


class Wheel(Folder):
    def build(self, name):
        with unittest.mock.patch.dict(os.environ, FUSESCOPE_PAGE=str(self.page)):
            return self.folder / name / build_wheel.build_wheel(str(self.folder / name))

    @unittest.skipUnless(has_pip(), "no pip of 2023 or later")
    def test_is_reproducible_and_runs_in_an_empty_environment(self):
        wheel = self.build("one")
        self.assertEqual(wheel.read_bytes(), self.build("two").read_bytes())
        with zipfile.ZipFile(wheel) as archive:
            self.assertIn("fusescope/page/index.html", archive.namelist())
        env = self.folder / "env"
        # This Python's pip installs into it, because a pip of its own takes seconds.
        quiet(sys.executable, "-m", "venv", "--without-pip", env)
        bin = env / ("Scripts" if os.name == "nt" else "bin")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", bin / "python"]
        quiet(*pip, "install", "--no-index", "--no-compile", wheel, cwd=self.folder)
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "FUSESCOPE"))}
        self.assertIn("--children", quiet(bin / "fusescope", "run", "--help", env=clean).stdout)
        ran = quiet(
            bin / "fusescope",
            "run",
            HERE / "program.py",
            "apply",
            env={**clean, "PYTHONPATH": str(HERE / "stub")},
            cwd=self.folder,
        )
        self.assertIn("1 graph, 1 pass, 0 matches", ran.stderr)
        shown = self.folder / "graph.txt"
        shown.write_text("graph():")
        serving = subprocess.Popen(
            [bin / "fusescope", "show", shown, "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=clean,
        )
        with contextlib.closing(serving.stdout):
            address = serving.stdout.readline().strip()
            try:
                with urllib.request.urlopen(address) as answer:
                    self.assertIn("the page", answer.read().decode())
            finally:
                serving.kill()
                serving.wait()


class Sources(unittest.TestCase):
    def test_a_recording_makes_nobody_read_a_device(self):
        self.assertIn("unittest", repair._source(__file__))
        looked = []
        with tempfile.TemporaryDirectory() as away, tempfile.TemporaryDirectory() as here:
            pathlib.Path(away, "secret.py").write_text("KEY = 1\n")
            pathlib.Path(here, "own.py").write_text("EPS = 1\n")
            os.symlink(away, os.path.join(here, "folder"))
            # inner/../secret.py is opened outside, and here without the link.
            pathlib.Path(away, "sub").mkdir()
            os.symlink(os.path.join(away, "sub"), os.path.join(here, "inner"))
            pathlib.Path(here, "secret.py").write_text("KEY = 2\n")
            os.symlink(os.path.join(away, "secret.py"), os.path.join(here, "link.py"))
            with unittest.mock.patch("os.getcwd", return_value=here):
                for name in ("own.py", "folder/secret.py", "link.py", "inner/../secret.py", "../secret.py", f"{away}/secret.py", os.devnull, "/net/host/x.py", "a\0b"):
                    path = name if name.startswith(("/", "a")) else os.path.join(here, name)
                    looked.append((name, repair._source(path)))
                with unittest.mock.patch("os.stat", side_effect=AssertionError), unittest.mock.patch("os.lstat", side_effect=AssertionError):
                    self.assertEqual(repair._source("/net/host/x.py"), "")
        self.assertEqual([name for name, text in looked if text], ["own.py"])

    def test_a_source_that_nests_too_deep_has_no_value(self):
        with tempfile.TemporaryDirectory() as here, unittest.mock.patch("os.getcwd", return_value=here):
            path = pathlib.Path(here, "deep.py")
            path.write_text("def f():\n  return x" + ".a" * 900 + "\n")
            self.assertIsNone(repair._place({"name": "f", "file": str(path), "line": 1}, "1", 1))


class Terminal(unittest.TestCase):
    def test_no_name_in_a_recording_or_of_a_file_acts_in_the_terminal_or_in_a_workflow(self):
        odd = "x\x1b[2K\n::add-mask::secret"
        entry = [{"record": "capture", "v": 1, "torch": "2.14.1", "pid": 1}, {"record": "entry", "id": 0, "functions": {odd: 5}}]
        with tempfile.TemporaryDirectory() as folder:
            for name, text in [("a.fusescope", "\n".join(map(json.dumps, entry))), (f"{odd}.fusescope", "not a recording")]:
                path = pathlib.Path(folder, name)
                path.write_text(text + "\n")
                for command in ("report", "baseline", "check"):
                    said = io.StringIO()
                    with self.subTest(command, name=name), contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
                        self.assertEqual(cli.main([command, str(path)]), 2)
                    self.assertNotRegex(said.getvalue(), r"\x1b|(?m:^::)")


class Serving(Folder):
    def get(self, path, **headers):
        request = urllib.request.Request(self.server.address + path, headers=headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, dict(answer.headers), answer.read().decode()
        except urllib.error.HTTPError as e:
            with e:
                return e.code, dict(e.headers), ""

    def setUp(self):
        super().setUp()
        self.server = server.Server(page=str(self.page)).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def test_answers_to_this_machine_only_and_with_the_headers_of_the_build(self):
        (self.folder / "secret").write_text("secret")
        self.assertEqual(self.get("")[0], 200)
        self.assertEqual(self.get("", Host="evil.example")[0], 403)
        self.assertEqual(self.get("", Host=f"localhost:{self.server.server_port}")[0], 200)
        for path in ("../secret", "%2e%2e/secret", "assets/../../secret", "shown/x/graph.txt", "assets"):
            self.assertEqual(self.get(path)[0], 404, path)
        status, headers, _ = self.get("assets/a.mjs")
        self.assertEqual((status, headers["content-type"], headers["x-one"]), (200, "text/javascript", "2"))

    def ask(self, text):
        connection = socket.create_connection(("127.0.0.1", self.server.server_port))
        self.addCleanup(connection.close)
        connection.sendall(text.replace("HOST", f"127.0.0.1:{self.server.server_port}").encode("latin-1"))
        return connection

    def test_an_odd_request_gives_nothing_away_and_says_nothing_in_the_terminal(self):
        (self.folder / "secret").write_text("TOP SECRET")
        (self.page / "link").symlink_to(self.folder / "secret")
        self.server.posts["/live/state"] = lambda asked: "TOP SECRET"
        requests = json.loads((PYTHON.parent / "scripts" / "security" / "requests.json").read_text("utf-8"))
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            for one in requests:
                with self.subTest(one["name"]), self.ask(one["send"]) as connection:
                    answer = connection.recv(10_000).decode("latin-1")
                    self.assertNotEqual(answer, "")
                    self.assertNotIn("SECRET", answer)
                    self.assertNotRegex(answer.lower(), r"\n(x-evil|access-control)")
            (self.page / "large").write_bytes(b"x" * (8 << 20))
            for _ in range(3):
                with self.ask("GET /large HTTP/1.1\r\nHost: HOST\r\n\r\n") as connection:
                    connection.recv(1)
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            for _ in range(200):
                self.ask("GET / HTTP/1.1\r\nHost")
            self.assertEqual(self.get("")[0], 200)
        self.assertEqual(said.getvalue(), "")

    def test_gives_a_shown_file_at_the_address_that_it_printed(self):
        odd = self.folder / os.fsdecode(b"a\xff.txt")
        odd.write_text("graph():")
        for given, data in (shown._data_of(str(odd)), (shown._pattern_file(str(odd))["name"], b"")):
            self.assertEqual(given, "a\ufffd.txt")
            self.assertIn("a%25EF%25BF%25BD.txt", self.server.show(given, data))
        address = self.server.show("a b.txt", b"graph():")
        asked = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["from"][0]
        self.assertEqual(self.get(asked[len(self.server.address) :])[2], "graph():")

    def test_says_that_the_page_is_missing(self):
        with self.assertRaisesRegex(Refused, "the page is not in this installation"):
            server.Server(page=str(self.folder))


def bad_recordings():
    """(name, bytes) of recordings that have one field of a form that the recorder never writes."""
    x = {"name": "x", "op": "placeholder", "target": "x", "args": []}
    y = {"name": "y", "op": "call_function", "target": "aten.relu.default", "args": [{"node": "x"}]}
    good = {
        "capture": {"v": 1, "torch": "2.14.1"},
        "pass": {"id": 0, "passName": "p"},
        "entry": {"id": 0, "pattern": {"expr": "CallFunction", "fns": ["aten.relu.default"], "args": [], "kwargs": []}},
        "graph": {"id": 0, "run": 0, "nodes": [x, y]},
        "apply": {"id": 0, "pass": 0, "run": 0, "before": 0},
        "attempt": {"apply": 0, "entry": 0, "node": "y", "ok": False, "reason": "r"},
        "applied": {"apply": 0, "count": 0},
    }

    def lines(changed=None, fields=None, *more):
        records = [{"record": k, **v, **(fields if k == changed and fields else {})} for k, v in good.items()]
        return "\n".join([*map(json.dumps, records), *more, ""]).encode()

    yield "deep", lines() + b"[" * 200_000
    yield "deep and whole", lines(None, None, '{"record":"note","text":' + "[" * 9000 + "]" * 9000 + "}")
    yield "cut gzip", gzip.compress(lines())[:60]
    yield "broken gzip", gzip.compress(lines() * 50)[:20] + b"\0\xff" * 30
    for record, field, values in [
        ("pass", "variable", [5, [5], ["m"]]),
        ("pass", "holder", ["text", ["m", "c"]]),
        ("entry", "functions", [[], {"search": 1}, {"search": {"name": 1}}]),
        ("entry", "title", [[]]),
        ("graph", "nodes", [None, {}, ["text"], [[0, 1]], [[0]], [{**x, "args": None}], [{**x, "name": []}], [{**x, "kwargs": None}]]),
        ("graph", "nodes", [[{**x, "at": ["f.py"]}], [{**x, "at": 7}]]),
        ("apply", "run", [[], None, "0"]),
        ("apply", "pass", [[], {}]),
        ("apply", "compile", [1]),
        ("attempt", "node", [[], None]),
        ("attempt", "entry", [[], "0"]),
        ("attempt", "second", ["text", {"ok": 1}]),
        ("attempt", "dropped", ["text", {}]),
        ("attempt", "nodes", ["text", [[]]]),
        ("applied", "count", ["<b>", [], True, -1, 1.5, 10**20]),
        ("applied", "error", [[]]),
    ]:
        for value in values:
            yield f"{record}.{field} {value!r:.40}", lines(record, {field: value})
    yield "applied without nodes", lines("attempt", {"applied": True})
    yield (
        "doubled",
        lines(
            None,
            None,
            *(json.dumps({"record": "graph", "id": i + 1, "base": i, "nodes": [[0, 2 << i]] * 2}) for i in range(40)),
        ),
    )
    for pattern in ({"expr": 5}, {"expr": "CallFunction"}, {"fns": 1}, {"expr": "ListOf", "pattern": 1, "args": 1}):
        yield f"pattern {pattern}", lines("entry", {"pattern": pattern})
    chain = [{**y, "name": f"n{i}", "args": [{"node": f"n{i - 1}"}]} for i in range(3000)]
    chain.append({"name": "output", "op": "output", "target": "output", "args": [{"node": "n2999"}]})
    trace = json.dumps({"record": "trace", "id": 0, "graph": {"nodes": chain}})
    yield "pattern of a long trace", lines("attempt", {"second": {"ok": False, "trace": 0}}, trace)


class Reports(Folder):
    def test_groups_near_misses_with_pytorchs_reason(self):
        text = report.report(str(CAPTURES / "compiled-model.fusescope.gz"))
        self.assertIn("linear_silu: 4 matches in 1 graph", text)
        self.assertIn(
            "4 × LinearSiluPass (conformance/captures/compiled_model.py:22): 2 of 2 nodes align\n        PyTorch: extra_check returned False",
            text,
        )
        self.assertIn("mm is aten.addmm.default in the pattern, aten.mm.default in the graph", text)

    def test_ranks_that_agree_are_said_once(self):
        texts = {}
        for name, rank in (("first", 0), ("first", 1), ("pattern", 2)):
            first, rest = gzip.decompress((CAPTURES / f"versions-{name}.fusescope.gz").read_bytes()).split(b"\n", 1)
            header = {**json.loads(first), "rank": rank}
            path = self.folder / f"rank{rank}.fusescope"
            path.write_bytes(json.dumps(header).encode() + b"\n" + rest)
            texts[rank] = str(path)
        same = report.report(texts[0], texts[1])
        self.assertIn("2 ranks agree in every pass\n  linear: 3 matches in 1 graph × 2 ranks", same)
        apart = report.report(*report.files_of([str(self.folder)]))
        self.assertIn("3 ranks differ in 1 pass of 1: linear", apart)
        self.assertIn("  linear: 3 matches in 1 graph, rank 0, rank 1\n", apart)
        self.assertRegex(apart, r"  linear: 1 match in 1 graph, rank 2\b")

    def test_names_the_line_that_has_the_other_value(self):
        file = self.folder / "fusion.py"
        place = {"search": {"name": "search", "file": str(file), "line": 4}, "replace": {"name": "replace", "file": str(file), "line": 7}}
        attempt = {"entry": 0}
        found = Alignment(6, 6, [Difference("add", "argument other of add", "1e-06", "1e-05", True)])
        for text, says in [
            ("EPS = 1e-6\n\n\ndef search(x):\n    return x + 1e-6\n\ndef replace(x):\n    return f(x, 1e-6)\n", "search (F:5) and replace (F:8)"),
            ("EPS = 1e-6\n\n\ndef search(x):\n    return x + EPS\n\ndef replace(x):\n    return f(x, EPS)\n", "EPS (F:1)"),
            ("\n\n\ndef search(x):\n    return x + 1e-6 + 1e-6\n\ndef replace(x):\n    return x\n", None),
            ("def search(", None),
        ]:
            file.write_text(text)
            linecache.checkcache()
            says = says and f"write 1e-05 for 1e-06 in {says.replace('F', 'fusion.py')}"
            capture = types.SimpleNamespace(entries={0: {"functions": place}})
            with unittest.mock.patch("os.getcwd", return_value=str(self.folder)):
                self.assertEqual(repair.repair(capture, attempt, found), says)
        # A value that differs as often as the function has it is written at all its places.
        twice = Alignment(6, 6, found.differences * 2)
        for text, lines in [
            ("    return x + 1e-6 + 1e-6\n\n", "5, 2 times"),
            ("    x = x + 1e-6\n    return x + 1e-6\n", "5 and 6, 2 times"),
            ("    return x * 1e-6 + 1e-6 - 1e-6\n\n", None),
        ]:
            file.write_text(f"\n\n\ndef search(x):\n{text}def replace(x):\n    return f(x, 1e-6)\n")
            linecache.checkcache()
            says = lines and f"write 1e-05 for 1e-06 in search (fusion.py:{lines}) and replace (fusion.py:8)"
            with unittest.mock.patch("os.getcwd", return_value=str(self.folder)):
                self.assertEqual(repair.repair(capture, attempt, twice), says)
        capture = types.SimpleNamespace(entries={0: {"functions": place, "bindings": {"eps": "1e-06"}}})
        self.assertEqual(repair.repair(capture, attempt, found), "register the pattern with eps = 1e-05 (it has 1e-06)")
        # What a stranger's recording has for a value is no advice, if it would be code.
        for value, says in [("__import__('os').system('x')", None), ("x\nimport os", None), ("[i for i in f]", None), ("[1, -1]", "[1, -1]")]:
            other = Alignment(6, 6, [Difference("add", "argument other of add", "1e-06", value, True)])
            says = says and f"register the pattern with eps = {says} (it has 1e-06)"
            self.assertEqual(repair.repair(capture, attempt, other), says)
        # The matches of the pattern as it is are not given up.
        self.assertEqual(repair.repair(capture, attempt, found, 2), "register the pattern once more with eps = 1e-05 (it has 1e-06)")

    def test_finds_the_argument_that_differs(self):
        capture = Capture(str(CAPTURES / "inductor-attention.fusescope.gz"))
        texts = {
            str(d)
            for a in capture.applications.values()
            for x in a.attempts
            if (x.get("second") or {}).get("reason") == "constant_args: amax -2!=-1"
            for d in alignment(capture, a, x).differences[:1]
        }
        self.assertEqual(texts, {"argument 2 of amax (aten.amax.default) is [-1] in the pattern, [-2] in the graph"})

    def test_a_file_that_is_no_recording_is_a_sentence(self):
        first = '{"record":"capture","v":1}\n'
        for text, says in [
            ("", "is not a recording"),
            ("hello\nworld", ":1: the line is not JSON"),
            ('{"record":"capture","v":2}', "has version 2"),
            (first + '{"record":"attempt","apply":7}', ":2: the record cannot be read"),
            (first + '{"record":"_init__"}', None),
            (first + '{"record":"note","text":"a\u2028b\x85c"}\n' + first, None),
        ]:
            path = self.folder / "a.fusescope"
            path.write_text(text)
            if says is None:
                report.report(str(path))
                continue
            with self.assertRaisesRegex(Refused, says):
                report.report(str(path))

    def test_a_bomb_of_gzip_is_refused_before_it_fills_the_memory(self):
        path = self.folder / "a.fusescope.gz"
        path.write_bytes(gzip.compress(bytes(1 << 21)))
        with unittest.mock.patch("fusescope.capture.LARGEST", 1 << 20), self.assertRaisesRegex(Refused, "unpacked, it has more than 1 MiB"):
            Capture(str(path))

    def test_each_command_answers_a_bad_recording_with_a_sentence(self):
        path, base, out = (self.folder / name for name in ("a.fusescope", "b.txt", "a.html"))
        base.write_text("fusescope baseline 1\n")
        for name, data in bad_recordings():
            path.write_bytes(data)
            for command in (["report"], ["baseline"], ["check", "--baseline", base], ["show", "--html", out]):
                said, printed = io.StringIO(), io.StringIO()
                with self.subTest(name, command=command[0]):
                    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(printed):
                        status = cli.main([*map(str, command), str(path)])
                    # A count needs no pattern: only what is read is refused.
                    if status != 0 or not name.startswith("pattern"):
                        self.assertEqual(status, 2)
                        self.assertRegex(said.getvalue(), r"\Afusescope: .*a\.fusescope.*\.\n\Z")

    def test_a_page_draws_each_node_once_below_its_inputs(self):
        def node(name, *inputs, op="call_function"):
            return {"name": name, "op": op, "target": f"aten.{name}", "args": [{"node": i} for i in inputs]}

        nodes = [node("x", op="placeholder"), node("mul", "x"), node("add", "mul", "x"), node("sub", "mul", "add")]
        drawn = page._drawing({n["name"]: n for n in nodes}, {"add"}, "a graph")
        names = {name: int(top) for top, name in re.findall(r'y="(\d+)">(mul|add|sub|x)<', drawn)}
        self.assertEqual(sorted(names, key=lambda n: names[n]), ["mul", "add", "sub"])
        self.assertEqual(drawn.count("<path"), 3)
        self.assertEqual(drawn.count(f'fill="{page.ALIGNED}"'), 1)

    def test_text_of_a_recording_cannot_act_in_a_terminal_or_a_page(self):
        lines = [
            '{"record":"capture","v":1,"torch":"<script>","pid":1}',
            '{"record":"pass","id":0,"passName":"\\u001b[31m<img>"}',
            '{"record":"graph","id":0,"run":0,"nodes":[{"name":"<b>","op":"placeholder","target":"x","args":[]}]}',
            '{"record":"apply","id":0,"pass":0,"run":0,"before":0}',
            '{"record":"attempt","apply":0,"entry":0,"node":"<b>","ok":false,"reason":"<i>"}',
            '{"record":"applied","apply":0,"count":0,"error":"<u>"}',
        ]
        path = self.folder / "a.fusescope"
        path.write_text("\n".join(lines) + '\n{"record":"cut')
        self.assertNotIn("\x1b", report.report(str(path)))
        body = page.body_of(str(path))
        for tag in ("<script", "<img", "<b>", "<i>", "<u>"):
            self.assertNotIn(tag, body)
        run = types.SimpleNamespace(path=str(path))
        self.assertEqual(shown.run_html(run), f'<div class="tex2jax_ignore mathjax_ignore">{body}</div>')


class Baselines(Folder):
    def check(self, *options):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = cli.main(["check", *map(str, options)])
        return status, out.getvalue()

    def test_say_what_a_later_run_lost_and_why(self):
        recording = CAPTURES / "compiled-model.fusescope.gz"
        counts = baseline.counts_of([str(recording)])
        text = baseline.baseline_text(counts)
        self.assertRegex(text, r"^fusescope baseline 1\n\ngraph 0/0\n(.*\n)*  4  linear_silu\n")
        file = self.folder / "baseline.txt"
        file.write_text(text)
        self.assertEqual(baseline.read_baseline(str(file)), counts.of)
        status, said = self.check(recording, "--baseline", file)
        self.assertEqual((status, said), (0, "Nothing is lost: 1 count of the baseline holds.\n"))

        file.write_text(text.replace("4  linear_silu", "9  linear_silu") + '\ngraph "7/<b>"\n  2  a\n')
        junit, markdown = self.folder / "junit.xml", self.folder / "check.md"
        status, said = self.check(recording, "--baseline", file, "--junit", junit, "--markdown", markdown)
        self.assertEqual(status, 1)
        self.assertRegex(said, r"^Lost: 1 of 2 counts of the baseline; 1 graph is missing\.\n")
        self.assertIn("  linear_silu on 0/0: 9 → 4 matches\n    nearest place (of ", said)
        # Counts do not tell which place is new.
        self.assertRegex(said, r"    as near: relu_8 \(.*\n      addmm_8 has 2 users in the graph, 1 in the pattern\n")
        self.assertIn("  7/<b>: this graph was not compiled\n", said)
        suite = xml.etree.ElementTree.parse(junit).getroot()[0]
        self.assertEqual([c.get("name") for c in suite if len(c)], ["linear_silu", "7/<b>"])
        self.assertIn("\\<b\\>", markdown.read_text(encoding="utf-8"))

    def test_a_name_commands_no_runner_of_a_workflow(self):
        self.assertEqual(baseline._word("##[error]x"), '"#\\u0023[error]x"')
        self.assertEqual(baseline._word("##vso[task.uploadfile]x"), '"#\\u0023vso[task.uploadfile]x"')
        self.assertEqual(report.clean("a ##vso[x]y #\ufe0f#[z]"), r"a #\x23vso[x]y #\ufe0f#[z]")
        file = self.folder / "baseline.txt"
        file.write_text(f'fusescope baseline 1\ngraph {baseline._word("##[error]x")}\n  1  p\n')
        self.assertEqual(baseline.read_baseline(str(file)), {("##[error]x", "p"): 1})

    def test_no_file_is_written_through_a_link_of_a_checkout(self):
        recording = self.folder / "a.fusescope"
        head = {"record": "capture", "v": 1, "torch": "2"}
        records = [head, {"record": "pass", "id": 0, "passName": "p"}, {"record": "apply", "id": 0, "pass": 0, "run": 0}]
        recording.write_text("".join(f"{json.dumps(r)}\n" for r in records))
        mine, link, file = self.folder / "mine", self.folder / "junit.xml", self.folder / "fusions.txt"
        mine.write_text("mine")
        file.write_text("fusescope baseline 1\n")
        for target in (mine, self.folder / "absent"):
            link.unlink(missing_ok=True)
            link.symlink_to(target)
            for command in (["check", recording, "--baseline", file, "--junit", link], ["show", recording, "--html", link]):
                with contextlib.redirect_stderr(io.StringIO()) as err, contextlib.redirect_stdout(io.StringIO()):
                    self.assertEqual(cli.main(list(map(str, command))), 2)
                self.assertIn("junit.xml: this is a link, and output is never written through links.", err.getvalue())
        self.assertEqual(mine.read_text(), "mine")
        self.assertFalse((self.folder / "absent").exists())
        checkout, away = self.folder / "checkout", self.folder / "away"
        for folder in (checkout, away):
            folder.mkdir()
        (checkout / "reports").symlink_to(away)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(checkout)
        for command in (["check", recording, "--baseline", file, "--markdown", "reports/a"], ["show", recording, "--html", "reports/a"]):
            with contextlib.redirect_stderr(io.StringIO()) as err, contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(cli.main(list(map(str, command))), 2)
            self.assertIn("reports/a: its folder is a link out of the current folder", err.getvalue())
        self.assertEqual(list(away.iterdir()), [])
        status, said = self.check(recording, "--baseline", file, "--markdown", "/dev/null")
        self.assertEqual(status, 0)

    def test_a_file_that_is_no_baseline_is_a_sentence(self):
        file = self.folder / "b.txt"
        for text, says in [
            ("{}", ":1: this is not a baseline"),
            ("fusescope baseline 1\ngraph g\n many a", ":3: expected"),
            ('fusescope baseline 1\ngraph g\n 1 "a', ":3: this line has a broken name"),
        ]:
            file.write_text(text)
            with self.assertRaisesRegex(Refused, says):
                baseline.read_baseline(str(file))


class Assertions(Folder):
    def test_a_run_counts_and_fails_with_the_recordings_path(self):
        import torch
        from torch._inductor import pattern_matcher as pm

        def handler(match):
            return None

        passes = pm.PatternMatcherPass()
        pm.PatternEntry(handler).register(passes)
        apply = pm.PatternMatcherPass.apply
        path = self.folder / "a.fusescope"
        with record(path) as run:
            passes.apply(torch.fx.Graph())
        self.assertIs(pm.PatternMatcherPass.apply, apply)
        run.assert_does_not_fire(passes)
        with self.assertRaises(AssertionError) as failed:
            run.assert_fires(handler, times=2)
        text = str(failed.exception)
        self.assertIn("handler fired 0 of 2.", text)
        self.assertIn(f"fusescope show {path}", text)
        self.assertIn(f"report:    {path.as_uri()}.html", text)
        self.assertIn("<h1>Fusescope</h1>", pathlib.Path(f"{path}.html").read_text(encoding="utf-8"))
        with record(path) as empty:
            pass
        with self.assertRaisesRegex(AssertionError, "no pass with patterns of yours went over a graph"):
            empty.assert_fires("fusion")
        with self.assertRaises(AssertionError) as nothing:
            empty.assert_numbers()
        self.assertNotIn(str(path), str(nothing.exception))
        self.assertFalse(path.exists())

    def test_numbers_are_those_of_graphs_that_changed(self):
        import torch
        from torch._inductor import pattern_matcher as pm

        def ran(count, differences):
            numbers = types.SimpleNamespace(differences=differences, first=None, device="cpu")
            fake = types.SimpleNamespace(copied=lambda graph: "a copy", compared=lambda *_: numbers)
            passes = pm.PatternMatcherPass()
            pm.PatternEntry(lambda match: None).register(passes)
            with unittest.mock.patch.dict(sys.modules, {"fusescope.graphs": fake}):
                with unittest.mock.patch.object(pm.PatternMatcherPass, "apply", lambda self, graph: count):
                    with record(self.folder / "a.fusescope") as run:
                        passes.apply(torch.fx.Graph())
                run.assert_numbers(rtol=1e-3)

        ran(2, [])
        with self.assertRaisesRegex(AssertionError, "Graph 0 gives other values after its passes, on cpu.\n  output 0"):
            ran(2, ["output 0: the greatest difference is 1"])
        with self.assertRaisesRegex(AssertionError, "No pass replaced anything"):
            ran(0, [])

    def test_a_graph_that_cannot_be_copied_fails_the_comparison(self):
        import torch
        from torch._inductor import pattern_matcher as pm

        def copied(graph):
            raise TypeError("cannot pickle a handle")

        passes = pm.PatternMatcherPass()
        pm.PatternEntry(lambda match: None).register(passes)
        fake = types.SimpleNamespace(copied=copied, compared=None)
        with unittest.mock.patch.dict(sys.modules, {"fusescope.graphs": fake}):
            with unittest.mock.patch.object(pm.PatternMatcherPass, "apply", lambda self, graph: 1):
                with record(self.folder / "a.fusescope") as run:
                    passes.apply(torch.fx.Graph())
            with self.assertRaisesRegex(AssertionError, "Graph 0 cannot be copied: TypeError: cannot pickle a handle"):
                run.assert_numbers()

    def test_an_object_that_cannot_be_printed_ends_no_pass(self):
        class Ends(BaseException):
            pass

        class Loud:
            def __repr__(self):
                raise Ends

        made = recording.recorder()
        self.assertEqual(made._repr(Loud()), "<Loud, whose repr raised Ends>")

        def raises(error):
            raise error

        self.assertIsNone(made._safely(raises)(Ends()))
        with self.assertRaises(SystemExit):
            made._safely(raises)(SystemExit())

    def test_a_name_of_the_recording_begins_no_line_of_a_failure(self):
        with record(self.folder / "a.fusescope") as run:
            pass
        with self.assertRaises(AssertionError) as failed:
            run.assert_fires("fusion\nrecording: forged")
        self.assertEqual(str(failed.exception).splitlines()[0], "fusion recording: forged fired 0 of at least 1.")
