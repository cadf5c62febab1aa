import { beforeEach, describe, expect, it } from 'vitest'
import { device, dtype, opRef, read, type Graph, type TensorMeta } from '../fx'
import { type DispatchArg, type FakeTensor } from '../ops/fake'
import { createTracer, TracerImpl } from './tracer'

let t: TracerImpl
beforeEach(() => {
  t = createTracer()
})

const tensor = (): FakeTensor =>
  t.fake({ kind: 'tensor', dtype: 'bfloat16', shape: [8, 256], stride: null, device: device('cpu') } as TensorMeta)
const named = (values: Record<string, DispatchArg>): Map<string, DispatchArg> => new Map(Object.entries(values))
const graphOf = (line: string): Graph => {
  const { graph, problems } = read(
    `graph():
    %x : [num_users=1] = placeholder[target=x]
    %q : [num_users=1] = placeholder[target=q]
    %s : [num_users=1] = placeholder[target=s]
    ${line}
    return out`,
    'graph.txt',
  )
  expect(problems).toEqual([])
  return graph
}
const QUANT = '_C.per_token_group_fp8_quant.default'
const OLD =
  'input: %x, output_q: %q, output_s: %s, group_size: 128, eps: 1e-10, fp8_min: -448.0, fp8_max: 448.0, scale_ue8m0: False'
const quantGraph = (more = ''): Graph =>
  graphOf(
    `%out : [num_users=1] = call_function[target=torch.ops.higher_order.auto_functionalized](args = (_C.per_token_group_fp8_quant.default,), kwargs = {${OLD}${more}})`,
  )
const quantCall = (more: Record<string, DispatchArg> = {}): DispatchArg =>
  t.call(
    'higher_order.auto_functionalized',
    [opRef(QUANT)],
    named({
      ...{ input: tensor(), output_q: tensor(), output_s: tensor(), group_size: 128n },
      ...{ eps: 1e-10, fp8_min: -448, fp8_max: 448, scale_ue8m0: false },
      ...more,
    }),
  )
const names = (target: string): string[] => t.schemaOf(target)!.args.map((a) => a.name)

describe('the version of a cataloged operator', () => {
  it('is the newest without calls', () => {
    expect(names(QUANT)).toContain('dummy_is_scale_transposed')
    expect(t.schemaChoices()).toEqual([])
  })

  it('is the one that fits the graph’s calls, and is named', () => {
    t.begins(quantGraph())
    expect(names(QUANT).at(-1)).toBe('scale_ue8m0')
    quantCall()
    expect(t.schemaChoices()).toMatchObject([
      {
        operator: '_C::per_token_group_fp8_quant',
        known: 2,
        version: expect.stringMatching(/^vLLM 2025-07 to 2026-02/) as string,
      },
    ])
    expect(t.schemaChoices()[0]).not.toHaveProperty('graph')
    t.begins(quantGraph(', dummy_is_scale_transposed: False, dummy_is_tma_aligned: False'))
    expect(names(QUANT)).toContain('dummy_is_scale_transposed')
  })

  it('is another for the user’s calls where the graph’s does not fit them, and both are named', () => {
    t.begins(quantGraph())
    quantCall({ dummy_is_scale_transposed: false, dummy_is_tma_aligned: false })
    expect(t.schemaChoices()).toMatchObject([
      {
        version: expect.stringMatching(/^vLLM 2026-02 to/) as string,
        graph: expect.stringMatching(/^vLLM 2025-07 to 2026-02/) as string,
      },
    ])
  })

  it('is none where the graph’s calls fit no version', () => {
    t.begins(quantGraph(', mystery: 1'))
    expect(t.schemaChoices()).toMatchObject([{ graph: null }])
  })

  it('follows a call of the user’s, which fails with all versions named if none takes it', () => {
    const target = 'vllm.rocm_aiter_group_fp8_quant.default'
    expect(() => t.call(target, [tensor()])).toThrow(
      /is missing value for argument 'group_size'(.|\n)*None of the 2 known versions takes this call; declare the operator with torch\.library if yours differs:\n {2}vllm::rocm_aiter_group_fp8_quant\(Tensor x, int group_size, bool transpose_scale=False\)(.|\n)*vLLM 2025-11 to 2026-07/,
    )
    t.call('vllm.rocm_aiter_group_fp8_quant', [tensor(), 128n])
    expect(t.schemaChoices()).toMatchObject([{ known: 2, version: expect.stringMatching(/^vLLM 2026-07/) as string }])
    t.call('npu.npu_add_rms_norm_dynamic_mx_quant', [tensor(), tensor(), tensor()], named({ epsilion: 1e-6 }))
    expect(names('npu.npu_add_rms_norm_dynamic_mx_quant.default')).toContain('epsilion')
    t.reset()
    expect(names('npu.npu_add_rms_norm_dynamic_mx_quant.default')).toContain('epsilon')
  })

  it('takes a dtype for an int', () => {
    const [x] = t.begin([{ name: 'x', val: tensor().meta }])
    t.call('npu.npu_dynamic_mx_quant.default', [x!], named({ dst_type: dtype('float8_e4m3fn') }))
    expect([...t.end(null, false).nodes()].map((n) => n.kwargs.get('dst_type')).filter(Boolean)).toEqual([
      dtype('float8_e4m3fn'),
    ])
  })
})
