/** Tests passes on vLLM's base classes: trace functions, extra checks and duplicates behave as in PyTorch. */
import { beforeAll, describe, expect, test } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Report } from '../protocol'
import { createSession, type Session } from '../session/session'

let session: Session
beforeAll(async () => {
  session = createSession(nodeAssets())
  await session.ready
})

const graphOf = (inputs: string, body: string): string => `class <lambda>(torch.nn.Module):
    def forward(self, ${inputs}):
        ${body.split('\n').join('\n        ')}`

function analyze(graph: string, text: string): Report {
  const { report } = session.analyzeWhole({
    name: 'vllm',
    graph: { name: 'graph.py', text: graph },
    files: [{ name: 'p.py', text }],
    options: { timeLimitS: 10 },
  })
  if (report.python) throw new Error(report.python.traceback)
  return report
}

describe('VllmFusionPatternMatcherPass', () => {
  const RESHAPED = graphOf(
    'x: "bf16[8, 64][64, 1]cpu"',
    `view: "bf16[32, 16][16, 1]cpu" = torch.ops.aten.reshape.default(x, [-1, 16]);  x = None
neg: "bf16[32, 16][16, 1]cpu" = torch.ops.aten.neg.default(view);  view = None
return (neg,)`,
  )
  const PASS = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from vllm.compilation.passes.vllm_inductor_pass import VllmFusionPatternMatcherPass, VllmPatternReplacement
class Negated(VllmPatternReplacement):
    @property
    def pattern(self):
        return lambda x: x.view(-1, 16).neg()
    @property
    def replacement(self):
        return lambda x: x.view(-1, 16).abs()
    def get_inputs(self):
        return [self.empty_bf16(4, 32)]
class Pass(VllmFusionPatternMatcherPass):
    def __init__(self, config):
        super().__init__(config, "negated")
        self.register(Negated())
plain = PatternMatcherPass("plain")
one = Negated()
register_replacement(one.pattern, one.replacement, one.get_inputs(), fwd_only, plain)`

  test('traces views as reshapes, as in a graph after the post-grad passes', () => {
    const { passes } = analyze(RESHAPED, PASS)
    expect(passes.map((p) => [p.name, p.count])).toEqual([
      ['plain', 0],
      ['Pass.pm_pass', 1],
    ])
    expect(passes[1]?.passName).toBe('negated')
    expect(passes[1]?.entries[0]?.text).toContain('aten.reshape.default')
  })
})

describe('register_replacement, as vLLM calls it', () => {
  const NORM = (weight: string): string =>
    graphOf(
      `x: "bf16[8, 64][64, 1]cpu", w: "${weight}[64][1]cpu", s: "f32[1, 1][1, 1]cpu"`,
      `rms_norm: "bf16[8, 64][64, 1]cpu" = torch.ops.vllm_ir.rms_norm.default(x, w, 1e-06);  x = w = None
quant: "f8e4m3fn[8, 64][64, 1]cpu" = torch.ops.vllm_ir.static_quant_fp8.default(rms_norm, s, torch.float8_e4m3fn);  rms_norm = s = None
return (quant,)`,
    )
  const PASS = `import torch
import torch._inductor.pattern_matcher as pm
import vllm.ir.ops
from vllm.compilation.passes.fusion.rms_quant_fusion import _rms_input_weight_dtype_match, empty_bf16, empty_fp32
patterns = pm.PatternMatcherPass(pass_name="rms")
def pattern(x, w, s):
    return vllm.ir.ops.static_quant_fp8(vllm.ir.ops.rms_norm(x, w, 1e-6), s, torch.float8_e4m3fn)
def replacement(x, w, s):
    return vllm.ir.ops.static_quant_fp8(x, s, torch.float8_e4m3fn)
inputs = [empty_bf16(5, 16), empty_bf16(16), empty_fp32(1, 1)]
for _ in range(2):
    pm.register_replacement(
        pattern, replacement, inputs, pm.fwd_only, patterns,
        extra_check=_rms_input_weight_dtype_match, skip_duplicates=True)`

  test.each([
    ['bf16', 1],
    ['f32', 0],
  ])('an extra_check reads the dtypes of the matched nodes: with a weight of %s %i fires', (weight, count) => {
    const { passes } = analyze(NORM(weight), PASS)
    expect(passes[0]?.count).toBe(count)
  })

  test('skip_duplicates keeps the first of two equal patterns', () => {
    expect(analyze(NORM('bf16'), PASS).passes[0]?.entries).toHaveLength(1)
  })
})
