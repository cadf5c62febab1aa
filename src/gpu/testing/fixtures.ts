/** Programs in the form that the engine creates for a match, for tests and for the suite's page. */
import type { TensorMeta } from '../../fx'
import type { RunNode, RunPrograms, RunValue } from '../types'

export const tensor = (dtype: string, shape: (number | string)[], stride: number[] | null = null): TensorMeta => ({
  kind: 'tensor',
  dtype,
  shape,
  stride,
  device: null,
})

export const node = (
  name: string,
  target: string,
  args: RunValue[],
  kwargs: Record<string, RunValue>,
  meta: TensorMeta | null = null,
): RunNode => ({ name, target, args, kwargs, meta })

export const empty = (name: string, shape: number[], dtype: string): RunNode =>
  node(
    name,
    'aten.empty.memory_format',
    [{ list: shape }],
    { dtype: { dtype }, pin_memory: false },
    tensor(dtype, shape),
  )
export const functionalized = (name: string, op: string, kwargs: Record<string, RunValue>): RunNode =>
  node(name, 'higher_order.auto_functionalized', [{ op }], kwargs)
export const getitem = (name: string, of: string, i: number): RunNode =>
  node(name, 'operator.getitem', [{ node: of }, i], {})

export interface BlockQuantShape {
  tokens: number
  hidden: number
  group?: number
  transposed?: boolean
  ue8m0?: boolean
  dtype?: string
}

/** silu_and_mul then per_token_group_fp8_quant, against silu_and_mul_per_block_quant: one of vLLM's 16 variants. */
export function blockQuantPrograms(shape: BlockQuantShape): RunPrograms {
  const { tokens, hidden, group = 128, transposed = false, ue8m0 = false, dtype = 'bfloat16' } = shape
  const groups = hidden / group
  const mm = { name: 'mm', meta: tensor(dtype, [tokens, 2 * hidden]) }
  const scale = { name: 'scale', meta: tensor('float32', [tokens, groups], transposed ? [1, tokens] : [groups, 1]) }
  return {
    title: `silu_and_mul + per_token_group_fp8_quant ${tokens}x${hidden}`,
    unfused: {
      inputs: [mm, scale],
      nodes: [
        empty('empty', [tokens, hidden], dtype),
        functionalized('af', '_C.silu_and_mul.default', { result: { node: 'empty' }, input: { node: 'mm' } }),
        getitem('act', 'af', 1),
        empty('empty_1', [tokens, hidden], 'float8_e4m3fn'),
        functionalized('af_1', '_C.per_token_group_fp8_quant.default', {
          input: { node: 'act' },
          output_q: { node: 'empty_1' },
          output_s: { node: 'scale' },
          group_size: group,
          eps: 1e-10,
          fp8_min: -448,
          fp8_max: 448,
          scale_ue8m0: ue8m0,
          dummy_is_scale_transposed: transposed,
          dummy_is_tma_aligned: false,
        }),
        getitem('q', 'af_1', 1),
        getitem('s', 'af_1', 2),
      ],
      outputs: ['q', 's'],
    },
    fused: {
      inputs: [mm],
      nodes: [
        empty('empty_2', [tokens, hidden], 'float8_e4m3fn'),
        empty('empty_3', transposed ? [groups, tokens] : [tokens, groups], 'float32'),
        ...(transposed ? [node('permute', 'aten.permute.default', [{ node: 'empty_3' }, { list: [-1, -2] }], {})] : []),
        functionalized('af_2', '_C.silu_and_mul_per_block_quant.default', {
          out: { node: 'empty_2' },
          input: { node: 'mm' },
          scales: { node: transposed ? 'permute' : 'empty_3' },
          group_size: group,
          scale_ub: null,
          is_scale_transposed: transposed,
        }),
        getitem('q_1', 'af_2', 1),
        getitem('s_1', 'af_2', 2),
      ],
      outputs: ['q_1', 's_1'],
    },
  }
}

/** rms_norm then static_scaled_int8_quant, against the article's fused operator, which also returns the scale. */
export function rmsInt8Programs(tokens: number, hidden: number, weight: number[] = [hidden]): RunPrograms {
  const inputs = [
    { name: 'x', meta: tensor('bfloat16', [tokens, hidden]) },
    { name: 'w', meta: tensor('bfloat16', weight) },
    { name: 'scale', meta: tensor('float32', [1, 1]) },
  ]
  return {
    title: 'rms_norm + static_scaled_int8_quant',
    unfused: {
      inputs,
      nodes: [
        empty('empty_1', [tokens, hidden], 'bfloat16'),
        functionalized('af', 'vllm.rms_norm.default', {
          result: { node: 'empty_1' },
          input: { node: 'x' },
          weight: { node: 'w' },
          epsilon: 1e-6,
        }),
        getitem('normed', 'af', 1),
        empty('empty', [tokens, hidden], 'int8'),
        functionalized('af_1', 'vllm.static_scaled_int8_quant.default', {
          result: { node: 'empty' },
          input: { node: 'normed' },
          scale: { node: 'scale' },
          azp: null,
        }),
        getitem('q', 'af_1', 1),
        getitem('s', 'af_1', 2),
      ],
      outputs: ['q', 's'],
    },
    fused: {
      inputs,
      nodes: [
        empty('empty', [tokens, hidden], 'int8'),
        functionalized('af', 'vllm.fused_rms_norm_quant_static.default', {
          result: { node: 'empty' },
          input: { node: 'x' },
          weight: { node: 'w' },
          epsilon: 1e-6,
          scale: { node: 'scale' },
          azp: null,
        }),
        getitem('q', 'af', 1),
        getitem('s', 'af', 2),
      ],
      outputs: ['q', 's'],
    },
  }
}

/** `q`, the codes of `from` with the input `scale`. */
const staticFp8 = (from: string, shape: number[]): RunNode[] => [
  empty('empty_1', shape, 'float8_e4m3fn'),
  functionalized('af_1', '_C.static_scaled_fp8_quant.default', {
    result: { node: 'empty_1' },
    input: { node: from },
    scale: { node: 'scale' },
  }),
  getitem('q', 'af_1', 1),
]

/** silu_and_mul then static_scaled_fp8_quant, against silu_and_mul_quant. */
export function staticFp8Programs(tokens: number, hidden: number, dtype = 'bfloat16'): RunPrograms {
  const inputs = [
    { name: 'mm', meta: tensor(dtype, [tokens, 2 * hidden]) },
    { name: 'scale', meta: tensor('float32', [1]) },
  ]
  return {
    title: 'silu_and_mul + static_scaled_fp8_quant',
    unfused: {
      inputs,
      nodes: [
        empty('empty', [tokens, hidden], dtype),
        functionalized('af', '_C.silu_and_mul.default', { result: { node: 'empty' }, input: { node: 'mm' } }),
        getitem('act', 'af', 1),
        ...staticFp8('act', [tokens, hidden]),
      ],
      outputs: ['q'],
    },
    fused: {
      inputs,
      nodes: [
        empty('empty_2', [tokens, hidden], 'float8_e4m3fn'),
        functionalized('af_2', '_C.silu_and_mul_quant.default', {
          result: { node: 'empty_2' },
          input: { node: 'mm' },
          scale: { node: 'scale' },
        }),
        getitem('q_1', 'af_2', 1),
      ],
      outputs: ['q_1'],
    },
  }
}

/** rms_norm then static_scaled_fp8_quant, against rms_norm_static_fp8_quant. */
export function rmsStaticFp8Programs(tokens: number, hidden: number, dtype = 'bfloat16'): RunPrograms {
  const inputs = [
    { name: 'x', meta: tensor(dtype, [tokens, hidden]) },
    { name: 'w', meta: tensor(dtype, [hidden]) },
    { name: 'scale', meta: tensor('float32', [1]) },
  ]
  const scale = { node: 'scale' }
  const norm = { input: { node: 'x' }, weight: { node: 'w' }, epsilon: 1e-6 }
  return {
    title: `rms_norm + static_scaled_fp8_quant ${tokens}x${hidden}`,
    unfused: {
      inputs,
      nodes: [
        empty('empty', [tokens, hidden], dtype),
        functionalized('af', '_C.rms_norm.default', { result: { node: 'empty' }, ...norm }),
        getitem('normed', 'af', 1),
        ...staticFp8('normed', [tokens, hidden]),
      ],
      outputs: ['q'],
    },
    fused: {
      inputs,
      nodes: [
        empty('empty_2', [tokens, hidden], 'float8_e4m3fn'),
        functionalized('af_2', '_C.rms_norm_static_fp8_quant.default', { result: { node: 'empty_2' }, ...norm, scale }),
        getitem('q_1', 'af_2', 1),
      ],
      outputs: ['q_1'],
    },
  }
}

/** npu_add_rms_norm then npu_dynamic_mx_quant, against npu_add_rms_norm_dynamic_mx_quant. */
export function addRmsNormMxPrograms(tokens: number, hidden: number, dtype = 'bfloat16'): RunPrograms {
  const names = ['x1', 'x2', 'gamma']
  const inputs = names.map((name) => ({ name, meta: tensor(dtype, name === 'gamma' ? [hidden] : [tokens, hidden]) }))
  const args = names.map((name) => ({ node: name }))
  return {
    title: `npu_add_rms_norm + npu_dynamic_mx_quant ${tokens}x${hidden}`,
    unfused: {
      inputs,
      nodes: [
        node('norm', 'npu.npu_add_rms_norm.default', args, {}),
        getitem('normed', 'norm', 0),
        getitem('sum', 'norm', 2),
        node('mx', 'npu.npu_dynamic_mx_quant.default', [{ node: 'normed' }], {}),
        getitem('q', 'mx', 0),
        getitem('s', 'mx', 1),
      ],
      outputs: ['q', 'sum', 's'],
    },
    fused: {
      inputs,
      nodes: [
        node('fused', 'npu.npu_add_rms_norm_dynamic_mx_quant.default', args, {}),
        getitem('q_1', 'fused', 0),
        getitem('sum_1', 'fused', 1),
        getitem('s_1', 'fused', 2),
      ],
      outputs: ['q_1', 'sum_1', 's_1'],
    },
  }
}
