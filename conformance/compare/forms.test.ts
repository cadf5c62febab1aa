/** Dumps of one model before and after a user's change, recorded on PyTorch: the change that takes a match away is named. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { createSession, type Session } from '../../src/engine/session/session'
import { nodeAssets } from '../../src/python/node_assets'

const FUSION = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass()
half = torch.float16


def rms(x, w):
    v = x.float()
    v = v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + 1e-6)
    return (v * w).to(torch.float16)


def fused_rms(x, w):
    return torch.nn.functional.rms_norm(x, (x.shape[-1],), w.to(x.dtype), 1e-6)


def gated(h, a, b):
    return torch.nn.functional.silu(torch.mm(h, a)) * torch.mm(h, b)


def fused_gated(h, a, b):
    return torch.mm(h, a)


register_replacement(rms, fused_rms, [torch.empty(4, 8, dtype=half), torch.empty(8)], fwd_only, patterns)
squares = [torch.empty(8, 8, dtype=half) for _ in range(3)]
register_replacement(gated, fused_gated, squares, fwd_only, patterns)
`

const forms = new Map(
  readFileSync(new URL('forms.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { form: string; graph: string })
    .map(({ form, graph }) => [form, graph]),
)

/** By form: the first sentence about each pattern that fires less often. */
const LOST: Record<string, Record<string, RegExp>> = {
  epsilon: { rms: /^add_3 has 1e-05 instead of 1e-06 as argument 2: undone/ },
  'without upcast': {
    rms: /^3 changes together: prims\.convert_element_type\.default/,
    gated: /^3 changes together: /,
  },
  'operands swapped': { rms: /^mul_3 \(aten\.mul\.Tensor\) takes its inputs in another order: \(rsqrt_1, / },
  'square by mul': { rms: /^mul_3 runs aten\.mul\.Tensor\(.*\) instead of aten\.pow\.Tensor_Scalar\(.*, 2\): undone/ },
  'weight after the cast': { rms: /^aten\.mul\.Tensor \(mul_4\) is removed before convert_element_type_11: undone/ },
  'mean by sum and div': { rms: /^aten\.mean\.dim \(mean_1\) became aten\.sum\.dim_IntList, aten\.div\.Tensor/ },
  'division by sqrt': {
    rms: /^aten\.rsqrt\.default, .* became aten\.sqrt\.default, aten\.div\.Tensor \(sqrt, div_1\)/,
  },
  'second user': { rms: /^prims\.convert_element_type\.default, aten\.add\.Tensor \(.*\) are inserted: undone/ },
  reshape: {},
  contiguous: {
    gated: /^aten\.permute\.default, aten\.clone\.default, .* are inserted before convert_element_type_14/,
  },
  gelu: { gated: /^2 changes together: aten\.neg\.default, aten\.exp\.default .* became aten\.mul\.Tensor, aten\.erf/ },
  relu: { gated: / became aten\.relu\.default \(relu\): undone/ },
  scale: { gated: /^aten\.mul\.Tensor \(mul_5\) is inserted before convert_element_type_14: undone/ },
  clamp: { gated: /aten\.clamp_max\.default, .* are inserted before convert_element_type_16: undone/ },
  bfloat16: { rms: /torch\.bfloat16 instead of torch\.float16 as argument 2 \(4 places\): undone/ },
  'more rows': {},
  'half weight': {},
}

let session: Session
beforeAll(async () => {
  session = createSession(nodeAssets())
  await session.ready
})

it.each(Object.keys(LOST))('%s', (form) => {
  session.analyze({
    name: 'forms',
    graph: { name: 'new.py', text: forms.get(form)! },
    graphs: [{ name: 'old.py', text: forms.get('base')! }],
    files: [{ name: 'fusion.py', text: FUSION }],
    options: { timeLimitS: 60 },
  })
  const { lost } = session.compare('old.py', 'old')
  const first = Object.fromEntries(lost.toReversed().map((m) => [m.title, m.sentence]))
  const expected = LOST[form]!
  expect(Object.keys(first).sort()).toEqual(Object.keys(expected).sort())
  for (const [title, sentence] of Object.entries(expected)) expect(first[title]).toMatch(sentence)
})

it('has a test for each form', () => {
  expect([...forms.keys()]).toEqual(['base', ...Object.keys(LOST)])
})
