/** Builds kernels that reduce or rewrite the lines of a tensor along some dimensions. */
import type { DTypeName } from '../../dtype'
import { Expr, Fold, load, type Operand, whole } from '../../expr/expr'
import { type Program, programKernel } from '../../expr/program'
import { type AttrValue, type Kernel, type KernelCall, numel, type Param, tensorArg } from '../../kernel'
import { dimOf } from '../../kernels/strided'
import { resultDtype } from '../elementwise/elementwise_kernel'

interface LineOut {
  readonly name: string
  /** One value per line, or one per element. */
  readonly per: 'line' | 'element'
  dtype(call: KernelCall): DTypeName
}

/** The `n` elements of a line. */
export interface Line {
  readonly n: number
  x(r: Operand): Expr
}

/** A line's value, the value of each element, or the states of a scan that begins at `start` and adds the elements one by one. */
export type LineValue =
  | Expr
  | ((r: Expr) => Expr)
  | { readonly start: Expr; readonly next: (state: Expr, r: Expr) => Expr }

export interface LineOp {
  readonly name: string
  readonly params: readonly Param[]
  /** The dimensions of a line; null: all. */
  dims(call: KernelCall): readonly number[] | null
  readonly keepdim?: (call: KernelCall) => boolean
  readonly outs: readonly LineOut[]
  /** The definition: the outputs for a line, in the order of `outs`. */
  values(line: Line, call: KernelCall): readonly LineValue[]
}

interface Layout {
  readonly along: number[]
  readonly across: number[]
}

function layoutOf(op: LineOp, call: KernelCall): Layout {
  const { shape } = tensorArg(call, 'self')
  const dims = op.dims(call)
  const chosen = dims === null ? shape.map((_, d) => d) : dims.map((d) => dimOf(d, shape.length))
  const along = shape.map((_, d) => d).filter((d) => chosen.includes(d))
  return { along, across: shape.map((_, d) => d).filter((d) => !along.includes(d)) }
}

/** A line for each index of the dimensions across. */
function lineProgram(op: LineOp, call: KernelCall): Program {
  const { shape } = tensorArg(call, 'self')
  const { along, across } = layoutOf(op, call)
  const sizes = along.map((d) => shape[d]!)
  const count = whole(numel(sizes))
  return {
    over: across.map((d) => shape[d]!),
    body(index) {
      /** The indices of the line's element r, or of its place in a result with dimensions of size 1. */
      const at = (r: Expr | null): Expr[] =>
        shape.map((n, d) => {
          const k = along.indexOf(d)
          if (k < 0) return index[across.indexOf(d)]!
          const from = r?.over(numel(sizes.slice(k + 1))) ?? whole(0)
          return k === 0 ? from : from.mod(n)
        })
      const x = (r: Operand): Expr => load('self', ...at(typeof r === 'number' ? whole(r) : r))
      const values = op.values({ n: numel(sizes), x }, call)
      return op.outs.map(({ name: out }, o) => {
        const value = values[o]!
        if (value instanceof Expr)
          return { out, at: tensorArg(call, out).shape.length === shape.length ? at(null) : index, value }
        if (typeof value === 'function')
          return new Fold(count, [], (r) => ({ next: [], stores: [{ out, at: at(r), value: value(r) }] }))
        return new Fold(count, [value.start], (r, [state]) => {
          const next = value.next(state!, r)
          return { next: [next], stores: [{ out, at: at(r), value: next }] }
        })
      })
    },
  }
}

export function lineKernel(op: LineOp): Kernel {
  return programKernel({
    name: op.name,
    functional: true,
    params: [...op.params, ...op.outs.map((o): Param => ({ name: o.name, kind: 'out' }))],
    outputs(call) {
      const { shape } = tensorArg(call, 'self')
      const { along, across } = layoutOf(op, call)
      const lines = op.keepdim?.(call) ? shape.map((n, d) => (along.includes(d) ? 1 : n)) : across.map((d) => shape[d]!)
      return Object.fromEntries(
        op.outs.map((o) => [o.name, { shape: o.per === 'line' ? lines : shape, dtype: o.dtype(call) }]),
      )
    },
    programs: (call) => [lineProgram(op, call)],
  })
}

export const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['a', 'input', 'inp'] }

export const DIM: Param = { name: 'dim', kind: 'attr', default: null, aliases: ['dims'] }

export const KEEP: Param = { name: 'keepdim', kind: 'attr', default: false }

export const DTYPE: Param = { name: 'dtype', kind: 'attr', default: null }

const listOf = (v: AttrValue | undefined): readonly number[] | null => {
  if (v === null || v === undefined) return null
  if (Array.isArray(v)) return v.length === 0 ? null : v.map(Number)
  return [Number(v)]
}

export const dims = (call: KernelCall): readonly number[] | null => listOf(call.attrs['dim'])

export const oneDim = (call: KernelCall): readonly number[] => [Number(call.attrs['dim'] ?? -1)]

export const keepdim = (call: KernelCall): boolean => call.attrs['keepdim'] === true

export const own = (call: KernelCall): DTypeName => tensorArg(call, 'self').dtype

export const chosen =
  (kind: 'default' | 'bool_to_long' | 'int_to_float') =>
  (call: KernelCall): DTypeName => {
    const dtype = call.attrs['dtype']
    if (typeof dtype === 'string') return dtype as DTypeName
    const found = resultDtype([tensorArg(call, 'self')], kind)
    return kind === 'bool_to_long' && ['int8', 'uint8', 'int32'].includes(found) ? 'int64' : found
  }

export const reduceKernel = (
  name: string,
  dtype: LineOut['dtype'],
  value: (line: Line) => Expr,
  extra: readonly Param[] = [DTYPE],
): Kernel =>
  lineKernel({
    name,
    params: [SELF, DIM, KEEP, ...extra],
    dims,
    keepdim,
    outs: [{ name: 'result', per: 'line', dtype }],
    values: (line) => [value(line)],
  })
