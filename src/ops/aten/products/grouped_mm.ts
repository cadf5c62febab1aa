/** Products of groups of rows with one matrix each. */
import { fold, load, sum, where, whole } from '../../expr/expr'
import { type Kernel, KernelRefusal, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import type { Traits, Kernels, Rules } from '../../operator'
import type { Dim, TensorMeta } from '../../../fx'
import { DTYPES, type DTypeName } from '../../dtype'
import type { FakeTensor } from '../../fake'
import type { OpCall } from '../../op_call'
import { contiguousStrides, sizeRepr, stridesOf } from '../../strides'
import { runtimeError } from '../../torch_error'
import { RESULT, SELF } from '../indexing/index_tensor'

const check = (ok: boolean, message: string): void => {
  if (!ok) throw runtimeError(message)
}

const tuple = (dims: readonly Dim[]): string => `(${dims.join(', ')}${dims.length === 1 ? ',' : ''})`
const bytesOf = (dtype: string): number => DTYPES[dtype as DTypeName].bytes

/** Symbolic sizes are assumed to fit. */
const equal = (a: Dim | undefined, b: Dim | undefined): boolean =>
  typeof a !== 'number' || typeof b !== 'number' || a === b

/** A row-major or column-major matrix whose other stride is a multiple of 16 bytes. */
function checkStrides(name: string, t: TensorMeta): void {
  const strides = stridesOf(t)
  const [row, col] = [t.shape.length - 2, t.shape.length - 1]
  const covers = (at: number, size: Dim): boolean => {
    const [stride, least] = [strides[at]!, typeof size === 'number' ? Math.max(1, size) : 1]
    return typeof stride !== 'number' || stride >= least
  }
  const at =
    strides[row] === 1 && covers(col, t.shape[row]!)
      ? col
      : strides[col] === 1 && covers(row, t.shape[col]!)
        ? row
        : null
  if (at === null)
    throw runtimeError(`Invalid strides/sizes, got ${tuple(strides)} for strides and ${sizeRepr(t.shape)} for sizes.`)
  const stride = strides[at]!
  check(
    typeof stride !== 'number' || stride % (16 / bytesOf(t.dtype)) === 0,
    `Expected ${name} stride along ${at} dim to be multiple of 16 bytes, got ${stride}.`,
  )
}

function checkDtypes(a: TensorMeta, b: TensorMeta, scaled: boolean): void {
  if (scaled)
    return check(
      a.dtype === 'float8_e4m3fn' && b.dtype === 'float8_e4m3fn',
      `Expected inputs of E4M3 FP8 type but got mat_a.dtype=torch.${a.dtype} and mat_b.dtype=torch.${b.dtype}.`,
    )
  check(
    a.dtype === 'bfloat16' || a.dtype === 'float16',
    `Expected mat_a to be BFloat16 or supported Float16 matrix, got torch.${a.dtype}.`,
  )
  check(
    a.dtype === b.dtype,
    `Expected mat_b dtype to match mat_a dtype, got mat_a.dtype=torch.${a.dtype} and mat_b.dtype=torch.${b.dtype}.`,
  )
}

/** Offsets are required for the groups of a two-dimensional matrix. */
function checkOffsets(offs: TensorMeta | undefined, ranks: readonly [number, number]): void {
  if (ranks[0] === 3 && ranks[1] === 3)
    return check(!offs, 'Offsets tensor provided, but is not needed for 3D/3D multiplicand layouts.')
  if (!offs)
    throw runtimeError(`Offsets tensor not provided, but is needed for ${ranks[0]}D/${ranks[1]}D multiplicand layouts.`)
  check(offs.shape.length === 1, `Offsets tensor must be 1D, but got offs.dim()=${offs.shape.length}.`)
  check(offs.dtype === 'int32', `Offsets tensor must be integer (int32) tensor, but got torch.${offs.dtype}.`)
  check(equal(stridesOf(offs)[0], 1), `Offsets tensor must have stride (1,), but got ${tuple(stridesOf(offs))}.`)
}

function groupedShape(a: TensorMeta, b: TensorMeta, offs: TensorMeta | undefined): Dim[] {
  const [x, y, groups] = [a.shape, b.shape, offs?.shape[0]]
  if (x.length === 2 && y.length === 2) return [groups!, x[0]!, y[1]!]
  if (x.length === 2) check(equal(groups, y[0]), 'matrix batch sizes have to match')
  else if (y.length === 2) check(equal(groups, x[0]), 'matrix batch sizes have to match')
  else check(equal(x[0], y[0]), 'batched dimension has to match')
  if (x.length === 2) return [x[0]!, y.at(-1)!]
  return y.length === 2 ? [x[1]!, y[1]!] : [x[0]!, x[1]!, y.at(-1)!]
}

/** _meta_grouped_mm_common, without the shapes of scales. */
function groupedResult(c: OpCall): FakeTensor {
  const [a, b] = [c.tensor('self').meta, c.tensor('mat2').meta]
  const scaled = c.has('scale_a')
  checkDtypes(a, b, scaled)
  const ranks = [a.shape.length, b.shape.length] as const
  check(
    ranks.every((n) => n === 2 || n === 3),
    `Multiplicands must be 2D or 3D but got mat_a.dim()=${ranks[0]} and mat_b.dim()=${ranks[1]}`,
  )
  if (ranks[0] === 3 || ranks[1] === 3)
    check(equal(a.shape.at(-1), b.shape.at(-2)), 'contraction dimension of mat_a and mat_b must match')
  checkStrides('mat_a', a)
  checkStrides('mat_b', b)
  const offs = c.maybeTensor('offs')?.meta
  checkOffsets(offs, ranks)
  const onCuda = a.device?.type === 'cuda'
  check(a.dtype !== 'float16' || onCuda, 'Float16 grouped_mm requires cuBLASLt grouped GEMM support.')
  check(!c.has('bias'), 'Bias tensor provided, but it is not supported yet.')
  const asked = c.dtype('out_dtype')
  if (scaled) check(asked === null || asked === 'bfloat16', 'If output dtype provided, it must be torch.bfloat16.')
  else check(asked === null || asked === a.dtype, 'Grouped gemm output dtype must match `mat_a` dtype.')
  const [dtype, shape] = [asked ?? a.dtype, groupedShape(a, b, offs)]
  return c.fresh(dtype, shape, a.device, onCuda ? paddedStrides(shape, 16 / bytesOf(dtype)) : undefined)
}

/** On CUDA, rows begin at multiples of 16 bytes. */
function paddedStrides(shape: readonly Dim[], alignment: number): Dim[] {
  const last = shape.at(-1)!
  if (typeof last !== 'number') return contiguousStrides(shape)
  return contiguousStrides([...shape.slice(0, -1), Math.ceil(last / alignment) * alignment])
}

export const rules = (): Rules => ({ 'aten._grouped_mm aten._scaled_grouped_mm': { meta: groupedResult } })

/**
 * out[r] = self[r] @ mat2[g], g the group of row r: `offs` holds where each group ends. Rows after the last are zeros.
 * torch.nn.functional.grouped_mm of [m, k] and [groups, k, n].
 */
const groupedMm: Kernel = eachKernel({
  name: '_grouped_mm',
  params: [
    SELF,
    { name: 'mat2', kind: 'in' },
    { name: 'offs', kind: 'in', optional: true },
    { name: 'bias', kind: 'in', optional: true },
    { name: 'out_dtype', kind: 'attr', default: null },
    RESULT,
  ],
  outputs(call) {
    const [a, b] = [tensorArg(call, 'self'), tensorArg(call, 'mat2')]
    const { shape: ends } = tensorArg(call, 'offs')
    if (call.tensors['bias']) throw new KernelRefusal('a bias is not handled')
    if (a.shape.length !== 2 || b.shape.length !== 3 || a.shape[1] !== b.shape[1] || ends[0] !== b.shape[0])
      throw new KernelRefusal(
        `only [m, k] with [groups, k, n] is handled, found [${a.shape.join(', ')}] and [${b.shape.join(', ')}] in ${ends[0]} groups`,
      )
    return { result: { shape: [a.shape[0]!, b.shape[2]!], dtype: a.dtype } }
  },
  values(call, [row, col]) {
    const [groups, inner] = tensorArg(call, 'mat2').shape as [number, number]
    const [group] = fold(groups, [whole(0)], (g, [n]) => [where(row!.ge(load('offs', g).whole()), n!.plus(1), n!)])
    const terms = where(group!.lt(groups), whole(inner), whole(0))
    return [sum(terms, (k) => load('self', row!, k).times(load('mat2', group!, k, col!)))]
  },
})

export const KERNELS: Kernels = { 'aten._grouped_mm': groupedMm }

export const TRAITS: Traits = {
  matmul: '_grouped_mm _scaled_grouped_mm',
}
