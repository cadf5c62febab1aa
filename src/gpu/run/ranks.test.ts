/** Tests all-reduce over ranks that are buffers, unfused and fused with FlashInfer's operator, as in vLLM's graphs. */
import { describe, expect, it } from 'vitest'
import { empty, functionalized, getitem, node, tensor } from '../testing/fixtures'
import { withRanks } from './ranks'
import { runPrograms } from './run'
import { runOp, type OpTensor } from './run_op'
import type { RunOptions, RunPrograms, RunReport, RunValue } from '../types'

const [TOKENS, HIDDEN] = [6, 64]
const ROWS = tensor('bfloat16', [TOKENS, HIDDEN])
const ref = (name: string): RunValue => ({ node: name })

/** vllm.all_reduce, fused_add_rms_norm and optionally static FP8, against FlashInfer's operator over `ranks`. */
function allReducePrograms(ranks: number, quantized: boolean): RunPrograms {
  const inputs = [
    { name: 'x', meta: ROWS },
    { name: 'residual', meta: ROWS },
    { name: 'w', meta: tensor('bfloat16', [HIDDEN]) },
    ...(quantized ? [{ name: 'scale', meta: tensor('float32', [1]) }] : []),
  ]
  return {
    title: 'all_reduce + fused_add_rms_norm',
    unfused: {
      inputs,
      nodes: [
        node('reduced', 'vllm.all_reduce.default', [ref('x'), 'tp:0'], {}, ROWS),
        functionalized('af', '_C.fused_add_rms_norm.default', {
          input: ref('reduced'),
          residual: ref('residual'),
          weight: ref('w'),
          epsilon: 1e-6,
        }),
        getitem('normed', 'af', 1),
        getitem('sum', 'af', 2),
        ...(quantized
          ? [
              empty('q_empty', [TOKENS, HIDDEN], 'float8_e4m3fn'),
              functionalized('af_q', '_C.static_scaled_fp8_quant.default', {
                result: ref('q_empty'),
                input: ref('normed'),
                scale: ref('scale'),
              }),
              getitem('q', 'af_q', 1),
            ]
          : []),
      ],
      outputs: [quantized ? 'q' : 'normed', 'sum'],
    },
    fused: {
      inputs,
      nodes: [
        ...(quantized ? [empty('q_empty', [TOKENS, HIDDEN], 'float8_e4m3fn')] : []),
        functionalized('af', 'vllm.flashinfer_trtllm_fused_allreduce_norm.default', {
          allreduce_in: ref('x'),
          residual: ref('residual'),
          norm_out: null,
          quant_out: quantized ? ref('q_empty') : null,
          scale_out: null,
          rms_gamma: ref('w'),
          rms_eps: 1e-6,
          ...(quantized && { scale_factor: ref('scale') }),
          world_size: ranks,
          launch_with_pdl: true,
          fp32_acc: true,
          max_token_num: 1024,
          pattern_code: quantized ? 2 : 1,
        }),
        getitem('out', 'af', quantized ? 4 : 1),
        getitem('residual_out', 'af', 2),
      ],
      outputs: ['out', 'residual_out'],
    },
  }
}

const run = (programs: RunPrograms, options: RunOptions = {}): Promise<RunReport> =>
  runPrograms(programs, { device: 'reference', ...options }, () => undefined, new AbortController().signal)

describe('ranks of a group', () => {
  it.each([false, true])('give the same bits fused and unfused, quantized: %s', async (quantized) => {
    const report = await run(withRanks(allReducePrograms(4, quantized)))
    expect(report.problems).toEqual([])
    expect(report.verdict.kind).toBe('equal')
    expect(report.inputs).toContainEqual({ name: 'x_peers', dtype: 'bfloat16', shape: [TOKENS, 3, HIDDEN] })
    expect(report.fused!.steps).toHaveLength(1)
  })

  it('follow a different token count, each part dense in its own buffer', async () => {
    const report = await run(withRanks(allReducePrograms(3, false)), { tokens: 9 })
    expect(report.inputs).toContainEqual({ name: 'x_peers', dtype: 'bfloat16', shape: [9, 2, HIDDEN] })
    expect(report.verdict.kind).toBe('equal')
  })

  it('count the moved bytes: every part read once, one sum and one norm written', async () => {
    const { fused, unfused } = await run(withRanks(allReducePrograms(4, false)))
    const rows = TOKENS * HIDDEN * 2
    expect(fused!.bytesRead).toBe(4 * rows + rows + HIDDEN * 2)
    expect(fused!.bytesWritten).toBe(2 * rows)
    expect(unfused!.bytesRead + unfused!.bytesWritten).toBe(5 * rows + (2 * rows + HIDDEN * 2 + 2 * rows))
  })

  it('default to two, and are not added to other programs', () => {
    const programs = allReducePrograms(4, false)
    const alone = withRanks({ ...programs, fused: programs.unfused })
    expect(alone.unfused.inputs.at(-1)!.meta.shape).toEqual([TOKENS, 1, HIDDEN])
    const other = { ...programs.unfused, nodes: [] }
    expect(withRanks({ title: '', unfused: other, fused: other }).unfused).toBe(other)
  })
})

describe('all_reduce of given tensors', () => {
  const f32 = (shape: number[], values: number[]): OpTensor => ({
    dtype: 'float32',
    shape,
    data: btoa(String.fromCharCode(...new Uint8Array(Float32Array.from(values).buffer))),
  })

  it.each([
    ['vllm.all_reduce', 'result'],
    ['sglang.outplace_all_reduce', 'result'],
    ['sglang.inplace_all_reduce', 'tensor_out'],
  ])('adds the peers in dimension 1: %s', async (op, result) => {
    const { outputs } = await runOp({
      op,
      device: 'reference',
      inputs: { tensor: f32([2, 2], [1, 2, 3, 4]), peers: f32([2, 2, 2], [10, 20, 100, 200, 30, 40, 300, 400]) },
    })
    const bytes = Uint8Array.from(atob(outputs[result]!.data), (c) => c.charCodeAt(0))
    expect([...new Float32Array(bytes.buffer)]).toEqual([111, 222, 333, 444])
  })

  it('reports an invalid number of ranks', () =>
    expect(
      runOp({
        op: 'vllm.all_reduce',
        device: 'reference',
        attrs: { world_size: 4 },
        inputs: { tensor: f32([1, 2], [1, 2]), peers: f32([1, 1, 2], [3, 4]) },
      }),
    ).rejects.toThrow('its world_size is 4, and 2 ranks take part'))
})
