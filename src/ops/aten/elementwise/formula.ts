/** Elementwise kernels of formulas, and their parameters. Whole numbers are exact up to 2^24. */
import type { Param } from '../../kernel'
import type { Kernels } from '../../operator'
import { type Elementwise, elementwiseKernel, type Formula } from './elementwise_kernel'

export const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['a', 'input', 'x'] }

export const OTHER: Param = { name: 'other', kind: 'in', scalar: true, aliases: ['b', 'exponent'] }

/** One kernel per formula, under its name in aten; the operands are the tensors among `params`. */
export const kernelsOf = (
  table: Readonly<Record<string, Formula>>,
  params: readonly Param[],
  promotion?: Elementwise['promotion'],
): Kernels =>
  Object.fromEntries(
    Object.entries(table).map(([name, formula]) => {
      const operands = params.filter((p) => p.kind === 'in').map((p) => p.name)
      const made = { name, params, operands, ...(promotion && { promotion }), formula: () => formula }
      return [`aten.${name}`, elementwiseKernel(made)]
    }),
  )

export const WITH_FORMAT: Param = { name: 'memory_format', kind: 'attr', default: null }
