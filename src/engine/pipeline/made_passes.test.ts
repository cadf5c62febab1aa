/** Passes that user code makes and applies in one call, as scripts in issues do: counted and explained like any other. */
import { beforeAll, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Report } from '../protocol'
import { Session } from '../session/session'

const GRAPH = `def forward(self, x: "f32[8, 4]", y: "f32[8, 4]"):
    mul: "f32[8, 4]" = torch.ops.aten.mul.Tensor(x, y);  x = y = None
    relu: "f32[8, 4]" = torch.ops.aten.relu.default(mul);  mul = None
    add: "f32[8, 4]" = torch.ops.aten.add.Tensor(relu, 2.5);  relu = None
    return (add,)
`

const HEAD = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
aten = torch.ops.aten

def register(into, number):
    def search(x):
        return torch.relu(x) + number
    def replace(x):
        return torch.clamp_min(x, 0.0) + number
    register_replacement(search, replace, [torch.empty(8, 4)], fwd_only, into)
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

const reportOf = (text: string): Report =>
  session.analyzeWhole(
    {
      name: 'made',
      graph: { name: 'graph.txt', text: GRAPH },
      files: [{ name: 'p.py', text: HEAD + text }],
      options: { timeLimitS: 10 },
    },
    { fixes: true },
  ).report

it('counts a pass that a hook makes', () => {
  const { passes, pipeline } = reportOf(`
def custom(graph):
    made = PatternMatcherPass()
    register(made, 2.5)
    print(made.apply(graph))
torch._inductor.config.post_grad_custom_post_pass = custom
`)
  expect(passes.map((p) => [p.name, p.count, p.entries.length])).toEqual([['custom', 1, 1]])
  expect(pipeline!.stages.find((s) => s.name === 'custom')).toMatchObject({ kind: 'call', applied: [0] })
})

it('explains one that misses, and finds its fix', () => {
  const { passes } = reportOf(`
def custom(graph):
    made = PatternMatcherPass()
    register(made, 3.5)
    made.apply(graph)
torch._inductor.config.post_grad_custom_post_pass = custom
`)
  const [cause] = passes[0]!.nearMisses[0]!.causes!
  expect(cause!.sentence).toMatch(/^argument 1 of add is 2\.5 in the graph, 3\.5 in the pattern/)
  expect(cause!.fixes![0]!.title).toBe('Change 3.5 to 2.5 (line 14)')
})

it('counts each of several, on the graph as it is then', () => {
  const { passes } = reportOf(`
def custom(graph):
    for number in (2.5, 2.5, 1.0):
        made = PatternMatcherPass()
        register(made, number)
        made.apply(graph)
torch._inductor.config.post_grad_custom_post_pass = custom
`)
  expect(passes.map((p) => p.count)).toEqual([1, 0, 0])
})

it('counts one that an object makes beside its own', () => {
  const { passes } = reportOf(`
class Custom:
    def __init__(self):
        self.patterns = PatternMatcherPass()
        register(self.patterns, 1.0)
    def __call__(self, graph):
        self.patterns.apply(graph)
        made = PatternMatcherPass()
        register(made, 2.5)
        made.apply(graph)
torch._inductor.config.post_grad_custom_post_pass = Custom()
`)
  expect(passes.map((p) => p.count)).toEqual([0, 1])
})

const LISTED = (hook: string): string => `
listed = PatternMatcherPass()
register(listed, 2.5)
class Custom:
    def __call__(self, graph):
        listed.apply(graph)
torch._inductor.config.${hook} = Custom()
`

it('counts a pass of the file once, where an object of a hook applies it too', () => {
  const { passes, pipeline } = reportOf(LISTED('post_grad_custom_post_pass'))
  expect(passes.map((p) => [p.name, p.count])).toEqual([['listed', 1]])
  expect(pipeline!.stages.find((s) => s.name === 'Custom')).not.toHaveProperty('applied')
})

it('counts it under its own name, where the object comes before it', () => {
  const { passes } = reportOf(LISTED('post_grad_custom_pre_pass'))
  expect(passes.map((p) => [p.name, p.count])).toEqual([
    ['listed', 1],
    ['listed', 0],
  ])
})

it('counts it once where an object that has patterns of its own applies it too', () => {
  const { passes } = reportOf(`
listed = PatternMatcherPass()
register(listed, 1.0)
class Custom:
    def __init__(self):
        self.patterns = PatternMatcherPass()
        register(self.patterns, 2.5)
    def __call__(self, graph):
        listed.apply(graph)
        self.patterns.apply(graph)
torch._inductor.config.post_grad_custom_post_pass = Custom()
`)
  expect(passes.map((p) => [p.name, p.count])).toEqual([
    ['listed', 0],
    ['Custom.patterns', 1],
  ])
})
