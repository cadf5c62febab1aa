/**
 * Makes two whole graphs runnable if an operator has no kernel: the call is cut out of both, its results become inputs
 * with equal contents, and its arguments are compared.
 */
import { CannotRun, lower, viewOf } from './lower'
import { MissingKernel } from './lower_values'
import { eachRef, storageRoots, withValuesKept, writesTo } from './values_kept'
import type { Symbols } from './symbols'
import type { RunInput, RunNode, RunProgram, RunPrograms, RunValue } from '../types'

export interface CutGraphs {
  programs: RunPrograms
  /** Operators that were cut out, with their number of calls. */
  cut: { target: string; calls: number; reason: string }[]
}

/** Maximum number of distinct reasons; each takes one pass over the graph. */
const MAX_CUTS = 64

/** @throws CannotRun with the operator's name if only one of the graphs has a call that cannot run */
export function cutUnknown(programs: RunPrograms, symbols: Symbols): CutGraphs {
  const { title, unfused, fused } = programs
  const sides = [unfused, fused] as const
  const shared = new Set(unfused.nodes.map((n) => n.name).filter((n) => fused.nodes.some((m) => m.name === n)))
  const gone = new Map<string, string>()
  const reasons = new Map<string, { calls: number; reason: string }>()
  for (let round = 0; round < MAX_CUTS; round++) {
    const bad = sides.map((side) => refusal(without(side, gone), symbols)).find((r) => r !== null)
    if (!bad) break
    const { node, error, missingKernel } = bad
    const found = sides.flatMap((s) => s.nodes).find((n) => n.name === node)
    if (!found || !shared.has(found.name) || gone.has(found.name)) throw error
    const target = operatorOf(found)
    // An operator without a kernel is cut everywhere; a call rejected for its sizes is cut individually.
    const everywhere = missingKernel
    for (const n of unfused.nodes)
      if (shared.has(n.name) && (everywhere ? operatorOf(n) === target : n.name === found.name))
        gone.set(n.name, target)
    const known = reasons.get(target)
    if (!known) reasons.set(target, { calls: 0, reason: error.reason })
  }
  for (const target of gone.values()) reasons.get(target)!.calls++
  const joined = rejoined(sides).filter((name) => !gone.has(name))
  const kept = sides.map((side) => withValuesKept(side, joined, gone))
  const [a, b] = kept.map((k) => argumentsOf(k.program, gone)) as [string[], string[]]
  const [c, d] = kept.map((k) => joined.map((name) => k.asComputed.get(name) ?? name)) as [string[], string[]]
  const graphs = [kept[0]!.program, kept[1]!.program] as const
  const outputs = pairs([...unfused.outputs, ...a, ...c], [...fused.outputs, ...b, ...d], graphs, gone)
  const left = graphs.map((side, i) => ({ ...without(side, gone), outputs: outputs.map((p) => p[i]!) }))
  return {
    programs: { title, unfused: live(left[0]!), fused: live(left[1]!) },
    cut: [...reasons].map(([target, r]) => ({ target, ...r })),
  }
}

function refusal(
  program: RunProgram,
  symbols: Symbols,
): { node: string; error: CannotRun; missingKernel: boolean } | null {
  const users = new Map<string, string>()
  for (const node of program.nodes)
    eachRef(node, (name) => {
      if (!users.has(name)) users.set(name, node.name)
    })
  // A node that is only an input and an output is trivially equal.
  const inputs = program.inputs.filter((i) => users.has(i.name))
  const outputs = program.outputs.filter((name) => program.inputs.every((i) => i.name !== name))
  try {
    // A tensor that cannot be stored makes the calls that use it fail.
    for (const { name, meta } of inputs) blaming(users.get(name), () => viewOf(name, meta, symbols))
    lower({ ...program, inputs, outputs }, { symbols, tokens: null, rowInputs: new Set() })
    return null
  } catch (e) {
    if (!(e instanceof CannotRun) || e.node === undefined) throw e
    return { node: e.node, error: e, missingKernel: e instanceof MissingKernel }
  }
}

function blaming(node: string | undefined, work: () => unknown): void {
  try {
    work()
  } catch (e) {
    if (e instanceof CannotRun && node !== undefined) e.node = node
    throw e
  }
}

/** The operator of a call, or the one that auto_functionalized wraps. */
function operatorOf(node: RunNode): string {
  const first = node.args[0]
  return typeof first === 'object' && first !== null && 'op' in first && node.target.startsWith('higher_order.')
    ? first.op
    : node.target
}

/** The program with the results of cut calls as inputs; for a call with several results, the items taken from it. */
function without(program: RunProgram, gone: ReadonlyMap<string, string>): RunProgram {
  if (gone.size === 0) return program
  const inputs: RunInput[] = [...program.inputs]
  const nodes: RunNode[] = []
  for (const node of program.nodes) {
    const item = node.target === 'operator.getitem' && isRef(node.args[0]) && gone.has(node.args[0].node)
    if (!gone.has(node.name) && !item) nodes.push(node)
    else if (node.meta) inputs.push({ name: node.name, meta: node.meta })
  }
  return { inputs, nodes, outputs: program.outputs }
}

const isRef = (v: RunValue | undefined): v is { node: string } => typeof v === 'object' && v !== null && 'node' in v

/** Every argument node of the cut calls, in order; equal positions correspond in the two graphs. */
function argumentsOf(program: RunProgram, gone: ReadonlyMap<string, string>): string[] {
  const names: string[] = []
  // Matched by name, because the order of independent calls may differ.
  for (const node of program.nodes.filter((n) => gone.has(n.name)).sort((a, b) => (a.name < b.name ? -1 : 1)))
    eachRef(node, (name) => names.push(name))
  return names
}

/**
 * Calls that both graphs have, on values that only one of them has: where the graphs converge after a rewrite. They are
 * compared too, because the growth of a difference distinguishes accumulated rounding in a deep graph from a wrong
 * rewrite.
 */
function rejoined([unfused, fused]: readonly [RunProgram, RunProgram]): string[] {
  const known = [unfused, fused].map((p) => new Map([...p.inputs, ...p.nodes].map((n) => [n.name, n])))
  const after = new Map(fused.nodes.map((n) => [n.name, n]))
  const alike = (n: RunNode): boolean => {
    const other = after.get(n.name)
    if (!other || operatorOf(other) !== operatorOf(n) || !n.meta || !other.meta) return false
    return n.meta.dtype === other.meta.dtype && String(n.meta.shape) === String(other.meta.shape)
  }
  const parted = (n: RunNode): boolean => {
    let found = false
    eachRef(n, (name) => {
      if (known.some((names) => !names.has(name))) found = true
    })
    return found
  }
  const others = new Set(fused.nodes.filter(parted).map((n) => n.name))
  return unfused.nodes.filter((n) => (others.has(n.name) || parted(n)) && alike(n)).map((n) => n.name)
}

/** Distinct pairs of computed tensors; a node that is an input on both sides is trivially equal. */
function pairs(
  a: readonly string[],
  b: readonly string[],
  [unfused, fused]: readonly [RunProgram, RunProgram],
  gone: ReadonlyMap<string, string>,
): [string, string][] {
  const made = [unfused, fused].map((p) => new Map(p.nodes.map((n) => [n.name, n])))
  const seen = new Set<string>()
  const isEmpty = [unfused, fused].map((p) => unwrittenIn(p, gone))
  const tensor = (n: RunNode | undefined): boolean => n !== undefined && n.meta !== null
  return a.flatMap((name, i): [string, string][] => {
    const other = b[i]
    const key = `${name} ${other}`
    if (other === undefined || seen.has(key)) return []
    seen.add(key)
    const [x, y] = [made[0]!.get(name), made[1]!.get(other)]
    // A buffer that a cut call would have written is still empty.
    if (!tensor(x) || isEmpty[0]!(x!) || (y !== undefined && isEmpty[1]!(y))) return []
    return [[name, other]]
  })
}

/** True for an `empty` tensor that none of the remaining calls writes. */
function unwrittenIn(program: RunProgram, gone: ReadonlyMap<string, string>): (node: RunNode) => boolean {
  const rootOf = storageRoots(program)
  const written = new Set(program.nodes.flatMap((n) => (gone.has(n.name) ? [] : writesTo(n))).map(rootOf))
  return (node) => node.target.startsWith('aten.empty') && !written.has(node.name)
}

/** Removes nodes that no output needs. */
function live(program: RunProgram): RunProgram {
  const rootOf = storageRoots(program)
  const needed = new Set(program.outputs)
  const storages = new Set(program.outputs.map(rootOf))
  const nodes: RunNode[] = []
  for (const node of [...program.nodes].reverse()) {
    // A direct call of a mutating operator is kept even though its result is unused.
    const writes = writesTo(node).some((name) => storages.has(rootOf(name)))
    if (!needed.has(node.name) && !writes && node.meta !== null) continue
    eachRef(node, (name) => {
      needed.add(name)
      storages.add(rootOf(name))
    })
    nodes.push(node)
  }
  return { ...program, nodes: nodes.reverse(), inputs: program.inputs.filter((i) => needed.has(i.name)) }
}
