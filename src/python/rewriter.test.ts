/** torch.fx's own passes over graphs: symbolic tracing, replace_pattern, interpreters. Expected texts are PyTorch 2.14.1's. */
import { beforeAll, expect, test } from 'vitest'
import { printedBy, start, type Started } from './testing/start'

let py: Started
beforeAll(async () => {
  py = await start()
}, 120_000)

const printed = (source: string): string[] => printedBy(py, `import torch\n${source}`).trim().split(/\n+/)

const MODEL = `
from torch.fx import symbolic_trace, subgraph_rewriter
def f(x, y):
    a = torch.neg(x) + torch.relu(x)
    return torch.add(a, y), a
gm = symbolic_trace(f)
`

test('a traced function has FX’s nodes and names', () => {
  expect(
    printed(`
def f(x, w=None, *rest):
    y = torch.nn.functional.dropout(x, 0.5).view(x.shape[0], -1)
    a, b = torch.split(y, 2, dim=1)
    return torch.ops.aten.add.Tensor(a, b, alpha=2) @ x, {'k': [x[:, 1], ~b, 1 - b]}
gm = torch.fx.symbolic_trace(f)
print(gm.graph)
print(gm.code)
`),
  ).toEqual([
    'graph():',
    '    %x : [num_users=4] = placeholder[target=x]',
    '    %w : [num_users=0] = placeholder[target=w](default=None)',
    '    %_rest : [num_users=0] = placeholder[target=*rest]',
    '    %dropout : [num_users=1] = call_function[target=torch.nn.functional.dropout](args = (%x,), kwargs = {p: 0.5, training: True, inplace: False})',
    '    %getattr_1 : [num_users=1] = call_function[target=builtins.getattr](args = (%x, shape), kwargs = {})',
    '    %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%getattr_1, 0), kwargs = {})',
    '    %view : [num_users=1] = call_method[target=view](args = (%dropout, %getitem, -1), kwargs = {})',
    '    %split : [num_users=2] = call_function[target=torch.functional.split](args = (%view, 2), kwargs = {dim: 1})',
    '    %getitem_1 : [num_users=1] = call_function[target=operator.getitem](args = (%split, 0), kwargs = {})',
    '    %getitem_2 : [num_users=3] = call_function[target=operator.getitem](args = (%split, 1), kwargs = {})',
    '    %add_tensor : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%getitem_1, %getitem_2), kwargs = {alpha: 2})',
    '    %matmul : [num_users=1] = call_function[target=operator.matmul](args = (%add_tensor, %x), kwargs = {})',
    '    %getitem_3 : [num_users=1] = call_function[target=operator.getitem](args = (%x, (slice(None, None, None), 1)), kwargs = {})',
    '    %invert : [num_users=1] = call_function[target=operator.invert](args = (%getitem_2,), kwargs = {})',
    '    %sub : [num_users=1] = call_function[target=operator.sub](args = (1, %getitem_2), kwargs = {})',
    "    return (matmul, {'k': [getitem_3, invert, sub]})",
    'def forward(self, x, w = None, *rest):',
    '    _rest = rest',
    '    dropout = torch.nn.functional.dropout(x, p = 0.5, training = True, inplace = False)',
    '    getattr_1 = x.shape',
    '    getitem = getattr_1[0];  getattr_1 = None',
    '    view = dropout.view(getitem, -1);  dropout = getitem = None',
    '    split = torch.functional.split(view, 2, dim = 1);  view = None',
    '    getitem_1 = split[0]',
    '    getitem_2 = split[1];  split = None',
    '    add_tensor = torch.ops.aten.add.Tensor(getitem_1, getitem_2, alpha = 2);  getitem_1 = None',
    '    matmul = add_tensor @ x;  add_tensor = None',
    '    getitem_3 = x[(slice(None, None, None), 1)];  x = None',
    '    invert = ~getitem_2',
    '    sub = 1 - getitem_2;  getitem_2 = None',
    "    return (matmul, {'k': [getitem_3, invert, sub]})",
  ])
})

test('replace_pattern replaces each match and returns where it matched', () => {
  expect(
    printed(`${MODEL}
made = subgraph_rewriter.replace_pattern(gm, lambda x: torch.neg(x) + torch.relu(x), lambda x: torch.sigmoid(x) * 2)
print(len(made), made[0].anchor, made[0].nodes_map)
print(gm.graph)
print(len(subgraph_rewriter.replace_pattern(gm, lambda x: x * 3, lambda x: x)), gm.graph.lint())
`),
  ).toEqual([
    '1 add {add: add, neg: neg, x: x, relu: relu}',
    'graph():',
    '    %x : [num_users=1] = placeholder[target=x]',
    '    %y : [num_users=1] = placeholder[target=y]',
    '    %sigmoid : [num_users=1] = call_function[target=torch.sigmoid](args = (%x,), kwargs = {})',
    '    %mul : [num_users=2] = call_function[target=operator.mul](args = (%sigmoid, 2), kwargs = {})',
    '    %add_1 : [num_users=1] = call_function[target=torch.add](args = (%mul, %y), kwargs = {})',
    '    return (add_1, mul)',
    '0 None',
  ])
})

test('modules are traced to their leaves, and a replacement brings its own', () => {
  expect(
    printed(`
from torch.fx import symbolic_trace, subgraph_rewriter
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
        self.scale = torch.nn.Parameter(torch.ones(4))
    def forward(self, x):
        return self.layers(x) * self.scale
class P(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
    def forward(self, x):
        return self.layers(x)
class R(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.act = torch.nn.GELU()
    def forward(self, x):
        return self.act(x)
gm = symbolic_trace(M())
print([n for n, _ in gm.named_parameters()])
print(gm.graph)
print(len(subgraph_rewriter.replace_pattern(gm, P(), R())))
print([n for n, _ in gm.named_modules()], gm.get_submodule('act'))
print(gm)
`),
  ).toEqual([
    "['scale', 'layers.0.weight', 'layers.0.bias']",
    'graph():',
    '    %x : [num_users=1] = placeholder[target=x]',
    '    %layers_0 : [num_users=1] = call_module[target=layers.0](args = (%x,), kwargs = {})',
    '    %layers_1 : [num_users=1] = call_module[target=layers.1](args = (%layers_0,), kwargs = {})',
    '    %scale : [num_users=1] = get_attr[target=scale]',
    '    %mul : [num_users=1] = call_function[target=operator.mul](args = (%layers_1, %scale), kwargs = {})',
    '    return mul',
    '1',
    "['', 'act'] GELU(approximate='none')",
    'M(',
    "  (act): GELU(approximate='none')",
    ')',
    'def forward(self, x):',
    '    scale = self.scale',
    '    act = self.act(x);  x = None',
    '    mul = act * scale;  act = scale = None',
    '    return mul',
    '    ',
    '# To see more debug info, please use `graph_module.print_readable()`',
  ])
})

test('interpreters and transformers run graphs', () => {
  expect(
    printed(`${MODEL}
class Swap(torch.fx.Transformer):
    def call_function(self, target, args, kwargs):
        return super().call_function(torch.sigmoid if target is torch.relu else target, args, kwargs)
class Shapes(torch.fx.Interpreter):
    def run_node(self, n):
        made = super().run_node(n)
        print(n, tuple(made.shape) if n.op == 'call_function' else n.op)
        return made
print(Swap(gm).transform().graph)
Shapes(gm).run(torch.empty(2, 3), torch.empty(3))
print([tuple(v.shape) for v in gm(torch.empty(4), torch.empty(1))])
`),
  ).toEqual([
    'graph():',
    '    %x : [num_users=2] = placeholder[target=x]',
    '    %y : [num_users=1] = placeholder[target=y]',
    '    %neg : [num_users=1] = call_function[target=torch.neg](args = (%x,), kwargs = {})',
    '    %sigmoid : [num_users=1] = call_function[target=torch.sigmoid](args = (%x,), kwargs = {})',
    '    %add : [num_users=2] = call_function[target=operator.add](args = (%neg, %sigmoid), kwargs = {})',
    '    %add_1 : [num_users=1] = call_function[target=torch.add](args = (%add, %y), kwargs = {})',
    '    return (add_1, add)',
    'x placeholder',
    'y placeholder',
    'neg (2, 3)',
    'relu (2, 3)',
    'add (2, 3)',
    'add_1 (2, 3)',
    'output output',
    '[(4,), (4,)]',
  ])
})

test('the name of a placeholder never becomes code', () => {
  const code = JSON.stringify("x): pass\nprint('RAN')\n(('''")
  expect(
    printed(`
for name in (${code}, "x=print('RAN')", '_run', 'class', '*rest', 'x'):
    g = torch.fx.Graph()
    g.output(g.call_function(torch.neg, (g.placeholder(name),)))
    gm = torch.fx.GraphModule(torch.nn.Module(), g)
    print(gm.forward.__code__.co_varnames[1])
`),
  ).toEqual(['args', 'args', 'args', 'args', 'rest', 'x'])
})
