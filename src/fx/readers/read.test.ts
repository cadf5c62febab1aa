import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isOneLongGraph, mergeShapes, Node, printGraph, read, UNREADABLE, type Reading } from '..'

const node = (reading: Reading, name: string): Node => reading.graph.find(name)!

const GRAPH = `graph():
    %x : [num_users=2] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%relu, %x), kwargs = {alpha: 2})
    return (add,)`

const READABLE = `class <lambda>(torch.nn.Module):
    def forward(self, x: "bf16[s72, 4096][4096, 1]cuda:0"):
        # File: /home/me/model.py:12 in forward, code: y = relu(x)
        relu: "bf16[s72, 4096][4096, 1]cuda:0" = torch.ops.aten.relu.default(x)

        # No stacktrace found for following nodes
        add: "bf16[s72, 4096][4096, 1]cuda:0" = torch.ops.aten.add.Tensor(relu, x, alpha = 2);  relu = x = None
        return (add,)
`

describe('print(graph)', () => {
  it('gives each node its text line', () => {
    const reading = read(GRAPH, 'g.txt')
    expect([...reading.graph.nodes()].map((n) => n.meta.textLine)).toEqual([2, 3, 4, 5])
  })

  it('reads values as Python represents them', () => {
    const args =
      '(%x, 1, 1.0, True, None, torch.bfloat16, cuda:1, [%x, (%x,)], floor, _C.rms_norm.default, 1e-06, (1+2j))'
    const reading = read(GRAPH.replace('(%x,)', args), 'g.txt')
    expect(reading.problems).toEqual([])
    const relu = node(reading, 'relu')
    const x = node(reading, 'x')
    expect(relu.args.slice(0, 5)).toEqual([x, 1n, 1, true, null])
    expect(relu.args.slice(5)).toMatchObject([
      { kind: 'dtype', name: 'bfloat16' },
      { kind: 'device', type: 'cuda', index: 1 },
      [x, { kind: 'tuple', items: [x] }],
      'floor',
      { kind: 'op', name: '_C.rms_norm.default' },
      1e-6,
      { kind: 'complex', re: 1, im: 2 },
    ])
    expect(x.users.size).toBe(2)
  })

  it('reads a comma and brackets as part of a bare keyword string', () => {
    const text = GRAPH.replace('{alpha: 2}', `{md: it's "q", a]{b}: %x, s: 2}`)
    const add = node(read(text, 'g.txt'), 'add')
    expect([...add.kwargs]).toEqual([
      ['md', `it's "q", a]{b}: %x`],
      ['s', 2n],
    ])
  })

  it('reads line breaks as part of a string', () => {
    const text = GRAPH.replace('{alpha: 2}', '{s: one (1)\n  %two [2]\n, t: 3}')
    const reading = read(text, 'g.txt')
    expect(reading.problems).toEqual([])
    expect(node(reading, 'add').kwargs.get('s')).toBe('one (1)\n  %two [2]\n')
    expect(printGraph(reading.graph)).toBe(text)
  })

  it('reads a graph that is not sorted', () => {
    const lines = GRAPH.split('\n')
    const text = [lines[0], lines[1], lines[3], lines[2], lines[4]].join('\n')
    const reading = read(text, 'g.txt')
    expect(reading.problems).toEqual([])
    expect(node(reading, 'add').args[0]).toBe(node(reading, 'relu'))
    expect(printGraph(reading.graph)).toBe(text)
  })

  it('reads lines without a header, older header forms, and tensor metadata', () => {
    const text = `%x : [#users=1] = placeholder[target=x]
      %y : Tensor "f32[2, 3][3, 1]cpu" [num_users=0] = call_method[target=relu](args = (%x,), kwargs = {})`
    const reading = read(text, 'g.txt')
    expect(reading.problems).toEqual([])
    expect(node(reading, 'y').meta.val).toMatchObject({ kind: 'tensor', dtype: 'float32', shape: [2, 3] })
  })

  it('reports the position of a bad line and keeps the rest', () => {
    const reading = read(GRAPH.replace('%relu, %x', '%gelu, %x'), 'g.txt')
    expect(reading.problems).toEqual([
      {
        file: 'g.txt',
        line: 4,
        column: 84,
        message: 'Expected a node of this graph, found "%gelu".',
        found: '"%gelu"',
        expected: 'a node of this graph',
      },
    ])
    expect(reading.graph.size).toBe(4)
    expect(node(reading, 'add').args[1]).toBe(node(reading, 'x'))

    const broken = read(
      GRAPH.replace('call_function[target=torch.ops.aten.relu', 'call_func[torch.ops.aten.relu'),
      'g.txt',
    )
    expect(broken.problems).toMatchObject([{ line: 3 }])
    expect(node(broken, 'relu').target).toBe(UNREADABLE)
    expect(node(broken, 'add').args[0]).toBe(node(broken, 'relu'))
  })
})

describe('print_readable', () => {
  it('gives nodes their val, source and line', () => {
    const reading = read(READABLE, 'r.py')
    expect(reading.problems).toEqual([])
    expect(printGraph(reading.graph)).toBe(GRAPH)
    const relu = node(reading, 'relu')
    expect(relu.meta).toEqual({
      textLine: 4,
      val: {
        kind: 'tensor',
        dtype: 'bfloat16',
        shape: ['s72', 4096],
        stride: [4096, 1],
        device: { kind: 'device', type: 'cuda', index: 0 },
      },
      source: { file: '/home/me/model.py', line: 12, fn: 'forward', code: 'y = relu(x)' },
    })
    expect(node(reading, 'add').meta.source).toBeUndefined()
    expect(node(reading, 'x').meta.textLine).toBe(2)
  })

  it('infers the vals of a multi-output operator from its getitems', () => {
    const text = READABLE.replace(
      'relu: "bf16[s72, 4096][4096, 1]cuda:0" = torch.ops.aten.relu.default(x)',
      'both = torch.ops.my.two.default(x)\n        relu: "f32[2]" = both[1];  both = None',
    )
    expect(node(read(text, 'r.py'), 'both').meta.val).toMatchObject({
      kind: 'vals',
      items: [null, { dtype: 'float32', shape: [2], stride: null, device: null }],
    })
  })

  it('reads Sym, Max and scalars in annotations', () => {
    const text = READABLE.replace(
      'x: "bf16[s72, 4096][4096, 1]cuda:0"',
      'n: "Sym(2*s72)", x: "i64[Max(1, u0)][1]cpu", z: "f32[][]cpu"',
    )
    const reading = read(text, 'r.py')
    expect(node(reading, 'n').meta.val).toEqual({ kind: 'scalar', value: { kind: 'sym', expr: '2*s72' } })
    expect(node(reading, 'x').meta.val).toMatchObject({ shape: ['Max(1, u0)'], stride: [1] })
    expect(node(reading, 'z').meta.val).toMatchObject({ shape: [], stride: [] })
  })

  it('keeps a node whose line is bad, for its users', () => {
    const reading = read(READABLE.replace('torch.ops.aten.relu.default(x)', 'torch.ops.aten.relu.default(x'), 'r.py')
    expect(reading.problems).toMatchObject([{ file: 'r.py', line: 4, expected: '"," or ")"' }])
    expect(node(reading, 'relu').target).toBe(UNREADABLE)
    expect(node(reading, 'add').args[0]).toBe(node(reading, 'relu'))
  })

  it('reports nested calls, which FX code does not have', () => {
    const reading = read(READABLE.replace('Tensor(relu, x,', 'Tensor(torch.relu(relu), x,'), 'r.py')
    expect(reading.problems).toMatchObject([{ line: 7 }])
    expect(reading.problems[0]!.message).toContain('each call has a line of its own')
  })

  it('unpacks boxed arguments', () => {
    const text = READABLE.replace(
      'torch.ops.aten.add.Tensor(relu, x, alpha = 2)',
      'torch.ops.my.f.default(f_boxed_arg_0)',
    ).replace('        add:', '        f_boxed_arg_0 = [relu, x];  relu = x = None\n        add:')
    const reading = read(text, 'r.py')
    expect(node(reading, 'add').args).toEqual([[node(reading, 'relu'), node(reading, 'x')]])
  })
})

describe('sniffing', () => {
  it('reads TORCH_LOGS text, by default the last graph, with the log’s columns', () => {
    const prefix = 'V1121 00:16:25.733000 22044 torch/_dynamo/output_graph.py:2936] [0/0] [__graph_code] '
    const one = READABLE.replace('class', '/x/_lazy_graph_module.py class').trimEnd().split('\n')
    const two = READABLE.replaceAll('relu', 'silu').replace('(silu, x,', '(silu, y,').trimEnd().split('\n')
    const text = ['TRACED GRAPH', ...one, 'TRACED GRAPH', ...two].map((l) => prefix + l).join('\n')
    const last = read(text, 'log.txt')
    expect(last.candidates.map((c) => c.line)).toEqual([2, 11])
    expect(last.index).toBe(1)
    expect(last.graph.find('silu')).not.toBeNull()
    expect(last.problems).toMatchObject([{ line: 17, found: '"y"' }])
    expect(text.split('\n')[16]![last.problems[0]!.column - 1]).toBe('y')
    expect(read(text, 'log.txt', { index: 0 }).graph.find('relu')).not.toBeNull()
  })

  it('reads a graph below other text, with Windows line endings', () => {
    const text = `Some log line\nanother\n${GRAPH}\nmore\n`.replaceAll('\n', '\r\n')
    const reading = read(text, 'g.txt')
    expect(reading.problems).toEqual([])
    expect(printGraph(reading.graph)).toBe(GRAPH)
  })
})

describe('mergeShapes', () => {
  it('merges shapes and sources by name', () => {
    const { graph } = read(GRAPH, 'g.txt')
    const shapes = read(READABLE.replaceAll('relu', 'relu_1').replaceAll('aten.relu_1', 'aten.relu'), 'r.py').graph
    expect(mergeShapes(graph, shapes)).toEqual({ merged: 2, missing: ['relu'] })
    expect(graph.find('add')!.meta).toMatchObject({ textLine: 4, val: { shape: ['s72', 4096] } })
  })
})

describe('lines that state a node outside of what is read', () => {
  const body = (lines: string): string =>
    `class T(torch.nn.Module):\n    def forward(self, x: "f32[4]"):\n${lines}        return (relu,)\n`
  const RELU = '        relu: "f32[4]" = torch.ops.aten.relu.default(x);  x = None\n'
  const SIN = '        sin: "f32[4]" = torch.ops.aten.sin.default(relu);  relu = None\n'
  const linesOf = (text: string): [number, string][] => read(text, 'x').problems.map((p) => [p.line, p.message])

  it.each([
    ['behind the return', body(RELU) + SIN, 5],
    ['in a docstring that never ends', body(`${RELU}        """\n${SIN}`), 5],
  ])('%s', (_, text, line) => {
    expect(linesOf(text).find(([at]) => at === line)?.[1]).toContain('is not read: this looks like a line of ')
  })

  it('in a class without "def forward"', () => {
    const text = body(RELU + SIN).replace(/ {4}def.*\n/, '')
    expect(linesOf(text).map(([line]) => line)).toEqual([1, 2, 3, 4])
  })

  it('in a second class of one name, which is kept under another', () => {
    const sub = RELU.replace(/^/gm, '    ').trimEnd()
    const inner = `    class sub(torch.nn.Module):\n        def forward(self, x):\n${sub}\n            return (relu,)\n`
    const { graph, problems } = read(body(RELU) + inner + inner, 'x')
    expect([...graph.subgraphs.keys()]).toEqual(['sub', 'sub_1'])
    expect(problems).toMatchObject([{ line: 9, found: 'a second class named "sub"' }])
  })

  it('line ends of carriage returns alone count as lines', () => {
    const text = body(RELU + SIN.replace('sin.default', 'sin.default('))
    const [unix, mac] = [read(text, 'x'), read(text.replaceAll('\n', '\r'), 'x')]
    expect(printGraph(mac.graph)).toBe(printGraph(unix.graph))
    expect(mac.problems).toEqual(unix.problems)
  })
})

describe('attributes of modules in lists', () => {
  it('reads a path of nested getattr, however deep', () => {
    const path = 'getattr(getattr(getattr(self.layers, "1"), "0").downsample, "0").weight'
    const text = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 8][8, 1]cpu"):
        w: "f32[8, 8][8, 1]cpu" = ${path}
        mm: "f32[8, 8][8, 1]cpu" = torch.ops.aten.mm.default(x, w);  x = w = None
        return (mm,)
`
    const reading = read(text, 'g.txt')
    expect(reading.problems).toEqual([])
    expect(node(reading, 'w')).toMatchObject({ op: 'get_attr', target: 'layers.1.0.downsample.0.weight' })
  })
})

describe('a long text of one graph', () => {
  const text = (name: string): string =>
    readFileSync(new URL(`../../../conformance/graphs/${name}.txt`, import.meta.url), 'utf8')

  it.each(['bert.graph', 'bert.readable', 'gemma2.readable'])('%s is known by its beginning', (name) => {
    expect(isOneLongGraph(text(name))).toBe(true)
    expect(read(text(name), name).candidates).toHaveLength(1)
  })

  it('is not taken for one if it is short, holds two graphs, or no node that is read', () => {
    const long = text('bert.graph')
    expect(isOneLongGraph(GRAPH)).toBe(false)
    expect(isOneLongGraph(`${long}\n${long}`)).toBe(false)
    expect(isOneLongGraph(`graph():\n${'    x = ???\n'.repeat(30_000)}`)).toBe(false)
    expect(isOneLongGraph(long.replaceAll('call_function[target=', 'call_function[???'))).toBe(false)
  })
})
