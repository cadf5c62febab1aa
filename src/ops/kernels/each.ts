/** Operators that compute each result element separately, for any strides. */
import type { Expr } from '../expr/expr'
import { type Program, programKernel } from '../expr/program'
import { tensorArg, type Kernel, type KernelCall, type OutSpec, type Param } from '../kernel'

export interface Each {
  readonly name: string
  readonly params: readonly Param[]
  /** Default: true. */
  readonly functional?: boolean
  /** All outputs have the same shape. */
  outputs(call: KernelCall): Record<string, OutSpec>
  /** The values of the outputs, in order, at an index. */
  values(call: KernelCall, index: readonly Expr[]): readonly Expr[]
}

export const eachKernel = ({ values, ...spec }: Each): Kernel =>
  programKernel({
    functional: true,
    ...spec,
    programs(call) {
      const outs = Object.keys(spec.outputs(call))
      const body: Program['body'] = (at) => values(call, at).map((value, o) => ({ out: outs[o]!, at, value }))
      return [{ over: tensorArg(call, outs[0]!).shape, body }]
    },
  })
