/**
 * Plants one fault at a time into layers of a recorded model (vllm_like32) or into its patterns, among the patterns of
 * other files, and reads what `fusescope explain` prints: the right cause, with its values, is in the first five lines,
 * and everything fits on one screen.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { diagnosesLines } from '../../src/cli/explain_text'
import { explainCase } from '../../src/engine/cases/cases'
import { Interpreter } from '../../src/engine/run/interpreter'
import { diagnosesOf } from '../../src/engine/report/diagnoses'
import { nodeAssets } from '../../src/python/node_assets'

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const recorded = JSON.parse(text('conformance/cases/vllm_like32.public.jsonl').split('\n')[0]!) as {
  pattern_py: string
  readable: string
}
/** Lines of the first 2 of 32 equal layers: the time of a case is proportional to their number. */
const LAYERS = 110
const lines = recorded.readable.split('\n').slice(0, LAYERS)
const last = /^ +(\w+): /.exec(lines.findLast((l) => /^ +\w+: /.test(l))!)![1]!
const model = [...lines, `        return (${last},)`].join('\n')

const others = ['vllm-rms-norm-quant/rms_norm_quant_fusion', 'rms-norm-int8/fusion'].map((path) => ({
  name: `${path.split('/')[0]!.replaceAll('-', '_')}.py`,
  text: text(`public/examples/${path}.py`),
}))

interface Fault {
  name: string
  /** A replacement in the graph, or in the patterns. */
  graph?: [RegExp, string]
  pattern?: [string, string]
  /** What the first five lines must say. */
  says: RegExp
}

const FAULTS: Fault[] = [
  {
    name: 'the graph allocates with empty_strided',
    graph: [/aten\.empty\.memory_format\(\[48, 512\]/g, 'aten.empty_strided.default([48, 512], [512, 1]'],
    says: /17 patterns miss for one cause: factory: empty_1 is made by aten\.empty_strided\.default in the graph, by aten\.empty\.memory_format in the pattern/,
  },
  {
    name: 'another group size',
    graph: [/group_size = 128/g, 'group_size = 32'],
    says: /constant: group_size of \w+ is 32 in the graph, 128 in the pattern .*activation_fusion\.py:51/,
  },
  {
    name: 'another eps of the quantization',
    graph: [/eps = 1e-10/g, 'eps = 1e-08'],
    says: /constant: eps of \w+ is 1e-08 in the graph, 1e-10 in the pattern .*activation_fusion\.py:51/,
  },
  {
    name: 'another eps of the norm',
    pattern: ['torch.rsqrt(v + 1e-6)', 'torch.rsqrt(v + 1e-5)'],
    says: /search_rms misses: constant: argument 1 of add\w* is 1e-06 in the graph, 1e-05 in the pattern/,
  },
  {
    name: 'a factor more',
    pattern: ['return w * (', 'return 1 * w * ('],
    says: /search_rms misses: missing-node: the pattern has aten\.mul\.Tensor after the value that is arg2_1 in the graph/,
  },
  {
    name: 'operands swapped in the norm',
    pattern: ['(f * torch.rsqrt(v + 1e-6))', '(torch.rsqrt(v + 1e-6) * f)'],
    says: /operand-order: the operands of mul are swapped: convert_element_type comes first in the graph, rsqrt in the pattern/,
  },
  {
    name: 'weight and value swapped',
    pattern: [
      'return w * (f * torch.rsqrt(v + 1e-6)).to(torch.bfloat16)',
      'return (f * torch.rsqrt(v + 1e-6)).to(torch.bfloat16) * w',
    ],
    says: /operand-order: the operands of mul_1 are swapped: arg2_1 comes first in the graph, convert_element_type_1 in the pattern/,
  },
  {
    name: 'another dtype of the cast back',
    graph: [
      /convert_element_type\.default\((mul\w*), torch\.bfloat16\)/g,
      'convert_element_type.default($1, torch.float16)',
    ],
    says: /constant: argument 1 of \w+ is torch\.float16 in the graph, torch\.bfloat16 in the pattern/,
  },
  {
    name: 'a keyword that only the pattern has',
    graph: [/, dummy_is_tma_aligned = False/g, ''],
    says: /16 patterns miss for one cause: kwarg-missing: \w+: the pattern passes dummy_is_tma_aligned=False, the graph does not/,
  },
  {
    name: 'a renamed operator',
    graph: [/_C\.silu_and_mul\.default/g, '_C.silu_and_mul_v2.default'],
    says: /17 patterns miss for one cause: wrong-operator: \w+ is _C\.silu_and_mul_v2\.default in the graph, the pattern has _C\.silu_and_mul\.default there/,
  },
  {
    name: 'functionalization of the other version',
    graph: [
      /higher_order\.auto_functionalized\(torch\.ops\._C\.silu_and_mul\.default, result = (\w+), input = (\w+)\)/g,
      'higher_order.auto_functionalized_v2(torch.ops._C.silu_and_mul.default, input = $2, _result_base_index = 0, _all_bases = [$1])',
    ],
    says: /functionalization: the graph wraps _C\.silu_and_mul\.default in auto_functionalized_v2 \(\w+\), the pattern in auto_functionalized:/,
  },
  {
    name: 'another mean',
    graph: [/mean\.dim\((\w+), \[-1\], True\)/g, 'mean.dim($1, [1], True)'],
    says: /constant: argument 1\[0\] of mean\w* is 1 in the graph, -1 in the pattern/,
  },
  {
    name: 'a cast less',
    pattern: ['f = x.to(torch.float32)', 'f = x'],
    says: /example-inputs: .*x is bfloat16 in the examples and float32 in the graph/,
  },
  {
    name: 'another dtype of the quantized buffer',
    pattern: ['FP8 = torch.float8_e4m3fn', 'FP8 = torch.float8_e5m2'],
    says: /17 patterns miss for one cause: constant: dtype of \w+ is torch\.float8_e4m3fn in the graph, torch\.float8_e5m2 in the pattern/,
  },
  {
    name: 'another power',
    pattern: ['f.pow(2)', '(f * f)'],
    says: /wrong-operator: pow_1 is aten\.pow\.Tensor_Scalar in the graph, the pattern has aten\.mul\.Tensor there/,
  },
  {
    name: 'a view between',
    pattern: ['            return q, scale', '            return q.view(-1), scale'],
    says: /16 patterns miss for one cause: missing-node: the pattern has aten\.view\.default after the value that is getitem_8/,
  },
  {
    name: 'rsqrt as two operators',
    pattern: ['torch.rsqrt(v + 1e-6)', '(1 / torch.sqrt(v + 1e-6))'],
    says: /wrong-operator: rsqrt is aten\.rsqrt\.default in the graph, the pattern has aten\.mul\.Tensor there/,
  },
  {
    name: 'the wrong item',
    pattern: ['input=input)[1]\n            q = ', 'input=input)[0]\n            q = '],
    says: /activation_fusion\.py stopped registering patterns: AttributeError at line 50: 'NoneType' object has no attribute 'shape'/,
  },
  {
    name: 'a softcap',
    pattern: ['return w * (f *', 'return w * torch.tanh(f *'],
    says: /missing-node: the pattern has aten\.tanh\.default after the value that is mul in the graph/,
  },
  {
    name: 'another flag',
    graph: [/scale_ue8m0 = False/g, 'scale_ue8m0 = None'],
    says: /constant: scale_ue8m0 of \w+ is None in the graph, False in the pattern/,
  },
]

describe('a planted fault among 8 layers and the patterns of other files', () => {
  let interpreter: Interpreter
  beforeAll(async () => {
    interpreter = await Interpreter.start(nodeAssets())
  })

  it.each(FAULTS)('$name is in the first five lines of one screen', ({ graph, pattern, says }) => {
    const readable = graph ? model.replace(graph[0], graph[1]) : model
    const patterns = pattern ? recorded.pattern_py.replaceAll(pattern[0], pattern[1]) : recorded.pattern_py
    expect(readable !== model || patterns !== recorded.pattern_py).toBe(true)
    const files = [...others, { name: 'activation_fusion.py', text: patterns }]
    const explained = explainCase(interpreter, { id: 'planted', pattern_py: patterns, files, graph: readable })
    const screen = diagnosesLines(diagnosesOf(explained))
    expect(screen.length).toBeLessThanOrEqual(60)
    expect(screen.slice(0, 5).join('\n')).toMatch(says)
  })
})
