/** Tests the reported stages of a pipeline: nodes added and removed, reasons for inactive stages, and cache keys. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Environment, Workspace } from '../../workspace/types'
import { DEFAULT_ENVIRONMENT } from '../../workspace/types'
import type { Pipeline, PipelineStage } from './types'
import { Session } from '../session/session'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 4]", arg1_1: "f32[8, 4]"):
        add: "f32[8, 4]" = torch.ops.aten.add.Tensor(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
        relu: "f32[8, 4]" = torch.ops.aten.relu.default(add);  add = None
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(relu);  relu = None
        return (neg,)
`

const REGISTER = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from vllm.platforms import current_platform

aten = torch.ops.aten
x = lambda: torch.empty(8, 4)

def register(into, search, replace, n):
    register_replacement(search, replace, [x() for _ in range(n)], fwd_only, into)
`

const PASSES = `from helper import *

first = PatternMatcherPass()
second = PatternMatcherPass()
third = PatternMatcherPass()
only_cpu = PatternMatcherPass()

register(first, lambda a, b: aten.relu(aten.add(a, b)), lambda a, b: aten.sigmoid(aten.add(a, b)), 2)
register(second, lambda a: aten.neg(aten.relu(a)), lambda a: aten.tanh(a), 1)
register(third, lambda a: aten.neg(aten.sigmoid(a)), lambda a: aten.exp(a), 1)
if current_platform.is_cpu():
    register(only_cpu, lambda a: aten.exp(a), lambda a: aten.tanh(a), 1)
`

const workspace = (more: Partial<Workspace> = {}): Workspace => ({
  name: 'three',
  graph: { name: 'graph.txt', text: GRAPH },
  files: [
    { name: 'helper.py', text: REGISTER },
    { name: 'passes.py', text: PASSES },
  ],
  options: { timeLimitS: 10 },
  ...more,
})

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function pipeline(more: Partial<Workspace> = {}): Pipeline {
  const { report } = session.analyze(workspace(more))
  expect(report.python).toBe(null)
  return report.pipeline!
}

/** The stages without Inductor's own passes, which every pipeline has. */
const own = ({ stages }: Pipeline): PipelineStage[] => stages.filter((s) => s.kind !== 'built-in')
const named = (p: Pipeline, name: string): PipelineStage => p.stages.find((s) => s.name === name)!

describe('the pipeline', () => {
  it('reports the nodes that each stage added and removed, even if a new node reuses a name', () => {
    const all = pipeline()
    expect(all.defined).toEqual(['first', 'second', 'third', 'only_cpu'])
    expect(own(all).map((s) => [s.name, s.at, s.nodes, s.added, s.removed])).toEqual([
      ['first', 1, 6, 2, 2],
      ['second', 2, 6, 0, 0],
      ['third', 3, 5, 1, 2],
      ['only_cpu', 4, 5, 0, 0],
      ['eliminate_dead_code', 5, 5, 0, 0],
    ])
    const first = session.stage(1).view
    expect(first.removed).toEqual(['add', 'relu'])
    expect(first.graph.nodes.map((n) => n.target)).toContain('aten.sigmoid.default')
    const sigmoid = first.graph.nodes.findIndex((n) => n.target === 'aten.sigmoid.default')
    expect([first.from[sigmoid], first.until[sigmoid]]).toEqual([1, 3])
    const neg = first.graph.nodes.findIndex((n) => n.name === 'neg')
    expect([first.from[neg], first.until[neg]]).toEqual([0, 3])
    expect(session.stage(0).view).toMatchObject({ before: null, added: [], removed: [] })
    expect(() => session.stage(6)).toThrow('no stage 6')
  })

  it('applies passes in the workspace’s order and marks the others as not listed', () => {
    const stages = own(pipeline({ passes: ['second', 'first'] }))
    expect(stages.map((s) => [s.name, s.at, s.off?.why ?? null])).toEqual([
      ['second', 1, null],
      ['third', null, 'not-listed'],
      ['only_cpu', null, 'not-listed'],
      ['first', 2, null],
      ['eliminate_dead_code', 3, null],
    ])
    expect(stages[0]).toMatchObject({ added: 1, removed: 2 })
  })

  it('ends with the reported graph, even without any pass', () => {
    for (const passes of [undefined, ['first', 'first'], []]) {
      const { report } = session.analyze(workspace({ passes }))
      expect(session.stage(report.pipeline!.stages.at(-1)!.at!).view.graph).toBe(report.after)
      expect(session.stage(0).view.graph).toBe(report.graph)
    }
  })

  it('names the guard of a pass without registrations', () => {
    expect(named(pipeline(), 'only_cpu').off).toMatchObject({
      why: 'no-patterns',
      guards: [{ question: 'current_platform.is_cpu()', answer: 'False', source: { file: 'passes.py', line: 11 } }],
    })
    const environment: Environment = { ...DEFAULT_ENVIRONMENT, platform: 'cpu' }
    expect(named(pipeline({ environment }), 'only_cpu')).toMatchObject({ off: null, entries: 1, added: 1, removed: 1 })
    expect(named(pipeline({ passes: ['first', 'lost'] }), 'lost').off).toEqual({ why: 'not-defined', guards: [] })
    const text = PASSES.replace('    register(only_cpu,', '    lost = PatternMatcherPass()\n    register(lost,')
    const files = [workspace().files[0]!, { name: 'passes.py', text }]
    expect(named(pipeline({ files, passes: ['lost'] }), 'lost').off?.guards).toMatchObject([{ answer: 'False' }])
  })

  it('derives the cache key of a pass from its files, its patterns and the environment separately', () => {
    const hashes = (p: Pipeline): Record<string, string> =>
      Object.fromEntries(named(p, 'first').uuid!.parts.map((part) => [part.name, part.hash]))
    const changed = (a: Pipeline, b: Pipeline): string[] => {
      const [left, right] = [hashes(a), hashes(b)]
      return Object.keys(left).filter((k) => left[k] !== right[k])
    }
    const before = pipeline()
    expect(Object.keys(hashes(before))).toEqual(['helper.py', 'passes.py', 'the patterns as text', 'the environment'])
    expect(pipeline().uuid).toBe(before.uuid)
    const files = [{ name: 'helper.py', text: `${REGISTER}# a remark\n` }, workspace().files[1]!]
    const remark = pipeline({ files })
    expect(changed(before, remark)).toEqual(['helper.py'])
    expect(remark.uuid).not.toBe(before.uuid)
    const other = pipeline({ environment: { ...DEFAULT_ENVIRONMENT, tokens: 8 } })
    expect(changed(before, other)).toEqual(['the environment'])
    const edited = { name: 'passes.py', text: PASSES.replace('aten.relu(aten.add(a, b))', 'aten.exp(aten.add(a, b))') }
    expect(changed(before, pipeline({ files: [workspace().files[0]!, edited] }))).toEqual([
      'passes.py',
      'the patterns as text',
    ])
    expect(pipeline({ passes: ['second', 'first', 'third', 'only_cpu'] }).uuid).not.toBe(before.uuid)
  })
})
