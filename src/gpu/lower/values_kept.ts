/** Preserves values that a later in-place operator overwrites, so that both graphs are compared at the same point. */
import { findKernel, hasOwnKernel } from '../device/registry'
import { AS_COMPUTED, bind, isNodeRef, mapLeaves } from './lower_inputs'
import { sharesStorage } from '../../ops/aten/views/strided_views'
import type { RunNode, RunProgram, RunValue } from '../types'

export interface ProgramWithCopies {
  program: RunProgram
  /** For each name that is overwritten later: the node with its originally computed value. */
  asComputed: ReadonlyMap<string, string>
}

/**
 * After a pass like vLLM's FixFunctionalizationPass an operator writes to its argument, whose name then refers to the
 * written value. Lowering allocates separate storage for each write, so an alias costs nothing.
 * @param compared names to compare by their originally computed value
 * @param gone excluded calls: each receives the values of its arguments at that point in the graph
 */
export function withValuesKept(
  program: RunProgram,
  compared: readonly string[],
  gone: ReadonlyMap<string, string>,
): ProgramWithCopies {
  const rootOf = storageRoots(program)
  const written = new Set(
    program.nodes.flatMap((node) => (gone.has(node.name) ? [] : writesTo(node).map((name) => rootOf(name)))),
  )
  // A write through one name changes the values of all names of the storage.
  const overwritten = new Set(
    [...program.inputs, ...program.nodes].map((n) => n.name).filter((n) => written.has(rootOf(n))),
  )
  const taken = new Set([...program.inputs, ...program.nodes].map((n) => n.name))
  const metas = new Map([...program.inputs, ...program.nodes].map((n) => [n.name, n.meta]))
  const wanted = new Set(compared.filter((name) => overwritten.has(name)))
  const asComputed = new Map<string, string>()
  const nodes: RunNode[] = []
  const keep = (name: string): string => {
    let alias = `${name}_as_computed`
    while (taken.has(alias)) alias += '_'
    taken.add(alias)
    nodes.push({
      name: alias,
      target: AS_COMPUTED,
      args: [{ node: name }],
      kwargs: {},
      meta: metas.get(name) ?? null,
    })
    return alias
  }
  for (const node of program.nodes) {
    if (gone.has(node.name)) {
      const now = new Map<string, string>()
      eachRef(node, (name) => {
        if (overwritten.has(name) && metas.get(name) && !now.has(name)) now.set(name, keep(name))
      })
      nodes.push(now.size > 0 ? renamed(node, now) : node)
      continue
    }
    nodes.push(node)
    if (wanted.has(node.name)) asComputed.set(node.name, keep(node.name))
  }
  return { program: { ...program, nodes }, asComputed }
}

/** The tensor whose storage a name shares: follows views, and items of a list of views, to their base. */
export function storageRoots(program: RunProgram): (name: string) => string {
  const roots = new Map<string, string>()
  const rootOf = (name: string): string => roots.get(name) ?? name
  for (const node of program.nodes) {
    const [first] = node.args
    const shares = sharesStorage(node.target) || node.target === 'operator.getitem' || isInPlace(node.target)
    if (shares && first !== undefined && isNodeRef(first)) roots.set(node.name, rootOf(first.node))
  }
  return rootOf
}

const isInPlace = (target: string): boolean => /^aten\.[a-z]\w*[a-z]_\./.test(target)

/** Names of the tensors that a direct call of a mutating operator writes. */
export function writesTo(node: RunNode): string[] {
  if (node.target.startsWith('higher_order.')) return []
  if (node.body && !hasOwnKernel(node.target)) return writtenOutside(node.body.nodes)
  const kernel = findKernel(node.target)?.kernel
  const [self] = node.args
  if (!kernel && isInPlace(node.target)) return self !== undefined && isNodeRef(self) ? [self.node] : []
  if (!kernel || kernel.functional) return []
  const names: string[] = []
  bind(kernel, node.args, node.kwargs, (param, value) => {
    if ((param.kind === 'inout' || param.kind === 'out') && isNodeRef(value)) names.push(value.node)
  })
  return names
}

/** Values from outside that the nodes of a body write, directly or through views. */
function writtenOutside(nodes: readonly RunNode[]): string[] {
  const inside = new Set(nodes.map((n) => n.name))
  const rootOf = storageRoots({ inputs: [], nodes: [...nodes], outputs: [] })
  return [...new Set(nodes.flatMap(writesTo).map(rootOf))].filter((name) => !inside.has(name))
}

/** Calls `visit` with the name of each node among the arguments, in order; keyword arguments by name. */
export function eachRef(node: RunNode, visit: (name: string) => void): void {
  const look = (v: RunValue): void => {
    if (isNodeRef(v)) visit(v.node)
    else if (typeof v === 'object' && v !== null && 'list' in v) v.list.forEach(look)
  }
  node.args.forEach(look)
  for (const key of Object.keys(node.kwargs).sort()) look(node.kwargs[key]!)
}

function renamed(node: RunNode, names: ReadonlyMap<string, string>): RunNode {
  const look = (v: RunValue): RunValue =>
    mapLeaves(v, (leaf) => (isNodeRef(leaf) ? { node: names.get(leaf.node) ?? leaf.node } : leaf))
  const kwargs = Object.fromEntries(Object.entries(node.kwargs).map(([key, v]) => [key, look(v)]))
  return { ...node, args: node.args.map(look), kwargs }
}
