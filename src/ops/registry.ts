/** Where each operator's meaning is kept: one home an operator, in the small files beside this one. */
import type { DispatchArg } from './fake'
import type { OpCall } from './op_call'

/** Undefined: "not in this case" (Python's NotImplemented). */
export type Rule = (c: OpCall) => DispatchArg | undefined

export interface OpDef {
  /** CompositeImplicitAutograd: it is always made of other operators, in eager mode too. */
  implicit?: Rule
  /** What Inductor's select_decomp_table() makes of it while tracing. */
  decomp?: Rule
  /** The result's shape, dtype, stride and device. */
  meta?: (c: OpCall) => DispatchArg
}

const table = new Map<string, OpDef>()

/** Registers `aten.add.Tensor`, or `aten.add` for all its overloads; several names share a definition. */
export function register(names: string | readonly string[], def: OpDef): void {
  for (const name of typeof names === 'string' ? names.trim().split(/\s+/) : names) {
    if (table.has(name)) throw new Error(`${name} is registered twice`)
    table.set(name, def)
  }
}

/** The meaning of an overload: its own, else its packet's. */
export function lookupOp(target: string): OpDef | undefined {
  return table.get(target) ?? table.get(target.slice(0, target.lastIndexOf('.')))
}
