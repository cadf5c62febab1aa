/** mm, bmm, addmm and baddbmm: products summed in float32 and rounded once to the result's dtype. */
import { atenScaledMm } from '../../_C/scaled_mms'
import { bitsOf, type DTypeName } from '../../dtype'
import { KernelRefusal, tensorArg, type Kernel, type KernelCall, type Param } from '../../kernel'
import { matmulPlan, matmulValues, matrixOf } from '../matmul_kernel'
import { broadcastIndex } from './elementwise'
import { broadcastStride, place, reader } from './strided'

const ALPHA: Param[] = [
  { name: 'beta', kind: 'attr', default: 1 },
  { name: 'alpha', kind: 'attr', default: 1 },
]

/** @param bias name of the tensor that is added, if any  @param rank of both factors */
function matmul(name: string, a: string, b: string, rank: 2 | 3, bias: string | null): Kernel {
  const outShape = (call: KernelCall): number[] => {
    const [x, y] = [tensorArg(call, a), tensorArg(call, b)]
    const [m, n] = [matrixOf(a, x), matrixOf(b, y)]
    if (x.shape.length !== rank || y.shape.length !== rank || m.cols !== n.rows || m.batch !== n.batch)
      throw new KernelRefusal(
        `\`${a}\` and \`${b}\` cannot be multiplied: [${x.shape.join(', ')}] and [${y.shape.join(', ')}]`,
      )
    return rank === 2 ? [m.rows, n.cols] : [m.batch, m.rows, n.cols]
  }
  return {
    name,
    functional: true,
    params: [
      ...(bias ? [{ name: bias, kind: 'in' } as const] : []),
      { name: a, kind: 'in', rows: true },
      { name: b, kind: 'in' },
      ...(bias ? ALPHA : []),
      { name: 'result', kind: 'out' },
    ],
    outputs: (call) => ({ result: { shape: outShape(call), dtype: tensorArg(call, a).dtype as DTypeName } }),
    reference(call, memory) {
      const [x, y] = [matrixOf(a, tensorArg(call, a)), matrixOf(b, tensorArg(call, b))]
      const p = matmulValues(memory.read(a), memory.read(b), x.batch, x.rows, x.cols, y.cols)
      if (!bias) return memory.write('result', Float32Array.from(p))
      const at = broadcastIndex(tensorArg(call, bias).shape, tensorArg(call, 'result').shape)
      const c = memory.read(bias)
      const [beta, alpha] = [Number(call.attrs['beta']), Number(call.attrs['alpha'])]
      memory.write(
        'result',
        Float32Array.from(p, (v, i) => alpha * v + (beta === 0 ? 0 : beta * c[at(i)]!)),
      )
    },
    plan: (call, device) =>
      matmulPlan(
        name,
        call,
        {
          a,
          b,
          out: 'result',
          halves: 1,
          emit(shader) {
            const head = 'fn finish(p: f32, p1: f32, row: u32, col: u32, z: u32) -> u32'
            if (!bias) return `${head} { return bitcast<u32>(p); }`
            const t = tensorArg(call, bias)
            const stride = broadcastStride(bias, t, tensorArg(call, 'result').shape)
            const read = reader(shader, bias, t)
            const at = place(shader, 'bias', t.offset, stride, rank === 2 ? ['row', 'col'] : ['z', 'row', 'col'])
            const number = (n: string): string => `bitcast<f32>(${shader.param(n, bitsOf(Number(call.attrs[n])))})`
            const beta = Number(call.attrs['beta']) === 0 ? '' : ` + ${number('beta')} * ${read(at)}`
            return `${head} { return bitcast<u32>(${number('alpha')} * p${beta}); }`
          },
        },
        device,
      ),
  }
}

export const MATMULS: readonly (readonly [string, Kernel])[] = [
  matmul('mm', 'self', 'mat2', 2, null),
  matmul('bmm', 'self', 'mat2', 3, null),
  matmul('addmm', 'mat1', 'mat2', 2, 'self'),
  matmul('baddbmm', 'batch1', 'batch2', 3, 'self'),
  atenScaledMm,
].map((k) => [k.name, k] as const)
