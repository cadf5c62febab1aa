/** einsum, tensordot, inner and Kronecker products. */
import { device as deviceOf, type Dim, dtype as dtypeArg } from '../../../fx'
import { dimArgs, type DispatchArg, type FakeTensor, itemsOf, rankOf, shapeOf, toDim } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { Rules } from '../../operator'
import { sizeRepr } from '../../strides'
import { isOne, mulDims, productOf } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import { broadcastTogether } from '../elementwise/elementwise_rule'
import { iota } from '../factories/ranges'
import { reshape } from '../views/reshape'
import { type Equation, parse } from './einsum_equation'

const size = (t: FakeTensor, d: number): Dim => t.meta.shape[d]!

const permute = (c: OpCall, t: FakeTensor, dims: readonly number[]): FakeTensor =>
  c.op('aten.permute.default', t, dims.map(BigInt))

/** Multiplies two operands with aligned dimensions and sums over `sums`, which stay as size 1. */
function pair(c: OpCall, first: FakeTensor, second: FakeTensor, sums: readonly number[]): FakeTensor {
  let [a, b] = [first, second]
  const both: number[] = []
  let left: number[] = []
  let right: number[] = []
  let [lro, lo, ro, sum]: Dim[] = [1, 1, 1, 1]
  for (let d = 0; d < rankOf(a); d++) {
    const [inA, inB] = [!isOne(size(a, d)), !isOne(size(b, d))]
    if (sums.includes(d)) sum = mulDims(sum!, size(a, d))
    else if (inA && inB) {
      both.push(d)
      lro = mulDims(lro!, size(a, d))
    } else if (inA) {
      left.push(d)
      lo = mulDims(lo!, size(a, d))
    } else {
      right.push(d)
      ro = mulDims(ro!, size(b, d))
    }
  }
  // If the output has the right operand's dimensions first, the operands are swapped, which saves a copy.
  if (left.length > 0 && right.length > 0 && right.at(-1)! < left[0]!) {
    ;[a, b, left, right] = [b, a, right, left]
    ;[lo, ro] = [ro, lo]
  }
  const shape = [...[...both, ...left].map((d) => size(a, d)), ...sums.map(() => 1), ...right.map((d) => size(b, d))]
  const order = [...both, ...left, ...sums, ...right]
  const x = reshape(c, permute(c, a, order), [lro!, lo!, sum!])
  const y = reshape(c, permute(c, b, [...both, ...sums, ...right, ...left]), [lro!, sum!, ro!])
  const product = c.op('aten.view.default', c.op('aten.bmm.default', x, y), dimArgs(shape))
  return permute(
    c,
    product,
    order.map((_, d) => order.indexOf(d)),
  )
}

/** The common order of dimensions for all operands: those of the output, then the summed ones. */
interface Dimensions {
  /** Dimension of each label. */
  readonly of: ReadonlyMap<string, number>
  /** First dimension of the ellipsis. */
  readonly ellipsis: number
  /** Number of dimensions in the longest ellipsis. */
  readonly covered: number
  /** Number of dimensions of the output. */
  readonly kept: number
  readonly count: number
}

function dimensionsOf({ inputs, output }: Equation, operands: readonly FakeTensor[]): Dimensions {
  const covered = Math.max(0, ...inputs.map((ls, i) => (ls.includes('.') ? rankOf(operands[i]!) - ls.length + 1 : 0)))
  const of = new Map<string, number>()
  let count = 0
  let ellipsis = -1
  for (const label of output) {
    if (label === '.') {
      ellipsis = count
      count += covered
    } else of.set(label, count++)
  }
  const kept = count
  if (ellipsis < 0) {
    ellipsis = count
    count += covered
  }
  for (const label of [...new Set(inputs.flat())].sort()) if (label !== '.' && !of.has(label)) of.set(label, count++)
  return { of, ellipsis, covered, kept, count }
}

/** Sizes of labels, and of the ellipsis dimensions by number, in earlier operands. */
type SeenSizes = Map<string | number, Dim>

/** @throws TorchError RuntimeError for a size that does not broadcast with that of an earlier operand */
function checkSize(sizes: SeenSizes, label: string | number, given: Dim, [operand, dim]: [number, number]): void {
  if (isOne(given)) return
  const before = sizes.get(label)
  if (typeof before === 'number' && typeof given === 'number' && before !== given)
    throw runtimeError(
      typeof label === 'string'
        ? `einsum(): subscript ${label} has size ${given} for operand ${operand} which does not broadcast with previously seen size ${before}`
        : `einsum(): dimension ${dim} covered by ellipsis in operand ${operand}has size ${given} which does not broadcast ` +
            `with previously seen ellipsis with size ${before} for the respective dimension`,
    )
  sizes.set(label, given)
}

/**
 * Operand `i` with its dimensions in the common order, missing ones as size 1; a repeated label takes the diagonal.
 * @throws TorchError RuntimeError for sizes that do not fit
 */
function align(
  c: OpCall,
  [operand, labels, i]: readonly [FakeTensor, readonly string[], number],
  dims: Dimensions,
  sizes: SeenSizes,
): FakeTensor {
  let x = operand
  const order = new Array<number>(dims.count).fill(-1)
  const seen = new Map<string, number>()
  let j = 0
  for (const label of labels) {
    if (label === '.') {
      const own = rankOf(operand) - labels.length + 1
      for (let k = dims.covered - own; k < dims.covered; k++) {
        checkSize(sizes, k, size(x, j), [i, j])
        order[dims.ellipsis + k] = j++
      }
    } else if (seen.has(label)) {
      const dim = seen.get(label)!
      const [m, n] = [size(x, j), size(x, dim)]
      if (typeof m === 'number' && typeof n === 'number' && m !== n)
        throw runtimeError(
          `einsum(): subscript ${label} is repeated for operand ${i} but the sizes don't match, ${m} != ${n}`,
        )
      x = c.op('aten.diagonal.default', x, 0n, BigInt(dim), BigInt(j))
      x = c.op('aten.movedim.int', x, -1n, BigInt(dim))
    } else {
      checkSize(sizes, label, size(x, j), [i, j])
      seen.set(label, j)
      order[dims.of.get(label)!] = j++
    }
  }
  for (const [k, d] of order.entries())
    if (d < 0) {
      x = c.op('aten.unsqueeze.default', x, BigInt(j))
      order[k] = j++
    }
  return permute(c, x, order)
}

/**
 * The product of two aligned operands, summed over the dimensions that no later operand has.
 * @param counts for each dimension, the number of operands, from these two on, whose size is not 1; updated
 */
function contract(
  c: OpCall,
  [a, b]: readonly [FakeTensor, FakeTensor],
  { kept, count }: Dimensions,
  counts: number[],
): FakeTensor {
  const sums: number[] = []
  const only: [number[], number[]] = [[], []]
  for (let d = kept; d < count; d++) {
    const [inA, inB] = [!isOne(size(a, d)), !isOne(size(b, d))]
    if (inA && inB) {
      if (--counts[d]! === 1) {
        sums.push(d)
        counts[d] = 0
      }
    } else if (counts[d] === 1) {
      only[inA ? 0 : 1].push(d)
      counts[d] = 0
    }
  }
  const summed = (t: FakeTensor, dims: readonly number[]): FakeTensor =>
    dims.length > 0 ? c.op('aten.sum.dim_IntList', t, dims.map(BigInt), true) : t
  const [left, right] = [summed(a, only[0]), summed(b, only[1])]
  return sums.length > 0 ? pair(c, left, right, sums) : c.op('aten.mul.Tensor', left, right)
}

function einsum(c: OpCall): FakeTensor {
  const operands = c.tensors('tensors')
  if (operands.length === 0) throw runtimeError('einsum(): must provide at least one operand')
  const equation = parse(c.string('equation')!, operands)
  const dims = dimensionsOf(equation, operands)
  const { kept, count } = dims
  const sizes: SeenSizes = new Map()
  const aligned = operands.map((operand, i) => align(c, [operand, equation.inputs[i]!, i], dims, sizes))
  const counts = Array.from({ length: count }, (_, d) => aligned.filter((x) => !isOne(size(x, d))).length)

  const [first, ...rest] = aligned as [FakeTensor, ...FakeTensor[]]
  const result = rest.reduce((left, right) => contract(c, [left, right], dims, counts), first)
  if (count === kept) return result
  if (rest.length > 0) return c.op('aten.view.default', result, dimArgs(result.meta.shape.slice(0, kept)))
  const summed = Array.from({ length: count - kept }, (_, i) => BigInt(kept + i))
  return c.op('aten.sum.dim_IntList', result, summed)
}

function tensordot(
  c: OpCall,
  a: FakeTensor,
  b: FakeTensor,
  over: readonly number[],
  other: readonly number[],
): FakeTensor {
  if (over.length !== other.length) throw runtimeError('both dimension lists should have same length')
  if (a.meta.dtype !== b.meta.dtype) throw runtimeError('both inputs should have same dtype')
  const [x, y] = [over.map((d) => wrapDim(d, rankOf(a))), other.map((d) => wrapDim(d, rankOf(b)))]
  // A dimension of size 1 is broadcast: the other operand is summed over it immediately.
  const summed = (t: FakeTensor, d: number): FakeTensor =>
    c.call('aten.sum.dim_IntList', [t, [BigInt(d)], true], { dtype: dtypeArg(t.meta.dtype) }) as FakeTensor
  let [t1, t2] = [a, b]
  for (const [i, d] of x.entries()) {
    const [m, n] = [size(a, d), size(b, y[i]!)]
    if (isOne(n)) t1 = summed(t1, over[i]!)
    else if (isOne(m)) t2 = summed(t2, other[i]!)
    else if (typeof m === 'number' && typeof n === 'number' && m !== n)
      throw runtimeError(
        `contracted dimensions need to match, but first has size ${m} in dim ${over[i]} and second has size ${n} in dim ${other[i]}`,
      )
  }
  const free = (t: FakeTensor, used: readonly number[]): number[] =>
    t.meta.shape.map((_, i) => i).filter((i) => !used.includes(i))
  const [p, q] = [free(a, x), free(b, y)]
  const common = productOf(x.map((d) => size(t1, d)))
  const sizes = (t: FakeTensor, dims: readonly number[]): Dim[] => dims.map((d) => size(t, d))
  const [rows, columns] = [productOf(sizes(a, p)), productOf(sizes(b, q))]
  const result = [...sizes(a, p), ...sizes(b, q)]
  const m1 = permute(c, t1, [...p, ...over])
  const second = (): FakeTensor => permute(c, t2, [...other, ...q])
  if (isOne(rows) && isOne(columns)) {
    const right = reshape(c, second(), [common])
    return reshape(c, c.op('aten.dot.default', reshape(c, m1, [common]), right), result)
  }
  const left = reshape(c, m1, [rows, common])
  const right = reshape(c, second(), [common, columns])
  return reshape(c, c.op('aten.mm.default', left, right), result)
}

const ints = (v: DispatchArg): number[] => (itemsOf(v) ?? []).map((d) => Number(toDim(d)))

export const rules = (): Rules => ({
  'aten.einsum': { implicit: einsum },
  'aten.tensordot': {
    implicit: (c) =>
      tensordot(c, c.tensor('self'), c.tensor('other'), ints(c.get('dims_self')), ints(c.get('dims_other'))),
  },
  'aten.inner': {
    implicit: (c) => {
      const [a, b] = [c.tensor('self'), c.tensor('other')]
      return rankOf(a) === 0 || rankOf(b) === 0 ? c.op('aten.mul.Tensor', a, b) : tensordot(c, a, b, [-1], [-1])
    },
  },
  'aten.kron': {
    implicit: (c) => {
      const [a, b] = [c.tensor('self'), c.tensor('other')]
      const rank = Math.max(rankOf(a), rankOf(b))
      const padded = (t: FakeTensor): Dim[] => [...new Array<Dim>(rank - rankOf(t)).fill(1), ...t.meta.shape]
      const [m, n] = [padded(a), padded(b)]
      const left = reshape(
        c,
        a,
        m.flatMap((d) => [d, 1]),
      )
      const right = reshape(
        c,
        b,
        n.flatMap((d) => [1, d]),
      )
      const shape = m.map((d, i): Dim => Number(d) * Number(n[i]))
      return c.op('aten.view.default', c.op('aten.mul.Tensor', left, right), dimArgs(shape))
    },
  },
  // For each component, the two that follow it: a_1 b_2 - a_2 b_1.
  'aten.linalg_cross': {
    decomp: (c) => {
      const [a, b] = [c.tensor('self'), c.tensor('other')]
      const dim = wrapDim(c.int('dim', -1), rankOf(a))
      const [x, y] = broadcastTogether(c, [a, b]) as [FakeTensor, FakeTensor]
      if (size(x, dim) !== 3)
        throw new TorchError(
          'RuntimeError',
          `linalg.cross: inputs dim ${dim} must have length 3, got ${sizeRepr([size(x, dim)]).slice(1, -1)} and ${sizeRepr([size(y, dim)]).slice(1, -1)}`,
        )
      const index = iota(c, 3, 'int64', x.meta.device ?? deviceOf('cpu'))
      const after = (n: bigint): FakeTensor => c.op('aten.remainder.Scalar', c.op('aten.add.Tensor', index, n), 3n)
      const at = (t: FakeTensor, n: bigint): FakeTensor => c.op('aten.index_select.default', t, BigInt(dim), after(n))
      const first = c.op('aten.mul.Tensor', at(x, 1n), at(y, 2n))
      return c.op('aten.sub.Tensor', first, c.op('aten.mul.Tensor', at(x, 2n), at(y, 1n)))
    },
  },
  'aten.cross': {
    implicit: (c) => {
      const [a, b] = [c.tensor('self'), c.tensor('other')]
      const dim = c.has('dim') ? c.int('dim') : shapeOf(a).indexOf(3)
      if (!c.has('dim') && dim < 0) throw new TorchError('RuntimeError', 'no dimension of size 3 in input')
      return c.call('aten.linalg_cross.default', [a, b], { dim: BigInt(dim) })
    },
  },
})
