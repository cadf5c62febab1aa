/** Products of two matrices, and batches of them. */
import type { Dim } from '../../../fx'
import type { DTypeName } from '../../dtype'
import { load } from '../../expr/expr'
import { dimArgs, type FakeTensor, shapeOf } from '../../fake'
import { type Kernel, type KernelCall, KernelRefusal, type Param, tensorArg } from '../../kernel'
import { matmulKernel as productKernel, matrixOf } from '../../kernels/matmul'
import { type OpCall, wrapDim } from '../../op_call'
import type { Traits, Kernels, Rules } from '../../operator'
import { elementwiseDtype } from '../../promote'
import { broadcastShapes, listText } from '../../strides'
import { isOne, productOf } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import { inOpmath } from '../elementwise/elementwise_rule'
import * as guess from '../../guess/relations'

export function product(c: OpCall, a: FakeTensor, b: FakeTensor): FakeTensor {
  if (shapeOf(a).length !== 2 || shapeOf(b).length !== 2)
    throw runtimeError(shapeOf(a).length !== 2 ? 'a must be 2D' : 'b must be 2D')
  const [m, k] = shapeOf(a) as [Dim, Dim]
  const [k2, n] = shapeOf(b) as [Dim, Dim]
  if (typeof k === 'number' && typeof k2 === 'number' && k !== k2)
    throw runtimeError(`a and b must have same reduction dim, but got [${m}, ${k}] X [${k2}, ${n}].`)
  return c.fresh(a.meta.dtype, [m, n], a.meta.device)
}

/** torch.sum(a.squeeze(0) * b.squeeze(-1), dim=0, keepdim=True).unsqueeze(0) */
const rowByColumn = (c: OpCall, a: FakeTensor, b: FakeTensor): FakeTensor => {
  const rows = c.op('aten.mul.Tensor', c.op('aten.squeeze.dim', a, 0n), c.op('aten.squeeze.dim', b, -1n))
  return c.op('aten.unsqueeze.default', c.op('aten.sum.dim_IntList', rows, [0n], true), 0n)
}

/** torch.cat([a[i, :] * b for i in range(a.size(0))]), before PyTorch 2.13 */
const rowsTimes = (c: OpCall, a: FakeTensor, b: FakeTensor): FakeTensor => {
  const rows = Array.from({ length: Number(shapeOf(a)[0]) }, (_, i) =>
    c.op('aten.mul.Tensor', c.op('aten.select.int', a, 0n, BigInt(i)), b),
  )
  return c.op('aten.cat.default', rows)
}

/** pw_cast_for_opmath casts before the decomposition declines: the casts are dead but have taken names. */
const castsOnly = (c: OpCall, operands: readonly FakeTensor[]): undefined => void inOpmath(c, operands, () => undefined)

const onCpu = (t: FakeTensor): boolean => t.meta.device?.type === 'cpu'

/** @param exact true if the dtypes must be equal */
export function batched(c: OpCall, a: FakeTensor, b: FakeTensor, exact = true): FakeTensor {
  for (const [t, name] of [
    [a, 'batch1'],
    [b, 'batch2'],
  ] as const)
    if (shapeOf(t).length !== 3) throw runtimeError(`${name} must be a 3D tensor`)
  if (exact && a.meta.dtype !== b.meta.dtype)
    throw runtimeError(`expected scalar type torch.${a.meta.dtype} but found torch.${b.meta.dtype}`)
  const [n, m, k] = shapeOf(a) as [Dim, Dim, Dim]
  const [n2, k2, p] = shapeOf(b) as [Dim, Dim, Dim]
  if (![n, k, n2, k2].some((d) => typeof d === 'string') && (n !== n2 || k !== k2))
    throw runtimeError(
      `Expected size for first two dimensions of batch2 tensor to be: ${listText([n, k])} but got: ${listText([n2, k2])}.`,
    )
  return c.fresh(a.meta.dtype, [n, m, p], a.meta.device)
}

const ALPHA: Param[] = [
  { name: 'beta', kind: 'attr', default: 1 },
  { name: 'alpha', kind: 'attr', default: 1 },
]

/**
 * @param bias name of the added tensor, if any
 * @param rank of both factors
 */
function matmulKernel(name: string, a: string, b: string, rank: 2 | 3, bias: string | null): Kernel {
  const outShape = (call: KernelCall): number[] => {
    const [x, y] = [tensorArg(call, a), tensorArg(call, b)]
    const [m, n] = [matrixOf(a, x), matrixOf(b, y)]
    if (x.shape.length !== rank || y.shape.length !== rank || m.cols !== n.rows || m.batch !== n.batch)
      throw new KernelRefusal(
        `\`${a}\` and \`${b}\` cannot be multiplied: [${x.shape.join(', ')}] and [${y.shape.join(', ')}]`,
      )
    return rank === 2 ? [m.rows, n.cols] : [m.batch, m.rows, n.cols]
  }
  return productKernel({
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
    product: (call) => ({
      a,
      b,
      out: 'result',
      finish(p, _, { z, row, col }) {
        if (!bias) return p
        const [beta, alpha] = [Number(call.attrs['beta']), Number(call.attrs['alpha'])]
        const { shape } = tensorArg(call, bias)
        const added = load(bias, ...shape.map((n, d) => (n === 1 ? 0 : [z, row, col].at(d - shape.length)!)))
        return beta === 0 ? p.times(alpha) : p.times(alpha).plus(added.times(beta))
      },
    }),
  })
}

function withBias(c: OpCall): FakeTensor {
  const [bias, m1, m2] = [c.tensor('self'), c.tensor('mat1'), c.tensor('mat2')]
  const out = product(c, m1, m2)
  const shape = broadcastShapes([shapeOf(out), bias.meta.shape])
  return c.fresh(elementwiseDtype([bias, m1, m2]), shape, out.meta.device)
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.mm': {
    shape: '[n, k] and [k, m] give [n, m].',
    guess: guess.product,
    decomp: (c) => {
      const [a0, b0] = [c.tensor('self'), c.tensor('mat2')]
      const outer = c.isOne(shapeOf(a0).at(-1)!) && !c.isOne(shapeOf(a0)[0]!) && !c.isOne(shapeOf(b0)[1]!)
      // A symbolic size has a hint in PyTorch, which a printed graph does not show: it is treated as small.
      const count = [...shapeOf(a0), ...shapeOf(b0)].every((d) => typeof d === 'number')
      const few = !count || Number(productOf(shapeOf(a0))) + Number(productOf(shapeOf(b0))) <= 32
      const small = isOne(shapeOf(b0)[0]!) && a0.meta.dtype === b0.meta.dtype && few
      if (!c.rules.outerProducts && onCpu(a0) && c.isOne(shapeOf(a0).at(-1)!) && small && count)
        return inOpmath(c, [a0, b0], (a, b) => rowsTimes(c, a!, b!))
      const decomposes =
        (outer && c.rules.outerProducts && (!onCpu(a0) || small)) ||
        (onCpu(a0) && c.isOne(shapeOf(a0)[0]!) && c.isOne(shapeOf(b0).at(-1)!))
      if (!decomposes) return castsOnly(c, [a0, b0])
      return inOpmath(c, [a0, b0], (a, b) =>
        isOne(shapeOf(a)[0]!) && isOne(shapeOf(b).at(-1)!) ? rowByColumn(c, a!, b!) : c.op('aten.mul.Tensor', a!, b!),
      )
    },
    meta: (c) => product(c, c.tensor('self'), c.tensor('mat2')),
  },
  'aten.addmm': {
    shape: '[n, k] and [k, m] give [n, m]; self broadcasts to it.',
    guess: guess.addmm,
    decomp: (c) => {
      const [bias, m1, m2] = [c.tensor('self'), c.tensor('mat1'), c.tensor('mat2')]
      if (!onCpu(bias) || !c.isOne(shapeOf(m1)[0]!)) return castsOnly(c, [bias, m1, m2])
      const single = isOne(shapeOf(m2).at(-1)!)
      const small = shapeOf(m2).every((d) => typeof d === 'number' && d <= 16)
      if (!single && !small) return castsOnly(c, [bias, m1, m2])
      return inOpmath(c, [bias, m1, m2], (self, a, b) => {
        const out = single
          ? rowByColumn(c, a!, b!)
          : c.op(
              'aten.sum.dim_IntList',
              c.op('aten.mul.Tensor', c.op('aten.permute.default', a!, [1n, 0n]), b!),
              [0n],
              true,
            )
        return c.op(
          'aten.add.Tensor',
          c.op('aten.mul.Tensor', out, c.get('alpha')),
          c.op('aten.mul.Tensor', self!, c.get('beta')),
        )
      })
    },
    meta: withBias,
  },
  'aten._addmm_activation': { meta: withBias },
  'aten.bmm': {
    shape: '[b, n, k] and [b, k, m] give [b, n, m].',
    guess: guess.product,
    decomp: (c) => {
      const [a0, b0] = [c.tensor('self'), c.tensor('mat2')]
      if (shapeOf(a0).length < 3 || shapeOf(b0).length < 2)
        throw new TorchError('IndexError', 'tuple index out of range')
      const outer = c.rules.outerProducts && c.isOne(shapeOf(a0)[2]!) && c.isOne(shapeOf(b0)[1]!)
      const inner = onCpu(a0) && c.isOne(shapeOf(a0)[1]!) && c.isOne(shapeOf(b0).at(-1)!)
      if (!outer && !inner) return castsOnly(c, [a0, b0])
      return inOpmath(c, [a0, b0], (a, b) => {
        if (outer) return c.call('aten.contiguous.default', [c.op('aten.mul.Tensor', a!, b!)]) as FakeTensor
        const rows = c.op('aten.mul.Tensor', c.op('aten.squeeze.dim', a!, 1n), c.op('aten.squeeze.dim', b!, -1n))
        return c.op('aten.unsqueeze.default', c.op('aten.sum.dim_IntList', rows, [1n], true), 1n)
      })
    },
    meta: (c) => batched(c, c.tensor('self'), c.tensor('mat2')),
  },
  'aten.baddbmm': {
    shape: '[b, n, k] and [b, k, m] give [b, n, m]; self broadcasts to it.',
    decomp: (c) => {
      for (const name of ['batch1', 'batch2']) wrapDim(2, shapeOf(c.tensor(name)).length)
      return undefined
    },
    meta: (c) => {
      const [self, a, b] = [c.tensor('self'), c.tensor('batch1'), c.tensor('batch2')]
      const dtypes = [self, a, b].map((t) => `torch.${t.meta.dtype}`)
      if (new Set(dtypes).size > 1)
        throw runtimeError(
          `Input dtypes must be the same, got: input: ${dtypes[0]}, batch1: ${dtypes[1]}, batch2: ${dtypes[2]}`,
        )
      const out = batched(c, a, b)
      c.op('aten.expand.default', self, dimArgs(shapeOf(out)))
      return out
    },
  },
})

export const KERNELS: Kernels = {
  'aten.mm': matmulKernel('mm', 'self', 'mat2', 2, null),
  'aten.bmm': matmulKernel('bmm', 'self', 'mat2', 3, null),
  'aten.addmm': matmulKernel('addmm', 'mat1', 'mat2', 2, 'self'),
  'aten.baddbmm': matmulKernel('baddbmm', 'batch1', 'batch2', 3, 'self'),
}

export const TRAITS: Traits = {
  matmul: 'mm bmm addmm baddbmm _int_mm',
  composite: 'addmm baddbmm _addmm_activation',
  oneDtype: 'mm bmm addmm baddbmm',
}
