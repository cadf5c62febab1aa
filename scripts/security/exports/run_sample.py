"""
Runs written files on a real PyTorch, each in a process of its own, and says what they touched.
  python3 run_sample.py FOLDER   (of main.ts --sample=FOLDER)
"""
import os
import runpy
import shutil
import sys
import tempfile
import types

import torch
import torch._inductor.pattern_matcher
import torch._functorch.aot_autograd

WATCHED = ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "subprocess.Popen", "socket.", "ctypes.", "os.remove", "os.rename", "shutil.")

OWN = os.path.join(os.path.realpath(tempfile.gettempdir()), "fusescope_")


def run(path, folder, report):
    """In the child: the file as a program, with the events that Python's audit reports."""
    touched = []

    def audit(event, args):
        writes = event == "open" and isinstance(args[1], str) and any(c in args[1] for c in "wax+") and args[0] != report
        # A script writes the packages and files that it holds to a folder of its own.
        own = any(isinstance(a, str) and ".." not in a and a.startswith(OWN) for a in args[:2])
        if (event.startswith(WATCHED) or writes) and not own:
            touched.append(f"{event} {str(args)[:120]}")

    os.chdir(folder)
    sys.argv = [path]
    fixture = lambda *a, **k: a[0] if a and callable(a[0]) else lambda f: f  # noqa: E731
    mark = types.SimpleNamespace(parametrize=fixture)
    sys.modules["pytest"] = types.SimpleNamespace(fixture=fixture, mark=mark)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    sys.addaudithook(audit)
    outcome = "ran"
    try:
        space = runpy.run_path(path, run_name="__main__")
        if "import pytest" in open(path).read():
            passes = space["load"]()
            for graph in space["GRAPHS"]:
                space["count_matches"](passes, graph)
    except BaseException as e:
        outcome = f"{type(e).__name__}: {str(e)[:100]}"
    seen = list(touched)
    with open(report, "w") as out:
        out.write("\n".join([ascii(outcome), *seen]))


def main(source):
    folder = tempfile.mkdtemp()
    files = sorted(f for f in os.listdir(source) if f.endswith(".py"))
    outcomes, bad = {}, 0
    for name in files:
        report = os.path.join(tempfile.gettempdir(), "report.txt")
        pid = os.fork()
        if pid == 0:
            run(os.path.abspath(os.path.join(source, name)), folder, report)
            os._exit(0)
        os.waitpid(pid, 0)
        outcome, *touched = open(report).read().split("\n")
        left = os.listdir(folder)
        kind = outcome.split(":")[0]
        outcomes[kind] = outcomes.get(kind, 0) + 1
        if "-v" in sys.argv:
            print(name, outcome)
        if touched or left:
            bad += 1
            print(f"{name} touched {left} {touched[:5]}".encode("ascii", "backslashreplace").decode())
            shutil.rmtree(folder)
            os.mkdir(folder)
    print(f"PyTorch {torch.__version__}: {len(files)} files, {bad} touched something; {outcomes}")
    return bad


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1]) else 0)
