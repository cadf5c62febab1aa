"""Records what the pattern matcher and the subgraph rewriter do in other people's unit tests (suite.py).

    PYTHONPATH=public/capture python3 conformance/peers/record.py OUT TEST_FILE[::I/N] …

I/N runs each N-th test from the I-th, for files that take long. OUT gets a capture for each file (docs/capture.md), in which a record `test` comes before the applications of each test, and
the calls of the subgraph rewriter as cases (rewrites.py). Both hold graphs and results, and no source of a test.
"""

import gzip
import json
import os
import pathlib
import re
import sys
import tempfile

os.environ |= {"FUSESCOPE_PASSES": "all", "FUSESCOPE_LIMIT_MB": "512"}
import fusescope_capture as capture  # noqa: E402
import rewrites  # noqa: E402
import suite  # noqa: E402
import torch  # noqa: E402

_test = ""
_rewrites = []


def note_rewrite(case):
    number = sum(r["id"].startswith(_test + "#") for r in _rewrites)
    _rewrites.append({"id": f"{_test}#{number}"} | case)


def note_test(name):
    global _test
    _test = name
    with capture._file.lock:
        capture._file.begin()
        capture._file.write({"record": "test", "name": name})


def suite_of(path):
    """test/fx/test_matcher_utils.py: fx-matcher_utils"""
    folders = path.parts[:-1]
    below = folders[max(i for i, part in enumerate(folders) if part in ("test", "tests")) + 1 :]
    return "-".join([*below, path.stem.removeprefix("test_")])


def record(path, out, part):
    name = suite_of(path) + (f".{part[0]}" if part[1] > 1 else "")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "capture"
        with capture.recording(str(file)):
            suite.run(path, note_test, part)
        # Paths of the machine that records say nothing to a reader.
        text = re.sub(rf"{path.parent}/|{os.path.dirname(torch.__path__[0])}/", "", file.read_text())
    write(out / f"{name}.fusescope.gz", text)
    if _rewrites:
        write(out / f"{name}.rewrites.jsonl.gz", "".join(json.dumps(row) + "\n" for row in _rewrites))


def write(file, text):
    file.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    rewrites.install(note_rewrite)
    for each in sys.argv[2:]:
        _rewrites.clear()
        file, _, part = each.partition("::")
        record(pathlib.Path(file).absolute(), pathlib.Path(sys.argv[1]), tuple(map(int, (part or "0/1").split("/"))))
