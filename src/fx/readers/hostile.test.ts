/** Tests hostile text: a clear problem, the rest of the graph, no crash, and time linear in the length. */
import { describe, expect, it } from 'vitest'
import { clone, lint, printGraph, printReadable, read, type Reading } from '..'
import { nodeOf } from './output_code'

const INPUT = '%a : [num_users=1] = placeholder[target=a]\n'
const call = (args: string): string =>
  `${INPUT}%b : [num_users=0] = call_function[target=torch.ops.aten.add.Tensor](args = (${args}), kwargs = {})\nreturn (a,)`
const forward = (line: string): string =>
  `class T(torch.nn.Module):\n    def forward(self, x):\n        ${line}\n        return (x,)\n`

function survive(text: string): Reading {
  const reading = read(text, 'hostile.txt')
  printGraph(reading.graph)
  printReadable(reading.graph)
  lint(clone(reading.graph).graph)
  return reading
}

const DEEP = 100_000
/** A browser reads 20 MB in e2e/hostile.spec.ts. */
const LONG = process.env.ALL_CASES ? 20_000_000 : 5_000_000

/** A graph whose reading is known, and what programs of writing and terminals make of it. */
const WRITTEN = forward(
  'to_copy: "f32[4]" = torch.ops.aten._to_copy.default(x, dtype = torch.float32);  sum_1: "f32[1]" = None\n        sum_1: "f32[1]" = torch.ops.aten.sum.dim_IntList(to_copy, [-1], True)',
).replace(';  sum_1: "f32[1]" = None', '')

describe('text that went through other programs', () => {
  it.each([
    ['zero-width spaces in names', (t: string) => t.replaceAll('_', '_\u200b').replaceAll('aten.', 'aten.\u2060')],
    ['soft hyphens', (t: string) => t.replaceAll('IntList', 'Int\u00adList')],
    ['marks of direction around lines', (t: string) => t.replace(/^.*$/gm, '\u200e$&\u200e')],
    ['byte order marks at lines', (t: string) => t.replace(/^/gm, '\ufeff')],
    ['ligatures of a PDF', (t: string) => t.replaceAll('fl', '\ufb02').replaceAll('ff', '\ufb00')],
    ['dashes for the minus', (t: string) => t.replaceAll('-1', '\u20131')],
    ['minus signs', (t: string) => t.replaceAll('-1', '\u22121')],
    ['wide spaces for the indent', (t: string) => t.replace(/^ +/gm, (s) => '\u3000'.repeat(s.length))],
    [
      'links of a terminal',
      (t: string) => t.replaceAll('torch.ops', '\u001b]8;;http://x\u001b\\torch.ops\u001b]8;;\u0007'),
    ],
    ['times of a CI system', (t: string) => t.replace(/^/gm, '\u001b_bk;t=1711454400123\u0007')],
  ])('%s', (_, change) => {
    const reading = survive(change(WRITTEN))
    expect(reading.problems).toEqual([])
    expect(printReadable(reading.graph)).toBe(printReadable(read(WRITTEN, 'x').graph))
  })

  it('leaves strings as they are', () => {
    const text = `${INPUT}%b : [num_users=0] = call_function[target=torch.ops.m.op.default](args = (%a, '\u00e9\u200b \u20131'), kwargs = {})\nreturn (a,)`
    expect(printGraph(survive(`graph():\n${text}`).graph)).toContain("'\u00e9\u200b \u20131'")
  })

  it.each([
    [
      'two nodes in one line',
      'graph():\n%a : [num_users=0] = placeholder[target=a] %b : [num_users=0] = placeholder[target=b]\nreturn (a,)',
      /two nodes: the line break between them is lost/,
    ],
    [
      'two statements in one line',
      forward('relu = torch.ops.aten.relu.default(x);  x = None  sin = torch.ops.aten.sin.default(x)'),
      /two nodes: the line break between them is lost/,
    ],
    [
      'bytes that could not be decoded',
      forward('relu = torch.ops.aten.rel\ufffd.default(x)'),
      /a character that was lost when the text was decoded/,
    ],
  ])('reports %s', (_, text, message) => {
    expect(
      survive(text)
        .problems.map((p) => p.message)
        .join(),
    ).toMatch(message)
  })

  it('two drawings are two graphs', () => {
    const node = (name: string, op: string, more = '') => `${name} [label="{name=%${name}|op_code=${op}\\n${more}}"];\n`
    const drawn = `digraph g {\n${node('x', 'placeholder')}${node('r', 'call_function', '|target=aten.relu.default\\n')}${node('output', 'output')}x -> r;\nr -> output;\n}\n`
    expect(read(drawn + drawn, 'x').candidates).toHaveLength(2)
    const { graph } = read(drawn.replaceAll('->', '\u2192'), 'x')
    expect(printGraph(graph)).toBe(printGraph(read(drawn, 'x').graph))
    expect(printGraph(graph)).toContain('(%x,)')
  })
})

describe('text that is not a graph', () => {
  it.each([
    ['an empty file', '', 'The text is empty.'],
    ['blanks', ' \n\t\n', 'The text is empty.'],
    ['a binary file', '\x7fELF\x02\x01\x01\0\0\0\0\x03\0>\0', 'This is a binary file.'],
    ['an unrelated Python file', 'import os\n\nprint(os.getcwd())\n', 'This is Python without a printed graph.'],
    ['a line of megabytes', 'a'.repeat(LONG), 'No FX graph was found in this text.'],
    ['megabytes of percent signs', '%'.repeat(LONG), 'No FX graph was found in this text.'],
    ['a header alone', 'graph():\n', 'The graph has no nodes.'],
  ])('%s', (_, text, message) => {
    const reading = survive(text)
    expect(reading.graph.size).toBe(0)
    expect(reading.problems).toHaveLength(1)
    expect(reading.problems[0]!.message).toContain(message)
  })

  it('a model is not FX code', () => {
    const text = `import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
    def forward(self, x):
        """Doc."""
        y = F.relu(self.fc(x))
        if y.sum() > 0:
            return y
        return torch.cat([x, y], dim=1)
`
    const { problems } = survive(text)
    expect(problems).toMatchObject([
      { line: 2, message: expect.stringMatching(/^This is the source of a model \(class Net\)/) },
    ])
  })
})

describe('bad lines', () => {
  it('a tag in a node name', () => {
    const { graph, problems } = survive(`graph():\n%<b>x</b> : [num_users=1] = placeholder[target=x]\n${INPUT}`)
    expect(graph.size).toBe(1)
    expect(problems).toMatchObject([{ line: 2, column: 2, expected: 'a node name (letters, digits and underscores)' }])
  })

  it.each([
    ['lists', call('['.repeat(DEEP) + ']'.repeat(DEEP))],
    ['tuples', call('('.repeat(DEEP) + ')'.repeat(DEEP))],
    ['dicts', call('{a: '.repeat(DEEP) + '}'.repeat(DEEP))],
    ['open brackets', call('[, '.repeat(DEEP))],
    ['a returned tuple', `${INPUT}return ${'('.repeat(DEEP)}${')'.repeat(DEEP)}`],
    ['lists in print_readable', forward(`y = torch.relu(${'['.repeat(DEEP)}${']'.repeat(DEEP)})`)],
    ['indices in print_readable', forward(`y = x${'[('.repeat(DEEP)}`)],
  ])('100,000 nested brackets: %s', (_, text) => {
    const { problems } = survive(text)
    expect(problems[0]!.message).toBe('Expected brackets nested at most 200 deep, found deeper ones.')
  })

  it('3,000 nested classes', () => {
    const text = Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}class T(torch.nn.Module):\n`).join('')
    expect(survive(text).problems[0]!.message).toContain('classes nested at most 50 deep')
  })

  it.each([
    ['a string', call(`%a, ${'x'.repeat(LONG)}`), 0],
    ['keywords', call('%a').replace('kwargs = {}', `kwargs = {a: ${'x, y] '.repeat(LONG / 6)}}`), 0],
    ['digits', call('1'.repeat(LONG)), 0],
    ['digits in print_readable', forward(`y = torch.f(${'1'.repeat(LONG)})`), 1],
    ['a sum', forward(`y = torch.f(x${' + x'.repeat(LONG / 4)})`), 1],
    ['quotes', forward(`y = torch.f(${'"'.repeat(LONG)})`), 1],
    ['an annotation', forward(`y: "f32[${'('.repeat(LONG)}" = torch.relu(x)`), 0],
  ])('megabytes in one line: %s', (_, text, problems) => {
    expect(survive(text).problems).toHaveLength(problems)
  })

  it('a million bad lines are counted, not listed', () => {
    const { problems } = survive(forward('(((\n'.repeat(1_000_000)))
    expect(problems).toHaveLength(51)
    expect(problems.at(-1)!.message).toBe('999950 more lines could not be read.')
  })

  it('a comment of 200,000 blanks', () => {
    expect(nodeOf(`# %a [target=${' '.repeat(200_000)}!`)).toMatch(/!$/)
  })

  it.each([
    ['unended nodes', '%a : [num_users=1] = call_function[target=f](args = (1\n'.repeat(100_000)],
    ['one unended node', `%b : [num_users=0] = call_function[target=f](args = (1\n${'x\n'.repeat(1_000_000)}`],
    ['a lowered graph that is cut in its head', `${INPUT}%m : [num_users=1] = get_attr[target=m]\n    lowered graph(`],
    ['a lowered graph without a line', `${INPUT}%m : [num_users=1] = get_attr[target=m]\n    lowered graph():`],
    ['returns', forward('return (\n        '.repeat(200_000))],
    ['parameters', `class T(torch.nn.Module):\n${'    def forward(self\n'.repeat(200_000)}`],
    ...['\n', '\r', ' \n', '\u2028', '('].map((c): [string, string] => [
      `an open call before 100,000 ${JSON.stringify(c)}`,
      `def forward(self, x):\n    relu = torch.ops.aten.relu.default(x, ${c.repeat(100_000)}!`,
    ]),
  ])('many lines that do not end: %s', (_, text) => {
    expect(survive(text).problems.length).toBeGreaterThan(0)
  })
})
