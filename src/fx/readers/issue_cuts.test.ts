/** Excerpts of issues: texts that are cut, programs below statements, and texts of other tools, with text of our own. */
import { describe, expect, it } from 'vitest'
import { read, type Reading } from '..'
import { dumpOfText } from '../dumps/dump'

const fenced = (code: string, language = ''): string => `\`\`\`${language}\n${code}\n\`\`\``
const readBest = (text: string): Reading => {
  const { graphs, best } = dumpOfText(text, 'issue.txt')
  return read(graphs[best]!.text, 'issue.txt')
}
const targets = ({ graph }: Reading): string[] => [...graph.nodes()].map((n) => n.target)

describe('a cut text', () => {
  it('is a diff although its fence never closes', () => {
    const hunk = [
      '@@ -8,4 +8,4 @@ graph(x):',
      '     %conv : [#users=1] = call_module[target=conv](args = (%pool,), kwargs = {})',
      '-    %sum_1 : [#users=1] = call_function[target=<built-in function add>](args = (%conv, %pool), kwargs = {})',
      '+    %sum_1 : [#users=1] = call_function[target=operator.add](args = (%conv, %pool), kwargs = {})',
      '     %relu : [#users=1] = call_function[target=torch.relu](args = (%sum_1,), kwargs = {})',
      '-    %exp : [#users=1] = call_function[target=<built-in',
    ]
    const { graph, problems } = readBest(`The names change.\n\n\`\`\`\n${hunk.join('\n')}`)
    expect(problems).toEqual([])
    expect([...graph.nodes()].map((n) => n.name)).toEqual(['pool', 'conv', 'sum_1', 'relu', 'output'])
    expect(graph.find('sum_1')!.target).toBe('operator.add')
  })

  it('makes no input of a name that a line is cut in, alone or behind its sign', () => {
    const code = '    b: "f32[4]" = torch.ops.aten.relu.default(a);  a = None\n    to_'
    const readable = read(code, 'i')
    expect(targets(readable)).toEqual(['a', 'aten.relu.default', 'output'])
    expect(readable.problems).toMatchObject([{ line: 2 }])
    const fx = read(
      'graph():\n    %a : [num_users=1] = placeholder[target=a]\n    %b : [num_users=0] = call_function[target=torch.relu](args = (%a,), kwargs = {})\n    %na',
      'i',
    )
    expect(targets(fx)).toEqual(['a', 'torch.relu'])
    expect(fx.problems[0]).toMatchObject({ line: 4 })
  })

  it.each([
    ['[2024-02-01 10:00:00,123] [0/0] torch._dynamo.output_graph.__graph_code: [DEBUG] ', 57],
    ['V0218 22:22:39.439000 140273 torch/_dynamo/output_graph.py:1085] [0/0] [__graph_code] ', 45],
  ])('ends in the prefix of a log: %s', (prefix, length) => {
    const lines = ['class GraphModule(torch.nn.Module):', '    def forward(self, x):', '        a = torch.sin(x)']
    const { problems } = read(`${lines.map((l) => prefix + l).join('\n')}\n${prefix.slice(0, length)}`, 'i')
    expect(problems).toMatchObject([{ expected: 'a "return" line' }])
  })

  it('lists no graph of a header alone', () => {
    const header = 'opcode  name  target  args  kwargs\n------  ----  ------  ----  ------\n'
    const rows =
      'placeholder  a  a  ()  {}\ncall_function  r  aten.relu.default  (a,)  {}\noutput  output  output  ((r,),)  {}\n'
    expect(dumpOfText(`${header}${rows}${header}`, 'i').graphs).toHaveLength(1)
  })
})

describe('a program below statements of a graph', () => {
  it('is not read as the graph', () => {
    const reading = readBest(
      fenced(
        '# post-grad graph\nwhere: "i64[8]" = torch.ops.aten.where.self(ne, one, zero);  one = zero = None\nout: "f32[8]" = torch.ops.aten.neg.default(where);  where = None\n\n# lower.py\ndef lowered(\n    match, shape, dim\n):\n    from torch._inductor import metrics\n\n    loader = shape.make_loader()',
      ),
    )
    expect(targets(reading)).toEqual(['ne', 'one', 'zero', 'aten.where.self', 'aten.neg.default', 'output'])
    expect(reading.problems).toEqual([])
  })

  it('a comment of two slashes is a comment', () => {
    const { problems, graph } = read(
      '// of the trace\nb: "f32[4]" = torch.ops.aten.relu.default(a);\n\n// below\nc: "f32[4]" = torch.ops.aten.neg.default(b);\n',
      'i',
    )
    expect([problems, graph.size]).toEqual([[], 4])
  })

  it('a commented graph keeps the line that an editor moved', () => {
    const { problems, graph } = readBest(
      fenced(
        'gm = symbolic_trace(M())\ngm.print_readable()\n#class M(torch.nn.Module):\n#    def forward(self, x):\n#        # No stacktrace found for following nodes\n#        fc = self.fc(x);  x = None\n#        act = self.act(fc);  fc = None\n #       return act',
        'python',
      ),
    )
    expect([problems, graph.size]).toEqual([[], 4])
  })
})

describe('a text of another tool', () => {
  it.each([
    [
      'a model that assigns in place, and its TorchScript',
      `${fenced('class M(torch.nn.Module):\n    def forward(self, x, y):\n        x[..., torch.tensor([2, 1]), 2:4] += y\n        return x')}\n${fenced('graph(%0 : Float(3, 4)):\n  %1 : Float(3, 4) = aten::clone(%0)\n  return (%1)')}`,
      /^This looks like TorchScript IR/,
    ],
    [
      'the code of a scripted module',
      fenced(
        'def forward(self,\n    input: Tensor) -> Tensor:\n  _0 = self.bn\n  _1 = (_0).forward((self.conv).forward(input, ), )\n  return (self.relu).forward1(_1, )',
      ),
      /^This looks like the code of TorchScript/,
    ],
    [
      'a function of autograd',
      fenced(
        'import torch\nclass F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return torch.matmul(x, x.t())',
      ),
      /^This is Python without a printed graph/,
    ],
    [
      'a table of delegation',
      '| | op_type | occurrences_in_delegated_graphs |\n| 0 | aten_add_tensor | 5 |',
      /^This is Exec/,
    ],
    [
      'nodes that Torch-TensorRT converts',
      'INFO:torch_tensorrt.dynamo.conversion._TRTInterpreter:Converted node /bmm [aten.bmm.default] (Inputs: () | Outputs: ())',
      /^These are the lines of Torch-TensorRT/,
    ],
    ['HLO', 'HloModule IrToHlo.7, entry_computation_layout={(f32[4]{0})->f32[4]{0}}', /^This looks like HLO/],
    [
      'ONNX as text',
      '  node {\n    output: "v"\n    op_type: "Relu"\n    metadata_props {\n      key: "fx_node"\n      value: "%relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})"\n    }\n  }',
      /^This looks like ONNX IR as text/,
    ],
    [
      'bytecode that Dynamo traces',
      'V0218 22:22:39.439000 140273 torch/_dynamo/symbolic_convert.py:1085] [0/0] TRACE LOAD_FAST x []',
      /^These are the lines of TORCH_LOGS=\+dynamo/,
    ],
    [
      'a traceback without its head',
      '[rank3]:   File "/a/b.py", line 13, in call\n[rank3]:     fn = compiler_fn(gm)',
      /^This is a Python traceback/,
    ],
    [
      'a diff of a program',
      `Review:\n${fenced('+    y: torch.Tensor,\n+):\n+    z = reduce(y)', 'diff')}`,
      /^This is a diff/,
    ],
  ])('%s', (_, text, message) => {
    const { graph, problems } = readBest(text)
    expect([graph.size, problems.map((p) => p.message)]).toEqual([0, [expect.stringMatching(message)]])
  })
})
