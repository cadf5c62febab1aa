/**
 * Plants one fault at a time into the recorded model of 32 layers (vllm_like32) or its patterns, among the patterns of
 * other files, and reads what `fusescope explain` prints: the right cause is in the first five lines, and everything
 * fits on one screen.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { diagnosesLines } from '../../src/cli/explain_text'
import { CaseRunner } from '../../src/engine/cases/cases'
import { diagnosesOf } from '../../src/engine/report/diagnoses'
import { nodeAssets } from '../../src/python/node_assets'

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const recorded = JSON.parse(text('conformance/cases/vllm_like32.public.jsonl').split('\n')[0]!) as {
  pattern_py: string
  readable: string
}
const OTHERS = [
  'vllm-rms-norm-quant/rms_norm_quant_fusion',
  'vllm-pass-pipeline/silu_mul_quant_fusion',
  'rms-norm-int8/fusion',
  'sglang-silu-mul-quant-fp8/fusion',
]
const others = OTHERS.map((path) => ({
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
    says: /factory: .*empty_strided/,
  },
  {
    name: 'another group size',
    graph: [/group_size = 128/g, 'group_size = 32'],
    says: /group_size of .* is 32 in the graph/,
  },
  {
    name: 'another eps of the quantization',
    graph: [/eps = 1e-10/g, 'eps = 1e-08'],
    says: /eps .*is 1e-08 in the graph/,
  },
  {
    name: 'another eps of the norm',
    pattern: ['torch.rsqrt(v + 1e-6)', 'torch.rsqrt(v + 1e-5)'],
    says: /1e-06 in the graph.*1e-05/,
  },
  { name: 'an operand order', pattern: ['return w * (', 'return (1 * w if False else 1) * w * ('], says: /mul/ },
  {
    name: 'operands swapped in the norm',
    pattern: ['(f * torch.rsqrt(v + 1e-6))', '(torch.rsqrt(v + 1e-6) * f)'],
    says: /operand-order: .*mul/,
  },
  {
    name: 'weight and value swapped',
    pattern: [
      'return w * (f * torch.rsqrt(v + 1e-6)).to(torch.bfloat16)',
      'return (f * torch.rsqrt(v + 1e-6)).to(torch.bfloat16) * w',
    ],
    says: /operand-order: .*mul/,
  },
  {
    name: 'another dtype of the cast back',
    graph: [
      /convert_element_type\.default\((mul\w*), torch\.bfloat16\)/g,
      'convert_element_type.default($1, torch.float16)',
    ],
    says: /torch\.float16 in the graph/,
  },
  {
    name: 'a keyword that only the pattern has',
    graph: [/, dummy_is_tma_aligned = False/g, ''],
    says: /dummy_is_tma_aligned/,
  },
  {
    name: 'a renamed operator',
    graph: [/_C\.silu_and_mul\.default/g, '_C.silu_and_mul_v2.default'],
    says: /silu_and_mul_v2.* the pattern has .*silu_and_mul/,
  },
  {
    name: 'functionalization of the other version',
    graph: [
      /higher_order\.auto_functionalized\(torch\.ops\._C\.silu_and_mul\.default, result = (\w+), input = (\w+)\)/g,
      'higher_order.auto_functionalized_v2(torch.ops._C.silu_and_mul.default, input = $2, _result_base_index = 0, _all_bases = [$1])',
    ],
    says: /functionalization: /,
  },
  {
    name: 'another mean',
    graph: [/mean\.dim\((\w+), \[-1\], True\)/g, 'mean.dim($1, [1], True)'],
    says: /mean.*\[1\].*\[-1\]|1 in the graph, -1/,
  },
  {
    name: 'a cast less',
    pattern: ['f = x.to(torch.float32)', 'f = x'],
    says: /convert_element_type|inserted-node|example-inputs/,
  },
  {
    name: 'another dtype of the quantized buffer',
    pattern: ['FP8 = torch.float8_e4m3fn', 'FP8 = torch.float8_e5m2'],
    says: /float8_e4m3fn.*float8_e5m2|float8_e5m2/,
  },
  { name: 'another power', pattern: ['f.pow(2)', '(f * f)'], says: /pow/ },
  {
    name: 'a view between',
    pattern: ['            return q, scale', '            return q.view(-1), scale'],
    says: /view/,
  },
  { name: 'rsqrt as two operators', pattern: ['torch.rsqrt(v + 1e-6)', '(1 / torch.sqrt(v + 1e-6))'], says: /rsqrt/ },
  {
    name: 'the wrong item',
    pattern: ['input=input)[1]\n            q = ', 'input=input)[0]\n            q = '],
    says: /getitem|item|1 in the graph|register|raised/i,
  },
  { name: 'a softcap', pattern: ['return w * (f *', 'return w * torch.tanh(f *'], says: /tanh/ },
  { name: 'another flag', graph: [/scale_ue8m0 = False/g, 'scale_ue8m0 = None'], says: /scale_ue8m0/ },
]

describe('a planted fault among 32 layers and the patterns of other files', () => {
  let runner: CaseRunner
  beforeAll(async () => {
    runner = await CaseRunner.create(nodeAssets())
  })

  it.each(FAULTS)('$name is in the first five lines of one screen', ({ graph, pattern, says }) => {
    const readable = graph ? recorded.readable.replace(graph[0], graph[1]) : recorded.readable
    const patterns = pattern ? recorded.pattern_py.replaceAll(pattern[0], pattern[1]) : recorded.pattern_py
    expect(readable !== recorded.readable || patterns !== recorded.pattern_py).toBe(true)
    const files = [...others, { name: 'activation_fusion.py', text: patterns }]
    const explained = runner.explain({ id: 'planted', pattern_py: patterns, files, graph: readable })
    const lines = diagnosesLines(diagnosesOf(explained))
    console.log(
      lines
        .slice(0, 24)
        .map((l) => l.slice(0, 260))
        .join('\n'),
    )
    expect(lines.length).toBeLessThanOrEqual(60)
    expect(lines.slice(0, 5).join('\n')).toMatch(says)
  })
})
