/** Some of the broken fusions: the cause, and fixes whose numbers hold on PyTorch (broken_fusions/torch_side.py check). */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CaseInput, explainCase } from '../src/engine/cases/cases'
import { Interpreter } from '../src/engine/run/interpreter'
import { nodeAssets } from '../src/python/node_assets'
import { firstCause } from './labels'

const cases = readFileSync(new URL('broken_fusions/cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((l) => l !== '')
  .map((l) => JSON.parse(l) as CaseInput & { causes: string[] })

/** By case: the first fix that is offered and its numbers; null where every change that fires changes them. */
const EXPECTED: Readonly<Record<string, [title: string, numbers: string] | null>> = {
  'rms-eps-literal': ['Change 1e-6 to 1e-05 (line 20), in pattern and replacement', 'close'],
  'quant-max': ['Change 448.0 to 240.0 (line 16)', 'equal'],
  'silu-mul-clamp': ['Add aten.clamp_max.default to the pattern (line 18), in pattern and replacement', 'equal'],
  'silu-mul-halves': [
    'Replace x[..., :d] with x[..., x.shape[1] // 2:], and 1 more change, in pattern and replacement',
    'equal',
  ],
  'scale-twice': ['Leave out aten.mul.Tensor (line 17), in pattern and replacement', 'equal'],
  'attention-mask': [
    'Add aten.add.Tensor to the pattern with the new argument m (line 17), in pattern and replacement',
    'equal',
  ],
  'silu-mul-swap': ['Write search as the graph computes it', 'equal'],
  'handler-constant': ['Change 1.0 to 3.0 (line 18), in pattern and handler', 'equal'],
  'layer-norm-eps': ['Pass eps=1e-06 (line 17), in pattern and replacement', 'close'],
  'linear-weight-layout': ['Take w without w.t() (line 17), and transpose it in the replacement', 'equal'],
  'bound-to-none': ['Leave out 1.0 (line 17), in pattern and replacement', 'equal'],
  'rope-unsqueeze': ['Leave out aten.unsqueeze.default (line 17), in pattern and replacement', 'equal'],
  'gate-top-k': null,
}

describe('broken fusions', () => {
  let interpreter: Interpreter
  beforeAll(async () => {
    interpreter = await Interpreter.start(nodeAssets())
  })
  it.each(Object.entries(EXPECTED))('%s', (id, expected) => {
    const c = cases.find((one) => one.id === id)!
    const e = explainCase(interpreter, c, { fixes: true })
    expect(c.causes).toContain(firstCause(e)?.kind)
    const causes = e.passes.flatMap((p) => [...p.nearMisses.flatMap((m) => m.causes ?? []), ...p.causes])
    const fix = causes.flatMap((cause) => cause.fixes ?? [])[0]
    expect(fix ? [fix.title, fix.numbers] : null).toEqual(expected)
    if (expected === null) expect(causes.some((cause) => cause.tried?.length)).toBe(true)
  })
})
