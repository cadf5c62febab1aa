/** Whole issue bodies: prose, a script, its output, its traceback and its printed graph in one text. */
import { describe, expect, it } from 'vitest'
import { printGraph, read, textKind, type Reading } from '..'
import { dumpOfText } from '../dumps/dump'

const PRINTED = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %add : [num_users=1] = call_function[target=operator.add](args = (%x, 1), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.relu](args = (%add,), kwargs = {})
    return relu`
const MODEL = `import torch
from torch import fx

class M(torch.nn.Module):
    def forward(self, x):
        x = x + 1
        return torch.relu(x)

gm = fx.symbolic_trace(M())
print(gm.graph)`
const PATTERNS = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass()

def pattern(x):
    y = torch.ops.aten.add.Tensor(x, 1)
    return torch.ops.aten.relu.default(y)

def replacement(x):
    return torch.ops.aten.relu.default(x)

register_replacement(pattern, replacement, [torch.empty(4)], fwd_only, patterns)`
const fenced = (code: string, language = ''): string => `\`\`\`${language}\n${code}\n\`\`\``
const readBest = (text: string): Reading => {
  const { graphs, best } = dumpOfText(text, 'issue.txt')
  return read(graphs[best]!.text, 'issue.txt')
}

describe('a printed graph wins over programs', () => {
  it.each([
    ['a fenced script and its output', `Repro:\n${fenced(MODEL, 'python')}\nOutput:\n${fenced(PRINTED)}\nAny idea?\n`],
    ['copied from the rendered page', `Repro:\n\n${MODEL}\n\nOutput:\n\n${PRINTED}\n\nAny idea?\n`],
    ['the output in a docstring', `A demonstration:\n${MODEL}\n"""\n${PRINTED}\n"""\nThe tracer records calls.\n`],
    ['a pattern function before it', `${fenced(PATTERNS, 'python')}\nThe graph:\n${fenced(PRINTED)}\n`],
    [
      'a traceback after it',
      `${fenced(MODEL)}\n${fenced(PRINTED)}\n${fenced('Traceback (most recent call last):\n  File "a.py", line 3, in f\n    return (x,)\nValueError: no')}`,
    ],
  ])('%s', (_, text) => {
    const reading = readBest(text)
    expect(reading.problems).toEqual([])
    expect(printGraph(reading.graph)).toBe(PRINTED)
    expect(textKind(text).kind).toBe('graph')
  })

  it('of several, each is listed, and the source is not', () => {
    const code =
      'def forward(self, x):\n    add = x + 1;  x = None\n    relu = torch.relu(add);  add = None\n    return relu'
    const { graphs } = dumpOfText(`${fenced(MODEL)}\n${fenced(`${code}\n\n${PRINTED}`)}\n`, 'issue.txt')
    expect(graphs.map((g) => printGraph(read(g.text, 'i').graph))).toEqual([PRINTED, PRINTED])
  })

  it('a note names the source that is not read', () => {
    const { notes } = read(`${fenced(MODEL)}\n${fenced(PRINTED)}`, 'i')
    expect(notes.map((n) => `${n.line}: ${n.message}`)).toEqual([
      '5: The class M is source, not a printed graph: it is not read.',
    ])
  })
})

describe('a text without a printed graph says what it is', () => {
  it.each([
    ['a model', `Fails:\n${fenced(MODEL)}\n`, /^This is the source of a model \(class M\).*symbolic_trace\(M\(\)\)/],
    [
      'a model whose statements are one call each',
      'class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n    def forward(self, a, b):\n        y = torch.cat([a, b], dim=1)\n        return y\n',
      /^This is the source of a model/,
    ],
    [
      'a model and its traceback',
      `${fenced(MODEL)}\n${fenced('Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: no')}`,
      /^This is the source of a model/,
    ],
    ['registrations', `My pass:\n${fenced(PATTERNS)}\n`, /^This is Python that registers patterns/],
    ['a script', `Run:\n${fenced('import torch\nprint(torch.ones(2))')}\n`, /^This is Python without a printed graph/],
    [
      'lines of a log as Inductor lowers nodes, behind any prefix',
      '10:00||torch._inductor.graph||DEBUG||graph.py:793||lowering %a : [num_users=1] = placeholder[target=a]\n10:00||x||DEBUG||graph.py:690||  via <function add>\n',
      /^These are the lines of TORCH_LOGS=\+inductor/,
    ],
    [
      'ONNX IR',
      "<\n    opset_imports={'pkg.onnxscript.torch_lib': 1},\n>\ngraph(\n    name=main_graph,\n",
      /^This looks like ONNX IR/,
    ],
  ])('%s', (_, text, message) => {
    const { graph, problems } = read(text, 'i')
    expect([graph.size, problems.length]).toEqual([0, 1])
    expect(problems[0]!.message).toMatch(message)
  })
})

describe('the patterns of an issue', () => {
  it('are the program that registers them', () => {
    expect(textKind(`Graph:\n${fenced(PRINTED)}\nPass:\n${fenced(PATTERNS, 'py')}\nNo match.\n`)).toEqual({
      kind: 'graph',
      patterns: `${PATTERNS}\n`,
    })
    expect(textKind(`My pass does not fire.\n${fenced(PATTERNS)}\n`)).toEqual({
      kind: 'python',
      patterns: `${PATTERNS}\n`,
    })
  })

  it('a file whose comment shows a graph is a whole file', () => {
    expect(textKind(`"""Matches:\n${PRINTED}\n"""\n${PATTERNS}\n`)).toEqual({ kind: 'python', patterns: null })
    expect(textKind(`${PATTERNS}\n\ndef f():\n    """Doc.\n    \`\`\`\n    f()\n    \`\`\`\n    """\n`)).toEqual({
      kind: 'python',
      patterns: null,
    })
  })
})

describe('statements over lines', () => {
  it('are those that a formatter broke', () => {
    const { graph, problems } = read(
      `class GraphModule(torch.nn.Module):
    def forward(
        self,
        a: "f32[4, 4]",
    ):
        full: "f32[4, 4]" = torch.ops.aten.full.default(
            [4, 4],
            1.0,
            dtype=torch.float32,
            device=device(type="cuda", index=0),
        )
        add: "f32[4, 4]" = (
            torch.ops.aten.add.Tensor(a, full)
        );  a = full = None
        return (
            add,
        )
`,
      'i',
    )
    expect(problems).toEqual([])
    expect(printGraph(graph)).toContain(
      'torch.ops.aten.full.default](args = ([4, 4], 1.0), kwargs = {dtype: torch.float32, device: cuda:0})',
    )
    expect(printGraph(graph)).toContain('torch.ops.aten.add.Tensor](args = (%a, %full)')
  })

  it('a bracket that never closes takes no other statement', () => {
    const { graph, problems } = read(
      'class G(torch.nn.Module):\n    def forward(self, a):\n        b = torch.ops.aten.add.Tensor(\n        c = torch.ops.aten.relu.default(a);  a = None\n        return (c,)\n',
      'i',
    )
    expect(problems).toMatchObject([{ line: 3 }])
    expect(graph.find('c')!.target).toBe('aten.relu.default')
  })
})

describe('a table without its header', () => {
  it('is read, and inputs of a cut begin are inferred', () => {
    const rows =
      'call_function  add     <built-in function add>  (l_x_, 1)  {}\noutput         output  output                   ((add,),)  {}\n'
    const whole = read(`placeholder    l_x_    L_x_                     ()         {}\n${rows}`, 'i')
    expect([whole.form, whole.problems, whole.notes]).toEqual(['tabular', [], []])
    const cut = read(rows, 'i')
    expect(printGraph(cut.graph)).toContain('%l_x_ : [num_users=1] = placeholder[target=l_x_]')
    expect(cut.notes[0]!.message).toMatch(/^l_x_: used and not defined/)
  })
})

describe('a line cut in the middle makes no input', () => {
  it.each([
    [
      'code',
      '        b: "f32[4]" = torch.ops.aten.relu.default(a);  a = None\n        c: "f32[4]" = torch.ops.aten.add.Tensor(b, per',
    ],
    ['a table', 'placeholder a a () {}\ncall_function c <built-in function add> (a, per'],
    [
      'print(graph)',
      '%b : [num_users=1] = call_function[target=torch.relu](args = (%a,), kwargs = {})\n%c : [num_users=0] = call_function[target=torch.add](args = (%b, %per',
    ],
  ])('%s', (_, text) => {
    const { graph, problems } = read(text, 'i')
    expect(graph.find('per') ?? null).toBeNull()
    expect(graph.find('a')).toBeDefined()
    expect(problems).toMatchObject([{ line: 2 }])
  })
})

it("a test's expected text ends with its string", () => {
  const { graph, problems } = read(
    'self.assertExpectedInline(\n    code,\n    """\\\ndef forward(self, a):\n    b = torch.ops.aten.relu.default(a);  a = None\n    return (b,)""",\n)\n',
    'i',
  )
  expect(problems).toEqual([])
  expect(graph.size).toBe(3)
})
