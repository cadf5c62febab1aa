"""What a check of live leaves as it was, with a real PyTorch: prints `checks: ok`. Run by real.sh."""

import sys
import types

import torch
from fusescope import check as checks
from torch._inductor import config
from torch._inductor import pattern_matcher as pm
from torch._library.custom_ops import OPDEFS
from torch.library import Library

SCRIPT = """
import importlib.util, pathlib, sys, tempfile
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="fusescope_"))
USER_FILES = {"file.py": %r}
USER_MODULES = {"package.file": "file.py"}
from contextlib import nullcontext as guarded
STAGES, OFF, GRAPHS = [], [], {"g": lambda builder: (torch.fx.GraphModule(torch.nn.Module(), torch.fx.Graph()), None)}
import torch
GraphBuilder = object
run_stages = lambda *args: dict(value)
value = {}
def load():
    module = type(sys)("package.file")
    sys.modules["package.file"] = sys.modules["package"].file = module
    sys.modules["stubbed"] = stub = type(sys)("stubbed")
    stub.__loader__ = type("Finder", (), {"__module__": "_fusescope.stubs"})()
    exec(USER_FILES["file.py"], vars(module))
    value.update(getattr(module, "value", {}))
"""


def run(text, files=None, **also):
    return checks.check(SCRIPT % text, None, "g", files, **also)


package, old = types.ModuleType("package"), types.ModuleType("package.file")
package.__path__, package.file = ["."], old
sys.modules.update({"package": package, "package.file": old})

mine = pm.PatternMatcherPass()
config.post_grad_fusion_options["mine"] = {}
library = Library("livechecks", "DEF")
library.define("known(Tensor x) -> Tensor")
library.impl("known", lambda x: x + 1, "CPU")
torch.library.register_fake("livechecks::known", lambda x: x.clone(), lib=library)


@torch.library.custom_op("livechecks::custom", mutates_args=())
def custom(x: torch.Tensor) -> torch.Tensor:
    return x + 1


custom.register_fake(lambda x: x.clone())

FILE = """
import torch
from torch.library import Library, custom_op, register_fake, triton_op
from torch._inductor import config
from torch._inductor import pattern_matcher as pm
library = Library("livechecks", "DEF")
for name, plus in (("known", 2), ("added", 3)):
    library.define(name + "(Tensor x) -> Tensor")
    library.impl(name, lambda x, plus=plus: x + plus, "CPU")
    torch.library.register_fake("livechecks::" + name, lambda x: x.new_empty(7), lib=library)
@custom_op("livechecks::custom", mutates_args=())
def custom(x: torch.Tensor) -> torch.Tensor:
    return x + 2
@custom.register_fake
def _(x):
    return x.new_empty(7)
@register_fake(custom)
def _(x):
    return x.new_empty(7)
@custom_op("livechecks::fresh", mutates_args=())
def fresh(x: torch.Tensor) -> torch.Tensor:
    return x + 4
fresh.register_fake(lambda x: x.clone())
x = torch.zeros(())
import __main__
__main__.mine.patterns[("call_function", torch.add)].append(1)
config.post_grad_fusion_options["theirs"] = {}
value = {name: int(getattr(torch.ops.livechecks, name)(x)) for name in ("known", "added", "custom", "fresh")}
value["called"] = int(custom(x))
"""

for _ in range(2):
    answer = run(FILE)
    assert answer.get("counts") == {"known": 1, "added": 3, "custom": 1, "fresh": 4, "called": 1}, answer
    assert answer["operators"] == ["livechecks::custom", "livechecks::known"], answer
    assert not hasattr(torch.ops.livechecks, "added") and not hasattr(torch.ops.livechecks, "fresh")
    assert not mine.patterns and list(config.post_grad_fusion_options) == ["mine"]
    assert sys.modules["package.file"] is old and package.file is old and "stubbed" not in sys.modules
with torch._subclasses.FakeTensorMode() as mode:
    for op in (torch.ops.livechecks.known, torch.ops.livechecks.custom):
        assert op(mode.from_tensor(torch.zeros(2))).shape == (2,)
assert OPDEFS["livechecks::custom"] is custom
assert run("raise SystemExit(3)") == {"error": "SystemExit: 3"}
assert run("raise ValueError", {"file.py": "value = {'p': 1}"})["counts"] == {"p": 1}
# runs no node of a graph that the process did not record
answer = run("", numbers=True)
assert "numbers" not in answer and answer["noNumbers"].startswith("Values are compared for graphs"), answer
checks.SECONDS = 0.2
assert "did not end" in run("while True:\n  try:\n    while True: pass\n  except BaseException: pass\n  break\nwhile True: pass")["error"]
print("checks: ok")
