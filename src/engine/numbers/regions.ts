/** Kinds of matches: the programs before and after each match, with equal ones from repeated layers merged. */
import type { Graph } from '../../fx'
import type { RunNode, RunProgram, RunPrograms, RunValue } from '../../gpu/types'
import { findKernel } from '../../gpu/device/registry'
import { innerTarget, isNodeRef, mapLeaves } from '../../gpu/lower/lower_inputs'
import type { AppliedRewrite } from '../../explain/fixes/trials'
import type { AppliedMatch } from '../../matcher'
import { handlerRegion } from '../programs/handler_region'
import type { OperatorBodies } from '../programs/operator_bodies'
import { programsOf, regionOf, renamed, type Region } from '../programs/program'

/** An output whose dtype or shape the rewrite changes, by name and position; types such as `bfloat16[4, 8]`. */
export interface ChangedType {
  output: string
  at: number
  before: string
  after: string
}

export interface MatchKind {
  /** Equal for matches that differ only in names. */
  key: string
  /** Anchor of the first match of this kind. */
  anchor: string
  /** Number of matches of this kind. */
  count: number
  programs: RunPrograms
  changedType: ChangedType | null
  /** The reason why the programs cannot be compared, known without running them. */
  problem?: string
  /**
   * For a handler's edits: programs with the nodes above the inputs, for inputs that depend on one another. Null if there
   * are none.
   */
  widened?(): RunPrograms | null
}

/** The kinds of a pass's matches, in match order. */
export function matchKinds(rewrite: AppliedRewrite, bodies: OperatorBodies | null = null): MatchKind[] {
  const kinds = new Map<string, MatchKind>()
  for (const match of rewrite.matches) {
    const kind = kindOf(rewrite, match, bodies)
    const known = kinds.get(kind.key)
    if (known) known.count++
    else kinds.set(kind.key, kind)
  }
  return [...kinds.values()]
}

function kindOf(rewrite: AppliedRewrite, match: AppliedMatch, bodies: OperatorBodies | null): MatchKind {
  const edits = match.made ? handlerRegion(rewrite, match, bodies) : null
  const region: Region = match.made
    ? (edits?.region() ?? { before: new Set(match.nodes), after: new Set(match.made), outputs: [] })
    : regionOf(rewrite, match)
  const programsIn = (part: Region): RunPrograms => unknownsPaired(programsOf(match.node, rewrite, part, bodies))
  const programs = programsIn(region)
  const kind: MatchKind = {
    key: keyOf(programs),
    anchor: match.node,
    count: 1,
    programs,
    changedType: changedType(rewrite, region, match),
  }
  if (!match.made) return kind
  if (!edits) return { ...kind, problem: 'the rest of the graph reads nothing that was edited' }
  const [constant] = edits.newInputs(region)
  if (constant !== undefined) kind.problem = `the edit adds ${constant}, whose value is not in the graph`
  return {
    ...kind,
    widened: () => {
      const wide = edits.widened()
      return wide && programsIn(wide)
    },
  }
}

function keyOf({ unfused, fused }: RunPrograms): string {
  const names = new Map<string, string>()
  const rename = (name: string): string => {
    let short = names.get(name)
    if (short === undefined) names.set(name, (short = `%${names.size}`))
    return short
  }
  const side = (p: RunProgram): unknown => {
    const { inputs, nodes, outputs } = renamed(p, rename)
    return [
      inputs.map(({ name, meta }) => [name, meta.dtype, meta.shape, meta.stride]),
      nodes.map(({ name, target, args, kwargs }) => [name, target, args, kwargs]),
      outputs,
    ]
  }
  return JSON.stringify([side(unfused), side(fused)])
}

function changedType({ before, after }: AppliedRewrite, { outputs }: Region, match: AppliedMatch): ChangedType | null {
  for (const [i, [name, by]] of outputs.entries()) {
    const [was, is] = [typeText(before, name), typeText(after, by)]
    const at = match.outputs.indexOf(name)
    if (was !== null && is !== null && was !== is) return { output: name, at: at < 0 ? i : at, before: was, after: is }
  }
  return null
}

/** `bfloat16[4, 8]`; null for a value that is not a tensor or has a symbolic size, which the other side may print differently. */
function typeText(graph: Graph, name: string): string | null {
  const val = graph.find(name)?.meta.val
  if (val?.kind !== 'tensor') return null
  return val.shape.every((d) => typeof d === 'number') ? `${val.dtype}[${val.shape.join(', ')}]` : val.dtype
}

/**
 * Gives a common name to calls that both sides make equally often of an operator without a definition, so that they can be cut from
 * both: their arguments are compared, and their results are generated.
 */
function unknownsPaired(programs: RunPrograms): RunPrograms {
  const { unfused, fused } = programs
  const names = new Map<string, string>()
  for (const target of new Set(unfused.nodes.filter((n) => !n.body && isUnknown(operatorOf(n))).map(operatorOf))) {
    const [a, b] = [unfused, fused].map((p) => p.nodes.filter((n) => operatorOf(n) === target)) as [
      RunNode[],
      RunNode[],
    ]
    if (a.length !== b.length || !a.every((n, i) => sameType(n, b[i]!))) continue
    a.forEach((n, i) => names.set(b[i]!.name, n.name))
  }
  if (names.size === 0) return programs
  const taken = new Set(names.values())
  for (const n of fused.nodes) if (taken.has(n.name) && !names.has(n.name)) names.set(n.name, `${n.name}_after`)
  return { ...programs, fused: renamed(fused, (name) => names.get(name) ?? name) }
}

const operatorOf = (n: RunNode): string => innerTarget(n) ?? n.target

const isUnknown = (operator: string): boolean =>
  /^\w+\.\w+\.\w+$/.test(operator) && !/^(operator|higher_order)\./.test(operator) && !findKernel(operator)

const sameType = (a: RunNode, b: RunNode): boolean =>
  a.meta?.dtype === b.meta?.dtype &&
  String(a.meta?.shape) === String(b.meta?.shape) &&
  a.target === b.target &&
  JSON.stringify(constantsOf(a)) === JSON.stringify(constantsOf(b))

const constantsOf = ({ args, kwargs }: RunNode): unknown => [
  args.map(constantOf),
  Object.entries(kwargs).map(([k, v]) => [k, constantOf(v)]),
]

/** An argument without its nodes, which are compared as values. */
const constantOf = (v: RunValue): RunValue => mapLeaves(v, (leaf) => (isNodeRef(leaf) ? 'node' : leaf))
