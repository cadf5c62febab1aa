/**
 * Tests code on the graph: what is a pass, what runs by itself, the edits with their lines, and the graph that it leaves.
 * Reason for length: each case is a small file of Python.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import type { Report } from '../protocol'
import { Session } from '../session/session'
import { editText } from './edit_text'
import { nothingRunsText } from './nothing_runs'
import type { PipelineStage } from './types'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]"):
        exp: "f32[8, 4]" = torch.ops.aten.exp.default(x);  x = None
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(exp);  exp = None
        return (neg,)
`

const HEAD = `import torch
from torch.fx.passes.infra.pass_base import PassBase, PassResult
aten = torch.ops.aten
def swap(graph, old, new):
    for node in graph.nodes:
        if node.target == old:
            node.target = new
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function run(text: string, passes?: string[]): { report: Report; stages: PipelineStage[]; after: string[] } {
  const workspace: Workspace = {
    name: 'called',
    graph: { name: 'graph.txt', text: GRAPH },
    files: [{ name: 'p.py', text: HEAD + text }],
    options: { timeLimitS: 10 },
    ...(passes && { passes }),
  }
  const { report } = session.analyze(workspace)
  if (report.python) throw new Error(report.python.traceback)
  const stages = report.pipeline!.stages.filter((s) => s.kind === 'pass' || s.kind === 'call')
  return { report, stages, after: report.after!.nodes.map((n) => n.target) }
}

const states = ({ stages }: { stages: PipelineStage[] }): [string, string | null][] =>
  stages.map((s) => [s.name, s.off?.why ?? null])
const editsOf = ({ stages }: { stages: PipelineStage[] }): string[] =>
  stages.flatMap((s) => s.did?.edits ?? []).map(editText)

const SIGMOID = `class Sigmoid(PassBase):
    def call(self, graph_module):
        swap(graph_module.graph, aten.neg.default, aten.sigmoid.default)
        return PassResult(graph_module, True)
`

describe('what runs by itself', () => {
  it('is a PassBase, made by the file or not, and a manager’s passes in order', () => {
    expect(states(run(SIGMOID))).toEqual([['Sigmoid', null]])
    expect(states(run(`${SIGMOID}mine = Sigmoid()\n`))).toEqual([['mine', null]])
    const managed = run(`${SIGMOID}
from torch.fx.passes.infra.pass_manager import PassManager, pass_result_wrapper, this_before_that_pass_constraint
def tanh(gm):
    swap(gm.graph, aten.sigmoid.default, aten.tanh.default)
a, b = Sigmoid(), pass_result_wrapper(tanh)
pm = PassManager(passes=[b, a], constraints=[this_before_that_pass_constraint(a, b)])
`)
    expect(states(managed).filter(([, off]) => off === null)).toEqual([
      ['pm.Sigmoid', null],
      ['pm.tanh', null],
    ])
    expect(managed.after).toEqual(['x', 'aten.exp.default', 'aten.tanh.default', 'output'])
  })

  it('is a backend of torch.compile and a hook of functorch', () => {
    const ran = run(`from torch._dynamo import register_backend
@register_backend
def mine(gm, example_inputs):
    swap(gm.graph, aten.neg.default, aten.relu.default)
    assert example_inputs[0].shape == (8, 4)
    return gm
def joint(gm, joint_inputs):
    swap(gm.graph, aten.relu.default, aten.tanh.default)
    return gm
torch._functorch.config.joint_custom_pass = joint
`)
    expect(ran.stages.map((s) => [s.name, s.hook])).toEqual([
      ['mine', 'backend'],
      ['joint', 'joint_custom_pass'],
    ])
    expect(ran.stages.map((s) => s.did?.error)).toEqual([null, null])
    expect(ran.after).toContain('aten.tanh.default')
  })

  it('is what a function that nothing calls would assign to a hook', () => {
    const ran = run(`from torch._inductor import config
def after(graph):
    swap(graph, aten.neg.default, aten.relu.default)
def before(graph): pass
def enable(after_all):
    config.post_grad_custom_post_pass = after
    with config.patch(post_grad_custom_pre_pass=before, joint_custom_pre_pass=after_all): pass
`)
    expect(ran.stages.map((s) => [s.name, s.hook])).toEqual([
      ['before', 'post_grad_custom_pre_pass'],
      ['after', 'post_grad_custom_post_pass'],
    ])
    expect(ran.after).toContain('aten.relu.default')
  })

  it('is not what a hook calls itself', () => {
    const ran = run(`${SIGMOID}
def run(graph):
    Sigmoid()(graph.owning_module)
torch._inductor.config.post_grad_custom_pre_pass = run
`)
    expect(states(ran)).toEqual([
      ['run', null],
      ['Sigmoid', 'proposed'],
    ])
    expect(editsOf(ran)).toEqual(['p.py:7 target neg: aten.neg.default → aten.sigmoid.default'])
  })
})

describe('a function that takes a graph', () => {
  const LONE = `def fuse(gm: torch.fx.GraphModule):
    swap(gm.graph, aten.neg.default, aten.relu.default)
class Fuse:
    def __call__(self, g):
        swap(g, aten.neg.default, aten.tanh.default)
        return [n for n in g.nodes]
def helper(x, y): return x
def count(model): return model.size()
def one(match): return len(match.nodes) == 1
class Kept:
    def __call__(self, graph): pass
patterns = Kept().__call__
`
  it('is proposed, and runs if it is listed', () => {
    const proposed = run(LONE)
    expect(states(proposed)).toEqual([
      ['Fuse', 'proposed'],
      ['fuse', 'proposed'],
    ])
    expect(proposed.report.pipeline!.defined).toEqual([])
    const stages = proposed.stages.map((s) => ({ ...s, off: s.off?.why ?? null }))
    expect(nothingRunsText(stages, [], '--pass NAME runs it')).toBe(
      'no pass runs by itself. Fuse (p.py:10) and fuse (p.py:8) work on a graph: --pass Fuse runs it.',
    )
    const odd = stages.map((s) => ({ ...s, name: '$(touch${IFS}x)' }))
    expect(nothingRunsText(odd, [], '--pass NAME runs it')).toMatch(/: --pass NAME runs it\.$/)
    expect(run(LONE, ['fuse']).after).toContain('aten.relu.default')
    expect(run(LONE, ['Fuse']).after).toContain('aten.tanh.default')
  })

  it('that another pass calls is no stage, and runs if it is listed', () => {
    const CALLED = `def inner(gm: torch.fx.GraphModule):
    swap(gm.graph, aten.neg.default, aten.relu.default)
def fuse(gm: torch.fx.GraphModule):
    inner(gm)
    swap(gm.graph, aten.relu.default, aten.tanh.default)
`
    expect(states(run(CALLED))).toEqual([['fuse', 'proposed']])
    expect(run(CALLED, ['fuse']).after).toContain('aten.tanh.default')
    expect(run(CALLED, ['inner']).after).toContain('aten.relu.default')
  })

  it('may take a configuration that is made without arguments, or be a method of a class named pass', () => {
    const CONFIGURED = `from torch._inductor.custom_graph_pass import CustomGraphPass
from torch.export import ExportedProgram
from dataclasses import dataclass
@dataclass
class Settings:
    old: object = aten.neg.default
def lower(gm: torch.fx.GraphModule, settings: Settings):
    swap(gm.graph, settings.old, aten.relu.default)
    return gm
def needs(gm, how): pass
class OwnPass:
    def call(self, program: ExportedProgram):
        assert isinstance(program, ExportedProgram)
        swap(program.graph_module.graph, aten.neg.default, aten.tanh.default)
class Unused(CustomGraphPass):
    def __call__(self, graph): swap(graph, aten.neg.default, aten.exp.default)
    def uuid(self): return None
`
    expect(states(run(CONFIGURED)).toSorted()).toEqual([
      ['OwnPass', 'proposed'],
      ['Unused', 'proposed'],
      ['lower', 'proposed'],
    ])
    expect(['lower', 'OwnPass', 'Unused'].map((name) => run(CONFIGURED, [name]).after[2])).toEqual([
      'aten.relu.default',
      'aten.tanh.default',
      'aten.exp.default',
    ])
  })

  it('may have annotations of names that a missing module would give', () => {
    const ran = run(`from absent.memory import *
def evict(gm: torch.fx.GraphModule, manager: MemoryManager, op: str): pass
def fuse(graph): swap(graph, aten.neg.default, aten.relu.default)
`)
    expect(states(ran)).toEqual([['fuse', 'proposed']])
  })

  it('may trace a model itself, as the main of a script does, and gets the open graph for that model', () => {
    const script = `from torch.fx.subgraph_rewriter import replace_pattern
class M(torch.nn.Module):
    def forward(self, x): return x
def pattern(x): return aten.neg.default(x)
def replacement(x): return aten.relu.default(x)
def main():
    gm = torch.export.export(M(), (torch.ones(2),)).module()
    print(len(replace_pattern(gm, pattern, replacement)))
def traced():
    replace_pattern(torch.fx.symbolic_trace(M()), pattern, replacement)
def other():
    return torch.export.export(M(), ())
if __name__ == "__main__":
    main()
`
    expect(states(run(script))).toEqual([
      ['main', 'proposed'],
      ['traced', 'proposed'],
    ])
    for (const name of ['main', 'traced']) {
      const { after, report } = run(script, [name])
      expect(after).toContain('aten.relu.default')
      expect(JSON.stringify(report.pipeline)).toContain(
        `${name} traces a model itself: Fusescope gives it the open graph for that model.`,
      )
    }
  })

  it('is looked for: a message says what was found instead', () => {
    const { report } = run('class A: pass\ndef f(x, y): return x\n')
    expect(nothingRunsText([], report.pipeline!.defines!, '')).toMatch(
      /found def swap\(graph, old, new\) at p.py:4, class A at p.py:8 and def f\(x, y\) at p.py:9\.$/,
    )
  })
})

describe('a class whose base is missing', () => {
  it('is named in the error of a method that it lacks', () => {
    const { stages } = run(`from absent.exir import ExportPass
class Mine(ExportPass):
    def call(self, graph_module): return super().call(graph_module)
`)
    expect(stages[0]!.did!.error).toBe(
      'AttributeError: absent.exir.ExportPass is a stub: its method call is missing here. Add the file that defines it.',
    )
  })

  it('is made with the program of the graph, if it needs one', () => {
    const ran = run(`from absent.exir import ExportPass, ExportedProgram
class OfProgram(ExportPass):
    def __init__(self, exported_program: ExportedProgram):
        super().__init__()
        self.inputs = exported_program.graph_signature.user_inputs
    def call(self, graph_module):
        assert len(self.inputs) > 0
        swap(graph_module.graph, aten.neg.default, aten.relu.default)
`)
    expect(states(ran)).toEqual([['OfProgram', null]])
    expect(ran.after).toContain('aten.relu.default')
  })

  it('is named, and runs what it can', () => {
    const ran = run(`from absent.compilation import FusionPass
class Mine(FusionPass):
    def __call__(self, graph):
        swap(graph, aten.neg.default, aten.relu.default)
class Empty(FusionPass):
    limit = 3
class Needs(FusionPass):
    def __init__(self, quant): self.quant = quant
    def __call__(self, graph): pass
`)
    expect(states(ran)).toEqual([
      ['Mine', null],
      ['Empty', 'not-made'],
      ['Needs', 'not-made'],
    ])
    expect(ran.stages.map((s) => s.note ?? s.did?.notes[0])).toEqual([
      'Its base class absent.compilation.FusionPass is a stub: what that class does is missing here.',
      'Its base class absent.compilation.FusionPass is a stub: what that class does is missing here. No method of Empty takes a graph.',
      'Needs needs quant: create an object of it at module level.',
    ])
    expect(ran.after).toContain('aten.relu.default')
  })

  it('may have ABC beside it, and a missing function that receives the graph is an error', () => {
    const ran = run(`from abc import ABC
from absent import BasePass, rewrite
class P(BasePass, ABC):
    def run(self, gm):
        rewrite(gm, 3)
`)
    expect(ran.stages[0]!.did?.error).toMatch(
      /^NotImplementedError: the code called absent\.rewrite at p\.py:12 with the graph/,
    )
  })
})

describe('edits', () => {
  const LOOP = `def reciprocal(graph):
    for node in list(graph.nodes):
        if node.target == aten.neg.default:
            with graph.inserting_before(node):
                made = graph.call_function(aten.relu.default, (node.args[0],))
            made.meta.update(node.meta)
            node.replace_all_uses_with(made)
            graph.erase_node(node)
            made.args = (made.args[0].args[0],)
    graph.eliminate_dead_code()
torch._inductor.config.post_grad_custom_post_pass = reciprocal
`
  it('have the lines that made them', () => {
    const ran = run(LOOP)
    expect(editsOf(ran)).toEqual([
      'p.py:12 create_node relu_default: aten.relu.default(exp)',
      'p.py:14 replace_all_uses_with neg: relu_default in output',
      'p.py:15 erase_node neg: aten.neg.default(exp)',
      'p.py:16 args relu_default: (exp) → (x)',
      'p.py:17 eliminate_dead_code exp: aten.exp.default(x)',
    ])
    expect(ran.stages[0]!.did?.edits?.map((e) => e.in)).toEqual(['after', 'before', 'before', 'after', 'before'])
    expect(ran.stages[0]).toMatchObject({ added: 1, removed: 2 })
    expect(ran.stages[0]!.did?.edits?.[0]?.source?.code).toMatch(/^made = graph\.call_function/)
  })

  it('of a pass that raises are those before it raised', () => {
    const ran = run(LOOP.replace('graph.eliminate_dead_code()', 'raise ValueError("no")'))
    expect(ran.stages[0]!.did?.error).toBe('ValueError: no')
    expect(editsOf(ran)).toHaveLength(4)
  })

  it('at the end of a long list of arguments are recorded, and cut where they are shown', () => {
    const ran = run(`def last(graph):
    for node in list(graph.nodes):
        if node.target == aten.neg.default:
            with graph.inserting_before(node):
                made = graph.call_function(aten.cat.default, ([node.args[0]] * 200,))
            made.args = (made.args[0][:-1] + [made.args[0][0].args[0]],)
torch._inductor.config.post_grad_custom_post_pass = last
`)
    const edits = ran.stages[0]!.did!.edits!
    expect(edits.map((e) => e.call)).toEqual(['create_node', 'args'])
    expect(edits[1]!.text).toMatch(/^.{400}… \(\d[\d,]* more characters\)$/s)
  })

  it('through a helper have the line of the helper and of its caller', () => {
    const ran = run(`def go(graph):
    swap(graph, aten.neg.default, aten.relu.default)
torch._inductor.config.post_grad_custom_post_pass = go
`)
    const [edit] = ran.stages[0]!.did!.edits!
    expect([edit!.source?.line, edit!.callers?.map((c) => c.line)]).toEqual([7, [9]])
  })
})

describe('another graph', () => {
  it('that a pass makes and gives its module has the edits of its own nodes', () => {
    const ran = run(`import copy
def go(graph):
    module = graph.owning_module
    other = copy.deepcopy(graph)
    swap(other, aten.neg.default, aten.relu.default)
    module.graph = other
torch._inductor.config.post_grad_custom_post_pass = go
`)
    expect(ran.after).toEqual(['x', 'aten.exp.default', 'aten.relu.default', 'output'])
    expect(editsOf(ran)).toEqual(['p.py:7 target neg: aten.neg.default → aten.relu.default'])
    expect(ran.stages[0]).toMatchObject({ added: 0, removed: 0, did: { error: null } })
  })

  it('that a pass returns has the nodes that it made, and takes those of the graph before', () => {
    const ran = run(`def back(gm, example_inputs):
    return torch.fx.symbolic_trace(lambda x: torch.sigmoid(x))
torch.compile(backend=back)
`)
    expect(ran.after).toEqual(['x', 'torch.sigmoid', 'output'])
    expect(editsOf(ran)).toEqual([
      'p.py:9 create_node sigmoid: torch.sigmoid(x)',
      'p.py:9 create_node output: output(sigmoid)',
      'p.py:9 graph exp: aten.exp.default(x)',
      'p.py:9 graph neg: aten.neg.default(exp)',
    ])
  })

  it('that a function in a hook of Inductor returns is ignored, as there', () => {
    const ran = run(`import copy
def go(graph):
    other = copy.deepcopy(graph)
    swap(other, aten.neg.default, aten.relu.default)
    return other
torch._inductor.config.post_grad_custom_post_pass = go
`)
    expect(ran.after).toContain('aten.neg.default')
    expect(ran.stages[0]!.did?.edits).toBeUndefined()
  })
})

describe('replace_pattern', () => {
  it('gives the number of places that it replaced, and no edits of the traced pattern', () => {
    const ran = run(`from torch.fx.subgraph_rewriter import replace_pattern
def go(graph):
    replace_pattern(graph.owning_module, lambda x: aten.neg.default(x), lambda x: aten.relu.default(x))
torch._inductor.config.post_grad_custom_post_pass = go
`)
    expect(ran.stages[0]!.did).toMatchObject({ count: 1, error: null })
    expect(editsOf(ran)).toEqual([
      'p.py:10 create_node relu_default: aten.relu.default(exp)',
      'p.py:10 replace_all_uses_with neg: relu_default in output',
      'p.py:10 erase_node neg: aten.neg.default(exp)',
    ])
  })
})
