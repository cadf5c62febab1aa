import { beforeAll, describe, expect, test } from 'vitest'
import { exampleWorkspace } from '../../../scripts/examples'
import { nodeAssets } from '../../python/node_assets'
import { DEFAULT_ENVIRONMENT, PLATFORMS, type Environment, type Workspace } from '../../workspace/types'
import { explainCase, matchCase } from '../cases/cases'
import { Interpreter } from '../run/interpreter'
import { createSession, type Session } from './session'

let session: Session
beforeAll(async () => {
  session = createSession(nodeAssets())
  await session.ready
})

const printing = (text: string, environment?: Environment): Workspace => ({
  name: 'environment',
  graph: { name: 'graph.txt', text: 'graph():\n    return ()' },
  files: [{ name: 'p.py', text }],
  options: { timeLimitS: 10 },
  ...(environment ? { environment } : {}),
})

describe('the environment of a workspace', () => {
  test('Python uses DEFAULT_ENVIRONMENT if there is none', () => {
    const { report } = session.analyze(
      printing('import json\nfrom _fusescope.environment import DEFAULTS\nprint(json.dumps(DEFAULTS))'),
    )
    expect(JSON.parse(report.console.map((c) => c.text).join(''))).toEqual(DEFAULT_ENVIRONMENT)
  })

  test.each(PLATFORMS)('Python knows the platform %s', (platform) => {
    const { report } = session.analyze(
      printing(
        'from vllm.platforms import current_platform as p\nprint(p.device_type, p.is_cuda_alike(), p.supports_fp8())',
        { ...DEFAULT_ENVIRONMENT, platform },
      ),
    )
    expect(report.python).toBeNull()
    expect(report.asked).toHaveLength(2)
  })

  test.each([
    ['ascend-a5', 'bfloat16', 2],
    ['ascend-a5', 'float16', 2],
    ['ascend-a5', 'float32', 0],
    ['ascend-910b', 'bfloat16', 0],
    ['ascend-310p', 'bfloat16', 0],
  ] as const)('guards: on %s with %s the Ascend pass registers %i patterns', (platform, dtype, patterns) => {
    const workspace = exampleWorkspace('ascend-add-rms-norm-mx-quant')
    const { report } = session.analyze({ ...workspace, environment: { ...DEFAULT_ENVIRONMENT, platform, dtype } })
    expect(report.python).toBeNull()
    expect(report.passes.map((p) => p.entries.length)).toEqual([patterns])
  })

  test('operators of the vendor, and settings that this model lacks', () => {
    const asks = `import torch
from vllm.config import VllmConfig
hf = VllmConfig().model_config.hf_text_config
print(hasattr(torch.ops._xpu_C, "qkv_split_norm_rope"), getattr(hf, "partial_rotary_factor", 1.0), hasattr(hf, "rope_parameters"))`
    const said = (platform: Environment['platform'], flags: Environment['flags'] = {}): string =>
      session.analyze(printing(asks, { ...DEFAULT_ENVIRONMENT, platform, flags })).report.console[0]!.text.trim()
    expect(said('xpu')).toBe('True 1.0 False')
    expect(said('cuda-sm90')).toBe('False 1.0 False')
    expect(said('xpu', { partial_rotary_factor: 0.5 })).toBe('True 0.5 False')
  })

  // PyTorch 2.14.1 prints the same names.
  test('fx_graph_cse merges equal calls, numbers by their type, and leaves what is returned or random', () => {
    const text = `import torch
from torch._functorch.compile_utils import fx_graph_cse
from torch._inductor.pattern_matcher import fwd_only
def search(x, w):
    a, b, c = (torch.sigmoid(x) + one for one in (1, 1.0, 1))
    return a * w + b - c
def returned(x):
    return torch.relu(x), torch.relu(x), torch.relu(x) * 2
def random(x):
    return torch.rand_like(x) + torch.rand_like(x) + torch.empty_like(x) * torch.empty_like(x)
for fn, inputs in (search, [torch.empty(4, 8), torch.empty(8)]), (returned, [torch.empty(4, 8)]), (random, [torch.empty(4, 8)]):
    print(*(n.name for n in fx_graph_cse(fwd_only(fn, inputs).graph).nodes))`
    const { report } = session.analyze(printing(text))
    expect(report.console.map((c) => c.text)).toEqual([
      'x_1 w_1 sigmoid add add_1 mul add_3 sub output',
      'x_1 relu relu_1 relu_2 mul output',
      'x_1 rand rand_1 add empty empty_1 mul add_1 output',
    ])
  })

  test('a case is explained in the environment of its run', async () => {
    const { graph, files, passes, environment } = exampleWorkspace('ascend-add-rms-norm-mx-quant')
    const interpreter = await Interpreter.start(nodeAssets())
    const input = { id: 'a5', pattern_py: '', graph: graph.text, files, passes: passes!, environment: environment! }
    expect(matchCase(interpreter, input).passes.map((p) => p.count)).toEqual([16])
    expect(explainCase(interpreter, input).passes.map((p) => p.count)).toEqual([16])
    expect(
      explainCase(interpreter, { ...input, environment: { ...environment!, platform: 'ascend-910b' } }).passes[0]!
        .causes[0]!.kind,
    ).toBe('not-registered')
  })
})
