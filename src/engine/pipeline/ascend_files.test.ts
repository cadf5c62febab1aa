/**
 * Tests files in the style of vLLM-Ascend's compilation/passes: pasted alone, with their surrounding code, and with a
 * pass manager.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { DEFAULT_ENVIRONMENT, type Environment, type TextFile } from '../../workspace/types'
import type { Report } from '../protocol'
import { Session } from '../session/session'

const FOLDER = 'vllm_ascend/compilation/passes/'

const NORM_QUANT = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass
from vllm.compilation.passes.vllm_inductor_pass import VllmInductorPass
from vllm.config import VllmConfig
from vllm.config.compilation import Range
from vllm.logger import logger
from vllm_ascend.compilation.passes.base_pattern import BasePattern
from vllm_ascend.utils import HAS_ACLNN_ADD_RMS_NORM_BIAS, enable_custom_op

def tensor(*shape, dtype):
    return torch.randn(*shape, device="npu", dtype=dtype)

class DynamicQuantPattern(BasePattern):
    def get_inputs(self):
        return [tensor(2, 4, dtype=self.dtype), tensor(2, 4, dtype=self.dtype), tensor(4, dtype=self.dtype)]

    def get_pattern(self):
        def pattern(x, residual, weight):
            out = torch.ops.npu.npu_add_rms_norm(x, residual, weight, self.eps)
            codes = torch.ops.npu.npu_dynamic_quant(out[0])
            return codes[0], codes[1], out[2]
        return pattern

    def get_replacement(self):
        def replacement(x, residual, weight):
            out = torch.ops.npu.npu_add_rms_norm_dynamic_quant(x, residual, weight, epsilon=self.eps, output_mask=[True, False])
            return out[0], out[3], out[2]
        return replacement

class BiasPattern(DynamicQuantPattern):
    def get_pattern(self):
        def pattern(x, residual, weight):
            out = torch.ops._C_ascend.npu_add_rms_norm_bias(x, residual, weight, None, self.eps)
            codes = torch.ops.npu.npu_dynamic_quant(out[0])
            return codes[0], codes[1], out[2]
        return pattern

class NormQuantFusionPass(VllmInductorPass):
    def __init__(self, vllm_config: VllmConfig):
        super().__init__(vllm_config)
        self.pattern_match_passes = PatternMatcherPass(pass_name="norm_quant")
        if vllm_config.model_config.dtype not in (torch.bfloat16, torch.float16):
            logger.debug("not enabled")
            return
        for eps in [1e-5, 1e-6]:
            DynamicQuantPattern(vllm_config, eps=eps).register(self.pattern_match_passes)
            if enable_custom_op() and HAS_ACLNN_ADD_RMS_NORM_BIAS:
                BiasPattern(vllm_config, eps=eps).register(self.pattern_match_passes)

    def __call__(self, graph):
        self.begin()
        self.matched_count = self.pattern_match_passes.apply(graph)
        self.end_and_log()

    def is_applicable_for_range(self, compile_range: Range) -> bool:
        return compile_range.end > 8
`

const MANAGER = `from vllm.compilation.passes.vllm_inductor_pass import VllmInductorPass

class GraphFusionPassManager:
    def __init__(self):
        self.passes: list[VllmInductorPass] = []

    def __call__(self, graph):
        for pass_ in self.passes:
            pass_(graph)

    def configure(self, config):
        from vllm_ascend.utils import is_310p

        if config.additional_config.get("ascend_compilation_config", {}).get("fuse_norm_quant", True) and not is_310p():
            from .passes.norm_quant import NormQuantFusionPass

            self.passes.append(NormQuantFusionPass(config))
`

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[2, 4]", y: "bf16[2, 4]", w: "bf16[4]"):
        npu_add_rms_norm = torch.ops.npu.npu_add_rms_norm.default(x, y, w);  x = y = w = None
        getitem: "bf16[2, 4]" = npu_add_rms_norm[0]
        getitem_2: "bf16[2, 4]" = npu_add_rms_norm[2];  npu_add_rms_norm = None
        npu_dynamic_quant = torch.ops.npu.npu_dynamic_quant.default(getitem);  getitem = None
        getitem_3: "i8[2, 4]" = npu_dynamic_quant[0]
        getitem_4: "f32[2]" = npu_dynamic_quant[1];  npu_dynamic_quant = None
        return (getitem_3, getitem_4, getitem_2)
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function report(files: TextFile[], more: Partial<Environment> = {}): Report {
  const { report } = session.analyze({
    name: 'ascend',
    graph: { name: 'graph.py', text: GRAPH },
    files,
    options: { timeLimitS: 10 },
    environment: { ...DEFAULT_ENVIRONMENT, platform: 'ascend-a5', ...more },
  })
  expect(report.python).toBe(null)
  return report
}

const stage = (r: Report, name: string) => r.pipeline!.stages.find((s) => s.name.startsWith(name))
const alone = [{ name: 'norm_quant.py', text: NORM_QUANT }]
const managed = [
  { name: 'vllm_ascend/compilation/graph_fusion_pass_manager.py', text: MANAGER },
  { name: `${FOLDER}norm_quant.py`, text: NORM_QUANT },
]

describe('a pass in the style of vLLM-Ascend', () => {
  it('registers its patterns with both compilers, with nothing stubbed, and fires', () => {
    const r = report(alone)
    expect(stage(r, 'NormQuantFusionPass')).toMatchObject({ entries: 4, at: 1, added: 4 })
    expect(stage(r, 'npugraph_ex')).toMatchObject({ entries: 4, off: { why: 'other-path' } })
    expect(r.passes[0]!.count).toBe(1)
    expect(r.stubs).toEqual([])
  })

  it('is guarded by dtype, chip and range', () => {
    const none = stage(report(alone, { dtype: 'float32' }), 'NormQuantFusionPass')
    expect(none!.off).toMatchObject({ why: 'no-patterns', guards: [{ question: 'model_config.dtype' }] })
    expect(stage(report(alone, { platform: 'ascend-310p' }), 'NormQuantFusionPass')!.entries).toBe(2)
    expect(stage(report(alone, { tokens: 4 }), 'NormQuantFusionPass')!.off).toMatchObject({ why: 'not-applicable' })
  })

  it('is created by each of two pass managers of its package', () => {
    const other = managed.map((f) =>
      f.name.includes('graph_fusion_pass_manager')
        ? {
            name: f.name.replace('graph_fusion', 'other'),
            text: f.text.replaceAll('GraphFusionPassManager', 'OtherManager'),
          }
        : f,
    )
    const extra = other.filter((f) => f.name.includes('other'))
    const r = report([...managed, ...extra])
    for (const manager of ['GraphFusionPassManager', 'OtherManager'])
      expect(stage(r, `${manager}.NormQuantFusionPass`)).toMatchObject({ manager })
  })

  it('is created by its pass manager, if there is one', () => {
    const r = report(managed)
    expect(stage(r, 'GraphFusionPassManager.NormQuantFusionPass')).toMatchObject({
      manager: 'GraphFusionPassManager',
      entries: 4,
    })
    const off = report(managed, { platform: 'ascend-310p' })
    expect(off.passes).toEqual([])
    expect(stage(off, 'GraphFusionPassManager.NormQuantFusionPass')!.off).toMatchObject({ why: 'not-made' })
    const beside = {
      name: 'own.py',
      text: 'from vllm.compilation.passes.inductor_pass import InductorPass\nclass Own(InductorPass):\n    def __call__(self, graph): pass\nown = Own()',
    }
    const both = report([...managed, beside])
    expect(stage(both, 'own')!.manager).toBeUndefined()
    expect(stage(both, 'GraphFusionPassManager.NormQuantFusionPass')!.entries).toBe(4)
  })
})
