/**
 * Builds elementwise kernels from formulas: one expression in WGSL and one in JavaScript. Each is PyTorch's
 * documented function (torch.NAME), computed in float32 as its CPU and Inductor kernels do for half precision,
 * then rounded once. Whole numbers are exact up to 2^24.
 */
import { bitsOf, fromBits } from '../../dtype'
import type { Param } from '../../kernel'
import type { Kernels } from '../../operator'
import { type Elementwise, elementwiseKernel, type Formula } from './elementwise_kernel'

export const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['a', 'input', 'x'] }

export const OTHER: Param = { name: 'other', kind: 'in', scalar: true, aliases: ['b', 'exponent'] }

export const bool = (test: string): string => `select(F32(0.0), F32(1.0), ${test})`

export const nan = (...xs: string[]): string => xs.map((x) => `nan_at(${x})`).join(' | ')

/** `value`, or NaN if an operand is NaN. */
export const keepNan = (value: string, ...xs: string[]): string =>
  `bitcast<F32>(select(bitcast<U32>(${value}), U32(0x7fc00000u), (${nan(...xs)}) != U32(0u)))`

export const LARGER = keepNan('select(self, other, order(self) < order(other))', 'self', 'other')

export const SMALLER = keepNan('select(self, other, order(self) > order(other))', 'self', 'other')

type Js = Formula['js']

export const f = (wgsl: string, js: Js, ...helpers: string[]): Formula => ({ wgsl, js, helpers })

/** The first of equal values: torch keeps the sign of a zero. */
export const nanMax = (a: number, b: number): number => (Number.isNaN(a) || a >= b ? a : b)

export const nanMin = (a: number, b: number): number => (Number.isNaN(a) || a <= b ? a : b)

/** One kernel per formula, under its name in aten; the operands are the tensors among `params`. */
export const kernelsOf = (
  table: Readonly<Record<string, Formula>>,
  params: readonly Param[],
  promotion?: Elementwise['promotion'],
): Kernels =>
  Object.fromEntries(
    Object.entries(table).map(([name, formula]) => {
      const operands = params.filter((p) => p.kind === 'in').map((p) => p.name)
      return [
        `aten.${name}`,
        elementwiseKernel({ name, params, operands, ...(promotion ? { promotion } : {}), formula }),
      ]
    }),
  )

export const literal = (x: number): string => {
  const text = fromBits(bitsOf(x)).toString()
  return /[.e]/.test(text) ? `${text}f` : `${text}.0f`
}

export const WITH_FORMAT: Param = { name: 'memory_format', kind: 'attr', default: null }
