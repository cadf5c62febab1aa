"""What the recorder writes and says, on a stub of PyTorch (stub/torch)."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
CAPTURE = HERE.parents[1] / "public" / "capture"
PROGRAM = str(HERE / "program.py")


class Recorder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve() / "work"
        self.cache = self.folder.parent / "cache"
        self.folder.mkdir()

    def record(self, *args, status=0, torch=True, before=(), **env):
        """The lines on stderr, with the folder as DIR. `before`: folders to make first."""
        for name in before:
            (self.folder / name).mkdir()
        keep = {k: v for k, v in os.environ.items() if not k.startswith(("FUSESCOPE", "PYTHON"))}
        path = os.pathsep.join([str(CAPTURE), *([str(HERE / "stub")] if torch else [])])
        command = [sys.executable, "-m", "fusescope_capture", *args]
        env = {**keep, "PYTHONPATH": path, "XDG_CACHE_HOME": str(self.cache), **env}
        self.ran = subprocess.run(command, cwd=self.folder, env=env, text=True, capture_output=True)
        self.assertEqual(self.ran.returncode, status, self.ran.stderr)
        return self.ran.stderr.replace(str(self.folder), "DIR").splitlines()

    def names(self):
        return sorted(p.name for p in self.folder.iterdir())

    def records(self, name, kind):
        lines = (self.folder / name).read_text(encoding="utf-8").split("\n")[:-1]
        return [r for r in map(json.loads, lines) if r["record"] == kind]

    def test_prints_the_file_also_after_an_exception_and_exit(self):
        self.assertEqual(self.record("--out", "a.fusescope", PROGRAM, "apply"), ["fusescope: DIR/a.fusescope"])
        lines = self.record("--out", "a.fusescope", PROGRAM, "apply", "raise", status=1)
        self.assertEqual(lines[-2:], ["ValueError: the program's own", "fusescope: DIR/a.fusescope"])
        self.assertNotIn("fusescope_capture.py", "".join(lines))
        self.assertEqual(self.record(PROGRAM, "exit", status=3), ["fusescope: no pass with patterns of yours was applied."])
        self.assertEqual(len(self.records("a.fusescope", "applied")), 1)

    def test_names_the_recordings_that_a_program_makes_of_its_own(self):
        lines = self.record(PROGRAM, "inside", "inside")
        self.assertRegex(lines[0], r"record\(\) wrote 2 recordings of its own, the last DIR/inside-\d+\.fusescope$")
        self.assertEqual(lines[1:], ["fusescope: no pass with patterns of yours was applied outside of record()."])
        lines = self.record("--out", "a.fusescope", PROGRAM, "apply", "inside")
        self.assertIn("record() wrote 1 recording of its own: DIR/inside", lines[0])
        self.assertEqual(lines[1:], ["fusescope: DIR/a.fusescope"])

    def test_a_file_that_was_not_written_is_a_sentence_and_no_path(self):
        lines = self.record("--out", "none/a.fusescope", PROGRAM, "raise", status=2)
        self.assertEqual(lines, ["fusescope: none/a.fusescope cannot be written: there is no folder DIR/none."])
        lines = self.record("--out", "gone/a.fusescope", "--children", PROGRAM, "leave", "child", before=["gone"])
        self.assertEqual(lines, ["fusescope: DIR/gone/a.fusescope was not written: No such file or directory."])

    def test_the_same_name_again_never_leaves_the_earlier_run(self):
        self.record("--out", "a.fusescope", PROGRAM, "apply")
        self.assertIn("no pass", self.record("--out", "a.fusescope", PROGRAM)[0])
        self.assertEqual(self.names(), [])
        (self.folder / "mine.txt").write_text("mine")
        lines = self.record("--out", "mine.txt", PROGRAM, "apply", status=2)
        self.assertEqual(lines, ["fusescope: mine.txt exists and is no recording, so it is not replaced."])
        self.assertEqual((self.folder / "mine.txt").read_text(), "mine")
        # Without a launcher nobody knows whether the other file is older: both stay, and one line says so.
        (self.folder / "b.fusescope").write_text("other")
        code = f"import sys, runpy, fusescope_capture; sys.argv[1:] = ['apply']; runpy.run_path({PROGRAM!r})"
        env = {**os.environ, "PYTHONPATH": f"{CAPTURE}{os.pathsep}{HERE / 'stub'}", "FUSESCOPE_OUT": "b.fusescope"}
        ran = subprocess.run([sys.executable, "-c", code], cwd=self.folder, env=env, text=True, capture_output=True)
        self.assertRegex(ran.stderr, r"b\.fusescope holds another recording; this one is .*b-\d+\.fusescope\.")
        self.assertEqual((self.folder / "b.fusescope").read_text(), "other")

    def test_names_the_files_of_an_earlier_run(self):
        self.record("--out", "a.fusescope", "--children", PROGRAM, "apply", "child")
        [old] = [name for name in self.names() if name != "a.fusescope"]
        (self.folder / "a-notes.fusescope").write_text("mine")
        lines = self.record("--out", "a.fusescope", PROGRAM, "apply")
        self.assertEqual(lines, [f"fusescope: of an earlier run, and still there: DIR/{old}", "fusescope: DIR/a.fusescope"])

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_forks_never_share_a_file(self):
        lines = self.record("--out", "a.fusescope", PROGRAM, "forks", "apply")
        self.assertEqual(len(lines), 3)
        self.assertEqual(len(self.names()), 3)
        for name in self.names():
            self.assertEqual(len(self.records(name, "capture")), 1)
            self.assertEqual(len(self.records(name, "applied")), 1)

    def test_children_are_recorded_or_counted(self):
        line = "fusescope: 1 worker process with the pattern matcher was not recorded: add --children."
        self.assertEqual(self.record("--out", "a.fusescope", PROGRAM, "child")[0], line)
        self.assertEqual(self.names(), [])
        self.assertEqual(len(self.record("--children", "--out", "a.fusescope", PROGRAM, "apply", "child")), 2)
        self.assertEqual(len(self.names()), 2)

    def test_runs_a_module(self):
        lines = self.record("--out", "a.fusescope", "-m", "program", "apply", PYTHONPATH=os.pathsep.join(
            [str(CAPTURE), str(HERE / "stub"), str(HERE)]
        ))  # fmt: skip
        self.assertEqual(lines, ["fusescope: DIR/a.fusescope"])

    def test_a_cache_hit_names_the_switch(self):
        self.assertRegex(self.record(PROGRAM, "cached")[0], r"2 graphs came .*: set TORCHINDUCTOR_FORCE_DISABLE_CACHES=1")

    def test_stores_cells_of_notebooks(self):
        self.record("--sources", "--out", "a.fusescope", PROGRAM, "cell", "apply")
        texts = {s["file"]: s["text"] for s in self.records("a.fusescope", "source")}
        self.assertEqual(texts["<cell 1>"], "def handler(match):\n    return None\n")

    def test_a_hostile_object_costs_neither_the_pass_nor_the_recording(self):
        attacks = json.loads((HERE / "hostile.json").read_text())
        self.record("--out", "a.fusescope", str(HERE / "hostile_program.py"), FUSESCOPE_PASSES="all")
        said = self.ran.stdout.splitlines()
        self.assertEqual(said, [f"raised {a['raises']}" if "raises" in a else "returned 0" for a in attacks])
        kinds = {"apply": {}, "applied": {}}
        text = (self.folder / "a.fusescope").read_text(encoding="utf-8")
        for record in map(json.loads, text.split("\n")[:-1]):
            kinds.get(record["record"], {})[record.get("id", record.get("apply"))] = record
        self.assertEqual(self.records("a.fusescope", "note"), [])
        for i, attack in enumerate(attacks):
            with self.subTest(attack["name"]):
                self.assertEqual(kinds["apply"][i]["before"] is None, "large" in attack)
                self.assertEqual(kinds["applied"][i].get("count"), None if "raises" in attack else 0)
        self.assertLess(len(text), 1 << 20)

    def test_threads_write_whole_lines_once_each(self):
        self.record("--out", "a.fusescope", PROGRAM, "threads")
        for kind, key in (("apply", "id"), ("applied", "apply")):
            self.assertEqual(sorted(r[key] for r in self.records("a.fusescope", kind)), list(range(1600)))
        self.assertEqual(self.records("a.fusescope", "note"), [])

    def test_a_program_that_closes_all_files_keeps_its_own(self):
        lines = self.record("--out", "a.fusescope", PROGRAM, "apply", "daemon", "apply", "apply")
        self.assertEqual(lines[0], "fusescope: DIR/a.fusescope is incomplete: the program closed it.")
        self.assertEqual([p.stat().st_size for p in self.folder.glob("mine-*")], [0] * 20)
        self.assertEqual(len(self.records("a.fusescope", "applied")), 1)

    def test_uninstalls(self):
        self.record("--out", "a.fusescope", PROGRAM, "apply", "uninstall")
        self.assertEqual(self.ran.stdout, f"{self.folder / 'a.fusescope'}\n")
        self.assertEqual(len(self.records("a.fusescope", "applied")), 1)

    def test_mistakes_are_sentences(self):
        for args, env, says in [
            ([], {}, "which script?"),
            (["none.py"], {}, "none.py: there is no such script"),
            (["--colour", PROGRAM], {}, "there is no option --colour"),
            (["-m"], {}, "-m needs a module"),
            (["--link", "none.fusescope"], {}, "none.fusescope: No such file or directory."),
            ([PROGRAM], {"FUSESCOPE_LIMIT_MB": "much"}, "FUSESCOPE_LIMIT_MB is 'much'"),
            ([PROGRAM], {"FUSESCOPE_PASSES": "mine"}, "FUSESCOPE_PASSES is 'mine'"),
        ]:
            lines = self.record(*args, status=2, torch=False, **env)
            self.assertEqual(len(lines), 1, lines)
            self.assertIn(says, lines[0])

    def test_prints_a_sitecustomize_without_pytorch(self):
        self.record("--sitecustomize", torch=False)
        compile(self.ran.stdout, "sitecustomize.py", "exec")

    def test_a_process_that_is_left_behind_has_no_folder_on_its_path_that_others_can_make(self):
        (self.folder / "left.py").write_text("import os; print(os.environ['PYTHONPATH'], os.environ['FUSESCOPE_RUN'], sep=chr(10))")
        self.record("left.py")
        path, run = self.ran.stdout.splitlines()
        first = pathlib.Path(path.split(os.pathsep)[0])
        own = self.cache / "fusescope-recorder"
        self.assertEqual(first.parent, own)
        self.assertEqual([p.name for p in first.iterdir()], ["sitecustomize.py"])
        self.assertEqual(own.stat().st_mode & 0o077, 0)
        self.assertEqual(pathlib.Path(run).parent, own)
        self.assertFalse(pathlib.Path(run).exists())
        # Where others can write, or put another folder in its place, nothing is put on the path.
        for writable in (own, self.cache):
            mode = writable.stat().st_mode
            writable.chmod(0o777)
            self.record("left.py")
            self.assertNotIn(str(own), self.ran.stdout)
            writable.chmod(mode)

    def test_a_name_of_the_file_does_not_act_in_the_terminal(self):
        lines = self.record("--link", "a\x1b[2J\n::error::b", status=2, torch=False)
        self.assertEqual(len(lines), 1)
        self.assertNotIn("\x1b", lines[0])
