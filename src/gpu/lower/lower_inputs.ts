/** Classifies a program's inputs by the operator parameters that take them: as rows, scales or weights. */
import type { Kernel, Param } from '../../ops/kernel'
import { findKernel } from '../device/registry'
import type { RunNode, RunProgram, RunValue } from '../types'

/** Calls `visit` for each program input that an operator takes directly, with its parameter. */
export function eachInputUse(program: RunProgram, visit: (name: string, param: Param) => void): void {
  const inputs = new Set(program.inputs.map((i) => i.name))
  for (const node of program.nodes) {
    const inner = innerTarget(node)
    const kernel = findKernel(inner ?? node.target)?.kernel
    if (!kernel) continue
    bind(kernel, inner ? [] : node.args, node.kwargs, (param, value) => {
      if (isNodeRef(value) && inputs.has(value.node)) visit(value.node, param)
    })
  }
}

/** Inputs whose first dimension is the token count, according to the operators that take them. */
export function rowInputsOf(program: RunProgram): Set<string> {
  const rows = new Set<string>()
  eachInputUse(program, (name, param) => {
    if (param.rows) rows.add(name)
  })
  return rows
}

/** Parameters of products and norms whose first dimension is never the token count. */
const FIXED: ReadonlySet<string> = new Set(['mat2', 'batch2', 'weight'])

/** Inputs that keep their size, according to the operators that take them. */
export function fixedInputsOf(program: RunProgram): Set<string> {
  const fixed = new Set<string>()
  eachInputUse(program, (name, param) => {
    if (FIXED.has(param.name) || param.sample) fixed.add(name)
  })
  return fixed
}

/** Inputs that are scales or weights. */
export function inputRoles(program: RunProgram): Map<string, 'scale' | 'weight'> {
  const roles = new Map<string, 'scale' | 'weight'>()
  eachInputUse(program, (name, param) => {
    if (param.sample) roles.set(name, param.sample)
  })
  return roles
}

/** Target of a node that keeps its argument's value as computed, whatever is written to the storage later. */
export const AS_COMPUTED = 'fusescope.as_computed'

export const isNodeRef = (v: RunValue): v is { node: string } => typeof v === 'object' && v !== null && 'node' in v

/** The value, or each item of its lists, after the change. */
export const mapLeaves = (v: RunValue, change: (leaf: Exclude<RunValue, { list: RunValue[] }>) => RunValue): RunValue =>
  typeof v === 'object' && v !== null && 'list' in v ? { list: v.list.map((x) => mapLeaves(x, change)) } : change(v)

export function innerTarget(node: RunNode): string | null {
  if (!node.target.startsWith('higher_order.auto_functionalized')) return null
  const op = node.args[0]
  return typeof op === 'object' && op !== null && 'op' in op ? op.op : null
}

export function bind<T>(
  kernel: Kernel,
  args: readonly T[],
  kwargs: Readonly<Record<string, T>>,
  put: (p: Param, v: T) => void,
): string[] {
  const params = kernel.functional ? kernel.params.filter((p) => p.kind !== 'out') : kernel.params
  const unknown: string[] = []
  args.forEach((v, i) => {
    const p = params[i]
    if (p) put(p, v)
    else unknown.push(`argument ${i}`)
  })
  for (const [key, v] of Object.entries(kwargs)) {
    const p = params.find((q) => q.name === key || q.aliases?.includes(key))
    if (p) put(p, v)
    else unknown.push(key)
  }
  return unknown
}
