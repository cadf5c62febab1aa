/**
 * One failure for each kind of cause that the listed failures (why_not.test.ts) omit, mostly on the 1400-node graph of a 32-layer
 * model. Its RMSNorm pattern fires 65 times there; each case below changes the graph or the pattern.
 * Reason for length: one table of cases.
 */
import { readFileSync } from 'node:fs'
import type { CaseInput } from '../../cases/cases'
import type { Cause } from '../../protocol'

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
/** The 1400-node graph of a 32-layer model. */
export const model = read('conformance/graphs/vllm_like32.readable.txt')
export const preamble = read('src/explain/cases/preamble.py')

/** The RMSNorm pattern, which fires 65 times in the model. */
export const rms = (last = 'w * n.to(BF16)', eps = '1e-6'): string => `
def search(x, w):
    f = x.to(torch.float32)
    v = f.pow(2).mean(-1, keepdim=True)
    n = f * torch.rsqrt(v + ${eps})
    return ${last}

INPUTS = [torch.empty(5, 4, dtype=BF16), torch.empty(4, dtype=BF16)]
`
export const registered = `${rms()}\nregister(search, INPUTS)`
/** A few lines as a separate graph. */
export const small = (inputs: string, ...lines: string[]): string =>
  `class G(torch.nn.Module):\n    def forward(self, ${inputs}):\n${lines.map((l) => `        ${l}`).join('\n')}`

export interface KindCase extends Partial<Omit<CaseInput, 'id'>> {
  title: string
  python: string
  graph: string
  /** The first cause. */
  kind: Cause['kind']
  names: string[]
  argument?: string
  /** Anchors of the first near miss; 0 if the cause concerns none. */
  times: number
  /** Kinds that must be among the other causes. */
  also?: Cause['kind'][]
}

export const KIND_CASES: readonly KindCase[] = [
  {
    title: 'the graph adds with a different overload',
    python: registered,
    graph: model.replace(/add\.Tensor\((mean\w*), 1e-06\)/g, 'add.Scalar($1, 1e-06)'),
    kind: 'wrong-overload',
    names: ['aten.add.Scalar', 'aten.add.Tensor'],
    times: 65,
  },
  {
    title: 'a different operator in the middle',
    python: registered,
    graph: model.replace(/aten\.rsqrt\./g, 'aten.sqrt.'),
    kind: 'wrong-operator',
    names: ['aten.sqrt.default', 'aten.rsqrt.default'],
    times: 65,
  },
  {
    title: 'a keyword argument that the graph does not pass',
    python: `${rms('w * n.to(BF16)', '1e-6').replace('v + 1e-6', 'aten.add.Tensor(v, 1e-6, alpha=2)')}\nregister(search, INPUTS)`,
    graph: model,
    kind: 'kwarg-missing',
    names: ['alpha'],
    argument: 'alpha',
    times: 65,
  },
  {
    title: 'a keyword argument renamed by a newer build',
    python: `
def search(x, out):
    return auto_functionalized(C.static_quant.default, result=out, input=x, scale=x)[1]

register(search, [torch.empty(5, 4), torch.empty(5, 4)])`,
    graph: small(
      'x: "f32[8, 4]", out: "f32[8, 4]"',
      'af = torch.ops.higher_order.auto_functionalized(torch.ops._C.static_quant.default, result = out, input = x, scales = x)',
      'getitem: "f32[8, 4]" = af[1]',
      'return (getitem,)',
    ),
    kind: 'kwarg-missing',
    names: ['scale', 'does not pass'],
    argument: 'scale',
    also: ['kwarg-extra'],
    times: 1,
  },
  {
    title: 'a list of a different length',
    python: `
def search(a, b):
    return torch.cat([a, b], 0).relu()

register(search, [torch.empty(5, 4), torch.empty(5, 4)])`,
    graph: model.replace(
      /( *)return \(/,
      '$1cat = torch.ops.aten.cat.default([mul_1, mul_3, mul_5])\n$1relu = torch.ops.aten.relu.default(cat)\n$1return (relu, ',
    ),
    kind: 'structure',
    names: ['3 items in the graph', '2 in the pattern'],
    times: 1,
  },
  {
    title: 'a dimension that only the pattern adds',
    python: `${rms('(w * n.to(BF16))[None]')}\nregister(search, INPUTS)`,
    graph: model,
    kind: 'missing-node',
    names: ['aten.unsqueeze.default', 'the graph has nothing there'],
    times: 65,
  },
  {
    title: 'one node of each match on a different stream',
    python: registered,
    graph: model,
    custom_meta: Object.fromEntries([...model.matchAll(/^ +(rsqrt\w*):/gm)].map((m) => [m[1]!, { stream: 1 }])),
    kind: 'stream-barrier',
    names: ['stream 1', 'stream 0', 'rsqrt'],
    times: 65,
  },
  {
    title: 'an extra_check that returns False',
    python: `${rms()}\nregister(search, INPUTS, extra_check=lambda match: False)`,
    graph: model,
    kind: 'extra-check',
    names: ['extra_check', 'False'],
    times: 65,
  },
  {
    title: 'a pattern that cannot be traced with the graph’s shapes',
    python: `${rms('(w * n.to(BF16)).view(2, 10)')}\nregister(search, INPUTS)`,
    graph: model.replace(
      /(mul_(\d+)): ("bf16\[48, 256\][^"]*") = (torch.ops.aten.mul.Tensor\(arg\d+_1, convert_element_type_\d+\))/g,
      'pre_$2: $3 = $4\n        $1: $3 = torch.ops.aten.view.default(pre_$2, [48, 256])',
    ),
    kind: 'retrace-error',
    names: ['re-trace raised', 'invalid for input of size 12288'],
    times: 65,
  },
  {
    title: 'a replacement that raises',
    python: `
def replace(x, w):
    if x.shape[0] == 48:
        raise ValueError('no kernel for 48 rows')
    return w * x
${rms()}
register(search, INPUTS, replace)`,
    graph: model,
    kind: 'replacement-error',
    names: ['no kernel for 48 rows', 'the pass ends there'],
    times: 0,
  },
  {
    title: 'a root that the graph does not have',
    python: `
def search(x, w):
    return C.norm(x + w, w, 1e-5)

register(search, [torch.empty(5, 4), torch.empty(4)])`,
    graph: model,
    kind: 'root-absent',
    names: ['never tried', '_C.norm.default'],
    times: 0,
  },
  {
    title: 'two exclusive arguments with the same value',
    python: `
def search(a, b):
    return (a * b).relu()

register(search, [torch.empty(5, 4), torch.empty(5, 4)], exclusive_arg_names=("a", "b"))`,
    graph: small(
      'x: "f32[8, 4]"',
      'mul: "f32[8, 4]" = torch.ops.aten.mul.Tensor(x, x)',
      'relu: "f32[8, 4]" = torch.ops.aten.relu.default(mul)',
      'return (relu,)',
    ),
    kind: 'exclusive-argument',
    names: ['a and b', 'both are x'],
    argument: 'b',
    times: 1,
  },
  {
    title: 'a wrong constant before an outside user that is dead code',
    python: `${rms('w * n.to(BF16)', '1e-5')}\nregister(search, INPUTS)`,
    graph: model.replace(/^( +)(rsqrt(\w*)): .*$/gm, '$&\n$1dead$3 = torch.ops.aten.neg.default($2)'),
    kind: 'constant',
    names: ['1e-06'],
    also: ['escaping-intermediate'],
    times: 65,
  },
  {
    title: 'a cast on one side of a value concatenated with itself',
    python: `
def search(x):
    return torch.cat([x, x], 1).relu().sin().exp().tanh()

register(search, [torch.empty(5, 4)])`,
    graph: small(
      'x: "f32[8, 4]"',
      'up: "f64[8, 4]" = torch.ops.prims.convert_element_type.default(x, torch.float64)',
      'down: "f32[8, 4]" = torch.ops.prims.convert_element_type.default(up, torch.float32)',
      'cat: "f32[8, 8]" = torch.ops.aten.cat.default([down, x], 1)',
      'relu: "f32[8, 8]" = torch.ops.aten.relu.default(cat)',
      'sin: "f32[8, 8]" = torch.ops.aten.sin.default(relu)',
      'exp: "f32[8, 8]" = torch.ops.aten.exp.default(sin)',
      'tanh: "f32[8, 8]" = torch.ops.aten.tanh.default(exp)',
      'return (tanh,)',
    ),
    kind: 'inserted-node',
    names: ['up and down', 'one input of cat', 'expand and clone instead of cat'],
    times: 1,
  },
  {
    title: 'operators that Inductor fuses before the pass runs',
    python: `
def search(x, w, b):
    return torch.relu(x @ w + b)

register(search, [torch.empty(4, 8), torch.empty(8, 8), torch.empty(8)])`,
    graph: small(
      'x: "f32[16, 8]", w: "f32[8, 8]", b: "f32[8]"',
      'addmm_default: "f32[16, 8]" = torch.ops.aten.addmm.default(b, x, w)',
      'relu: "f32[16, 8]" = torch.ops.aten.relu.default(addmm_default)',
      'return (relu,)',
    ),
    kind: 'decomposed',
    names: ['aten.addmm.default (addmm_default)', 'aten.mm.default and aten.add.Tensor', 'Inductor fuses'],
    times: 1,
  },
  {
    title: 'attention that Inductor’s own patterns replaced',
    python: `
def search(q, k, v):
    return torch.matmul(torch.softmax(torch.matmul(q, k.transpose(-2, -1)) * 0.125, dim=-1), v)

register(search, [torch.empty(2, 4, 5, 64)] * 3)`,
    graph: small(
      'q: "f32[2, 4, 16, 64]", k: "f32[2, 4, 16, 64]", v: "f32[2, 4, 16, 64]"',
      'attention = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(q, k, v, scale = 0.125)',
      'getitem: "f32[2, 4, 16, 64]" = attention[0]',
      'return (getitem,)',
    ),
    kind: 'decomposed',
    names: ['_scaled_dot_product_flash_attention_for_cpu.default (attention)', 'Inductor’s own attention patterns'],
    times: 0,
  },
  {
    title: 'a tensor constant of integers',
    python: `
def search(x):
    return torch.relu(x * torch.tensor([2, 3]))

register(search, [torch.empty(4, 2)])`,
    graph: small(
      'x: "f32[16, 2]"',
      '_tensor_constant0: "i64[2]" = self._tensor_constant0',
      'lift_fresh_copy: "i64[2]" = torch.ops.aten.lift_fresh_copy.default(_tensor_constant0)',
      'mul: "f32[16, 2]" = torch.ops.aten.mul.Tensor(x, lift_fresh_copy)',
      'relu: "f32[16, 2]" = torch.ops.aten.relu.default(mul)',
      'return (relu,)',
    ),
    get_attr_values: { _tensor_constant0: 'tensor([2, 5])' },
    kind: 'constant',
    names: ['_tensor_constant0 is torch.tensor([2, 5], dtype=torch.int64) in the graph', '([2, 3], dtype=torch.int64)'],
    times: 1,
  },
  {
    title: 'three nodes before the only remaining node of the pattern',
    python: `
def search(x, w):
    f = x.to(torch.float32)
    return f * w

register(search, [torch.empty(4, 4, dtype=BF16), torch.empty(4)])`,
    graph: small(
      'x: "bf16[4, 4]", w: "f32[4]"',
      'convert: "f32[4, 4]" = torch.ops.prims.convert_element_type.default(x, torch.float32)',
      'permute: "f32[4, 4]" = torch.ops.aten.permute.default(convert, [1, 0])',
      'sin: "f32[4, 4]" = torch.ops.aten.sin.default(permute)',
      'permute_1: "f32[4, 4]" = torch.ops.aten.permute.default(sin, [1, 0])',
      'mul: "f32[4, 4]" = torch.ops.aten.mul.Tensor(permute_1, w)',
      'return (mul,)',
    ),
    kind: 'inserted-node',
    names: ['permute, sin and permute_1', 'convert'],
    times: 1,
  },
  {
    title: 'a missing last step that the graph has elsewhere',
    python: `
def search(x, w):
    return torch.tanh(torch.sigmoid(x) + w) * 2.0

register(search, [torch.empty(4, 8), torch.empty(8)])`,
    graph: small(
      'x: "f32[16, 8]", w: "f32[8]"',
      'mul: "f32[16, 8]" = torch.ops.aten.mul.Tensor(x, 1.5)',
      'sigmoid: "f32[16, 8]" = torch.ops.aten.sigmoid.default(mul)',
      'add: "f32[16, 8]" = torch.ops.aten.add.Tensor(sigmoid, w)',
      'tanh: "f32[16, 8]" = torch.ops.aten.tanh.default(add)',
      'return (tanh,)',
    ),
    kind: 'missing-node',
    names: ['aten.mul.Tensor after the value that is tanh in the graph'],
    times: 1,
  },
]
