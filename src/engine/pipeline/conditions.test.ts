/** What code on the graph asked, and the condition that kept it from an edit. */
import { beforeAll, expect, it } from 'vitest'
import { plainText } from '../../base/message'
import { nodeAssets } from '../../python/node_assets'
import { Session } from '../session/session'
import { conditionMessage, conditionsOfNode, keptFrom } from './condition_text'
import type { StageCondition } from './types'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 4]", y: "f32[4, 4]"):
        relu: "f32[2, 4]" = torch.ops.aten.relu.default(x)
        mm: "f32[2, 4]" = torch.ops.aten.mm.default(relu, y)
        add: "f32[2, 4]" = torch.ops.aten.add.Tensor(mm, relu)
        return (add,)
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function asked(text: string): {
  kept: string[]
  all: readonly StageCondition[]
  edits: number
  error: string | null | undefined
} {
  const { report } = session.analyze({
    name: 'asked',
    graph: { name: 'graph.txt', text: GRAPH },
    files: [
      {
        name: 'p.py',
        text: `import torch\nfrom torch.fx.passes.infra.pass_base import PassBase, PassResult\naten = torch.ops.aten\n${text}`,
      },
    ],
    options: { timeLimitS: 10 },
  })
  if (report.python) throw new Error(report.python.traceback)
  const stage = report.pipeline!.stages.find((s) => s.kind === 'call')!
  return {
    kept: keptFrom(stage).map((c) => plainText(conditionMessage(c))),
    all: stage.did?.conditions ?? [],
    edits: stage.did?.edits?.length ?? 0,
    error: stage.did?.error,
  }
}

const inLoop = (test: string, edit = 'n.target = aten.gelu.default') => `class P(PassBase):
    def call(self, gm):
        for n in gm.graph.nodes:
            if ${test}:
                ${edit}
        return PassResult(gm, False)
`

it.each([
  [
    'n.op == "call_function" and n.target == aten.relu',
    'n.target == aten.relu at p.py:7 was false for relu, mm and add, so line 8, which edits the graph, never ran. The graph calls aten.relu.default (relu), the code asks for aten.relu, the packet of its overloads, which equals none of them: compare node.target.overloadpacket.',
  ],
  [
    'n.target in (aten.add.Scalar, aten.sub.Tensor)',
    'n.target in (aten.add.Scalar, aten.sub.Tensor) at p.py:7 was false each of 6 times, so line 8, which edits the graph, never ran. The graph calls aten.add.Tensor (add), the code asks for aten.add.Scalar: overloads are compared exactly.',
  ],
  [
    'n.target is torch.relu',
    'n.target is torch.relu at p.py:7 was false each of 6 times, so line 8, which edits the graph, never ran. The graph calls aten.relu.default (relu), the code asks for torch.relu: they are different objects.',
  ],
  [
    'n.target == aten.mul.Tensor',
    'n.target == aten.mul.Tensor at p.py:7 was false each of 6 times, so line 8, which edits the graph, never ran. No node calls aten.mul.Tensor.',
  ],
  [
    'n.target == aten.relu.default and len(n.users) == 1',
    'len(n.users) == 1 at p.py:7 was false for relu (2 == 1), so line 8, which edits the graph, never ran.',
  ],
])('names the operand that was never true: %s', (test, message) => {
  const { kept, edits } = asked(inLoop(test))
  expect(edits).toBe(0)
  expect(kept).toEqual([message])
})

it('names the last of a chain of early exits', () => {
  const { kept } = asked(`class P(PassBase):
    def call(self, gm):
        for n in gm.graph.nodes:
            if not n.op == "call_function" or n.target != aten.mm.default:
                continue
            (user,) = n.users
            if user.args[0] is n:
                continue
            n.replace_all_uses_with(user)
        return PassResult(gm, False)
`)
  expect(kept).toEqual([
    'user.args[0] is n at p.py:10 was true for mm (mm is mm), so line 12, which edits the graph, never ran.',
  ])
})

it('goes into a helper, and says what a comprehension left out', () => {
  const { kept } = asked(`def fits(n):
    return n.op == "call_function" and n.target == aten.mm.default and n.meta["val"].dtype == torch.bfloat16
class P(PassBase):
    def call(self, gm):
        for n in [n for n in gm.graph.nodes if fits(n)]:
            gm.graph.erase_node(n)
        return PassResult(gm, False)
`)
  expect(kept).toEqual([
    'for n in [n for n in gm.graph.nodes if fits(n)] at p.py:8 found nothing, so line 9, which edits the graph, never ran.',
    "n.meta['val'].dtype == torch.bfloat16 at p.py:5 was false for mm (torch.float32 == torch.bfloat16).",
  ])
})

it('keeps nothing from code that edits, and has what it asked of each node', () => {
  const { kept, all, edits } = asked(inLoop('n.op == "call_function" and n.target == aten.relu.default'))
  expect(edits).toBe(1)
  expect(kept).toEqual([])
  const of = (node: string) => conditionsOfNode(all, node).map((c) => `${c.condition.text} ${c.answers}`)
  expect(of('relu')).toEqual(["n.op == 'call_function' true", 'n.target == aten.relu.default true'])
  expect(of('mm')).toEqual(["n.op == 'call_function' true", 'n.target == aten.relu.default false'])
  expect(of('x')).toEqual(["n.op == 'call_function' false"])
})

it('runs user code as it is: an object that counts its comparisons counts no more', () => {
  const { all } = asked(`class Counted:
    times = 0
    def __eq__(self, other):
        Counted.times += 1
        return False
    def __repr__(self):
        Counted.times += 1
        return "counted"
    __hash__ = None
counted = Counted()
class Reads:
    @property
    def next(self):
        Counted.times += 1
        return Counted.times
reads = Reads()
def fits(n):
    return n.op == "call_function" and (reads.next > 0 or counted == n)
class P(PassBase):
    def call(self, gm):
        for n in gm.graph.nodes:
            if counted == n.name:
                n.target = aten.gelu.default
            if fits(n) or reads.next < 0:
                n.target = aten.gelu.default
        assert Counted.times == 6 + 3 + 3, Counted.times
        return PassResult(gm, False)
`)
  expect(all.filter((c) => c.text.startsWith('counted')).map((c) => c.counts)).toEqual([[0, 6]])
})

it('asks for no operator where a missing package names one', () => {
  const { kept } = asked(`from absent_package import ops
${inLoop('n.target in (ops.view, ops.add) or n.target == ops.mul')}`)
  expect(kept.join()).not.toMatch(/Stub|No node calls/)
  expect(kept).toHaveLength(2)
})

const raising = (method: string): string => `class R:
    def ${method}: raise ValueError("of the value")
r = R()
`

it.each([
  ['a repr that raises', raising('__repr__(self)'), 'n.target is r'],
  ['attributes that raise', raising('__getattr__(self, name)'), 'n.target is r'],
  ['a module that is no text', 'def r(): pass\nr.__module__ = 5\n', 'n.target is r'],
  ['an int of too many digits', 'r = 10**5000\n', 'n.target is r'],
  ['a list in itself', 'r = []\nr.append(r)\n', 'n.target is r'],
  ['a condition that nests too deeply', '', `${'n.name + '.repeat(600)}n.name == ""`],
  ['a tool of sys.monitoring', 'import sys\nsys.monitoring.use_tool_id(5, "mine")\n', 'n.target is aten.mul.Tensor'],
  ['a tool that is freed', 'import sys\n', 'sys.monitoring.free_tool_id(5) if sys.monitoring.get_tool(5) else False'],
])('is no fault of the pass: %s', (_, before, test) => {
  expect(asked(before + inLoop(test)).error ?? null).toBeNull()
})

it('evaluates no list again that compares objects of the user', () => {
  const { error } = asked(`class Counted:
    times = 0
    def __eq__(self, other):
        Counted.times += 1
        return False
held = [Counted()]
def fits(n):
    return n is not None and held == [1]
class P(PassBase):
    def call(self, gm):
        for n in gm.graph.nodes:
            if fits(n):
                n.target = aten.gelu.default
        assert Counted.times == 6, Counted.times
        return PassResult(gm, False)
`)
  expect(error ?? null).toBeNull()
})

it('takes no more from code that patches what is sent than it sends', () => {
  const { all } = asked(`${inLoop('n.target is None')}
import _fusescope.source.conditions as sent
sent._data = lambda: [
    dict(file="p" * 10**4, line=1, function="f" * 10**4, text="t" * 10**4, counts=[0, 3], nodes=[["n"] * 500, []],
         examples=[None, "e" * 10**4], wanted=["w"] * 500, skipped=[1, 2, True])
] * 300
`)
  expect(all).toHaveLength(40)
  expect(all[0]!.nodes[0]).toHaveLength(100)
  expect(JSON.stringify({ ...all[0], nodes: [] }).length).toBeLessThan(20_000)
})

it.each([
  ['a list of 40 targets with what the graph calls last', 39, 'aten.relu.default', ''],
  ['a list of 40 targets', 39, 'aten.sigmoid.default', 'No node calls one of'],
  ['more targets than are looked at', 1200, 'aten.sigmoid.default', ''],
])('says what no node calls of %s', (_, times, last, says) => {
  const { all } =
    asked(`FOUND = [torch.library.custom_op(f"left::op{i}", lambda x: x, mutates_args=(), schema="(Tensor x) -> Tensor")._opoverload for i in range(${times})]
LIST = FOUND + [${last}]
${inLoop('n.target in LIST and n.users is None')}`)
  const near = all.flatMap((c) => (c.near ? [plainText(c.near)] : [])).join(' ')
  if (says) expect(near).toContain(says)
  else expect(near).toBe('')
})

it('counts a loop without an end in sight to 100,000, and hears its other answer', () => {
  const { kept, all } = asked(`class P(PassBase):
    def call(self, gm):
        for i in range(100_500):
            if i == 100_400:
                pass
        for i in range(100_500):
            if i < 0:
                gm.graph.erase_node(None)
        return PassResult(gm, False)
`)
  expect(all.map((c) => [c.text, ...c.counts])).toContainEqual(['i == 100400', 1, 100_000])
  expect(kept[0]).toContain('i < 0 at p.py:10 was false each of 100,000 times or more (first 0 < 0), so')
})
