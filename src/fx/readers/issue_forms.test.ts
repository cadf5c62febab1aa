/**
 * Forms in which public issues show graphs, with graphs of our own, in three bodies each: read whole, or told what they are.
 * Reason for length: a table of texts.
 */
import { describe, expect, it } from 'vitest'
import { formatVal, read, type Reading } from '..'
import { dumpOfText } from '../dumps/dump'

const fenced = (code: string, language = ''): string => `\`\`\`${language}\n${code}\n\`\`\``
const readBest = (text: string): Reading => {
  const { graphs, best } = dumpOfText(text, 'issue.txt')
  return read(graphs[best]!.text, 'issue.txt')
}

/** Forms in which public issues show graphs, with a graph of our own: the targets that are read, or what the text is. */
const FORMS: readonly (readonly [form: string, text: string, read: readonly string[] | RegExp])[] = [
  [
    'torch 1.7, inputs in the header',
    'graph(x):\n    %scale_1 : [uses=1] = call_function[target=<built-in function mul>](args = (%x, 3.0), kwargs = {})\n    %tanh_1 : [uses=1] = call_module[target=act](args = (%scale_1,), kwargs = {})\n    return %tanh_1',
    ['x', 'operator.mul', 'act', 'output'],
  ],
  [
    'torch 1.8 to 1.13',
    'graph():\n    %x : [#users=2] = placeholder[target=x]\n    %h : [#users=1] = call_module[target=block.0.fc](args = (%x,), kwargs = {})\n    %s : [#users=1] = call_function[target=<built-in function add>](args = (%h, %x), kwargs = {})\n    return s',
    ['x', 'block.0.fc', 'operator.add', 'output'],
  ],
  [
    'a diff of two prints, of which the new one is shown',
    ' graph():\n     %x : [num_users=1] = placeholder[target=x]\n-    %a : [num_users=1] = call_function[target=torch.add](args = (%x, 1), kwargs = {})\n+    %a : [num_users=1] = call_function[target=operator.add](args = (%x, 1), kwargs = {})\n     return a',
    ['x', 'operator.add', 'output'],
  ],
  [
    'print(gm)',
    'GraphModuleImpl(\n  (fc): Linear(in_features=4, out_features=4, bias=True)\n)\n\ndef forward(self, x):\n    fc = self.fc(x);  x = None\n    tanh = torch.tanh(fc);  fc = None\n    return tanh',
    ['x', 'fc', 'torch.tanh', 'output'],
  ],
  [
    'lines of a log',
    [
      ' <eval_with_key>.3 class GraphModule(torch.nn.Module):',
      '     def forward(self, L_a_ : torch.Tensor):',
      '         l_a_ = L_a_',
      '         ',
      '         # File: /x/y.py:9, code: return torch.sin(a)',
      '         sin = torch.sin(l_a_);  l_a_ = None',
      '         return (sin,)',
    ]
      .map((l) => `[2024-02-01 10:00:00,123] [0/0] torch._dynamo.output_graph.__graph_code: [DEBUG] ${l}`)
      .join('\n'),
    ['L_a_', 'torch.sin', 'output'],
  ],
  [
    'lines of one rank',
    [
      'class GraphModule(torch.nn.Module):',
      '    def forward(self, arg0_1: "f32[4]"):',
      '        sin: "f32[4]" = torch.ops.aten.sin.default(arg0_1);  arg0_1 = None',
      '        return (sin,)',
    ]
      .map((l) => `[default0]:[rank0]: ${l}`)
      .join('\n'),
    ['arg0_1', 'aten.sin.default', 'output'],
  ],
  [
    'one node of an exception',
    'W0819 22:05:31.171000 138 torch/_functorch/x.py:551] [0/0] While executing %mul_9 : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%g, %i), kwargs = {})\nW0819 22:05:31.171000 138 torch/_functorch/x.py:551] [0/0] Original traceback:\nRuntimeError: bad',
    /^(?:No FX graph was found|This is a Python traceback)/,
  ],
  [
    'calls of DebugMode',
    '  [node] x: placeholder\n  [node] add: call_function[aten::add.Tensor](x, 2)\n      aten::add.Tensor(t: f32[4, 4], 2)\n  [node] output: output',
    /^(?:No FX graph was found|This is a Python traceback)/,
  ],
  [
    'a joint graph with further metadata',
    'class inner_f(torch.nn.Module):\n    def forward(self, primals, tangents):\n        primals_1: "f32[4, 3]"; tangents_1: "f32[4, 3]"; \n\n        primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n        # seq_nr: 5, partitioner_tag: is_forward # File: /a/b.py:3 in f, code: y = x.sin()\n        sin: "f32[4, 3]" = torch.ops.aten.sin.default(primals_1);  primals_1 = None\n        mul: "f32[4, 3]" = torch.ops.aten.mul.Tensor(tangents_1, sin);  tangents_1 = None\n        return pytree.tree_unflatten([sin, mul], self._out_spec)',
    ['primals_1', 'tangents_1', 'aten.sin.default', 'aten.mul.Tensor', 'output'],
  ],
  [
    'a table, and the header of the next one',
    'opcode         name    target             args        kwargs\n-------------  ------  -----------------  ----------  --------\nplaceholder    a       a                  ()          {}\ncall_function  relu    aten.relu.default  (a,)        {}\noutput         output  output             ((relu,),)  {}\nopcode         name    target             args        kwargs\n',
    ['a', 'aten.relu.default', 'output'],
  ],
  [
    'a titled backward graph with plain annotations',
    ' ====== Backward graph 0 ======\n /x/lib.py class GraphModule(torch.nn.Module):\n    def forward(self, sub_1: f32[1, 512], tangents_1: f32[1, 512]):\n        # File: /home/u/m.py:249, code: h = h - m\n        mul: f32[1, 512] = torch.ops.aten.mul.Tensor(sub_1, tangents_1);  sub_1 = tangents_1 = None\n        return [mul]',
    ['sub_1', 'tangents_1', 'aten.mul.Tensor', 'output'],
  ],
  [
    'TorchScript',
    'graph(%a : Tensor, %b : Tensor):\n  %q : Tensor = aten::mul(%a, %b)\n  return (%q)',
    /^This looks like TorchScript IR/,
  ],
  [
    'a graph with a delegate’s graph inside',
    'graph():\n    %arg0_1 : [num_users=1] = placeholder[target=arg0_1]\n    %lowered_module_0 : [num_users=1] = get_attr[target=lowered_module_0]\n        backend_id: SomeBackend\n        lowered graph():\n            %x : [num_users=1] = placeholder[target=x]\n            %aten_relu_default : [num_users=1] = call_function[target=executorch.exir.dialects.edge._ops.aten.relu.default](args = (%x,), kwargs = {})\n            return [aten_relu_default]\n    %executorch_call_delegate : [num_users=1] = call_function[target=torch.ops.higher_order.executorch_call_delegate](args = (%lowered_module_0, %arg0_1), kwargs = {})\n    %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%executorch_call_delegate, 0), kwargs = {})\n    return [getitem]',
    ['arg0_1', 'lowered_module_0', 'higher_order.executorch_call_delegate', 'operator.getitem', 'output'],
  ],
  [
    'planned memory',
    'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %alloc : [num_users=1] = call_function[target=executorch.exir.memory.alloc](args = (((1, 2), torch.float32),), kwargs = {})\n    %e : [num_users=1] = call_function[target=torch.ops.aten.expand_copy.out](args = (%x, [1, 2]), kwargs = {out: %alloc})\n    return (e,)',
    ['x', 'python:executorch.exir.memory.alloc', 'aten.expand_copy.out', 'output'],
  ],
  [
    'locals of a traceback',
    '  File "/a/b.py", line 3, in call_user_compiler\n    compiled_fn = compiler_fn(gm, self.example_inputs())\n                  │           └ <function f at 0x7f>\n                  └ GraphModule(\n                  │               (fc): Identity()',
    /^(?:No FX graph was found|This is a Python traceback)/,
  ],
  [
    'an ExportedProgram',
    'ExportedProgram:\n    class GraphModule(torch.nn.Module):\n        def forward(self, p_w: "f32[4, 4]", x: "f32[2, 4]"):\n             # File: /a.py:3 in forward, code: return x @ self.w\n            matmul: "f32[2, 4]" = torch.ops.aten.matmul.default(x, p_w);  x = p_w = None\n            return (matmul,)\n\nGraph signature: ExportGraphSignature(input_specs=[], output_specs=[])\nRange constraints: {}',
    ['p_w', 'x', 'aten.matmul.default', 'output'],
  ],
  [
    'gm.code of a quantized model',
    'def forward(self, x):\n    arg0, = fx_pytree.tree_flatten_spec(([x], {}), self._in_spec)\n    quantize_per_tensor = torch.ops.quantized_decomposed.quantize_per_tensor.default(arg0, 0.02, 3, 0, 127, torch.uint8);  arg0 = None\n    return pytree.tree_unflatten([quantize_per_tensor], self._out_spec)',
    ['arg0', 'quantized_decomposed.quantize_per_tensor.default', 'output'],
  ],
  ['a list of nodes', '[x, add, relu, output]', /^(?:No FX graph was found|This is a Python traceback)/],
  [
    'nodes printed in a loop',
    'placeholder x x () {}\ncall_function add <built-in function add> (x, 1) {}\ncall_method view view (add, -1) {}\noutput output output (view,) {}',
    ['x', 'operator.add', 'view', 'output'],
  ],
  [
    'nodes printed by their fields',
    'op=placeholder, name=x, target=x, args=(), kwargs={}\nop=call_function, name=relu, target=aten.relu.default, args=(x,), kwargs={}',
    /^(?:No FX graph was found|This is a Python traceback)/,
  ],
  [
    'an arrow before the node of a message',
    'graph():\n    %x : [num_users=1] = placeholder[target=x]\n--> %w : [num_users=1] = get_attr[target=w]\n    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, %w), kwargs = {})\n    return [mul]',
    ['x', 'w', 'aten.mul.Tensor', 'output'],
  ],
  [
    'lines that end with tags of a web page',
    'graph():<br>\n&nbsp;&nbsp;%x : [num_users=1] = placeholder[target=x]<br>\n&nbsp;&nbsp;%exp : [num_users=1] = call_function[target=torch.exp](args = (%x,), kwargs = {})<br>\n&nbsp;&nbsp;return exp',
    ['x', 'torch.exp', 'output'],
  ],
  [
    'a table in a frame',
    '┌──┬──┐\n│ opcode        │ name   │ target                  │ args   │ kwargs │\n├──┼──┤\n│ placeholder   │ x      │ x                       │ ()     │ {}     │\n│ call_function │ add    │ <built-in function add> │ (x, 1) │ {}     │\n│ output        │ output │ output                  │ (add,) │ {}     │\n└──┴──┘',
    ['x', 'operator.add', 'output'],
  ],
  [
    'a joint graph with further metadata',
    'class inner_f(torch.nn.Module):\n    def forward(self, primals, tangents):\n        primals_1: "f32[4, 3]"; tangents_1: "f32[4, 3]"; \n\n        primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n        # seq_nr: 5, partitioner_tag: is_forward File: /a.py:3 in f, code: x.sin()\n        sin: "f32[4, 3]" = torch.ops.aten.sin.default(primals_1);  primals_1 = None\n        return pytree.tree_unflatten([sin, tangents_1], self._out_spec)',
    ['primals_1', 'tangents_1', 'aten.sin.default', 'output'],
  ],
  [
    'a function that is run',
    'import torch\nfrom torch import device\n\ndef forward(arg0_1: "f32[2, 3][3, 1]cpu"):\n    select: "f32[2][3]cpu" = torch.ops.aten.select.int(arg0_1, 1, 2);  arg0_1 = None\n    return (select,)\n\nprint(torch.compile(forward)(torch.randn(2, 3)))',
    ['arg0_1', 'aten.select.int', 'output'],
  ],
  [
    'a delegate inside',
    'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %lowered_module_0 : [num_users=1] = get_attr[target=lowered_module_0]\n        backend_id: Demo\n        lowered graph():       %y : [num_users=1] = placeholder[target=y]\n        return [y]\n    %executorch_call_delegate : [num_users=1] = call_function[target=torch.ops.higher_order.executorch_call_delegate](args = (%lowered_module_0, %x), kwargs = {})\n    return [executorch_call_delegate]',
    ['x', 'lowered_module_0', 'higher_order.executorch_call_delegate', 'output'],
  ],
  [
    'code of TorchScript',
    'def forward(self,\n    x: Tensor) -> Tensor:\n  fc = self.fc\n  _0 = torch.add(x, x)\n  return (fc).forward(_0, )',
    /^This looks like the code of TorchScript/,
  ],
  [
    'a printed ONNX graph',
    'graph main_graph (\n  %x[FLOAT, 1x3]\n) {\n  %y = Relu(%x)\n  return %y\n}',
    /^This looks like ONNX IR/,
  ],
  ['a jaxpr', '{ lambda ; a:f32[8]. let b:f32[8] = exp a in (b,) }', /^This looks like a jaxpr/],
  [
    'guards',
    'TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- DEFAULT_DEVICE: utils_device.CURRENT_DEVICE == None',
    /^These are the guards of Dynamo/,
  ],
  [
    'a summary of graph breaks',
    'Graph Count: 2\nGraph Break Count: 1\nOp Count: 3',
    /^This is the summary of torch\._dynamo/,
  ],
  [
    'arguments of a lowering that failed',
    "  target: aten.view.default\n  args[0]: TensorBox(StorageBox(\n    InputBuffer(name='arg0_1')\n  ))\n  args[1]: [4, 8]",
    /^This is an error of Inductor as it lowers a node/,
  ],
]
const TRACEBACK =
  'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    raise ValueError\nValueError: no'

describe.each(FORMS)('%s', (_, text, wanted) => {
  it.each([
    ['alone', text],
    ['in a fence below prose', `It fails on my model.\n\n${fenced(text)}\n\nAny idea?\n`],
    [
      'between a traceback and versions',
      `${fenced(TRACEBACK)}\nThe graph:\n${fenced(text, 'text')}\n### Versions\nPyTorch version: 2.5.0\n`,
    ],
  ])('%s', (_, body) => {
    const { graph, problems } = readBest(body)
    if (wanted instanceof RegExp) {
      expect([graph.size, problems[0]?.message]).toEqual([0, expect.stringMatching(wanted)])
      return
    }
    expect(problems).toEqual([])
    expect([...graph.nodes()].map((n) => n.target)).toEqual(wanted)
  })
})

/** Marks that no other text stands beside. */
it.each([
  ['a Python string', `'\\n\\n\\ndef forward(self, x):\\n    sin = torch.sin(x);  x = None\\n    return sin\\n    '`],
  ['its output in a notebook', `Out[4]: "def forward(self, x):\\n    sin = torch.sin(x);  x = None\\n    return sin"`],
  ['inline code', 'The code:\n`def forward(self, x):\n    sin = torch.sin(x);  x = None\n    return sin`\nis wrong.'],
])('%s is read', (_, text) => {
  const { graph, problems } = readBest(text)
  expect(problems).toEqual([])
  expect([...graph.nodes()].map((n) => n.target)).toEqual(['x', 'torch.sin', 'output'])
})

it('names no graph of FX TorchScript for the code that its comments quote', () => {
  const comment = '# File: m.py:1 in forward, code: return super(M, self).forward(x)'
  const { graph, problems } = read(
    `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8]"):
        ${comment}
        relu: "f32[8]" = torch.ops.aten.relu.default(x)
        a b c
        return (relu,)
`,
    'issue.txt',
  )
  expect([...graph.nodes()].map((n) => n.name)).toContain('relu')
  expect(problems.map((p) => p.line)).toEqual([5])
})

it('prose that quotes a header does not hide the graph below it', () => {
  const text =
    'I print it:\n`graph():`\nand get\n```\ngraph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n```\nfor `x`'
  const { graph, problems, candidates } = readBest(text)
  expect([[...graph.nodes()].length, problems, candidates.length]).toEqual([2, [], 1])
})

it('each graph of print(gm) has the classes of its modules', () => {
  const { graphs } = dumpOfText(
    'GraphModule(\n  (a): A()\n  (b): B()\n)\n\n\n\ndef forward(self, x):\n    a = self.a(x);  x = None\n    return a\n    \na()\n\n\n\ndef forward(self, y):\n    neg = -y;  y = None\n    return neg\n',
    'issue.txt',
  )
  const readings = graphs.map((g) => read(g.text, 'issue.txt'))
  expect(readings.map(({ problems, notes }) => [...problems, ...notes])).toEqual([[], []])
  expect(readings[0]!.graph.find('a')!.meta.moduleClass).toBe('A')
})

it('inputs of a repro have the shapes of the tensors that it makes', () => {
  const text = `class Repro(torch.nn.Module):
    def forward(self, arg0_1, arg1_1, arg2_1):
        mm = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
        return (mm, arg2_1)

def load_args(reader):
    buf0 = reader.storage('7f38', 512, device=device(type='cuda', index=0))
    reader.tensor(buf0, (8, 16), is_leaf=True)  # arg0_1
    buf1 = reader.storage(None, 128, device=device(type='cuda', index=2), dtype_hint=torch.bfloat16)
    reader.tensor(buf1, (16, 4), (1, 16), dtype=torch.bfloat16, storage_offset=8, is_leaf=True)  # arg1_1
arg2_1 = rand_strided((3, ), (1, ), device='cuda:1', dtype=torch.int64)
`
  const shapes = ({ graph }: Reading): string[] =>
    [...graph.nodes()]
      .filter((n) => n.op === 'placeholder')
      .map((n) => formatVal(n.meta.val!, { stride: true, device: true }))
  const reading = readBest(text)
  const first = ['f32[8, 16][16, 1]cuda:0', 'bf16[16, 4][1, 16]cuda:2', 'i64[3][1]cuda:1']
  expect(shapes(reading)).toEqual(first)
  const two = `${text}\n${text.replace('(8, 16)', '(7, 16)').replace(', index=2', '')}`
  const second = ['f32[7, 16][16, 1]cuda:0', 'bf16[16, 4][1, 16]cuda', 'i64[3][1]cuda:1']
  expect([0, 1].map((index) => shapes(read(two, 'issue.txt', { index })))).toEqual([first, second])
  const dumped = dumpOfText(two, 'issue.txt').graphs.map((g) => read(g.text, 'issue.txt'))
  expect(dumped.map(shapes)).toEqual([first, second])
  expect(dumped.flatMap((r) => r.problems)).toEqual([])
  expect(reading.notes.map((n) => n.message)).toContain(
    'The shapes of 3 inputs are those of the tensors that this program makes.',
  )
})

describe('the header of torch 1.7', () => {
  const inputs = (header: string, args: string): unknown[] => {
    const text = `${header}\n    %y : [uses=1] = call_function[target=torch.cat](args = (${args},), kwargs = {})\n    return %y\n`
    const { graph, problems } = read(text, 'g.txt')
    expect(problems).toEqual([])
    return [...graph.nodes()].filter((n) => n.op === 'placeholder').map((n) => [n.name, n.target, n.type])
  }
  it.each([
    [
      'a name that shadows a builtin',
      'graph(input, x):',
      '%input_1, %x',
      [
        ['input_1', 'input', null],
        ['x', 'x', null],
      ],
    ],
    ['a type', 'graph(x : torch.Tensor):', '%x', [['x', 'x', 'torch.Tensor']]],
    [
      'types as PyTorch prints them',
      'graph(xx: typing.Tuple[int, int], bb: int) -> torch.Tensor:',
      '%x, %b',
      [
        ['x', 'x', 'typing.Tuple[int, int]'],
        ['b', 'b', 'int'],
      ],
    ],
    [
      'starred inputs',
      'graph(*args, **kwargs):',
      '%args, %kwargs',
      [
        ['args', '*args', null],
        ['kwargs', '**kwargs', null],
      ],
    ],
    [
      'an unused input beside a node of that name',
      'graph(y_0, x):\n    %y_0_1 : [uses=0] = call_function[target=torch.relu](args = (%x,), kwargs = {})',
      '%x',
      [
        ['y_0', 'y_0', null],
        ['x', 'x', null],
      ],
    ],
    ['two headers', 'graph(x):\ngraph(x):', '%x', [['x', 'x', null]]],
  ])('%s', (_, header, args, wanted) => expect(inputs(header, args)).toEqual(wanted))

  it('has the place of an error in the return below', () => {
    const { problems } = read(
      'graph(x):\n    %y : [uses=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})\n    return %z\n',
      'g.txt',
    )
    expect(problems.map((p) => [p.line, p.column])).toEqual([[3, 13]])
  })
})
