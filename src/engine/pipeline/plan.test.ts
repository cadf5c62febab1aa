/**
 * Tests the plan of a pipeline: hooks, pass managers, compile ranges, callables, Inductor's own passes, compile paths.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { DEFAULT_ENVIRONMENT, type Environment, type Workspace } from '../../workspace/types'
import type { Pipeline, PipelineStage } from './types'
import { Session } from '../session/session'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 8]"):
        view: "f32[8, 8]" = torch.ops.aten.view.default(x, [8, 8]);  x = None
        relu: "f32[8, 8]" = torch.ops.aten.relu.default(view);  view = None
        empty: "f32[8, 4]" = torch.ops.aten.empty.memory_format([8, 4], dtype = torch.float32, device = device(type='cpu'), pin_memory = False)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.mine.act.default, result = empty, input = relu);  empty = relu = None
        getitem_1: "f32[8, 4]" = auto_functionalized[1];  auto_functionalized = None
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(getitem_1);  getitem_1 = None
        return (neg,)
`

const PREAMBLE = `import torch
from torch._inductor import config
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from vllm.compilation.passes.vllm_inductor_pass import VllmInductorPass
from vllm.config import VllmConfig

aten = torch.ops.aten
lib = torch.library.Library("mine", "FRAGMENT")
lib.define("act(Tensor! result, Tensor input) -> ()")

def replaces(search, replace, name=None):
    made = PatternMatcherPass(pass_name=name)
    register_replacement(search, replace, [torch.empty(8, 4)], fwd_only, made)
    return made
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function pipeline(code: string, more: Partial<Workspace> = {}): Pipeline {
  const { report } = session.analyze({
    name: 'line',
    graph: { name: 'graph.py', text: GRAPH },
    files: [{ name: 'passes.py', text: PREAMBLE + code }],
    options: { timeLimitS: 10 },
    ...more,
  })
  expect(report.python).toBe(null)
  return report.pipeline!
}

const named = (p: Pipeline, name: string): PipelineStage => p.stages.find((s) => s.name === name)!
const acted = (p: Pipeline): string[] => p.stages.filter((s) => s.at !== null).map((s) => s.name)
const targets = (p: Pipeline, name: string): string[] =>
  session.stage(named(p, name).at!).view.graph.nodes.flatMap((n) => (n.op === 'call_function' ? [n.target] : []))

const RELU = 'relu = replaces(lambda x: aten.relu(x), lambda x: aten.sigmoid(x))\n'
const NEG = 'neg = replaces(lambda x: aten.neg(x), lambda x: aten.exp(x))\n'

describe('Inductor’s own passes', () => {
  const on = [
    'inductor:remove_noop_ops',
    'inductor:reinplace_inplaceable_ops',
    'inductor:decompose_auto_functionalized',
  ]

  it('appear in compilation order and say whether Fusescope runs them', () => {
    const p = pipeline(NEG)
    expect(p.stages.map((s) => [s.name.replace('inductor:', ''), s.off?.why ?? 'acts'])).toEqual([
      ['pre_grad_passes', 'not-run-here'],
      ['joint_graph_passes', 'not-run-here'],
      ['remove_noop_ops', 'not-listed'],
      ['pass_patterns', 'not-run-here'],
      ['neg', 'acts'],
      ['reinplace_inplaceable_ops', 'not-listed'],
      ['decompose_auto_functionalized', 'not-listed'],
      ['eliminate_dead_code', 'acts'],
    ])
  })

  it('run if the workspace lists them', () => {
    const p = pipeline(NEG, { passes: ['inductor:remove_noop_ops', 'neg', ...on.slice(1)] })
    expect(named(p, on[0]!)).toMatchObject({ at: 1, removed: 1, did: { count: 1, notes: ['view is x'] } })
    expect(named(p, on[1]!).did!.notes).toEqual(['auto_functionalized: all that it writes to is written in place'])
    expect(targets(p, on[2]!)).toEqual([
      'aten.relu.default',
      'aten.empty.memory_format',
      'mine.act.default',
      'aten.exp.default',
    ])
  })

  it('clone written arguments if reinplacing has not run', () => {
    const p = pipeline(NEG, { passes: [on[2]!] })
    expect(targets(p, on[2]!)).toContain('aten.clone.default')
    expect(named(p, on[2]!).did!.notes).toEqual(['auto_functionalized: everything it writes to is cloned'])
  })
})

describe('hooks', () => {
  it('run in their own order, regardless of the order of definition', () => {
    const p = pipeline(
      `${NEG}${RELU}config.post_grad_custom_pre_pass = relu.apply\nconfig.post_grad_custom_post_pass = neg.apply\n`,
    )
    expect(acted(p)).toEqual(['relu', 'neg', 'eliminate_dead_code'])
    expect(named(p, 'relu').hook).toBe('post_grad_custom_pre_pass')
    const names = p.stages.map((s) => s.name)
    expect(names.indexOf('relu')).toBeLessThan(names.indexOf('inductor:remove_noop_ops'))
  })

  it('call a plain function, which may edit the graph, and report its exception', () => {
    const swap =
      'def swap(graph):\n    for n in graph.find_nodes(op="call_function", target=aten.neg.default):\n        n.target = aten.abs.default\n'
    const p = pipeline(`${swap}config.post_grad_custom_post_pass = swap\n`)
    expect(named(p, 'swap')).toMatchObject({ kind: 'call', hook: 'post_grad_custom_post_pass', did: { error: null } })
    expect(targets(p, 'swap')).toContain('aten.abs.default')
    const bad = pipeline('def swap(graph):\n    raise ValueError("no")\nconfig.post_grad_custom_post_pass = swap\n')
    expect(named(bad, 'swap').did!.error).toBe('ValueError: no')
  })

  it('show the patterns of an object that only a hook holds', () => {
    const held =
      'class Held:\n    def __init__(self):\n        self.inner = PatternMatcherPass()\n        self.count = 0\n    def __call__(self, graph):\n        self.count += self.inner.apply(graph)\n'
    const p = pipeline(`${held}def install():\n    config.post_grad_custom_pre_pass = Held()\ninstall()\n`)
    expect(named(p, 'Held.inner')).toMatchObject({ kind: 'pass', of: 'Held', hook: 'post_grad_custom_pre_pass' })
  })

  it('are reset before the next run', () => {
    pipeline(`${RELU}config.post_grad_custom_pre_pass = relu.apply\n`)
    expect(named(pipeline(RELU), 'relu').hook).toBeUndefined()
  })
})

const MANAGER = `
class Renames(VllmInductorPass):
    def __init__(self, config, old, new):
        super().__init__(config)
        self.old, self.new = old, new
    def __call__(self, graph):
        for n in graph.find_nodes(op="call_function", target=self.old):
            n.target = self.new

class Small(Renames):
    def is_applicable_for_range(self, compile_range):
        return compile_range.end <= 64

class Fusion(VllmInductorPass):
    def __init__(self, config):
        super().__init__(config)
        self.patterns = replaces(lambda x: aten.abs(x), lambda x: aten.exp(x), "fusion")
    def __call__(self, graph):
        self.patterns.apply(graph)

class Manager(CustomGraphPass):
    def __init__(self):
        self.passes = []
    def configure(self, config):
        if config.compilation_config.pass_config.fuse_act_quant:
            self.passes.append(Small(config, aten.neg.default, aten.abs.default))
        self.passes.append(Fusion(config))
    def __call__(self, graph):
        for p in self.passes:
            p(graph)

manager = Manager()
manager.configure(VllmConfig())
`

describe('pass managers', () => {
  const environment = (more: Partial<Environment>): Partial<Workspace> => ({
    environment: { ...DEFAULT_ENVIRONMENT, ...more },
  })

  it('list their passes in order, and skip a pass that rejects the range', () => {
    const small = pipeline(MANAGER, environment({ tokens: 32 }))
    expect(acted(small)).toEqual(['manager.Small', 'manager.Fusion.patterns', 'eliminate_dead_code'])
    expect(named(small, 'manager.Fusion.patterns')).toMatchObject({ manager: 'manager', of: 'Fusion', added: 1 })
    const large = pipeline(MANAGER, environment({ tokens: 128 }))
    expect(named(large, 'manager.Small').off).toMatchObject({
      why: 'not-applicable',
      guards: [
        { question: 'Small.is_applicable_for_range((128, 128))', answer: 'False', source: { file: 'passes.py' } },
      ],
    })
    expect(named(large, 'manager.Fusion.patterns')).toMatchObject({ at: 1, added: 0 })
  })

  it('follow their configuration', () => {
    const p = pipeline(MANAGER, environment({ tokens: 32, flags: { fuse_act_quant: false } }))
    expect(acted(p)).toEqual(['manager.Fusion.patterns', 'eliminate_dead_code'])
  })

  it('use a pass’s own uuid in the cache key', () => {
    const parts = named(pipeline(MANAGER), 'manager.Fusion.patterns').uuid!.parts
    expect(parts.map((p) => p.kind)).toEqual(['file', 'patterns', 'own', 'environment'])
  })
})

describe('two compile paths', () => {
  const code = `import npugraph_ex as nge
def search(x): return aten.neg(x)
def replace(x): return aten.exp(x)
class Fusion(VllmInductorPass):
    def __init__(self, config):
        super().__init__(config)
        self.patterns = replaces(search, replace)
        nge.register_replacement(search_fn=search, replace_fn=replace, example_inputs=[torch.empty(8, 4)],
                                 extra_check=lambda match: True)
fusion = Fusion(VllmConfig())
`
  it('take one of the two registrations', () => {
    const inductor = pipeline(code)
    expect(acted(inductor)).toEqual(['fusion.patterns', 'eliminate_dead_code'])
    expect(named(inductor, 'npugraph_ex.patterns')).toMatchObject({ entries: 1, off: { why: 'other-path' } })
    const flags = { enable_npugraph_ex: true }
    const compiler = pipeline(code, { environment: { ...DEFAULT_ENVIRONMENT, flags } })
    expect(acted(compiler)).toEqual(['npugraph_ex.patterns', 'eliminate_dead_code'])
    expect(named(compiler, 'fusion.patterns').off).toMatchObject({
      why: 'other-path',
      guards: [{ question: 'enable_npugraph_ex', answer: 'True' }],
    })
  })
})
