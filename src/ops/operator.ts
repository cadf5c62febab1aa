/**
 * The exports of a file of operators, all optional: `rules`, `DERIVATIVES` (derivative.ts), `KERNELS`, `TRAITS`,
 * `SCHEMAS`. The tables in src/ops/tables import these by name (`npm run tables`), so that the GPU's worker loads kernels
 * without rules.
 */
import type { TorchRules } from '../base/torch_version'
import type { Arg } from '../fx'
import type { DispatchArg, FakeTensor } from './fake'
import type { Relation } from './guess/relations'
import type { Kernel } from './kernel'
import type { OpCall } from './op_call'

/** Undefined: not applicable (Python's NotImplemented). @param x for a rule that takes it: the first argument, a tensor */
export type Rule = (c: OpCall, x: FakeTensor) => DispatchArg | undefined

export interface OpDef {
  /** CompositeImplicitAutograd: it always decomposes into other operators, in eager mode too. */
  implicit?: Rule
  /** The decomposition in Inductor's select_decomp_table() during tracing. */
  decomp?: Rule
  /** torch._decomp's version, if Inductor has its own; 'decomp' if they do not differ in any traced case. */
  registered?: Rule | 'decomp'
  /** The result's shape, dtype, stride and device. */
  meta?: (c: OpCall, x: FakeTensor) => DispatchArg
  /** The argument that the result equals if the call changes nothing and their metadata are equal (remove_noop_ops). */
  noop?: Noop
  /** The shape and dtype of the result in words. */
  shape?: string
  /** False: an exported script does not compute it merely because a graph names it (calls/ruled.ts). */
  called?: false
  /** Facts that a call tells about shapes missing from a graph's text. */
  guess?: Relation
}

export type Noop = (
  args: readonly Arg[],
  valueOf: (arg: Arg | undefined) => DispatchArg,
  rules: TorchRules,
) => Arg | undefined

/** For an operator that changes only metadata. */
export const first: Noop = ([x]) => x

/** `aten.add.Tensor`, or `aten.add` for all its overloads; one key may hold several names, separated by spaces. */
export type Rules = Readonly<Record<string, OpDef>>

/** The kernel that runs `aten.div.Tensor_mode`, or all overloads of `aten.div`. */
export type Kernels = Readonly<Record<string, Kernel>>

/** Kernels under their own names in one namespace. */
export const inNamespace = (namespace: string, kernels: readonly Kernel[]): Kernels =>
  Object.fromEntries(kernels.map((kernel) => [`${namespace}.${kernel.name}`, kernel]))

/** The kind of work an operator does, which decides its node's color. */
export type Family = 'matmul' | 'attention' | 'reduction' | 'view' | 'factory' | 'cast'

/**
 * Properties of a whole operator. `family`: a PyTorch operator without one is elementwise; `passes`: it only moves, casts or
 * gathers values, and is often inserted incidentally; `composite`: a native operator that combines several others and occurs
 * because a model calls it or Inductor's own passes create it; `oneDtype`: a product that refuses to run on two dtypes; `e8m0`:
 * Inductor accepts it on float8_e8m0fnu although it is not a view; `unwritten`: a factory with arbitrary values; `sums`: a
 * collective that always reduces by a sum.
 */
export type Trait = Family | 'passes' | 'composite' | 'oneDtype' | 'e8m0' | 'unwritten' | 'sums'

/** Operator names without namespace and overload, by trait. */
export type Traits = Readonly<Partial<Record<Trait, string>>>
