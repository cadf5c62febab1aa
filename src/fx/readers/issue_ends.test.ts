/**
 * Bodies of issues that end or begin inside of a graph, behind the prefixes of servers, and in reviews, with text of our
 * own: a complete part is read; a part that is cut is reported and never guessed.
 */
import { describe, expect, it } from 'vitest'
import { printGraph, read, type Reading } from '..'
import { dumpOfText } from '../dumps/dump'

const fenced = (code: string, language = ''): string => `\`\`\`${language}\n${code}\n\`\`\``
const readings = (text: string): Reading[] => dumpOfText(text, 'issue.txt').graphs.map((g) => read(g.text, 'issue.txt'))
const readBest = (text: string): Reading => {
  const { graphs, best } = dumpOfText(text, 'issue.txt')
  return read(graphs[best]!.text, 'issue.txt')
}
const names = ({ graph }: Reading): string[] => [...graph.nodes()].map((n) => n.name)
const told = ({ problems }: Reading): string[] => problems.map((p) => `${p.line}: ${p.message}`)
const HEAD = 'class GraphModule(torch.nn.Module):\n    def forward(self, a: "f32[4]"):\n'
const RELU = '        b: "f32[4]" = torch.ops.aten.relu.default(a);  a = None\n'

describe('the end of a text in a graph', () => {
  it.each([
    ['parameters', 'class Repro(torch.nn.Module):\n    def forward(self, arg0_1, ar', ['arg0_1']],
    ['the first parameter', 'class Repro(torch.nn.Module):\n    def forward(se', []],
    ['an attribute', `${HEAD}${RELU}        w_0 = self.w_`, ['a', 'b']],
    ['an operand', `${HEAD}${RELU}        add = b + b`, ['a', 'b']],
    ['a whole attribute', `${HEAD}${RELU}        l_w = self.L_w`, ['a', 'b', 'l_w']],
    ['a whole call', `${HEAD}${RELU}        c = torch.sin(b);  b`, ['a', 'b', 'c']],
    [
      'the names of a joint graph',
      'class joint_fn(torch.nn.Module):\n    def forward(self, primals, tangents):\n        primals_1: "f32[3]"; primals_2: "f32[3]"; tangents_1: "f32[3]"; \n\n        primals_1, primals_2, tang',
      ['primals_1', 'primals_2', 'tangents_1'],
    ],
    [
      'names without types',
      'class joint_fn(torch.nn.Module):\n    def forward(self, primals, tangents):\n        primals_1, primals_2, tang',
      ['primals_1', 'primals_2'],
    ],
    [
      'the types of a joint graph',
      'class joint_fn(torch.nn.Module):\n    def forward(self, primals, tangents):\n        primals_1: "f32[3]"; tang',
      ['primals_1'],
    ],
  ])('%s: whole names only', (_, text, wanted) => {
    const reading = read(text, 'i')
    expect(names(reading)).toEqual(wanted)
    expect(reading.problems.length).toBeGreaterThan(0)
  })

  it.each([
    [
      'in the head of a class',
      'class Repro(torch.nn.Module):\n    def __init__(self):\n        self.w = tor',
      [1, /"def forward" of class Repro, found none/],
    ],
    [
      'in a subgraph',
      `${HEAD}        f = self.f(a);  a = None\n        return (f,)\n\n    class f(torch.nn.Module):\n        def forward(self, a: "f32[4]"):\n            b: "f32[4]" = torch.ops.aten.relu.default(a);  a = None\n`,
      [8, /a "return" line of class f, found the end/],
    ],
  ] as const)('%s is told', (_, text, [line, message]) => {
    const { problems } = read(text, 'i')
    expect(problems).toMatchObject([{ line, message: expect.stringMatching(message) }])
  })
})

describe('the begin of a text in a graph', () => {
  it('is the line that unpacks the inputs: in its order', () => {
    const reading = readBest(
      fenced(
        '        p_1, t_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n        mul: "f32[4]" = torch.ops.aten.mul.Tensor(t_1, p_1);  t_1 = p_1 = None\n        return pytree.tree_unflatten([mul], self._out_spec)',
      ),
    )
    expect([names(reading), reading.problems, reading.notes]).toEqual([['p_1', 't_1', 'mul', 'output'], [], []])
  })

  it('is a statement with a type, whatever it calls; inputs are in the order of their use', () => {
    const reading = readBest(
      'V1 is wrong:\n      c: "f32[4][1]cpu" = my_lib.Two(x, y);  x = y = None\n      d: "f32[4][1]cpu" = c + z;  c = z = None\n      return (d,)\n',
    )
    expect([names(reading), reading.problems]).toEqual([['x', 'y', 'z', 'c', 'd', 'output'], []])
  })

  it('a log is read from its last graph that computes something', () => {
    const prefix = 'V0218 22:22:39.439000 140273 torch/x.py:1085] [0/0] [__aot_joint_graph] '
    const text = `${HEAD}${RELU}        return (b,)\nclass joint_fn(torch.nn.Module):\n    def forward(self, primals):\n        primals_1, pr`
    const { graphs, best } = dumpOfText(text.replace(/^/gm, prefix), 'i')
    expect([graphs.length, best]).toEqual([2, 0])
  })
})

it('torch 2.1 has the types in the line that unpacks the inputs', () => {
  const reading = read(
    'class G(torch.nn.Module):\n    def forward(self, x, n):\n        arg0: i64[s0], arg1: Sym(s1), = fx_pytree.tree_flatten_spec(([x, n], {}), self._in_spec)\n        relu: i64[s0] = torch.ops.aten.relu.default(arg0);  arg0 = None\n        return pytree.tree_unflatten([relu, arg1], self._out_spec)\n',
    'i',
  )
  expect(reading.problems).toEqual([])
  expect(names(reading)).toEqual(['arg0', 'arg1', 'relu', 'output'])
  expect(reading.graph.find('arg0')!.meta.val).toBeDefined()
})

it('a graph that is not sorted is read, with a note', () => {
  const { graph, problems, notes } = read(
    'RuntimeError: Argument was used before it has been defined!\ngraph():\n    %x : [num_users=1] = placeholder[target=x]\n    %sin : [num_users=1] = call_function[target=torch.sin](args = (%exp,), kwargs = {})\n    %exp : [num_users=1] = call_function[target=torch.exp](args = (%x,), kwargs = {})\n    return (sin,)\n',
    'i',
  )
  expect(problems).toEqual([])
  expect(printGraph(graph)).toContain('torch.sin](args = (%exp,)')
  expect(notes.map((n) => `${n.line}: ${n.message}`)).toEqual([
    "4: sin uses exp, which is computed below: the graph is not sorted, and PyTorch's lint refuses it.",
  ])
})

describe('a review that only adds lines', () => {
  it.each([
    [
      'a graph of a document',
      '+        mm: f32[s1, 4] = torch.ops.aten.mm.default(x, w);  x = w = None\n+        relu: f32[s1, 4] = torch.ops.aten.relu.default(mm);  mm = None\n+        return (relu,)\n+\n+    Range constraints: {}\n+    """\n+\n+Some more things:',
      ['x', 'w', 'mm', 'relu', 'output'],
    ],
    [
      'statements in a block of the document',
      '+as follows.\n+\n+```python\n+# After it\n+y = torch.ops.my.norm.default(x, w, 1e-5); x = None\n+z = y[0]\n+```\n+\n+The pass also keeps it.',
      ['x', 'w', 'y', 'z', 'output'],
    ],
  ])('%s', (_, diff, wanted) => {
    const reading = readBest(`docs/a.md:3\n\`\`\`\`diff\n${diff}\n\`\`\`\`\n**me**:\nNit.\n`)
    expect([names(reading), reading.problems]).toEqual([wanted, []])
  })

  it('is the graph after the change only', () => {
    const diff = `+${HEAD}${RELU}        return (b,)`.replaceAll('\n', '\n+')
    const found = readings(fenced(diff, 'diff'))
    expect(found.map(told)).toEqual([[]])
    expect(names(found[0]!)).toEqual(['a', 'b', 'output'])
  })
})

describe('servers put before each line', () => {
  it.each([
    '(VllmWorker TP0 pid=265) ERROR 08-07 12:16:03 [executor.py:596] ',
    '(EngineCore_DP0 pid=20) (Worker_TP0 pid=21) ERROR 09-20 06:12:54 [executor.py:671] ',
    'INFO 09-13 19:19:09 backends.py:122] ',
  ])('%s', (prefix) => {
    const text = `${HEAD}${RELU}        return (b,)`.replace(/^/gm, prefix)
    const reading = readBest(`Log:\n${fenced(text)}\n`)
    expect([names(reading), reading.problems]).toEqual([['a', 'b', 'output'], []])
  })
})

describe('a text without a graph says what it is', () => {
  it.each([
    [
      'a statement that an error quotes',
      '(EngineCore_DP0 pid=1) ERROR 02-04 16:00:36 [core.py:966]     sub_8 = self.sub_8(getitem_1, s72);  getitem_1 = s7\nes_post = None\n',
      /^This is a statement of a graph's code, which an error quotes/,
    ],
    [
      'a traceback of a worker',
      '(VllmWorker TP0 pid=2) ERROR 08-07 12:16:03 [executor.py:596]   File "/a/b.py", line 663, in _fn\n(VllmWorker TP0 pid=2) ERROR 08-07 12:16:03 [executor.py:596]     raise e\n',
      /^This is a Python traceback/,
    ],
    [
      'the begin of output code in a log',
      '[2023-11-20 15:52:39,354] [0/0] torch._inductor.graph.__output_code: [DEBUG] Output code: \n[2023-11-20 15:52:39,354] [0/0] torch._inductor.graph.__output_code: [DEBUG] import torch\n',
      /^This is TORCH_LOGS text of output_code, without a graph/,
    ],
    [
      'a trace of Lightning Thunder',
      '# Constructed by Dead Code (took 0 milliseconds)\nimport torch\n\ndef computation(x):\n  t1 = torch.sin(x)\n  return t1\n',
      /^This is a trace of Lightning Thunder/,
    ],
    [
      'a piece of a drawing',
      'b>\\n<text text-anchor="middle" x="581">num_users=1</text>\\n<polyline fill="none" points="386.5,-2277.5"/>',
      /^This is a drawing in XML/,
    ],
  ])('%s', (_, text, message) => {
    const { graph, problems } = readBest(text)
    expect([graph.size, problems.map((p) => p.message)]).toEqual([0, [expect.stringMatching(message)]])
  })
})
