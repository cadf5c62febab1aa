/** Tests trials of one pattern: its function gets its new code in place, and no file runs again. */
import { beforeAll, expect, it, vi } from 'vitest'
import { printGraph } from '../../fx'
import { nodeAssets } from '../../python/node_assets'
import { caseRun } from '../cases/cases'
import { FixTrials } from './fix_trials'
import { Interpreter } from './interpreter'

let interpreter: Interpreter
beforeAll(async () => {
  interpreter = await Interpreter.start(nodeAssets())
})

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[8, 16]", y: "bf16[8, 16]"):
        mul: "bf16[8, 16]" = torch.ops.aten.mul.Tensor(x, y)
        relu: "bf16[8, 16]" = torch.ops.aten.relu.default(mul)
        return (relu,)
`
const CODE = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

SHAPE = (4, 4)
patterns = PatternMatcherPass()

def inner(x, y):
    return x + y

class Fusion:
    def register(self):
        def search(x, y):
            return torch.relu(inner(x, y))

        def replace(x, y):
            return torch.sigmoid(inner(x, y))

        register_replacement(search, replace, self.inputs(), fwd_only, patterns)

    def inputs(self):
        return [torch.empty(SHAPE), torch.empty(SHAPE)]

Fusion().register()
`

function begin(): { trials: FixTrials; changed(from: string, to: string): { name: string; text: string }[] } {
  const { run } = caseRun(interpreter, { id: 'trials', pattern_py: CODE, graph: GRAPH }, 'report')
  const trials = new FixTrials(interpreter, run)
  trials.run(run.files)
  return { trials, changed: (from, to) => run.files.map((f) => ({ ...f, text: f.text.replace(from, to) })) }
}
const PASS = { key: 'patterns', name: 'patterns' }

it('traces a pattern again with a function of its own, or a helper, and runs no file', () => {
  const { trials, changed } = begin()
  const runs = vi.spyOn(interpreter.host, 'run')
  const helper = changed('return x + y', 'return x * y')
  const screened = trials.screen(helper, PASS, '0')!
  expect(screened.passes[0]!.toExplain.entries[0]!.text).toContain('aten.mul')
  expect(screened.passes[0]!.fired(0)).toBe(1)
  const own = trials.screen(changed('torch.relu(inner(x, y))', 'torch.relu(inner(x, y) * 2)'), PASS, '0')!
  expect(own.passes[0]!.toExplain.entries[0]!.text).toMatch(/aten\.add[^]*aten\.mul/)
  // A class notes its line.
  const lines = trials.screen(changed('return x + y', 'x = x * x\n    return x * y'), PASS, '0')!
  expect(lines.passes[0]!.toExplain.entries[0]!.text).not.toContain('aten.add')
  expect(runs).not.toHaveBeenCalled()
  runs.mockRestore()
  const full = trials.run(helper)
  expect(full.passes[0]!.toExplain.entries[0]!.text).toBe(screened.passes[0]!.toExplain.entries[0]!.text)
})

it('repeats the call that made the registration where it changed, or a helper that makes inputs', () => {
  const { trials, changed } = begin()
  const runs = vi.spyOn(interpreter.host, 'run')
  const inputs = changed('[torch.empty(SHAPE), torch', '[torch.empty(8, 1), torch').map((f) => ({
    ...f,
    text: f.text.replace('return x + y', 'return x * y.sum(0)'),
  }))
  expect(trials.screen(inputs, PASS, '0')!.passes[0]!.toExplain.entries[0]!.text).toContain('aten.sum')
  const taken = changed(
    'def search(x, y):\n            return torch.relu(inner(x, y))',
    'def search(x):\n            return torch.relu(x)',
  ).map((f) => ({
    ...f,
    text: f.text
      .replace('def replace(x, y)', 'def replace(x)')
      .replace('(inner(x, y))\n\n        register', '(x)\n\n        register')
      .replace('self.inputs()', 'self.inputs()[:1]'),
  }))
  expect(trials.screen(taken, PASS, '0')!.passes[0]!.toExplain.entries[0]!.text).toMatch(
    /^aten\.relu|CallFunction\(aten\.relu\.default, KeywordArg\('x'\)/,
  )
  expect(runs).not.toHaveBeenCalled()
  runs.mockRestore()
  const again = trials.screen(changed('return x + y', 'return x * y'), PASS, '0')!
  expect(again.passes[0]!.fired(0)).toBe(1)
})

it('repeats a loop of registrations for the one that is tried', () => {
  const code = CODE.replace(
    'def register(self):',
    'def __init__(self, factors):\n        self.factor = 2\n        for factor in factors:\n            self.factor = factor\n            self.register()\n\n    def register(self):\n        factor = self.factor\n',
  )
    .replace('torch.relu(inner(x, y))', 'torch.relu(inner(x, y) * factor)')
    .replace('Fusion().register()', 'Fusion([2, 3])')
  const { run } = caseRun(interpreter, { id: 'loop', pattern_py: code, graph: GRAPH }, 'report')
  const trials = new FixTrials(interpreter, run)
  trials.run(run.files)
  const files = run.files.map((f) => ({ ...f, text: f.text.replace('for factor in factors', 'for factor in [5, 7]') }))
  const text = (key: string) => trials.screen(files, PASS, key)!.passes[0]!.toExplain.entries[Number(key)]!.searchGraph
  expect(printGraph(text('0')!)).toContain('5')
  expect(printGraph(text('1')!)).toContain('7')
})

it('leaves a change of what ran while the files loaded, outside of such calls, to a run', () => {
  const { trials, changed } = begin()
  expect(trials.screen(changed('SHAPE = (4, 4)', 'SHAPE = (8, 4)'), PASS, '0')).toBeNull()
  expect(trials.screen(changed('return x + y', 'return x +'), PASS, '0')).toBeNull()
})

it('counts a pattern that raises when it is traced as a failure', () => {
  const { trials, changed } = begin()
  expect(trials.screen(changed('return x + y', 'return x.missing'), PASS, '0')!.failure).not.toBeNull()
  expect(trials.screen(changed('self.inputs(), fwd', 'self.inputs()[7:8][0], fwd'), PASS, '0')!.failure).not.toBeNull()
  expect(trials.screen(changed('return x + y', 'return x * y'), PASS, '0')!.passes[0]!.fired(0)).toBe(1)
})
