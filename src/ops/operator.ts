/**
 * The exports of a file of operators, all optional: `rules`, `DERIVATIVES` (derivative.ts), `KERNELS`, `FAMILIES`,
 * `SCHEMAS`. The tables in src/ops/tables import these by name (`npm run tables`), so that the GPU's worker loads kernels
 * without rules.
 */
import type { DispatchArg } from './fake'
import type { Kernel } from './kernel'
import type { OpCall } from './op_call'

/** Undefined: not applicable (Python's NotImplemented). */
export type Rule = (c: OpCall) => DispatchArg | undefined

export interface OpDef {
  /** CompositeImplicitAutograd: it always decomposes into other operators, in eager mode too. */
  implicit?: Rule
  /** The decomposition in Inductor's select_decomp_table() during tracing. */
  decomp?: Rule
  /** The result's shape, dtype, stride and device. */
  meta?: (c: OpCall) => DispatchArg
}

/** `aten.add.Tensor`, or `aten.add` for all its overloads; one key may hold several names, separated by spaces. */
export type Rules = Readonly<Record<string, OpDef>>

/** The kernel that runs `aten.div.Tensor_mode`, or all overloads of `aten.div`. */
export type Kernels = Readonly<Record<string, Kernel>>

/** Kernels under their own names in one namespace. */
export const inNamespace = (namespace: string, kernels: readonly Kernel[]): Kernels =>
  Object.fromEntries(kernels.map((kernel) => [`${namespace}.${kernel.name}`, kernel]))

/** The kind of work an operator does, which decides its node's color. */
export type Family = 'matmul' | 'attention' | 'reduction' | 'view' | 'factory' | 'cast'

/** Operator names without namespace and overload, by family; an operator of PyTorch in no list is elementwise. */
export type Families = Readonly<Partial<Record<Family, string>>>
