/** Tests user code that applies patterns: its other edits run and are reported separately from the matches. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import { viewOfText } from '../cases/graph_file'
import type { PipelineStage } from './types'
import type { Report } from '../protocol'
import { Session } from '../session/session'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]"):
        view: "f32[8, 4]" = torch.ops.aten.view.default(x, [8, 4]);  x = None
        exp: "f32[8, 4]" = torch.ops.aten.exp.default(view);  view = None
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(exp);  exp = None
        return (neg,)
`

const HEAD = `import torch
from torch._inductor import config
from torch._inductor.pattern_matcher import CallFunction, KeywordArg, PatternMatcherPass, fwd_only, register_graph_pattern, register_replacement
from vllm.compilation.passes.inductor_pass import InductorPass
aten = torch.ops.aten
def register(into, search, replace, **more):
    register_replacement(search, replace, [torch.empty(8, 4)], fwd_only, into, **more)
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

interface Ran {
  workspace: Workspace
  report: Report
  /** The stages without Inductor's own passes and dead-code elimination. */
  stages: PipelineStage[]
  after: string[]
}

function run(text: string, passes?: string[], graph = GRAPH): Ran {
  const workspace = {
    name: 'called',
    graph: { name: 'graph.txt', text: graph },
    files: [{ name: 'passes.py', text: HEAD + text }],
    options: { timeLimitS: 10 },
    ...(passes && { passes }),
  }
  const { report } = session.analyze(workspace)
  if (report.python) throw new Error(report.python.traceback)
  const stages = report.pipeline!.stages.filter((s) => s.kind === 'pass' || s.kind === 'call')
  return { workspace, report, stages, after: report.after!.nodes.map((n) => n.target) }
}

const counts = ({ report }: Ran): [string, number][] => report.passes.map((p) => [p.name, p.count])

const printed = (report: Report): string[] => report.console.map((c) => c.text.trim())

/** A class whose instance `p` is called with the graph. */
const passOf = (body: string, more = ''): string => `class Pass(InductorPass):
    def __init__(self):
        self.patterns = PatternMatcherPass()
        register(self.patterns, lambda x: aten.neg(aten.exp(x)), lambda x: aten.tanh(x)${more})
    def __call__(self, graph):
        ${body.split('\n').join('\n        ')}
p = Pass()
`

const SKIP_VIEWS = `for node in graph.nodes:
    if node.target == aten.view.default:
        node.replace_all_uses_with(node.args[0])
        graph.erase_node(node)
`

describe('an object that applies its patterns', () => {
  it('runs its own edits before and after, and reports what it prints', () => {
    const body = `${SKIP_VIEWS}print("Replaced", self.patterns.apply(graph))
out = graph.output_node()
with graph.inserting_before(out):
    relu = graph.call_function(aten.relu.default, (out.args[0][0],))
relu.meta["val"] = relu.args[0].meta["val"]
out.args = ((relu,),)`
    const ran = run(passOf(body))
    expect(counts(ran)).toEqual([['p.patterns', 1]])
    expect(ran.after).toEqual(['x', 'aten.tanh.default', 'aten.relu.default', 'output'])
    expect(printed(ran.report)).toEqual(['Replaced 1'])
    expect(ran.stages).toHaveLength(1)
    expect(ran.stages[0]).toMatchObject({ added: 2, removed: 3, did: { count: null, error: null } })
    expect(ran.stages[0]!.did!.notes).toEqual(['Its own code also edited the graph: 1 node added, 1 removed.'])
    expect(session.stage(1).view.removed).toEqual(['view', 'exp', 'neg'])
    // As a link carries it.
    expect(viewOfText(session.print(ran.workspace, 'readable', 1)).nodes).toHaveLength(4)
    // The match is reported in the graph that the pattern saw.
    expect(ran.report.passes[0]!.matches[0]!.inputs).toEqual({ x: 'x' })
    expect(session.steps('p.patterns', null, 'neg').node).toBe('neg')
  })

  it('adds nothing to the report if it only applies patterns', () => {
    const ran = run(passOf('self.count = self.patterns.apply(graph)'))
    expect(counts(ran)).toEqual([['p.patterns', 1]])
    expect(ran.stages[0]!.did).toBeUndefined()
  })

  it('may apply them repeatedly: each application is a stage', () => {
    const ran = run(passOf('while self.patterns.apply(graph):\n    pass'))
    expect(counts(ran)).toEqual([
      ['p.patterns', 1],
      ['p.patterns', 0],
    ])
    expect(ran.stages.map((s) => [s.at, s.added, s.removed])).toEqual([
      [1, 1, 2],
      [2, 0, 0],
    ])
  })

  it('reports that it applied nothing', () => {
    const ran = run(passOf('return None'))
    expect(counts(ran)).toEqual([['p.patterns', 0]])
    expect(ran.report.passes[0]!.entries).toHaveLength(1)
    expect(ran.stages[0]!.did!.notes).toEqual(['Pass was called but did not apply these patterns.'])
  })

  it('still has its patterns applied if it raises before, but not again if it raises after', () => {
    const before = run(passOf('self.lost(graph)\nself.patterns.apply(graph)'))
    expect(counts(before)).toEqual([['p.patterns', 1]])
    expect(before.stages[0]!.did!.error).toBe("AttributeError: 'Pass' object has no attribute 'lost'")
    const after = run(passOf('self.patterns.apply(graph)\nself.lost(graph)'))
    expect(counts(after)).toEqual([['p.patterns', 1]])
    expect(after.stages[0]!.did!.error).toContain('AttributeError')
  })

  it('keeps reading the graph during and after extra_checks and handlers', () => {
    const text = `${passOf('first = list(graph.nodes)[0]\nself.patterns.apply(graph)\nprint(first.name, len(first.users), graph.output_node().args)', ', extra_check=lambda m: len(m.nodes) == 2')}
@register_graph_pattern(CallFunction(aten.view.default, KeywordArg("x"), KeywordArg("shape")), pass_dict=p.patterns)
def drop(match, x, shape):
    match.output_node().replace_all_uses_with(x)
    match.erase_nodes()
`
    const ran = run(text)
    expect(counts(ran)).toEqual([['p.patterns', 2]])
    expect(ran.after).toEqual(['x', 'aten.tanh.default', 'output'])
    expect(printed(ran.report)).toEqual(['x 1 ((tanh_default,),)'])
  })

  it('omits patterns that the workspace does not list', () => {
    const text = `class Pass:
    def __init__(self):
        self.steps = [PatternMatcherPass(), PatternMatcherPass()]
        register(self.steps[0], lambda x: aten.exp(x), lambda x: aten.sin(x))
        register(self.steps[1], lambda x: aten.neg(x), lambda x: aten.cos(x))
    def __call__(self, graph):
        for each in self.steps:
            each.apply(graph)
p = Pass()
`
    expect(counts(run(text))).toEqual([
      ['p.steps[0]', 1],
      ['p.steps[1]', 1],
    ])
    const one = run(text, ['p.steps[1]'])
    expect(counts(one)).toEqual([['p.steps[1]', 1]])
    expect(one.after).toContain('aten.exp.default')
    expect(one.stages.map((s) => [s.name, s.off?.why ?? null])).toEqual([
      ['p.steps[0]', 'not-listed'],
      ['p.steps[1]', null],
    ])
  })
})

it('runs the code of a hook function around its patterns', () => {
  const ran = run(`patterns = PatternMatcherPass()
register(patterns, lambda x: aten.neg(aten.exp(x)), lambda x: aten.tanh(x))
def after(graph):
    patterns.apply(graph)
    ${SKIP_VIEWS.trimEnd().split('\n').join('\n    ')}
config.post_grad_custom_post_pass = after
`)
  expect(counts(ran)).toEqual([['patterns', 1]])
  expect(ran.after).toEqual(['x', 'aten.tanh.default', 'output'])
  expect(ran.stages[0]).toMatchObject({ name: 'patterns', hook: 'post_grad_custom_post_pass' })
})

describe('a loop over graph.nodes', () => {
  it('visits nodes inserted after the current one, but no erased nodes', () => {
    const { report } = run(`class Walk(InductorPass):
    def __call__(self, graph):
        for node in graph.nodes:
            print(node.name)
            if node.name == "view":
                for user in list(node.users):
                    with graph.inserting_after(user):
                        twice = graph.call_function(aten.neg.default, (user,))
                graph.output_node().args = ((twice,),)
                graph.erase_node(next(n for n in graph.nodes if n.name == "neg"))
        print([n.name for n in reversed(graph.nodes)])
walk = Walk()
`)
    const names = ['x', 'view', 'exp', 'neg_default', 'output']
    expect(printed(report)).toEqual([...names, "['output', 'neg_default', 'exp', 'view', 'x']"])
  })
})

describe('a pass manager', () => {
  const MANAGER = `from contextlib import contextmanager
_range = None
@contextmanager
def pass_context(compile_range):
    global _range
    _range = compile_range
    yield
    _range = None
class Note(InductorPass):
    def __call__(self, graph):
        print(type(self).__name__, _range is not None)
class Clean(Note): pass
class Fix(Note): pass
class Big(Note): pass
class Manager:
    def __init__(self):
        self.passes = [Big(), Note(), Note()]
        self.fix = Fix()
        self.clean = Clean()
    def __call__(self, graph, runtime_shape):
        assert _range is not None
        for each in self.passes:
            if not isinstance(each, Big):
                each(graph)
        for each in (self.clean, self.fix, self.clean):
            each(graph)
        graph.recompile()
manager = Manager()
`

  it('shows the passes that it calls outside its list, in order and with repetitions, and those that it skips', () => {
    const { stages, report } = run(MANAGER)
    expect(stages.map((s) => [s.at, s.name, s.off?.why ?? null])).toEqual([
      [null, 'manager.Big', 'not-applicable'],
      [1, 'manager.Note', null],
      [2, 'manager.Note#2', null],
      [3, 'manager.Clean', null],
      [4, 'manager.Fix', null],
      [5, 'manager.Clean@2', null],
    ])
    expect(stages[0]!.off!.guards).toMatchObject([{ question: 'Manager.__call__ calls Big', answer: 'False' }])
    expect(printed(report)).toEqual(['Note True', 'Note True', 'Clean True', 'Fix True', 'Clean True'])
    expect(stages.every((s) => s.manager === 'manager' && !s.did?.error)).toBe(true)
  })

  it('lists the passes whose patterns it applies itself, in its own order', () => {
    const { stages } = run(`class Pass:
    def __init__(self, search, replace):
        self.patterns = PatternMatcherPass()
        register(self.patterns, search, replace)
class Fuse(Pass): pass
class Drop(Pass): pass
class Manager:
    def __init__(self):
        self.passes = [Fuse(lambda x: aten.exp(x), lambda x: aten.sin(x)), Drop(lambda x: aten.neg(x), lambda x: aten.cos(x))]
    def __call__(self, graph):
        for each in self.passes:
            each.patterns.apply(graph)
manager = Manager()
`)
    expect(stages.map((s) => [s.name, s.of, s.manager, s.off])).toEqual([
      ['manager.Fuse.patterns', 'Fuse', 'manager', null],
      ['manager.Drop.patterns', 'Drop', 'manager', null],
    ])
  })

  it('applies only one of its passes if the workspace lists it', () => {
    const { stages } = run(MANAGER, ['manager.Clean@2', 'manager.Note#2'])
    expect(stages.filter((s) => s.at !== null).map((s) => s.name)).toEqual(['manager.Clean@2', 'manager.Note#2'])
  })
})

it('does not report the decomposition of auto_functionalized as a mutation', () => {
  const functionalized = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]", y: "f32[8, 2]"):
        empty: "f32[8, 2]" = torch.ops.aten.empty.memory_format([8, 2], pin_memory = False)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops._C.silu_and_mul.default, result = empty, input = x);  empty = x = None
        getitem_1: "f32[8, 2]" = auto_functionalized[1];  auto_functionalized = None
        add: "f32[8, 2]" = torch.ops.aten.add.Tensor(getitem_1, y);  getitem_1 = y = None
        return (add,)
`
  const text = `from torch._higher_order_ops.auto_functionalize import auto_functionalized
class Fix(InductorPass):
    def __call__(self, graph):
        for node in graph.find_nodes(op="call_function", target=auto_functionalized):
            with graph.inserting_before(node):
                graph.call_function(node.args[0], kwargs=node.kwargs)
            for user in list(node.users):
                user.replace_all_uses_with(node.kwargs["result"])
                graph.erase_node(user)
            graph.erase_node(node)
fix = Fix()
`
  const { stages, after } = run(text, undefined, functionalized)
  expect(after).toContain('_C.silu_and_mul.default')
  expect(stages[0]!.did!.broken).toBeUndefined()
})
