"""A program with one pass of its own. Each argument is one thing that it does, in order."""

import os
import subprocess
import sys
import threading

import torch
from torch._inductor import pattern_matcher as pm


def handler(match):
    return None


def apply():
    passes = pm.PatternMatcherPass()
    pm.PatternEntry(handler).register(passes)
    passes.apply(torch.fx.Graph())


def fork():
    if not os.fork():
        apply()
        sys.exit(0)


def cell():
    import linecache

    text = "def handler(match):\n    return None\n"
    linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(True), "<cell 1>")
    exec(compile(text, "<cell 1>", "exec"), globals())


for step in sys.argv[1:]:
    if step == "apply":
        apply()
    elif step == "cell":
        cell()
    elif step == "raise":
        raise ValueError("the program's own")
    elif step == "exit":
        sys.exit(3)
    elif step == "cached":
        torch._dynamo.utils.counters["inductor"]["fxgraph_cache_hit"] += 2
    elif step == "forks":
        for _ in range(2):
            fork()
        for _ in range(2):
            os.wait()
    elif step == "threads":
        threads = [threading.Thread(target=lambda: [apply() for _ in range(200)]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    elif step == "daemon":
        os.closerange(3, 256)
        files = [open(f"mine-{i}", "w") for i in range(20)]
    elif step == "inside":
        import fusescope_capture

        with fusescope_capture.recording("inside.fusescope"):
            apply()
    elif step == "leave":
        os.rmdir("gone")
    elif step == "child":
        subprocess.run([sys.executable, __file__, "apply"], check=True)
    elif step == "uninstall":
        import fusescope_capture

        wrapped = pm.PatternMatcherPass.apply
        print(fusescope_capture.uninstall())
        assert pm.PatternMatcherPass.apply is not wrapped
        assert "__init_subclass__" not in vars(pm.PatternMatcherPass)
        apply()
