import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { withRegistrations } from '../../workspace'
import { DEFAULT_ENVIRONMENT, type Workspace } from '../../workspace/types'
import { createSession, type Session } from '../session/session'

const GRAPH = `class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f16[8, 32][32, 1]cpu", arg1_1: "f16[32, 64][64, 1]cpu", arg2_1: "f32[1][1]cpu"):
        mm: "f16[8, 64][64, 1]cpu" = torch.ops.aten.mm.default(arg0_1, arg1_1)
        silu_like: "f16[8, 32][32, 1]cpu" = torch.ops.my.silu_like.default(mm, 2, arg2_1)
        fp8_mm: "f16[8, 64][64, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(silu_like, arg1_1, arg2_1, arg2_1, torch.float16, None)
        relu: "f16[8, 64][64, 1]cpu" = torch.ops.aten.relu.default(fp8_mm)
        return (relu,)`

const FUSION = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from vllm.config import VllmConfig

patterns = PatternMatcherPass()


def search(x, w, s):
    return torch.relu(torch.ops.sgl_kernel.fp8_scaled_mm(x, w, s, s, torch.float16, None))


def replace(x, w, s):
    return torch.ops.sgl_kernel.fp8_scaled_mm(x, w, s, s, torch.float16, None)


inputs = [torch.empty(4, 16, dtype=torch.float16), torch.empty(16, 24, dtype=torch.float16), torch.empty(1)]
register_replacement(search, replace, inputs, fwd_only, patterns)
`

const workspace = (over: Partial<Workspace> = {}): Workspace => ({
  name: 'Relu after a product',
  graph: { name: 'graph.py', text: GRAPH },
  files: [{ name: 'fusion.py', text: FUSION }],
  options: { timeLimitS: 60 },
  ...over,
})

let session: Session
beforeAll(async () => {
  session = createSession(nodeAssets())
  await session.ready
})

describe('an exported script', () => {
  it('has no flag that names a folder: code of the files may write there', () => {
    const flags = {
      debug_dump_path: 'dumps',
      VLLM_CACHE_ROOT: 'c',
      other: '../../home',
      fuse_norm_quant: true,
      kind: 'a',
    }
    session.analyze(workspace({ environment: { ...DEFAULT_ENVIRONMENT, flags } }))
    const { text } = session.exported('script')
    expect(text).toContain(`'flags': {'fuse_norm_quant': True, 'kind': 'a'}`)
    for (const name of ['debug_dump_path', 'VLLM_CACHE_ROOT', '../../home'])
      expect(/^ENVIRONMENT = .*$/m.exec(text)![0]).not.toContain(name)
  })

  it('holds the files, the graphs, the operators that PyTorch lacks, the stages and the counts', () => {
    session.analyze(workspace({ graphs: [{ name: 'other.py', text: GRAPH.replace('aten.relu', 'aten.sin') }] }))
    const { fileName, text, notes } = session.exported('script')
    expect(fileName).toBe('relu_after_a_product_fusescope.py')
    expect(notes).toEqual(['The schema of my::silu_like is inferred from its calls, because nothing declares it.'])
    expect(text).toContain(FUSION.trimEnd())
    expect(text).toContain('import builtins\n')
    expect(text).toContain(`'graph.py': {'patterns': 1}`)
    expect(text).toContain(`'other.py': {'patterns': 0}`)
    expect(text).toContain(`('apply', ['patterns']),`)
    expect(text).toContain(`'my::silu_like(Tensor arg0, SymInt arg1, Tensor arg2) -> Tensor'`)
    expect(text).toContain(
      'lambda arg0, arg1, arg2: torch.empty((*arg0.shape[:-1], arg0.shape[1] // arg1), dtype=arg0.dtype',
    )
    expect(text).toMatch(
      /'sgl_kernel::fp8_scaled_mm\(.*\n +lambda [^:]*: torch.empty\(\(\*mat_a.shape\[:-1\], mat_b.shape\[1\]\), dtype=out_dtype/,
    )
    expect(text).toContain(`'vllm/config/__init__.py'`)
    expect(text).not.toContain(`'sglang/`)
  })

  it('leaves later requests as they were', () => {
    session.analyze(workspace())
    session.exported('script')
    expect(session.program('patterns', 0).title).toContain('relu')
  })

  it('asserts the counts with pytest', () => {
    session.analyze(workspace())
    const { fileName, text } = session.exported('pytest')
    expect(fileName).toBe('test_relu_after_a_product_fusescope.py')
    expect(text).toMatch(/^import pytest$/m)
    expect(text).toContain('counts = count_matches(passes, graph), EXPECTED[graph]')
  })

  it('is refused in one sentence if the Python failed', () => {
    session.analyze(workspace({ files: [{ name: 'fusion.py', text: 'raise ValueError("no")' }] }))
    expect(() => session.exported('script')).toThrow(
      'The workspace cannot be exported: its Python raises ValueError: no',
    )
    // A live process is asked whether PyTorch raises too.
    expect(session.exported('script', true).text).toContain('raise ValueError(')
  })
})

it('exports patterns that match again as a file of their own', () => {
  session.analyze(workspace())
  const { text } = session.exported('patterns')
  expect(text).toContain('patterns_0 = CallFunction(aten.relu.default, ')
  const again = { name: 'printed.py', text: withRegistrations(text)! }
  const { report } = session.analyze(workspace({ files: [again] }))
  expect(report.python).toBeNull()
  expect(report.passes.map((p) => p.count)).toEqual([1])
})
