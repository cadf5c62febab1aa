/** Tests what is said of passes and registrations that the environment turned off, and what turns them on. */
import { beforeAll, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { explainCase } from '../cases/cases'
import { Interpreter } from '../run/interpreter'
import { offText } from './reason_text'

let interpreter: Interpreter
beforeAll(async () => {
  interpreter = await Interpreter.start(nodeAssets())
})

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[8, 16]", y: "bf16[8, 16]"):
        add: "bf16[8, 16]" = torch.ops.aten.add.Tensor(x, y)
        relu: "bf16[8, 16]" = torch.ops.aten.relu.default(add)
        return (relu,)
`
const HEAD = `import torch, torch_npu
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from vllm.compilation.passes.vllm_inductor_pass import VllmInductorPass
from vllm.config import VllmConfig
from vllm.platforms import current_platform
from vllm_ascend.utils import enable_custom_op, enable_sp

def search(x, y): return torch.relu(x + y)
def replace(x, y): return torch.relu(y + x)
def register(p): register_replacement(search, replace, [torch.empty(4, 4), torch.empty(4, 4)], fwd_only, p, skip_duplicates=True)

patterns = PatternMatcherPass()
`

const said = (code: string, fixes = true): string[] =>
  explainCase(interpreter, { id: 'off', pattern_py: HEAD + code, graph: GRAPH }, { fixes }).off.map((o) => offText(o))

it('names the answer, its setting, the skipped line and what turns it on', () => {
  expect(said('if enable_custom_op() and not enable_sp():\n    register(patterns)\n    register(patterns)\n')).toEqual([
    'enable_custom_op() = False because the platform is cuda-sm90 (user_pattern.py:13); 2 registrations skipped at user_pattern.py:14 and 15; --env platform=ascend-910b turns it on: 1 more pattern and 1 more match',
  ])
})

it('counts what stands behind a return, and no branch that an answer does not decide', () => {
  const code = `def late(p):
    if not current_platform.is_rocm():
        return
    register(p)
def compared(p):
    if current_platform.get_device_capability() >= (10, 0):
        register(p)
late(patterns)
compared(patterns)
`
  expect(said(code, false)).toEqual([
    expect.stringMatching(
      /^current_platform\.is_rocm\(\) = False because the platform is cuda-sm90 \(user_pattern\.py:14\); 1 registration skipped at user_pattern\.py:16$/,
    ),
    expect.stringMatching(/^patterns has no patterns; the environment answered .*is_rocm.*get_device_capability/),
  ])
})

it('does not call a branch on that stays skipped or is not asked about, though others register more', () => {
  const code = `if current_platform.is_rocm():
    register(patterns)
elif enable_custom_op() and current_platform.is_xpu():
    register(patterns)
if enable_custom_op():
    register(patterns)
`
  const all = said(code)
  const [rocm, xpu, custom] = [14, 16, 18].map((line) =>
    all.find((text) => text.includes(`at user_pattern.py:${line}`)),
  )
  expect(rocm).toMatch(/is_rocm.*; --env platform=rocm\S* turns it on: 1 more pattern/)
  expect(xpu).toMatch(/^enable_custom_op.*skipped at user_pattern\.py:16; none of \d+ other settings turns it on$/)
  expect(custom).toMatch(/skipped at user_pattern\.py:18; --env platform=ascend-910b turns it on/)
})

it('turns on a pass that rejects the compile range', () => {
  const code = `class Small(VllmInductorPass):
    def __init__(self, config):
        super().__init__(config)
        self.patterns = PatternMatcherPass()
        register(self.patterns)
    def is_applicable_for_range(self, compile_range):
        return compile_range.end <= 512
    def __call__(self, graph):
        self.patterns.apply(graph)
register(patterns)
small = Small(VllmConfig())
`
  expect(said(code)).toEqual([
    'small.patterns is off, because it rejects the compile range: Small.is_applicable_for_range((1, +inf)) = False because the number of tokens is symbolic (user_pattern.py:18); --env tokens=1 turns it on: 1 more pattern and 1 more match',
  ])
})

it('names the attribute that turned a pass off, and where it was set, not the number of tokens', () => {
  const code = `class Off(VllmInductorPass):
    def __init__(self, config):
        super().__init__(config)
        self.patterns = PatternMatcherPass()
        self.disabled = True
        register(self.patterns)
        if current_platform.is_cuda():
            return
        self.disabled = False
    def is_applicable_for_range(self, compile_range):
        if self.disabled:
            return False
        return compile_range.end <= 512
    def __call__(self, graph):
        self.patterns.apply(graph)
register(patterns)
off = Off(VllmConfig())
`
  expect(said(code, false)).toEqual([
    'off.patterns is off, because it rejects the compile range: Off.is_applicable_for_range((1, +inf)) = False because the attribute disabled, set at user_pattern.py:17, is True (user_pattern.py:22)',
  ])
})

it('names no answer that already is as the creation of a pass needs it', () => {
  const code = `class Fusion(VllmInductorPass):
    def __init__(self, config):
        super().__init__(config)
        self.patterns = PatternMatcherPass()
        register(self.patterns)
    def __call__(self, graph):
        self.patterns.apply(graph)
class Manager:
    def __init__(self):
        self.passes = []
    def __call__(self, graph):
        for p in self.passes: p(graph)
    def configure(self, config):
        if current_platform.is_cuda_alike():
            kind = Fusion
        if current_platform.is_cuda() and not enable_sp() and enable_custom_op():
            self.passes.append(Fusion(config))
register(patterns)
`
  expect(said(code, false)).toEqual([
    'Manager.Fusion is off, because nothing creates it: enable_custom_op() = False because the platform is cuda-sm90 (user_pattern.py:28)',
  ])
})

it('finds the platform on which a line that raised does not raise', () => {
  expect(said('torch_npu.npu_swiglu\nregister(patterns)\n')).toEqual([
    "user_pattern.py stopped registering patterns; the environment answered hasattr(torch_npu, 'npu_swiglu') = False because the platform is cuda-sm90 (user_pattern.py:13); --env platform=ascend-910b turns it on: 1 more pattern and 1 more match",
  ])
})
