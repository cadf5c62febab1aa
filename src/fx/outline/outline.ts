/** The outline of a graph: its repeated parts, found from structure without names. */
import type { Graph } from '../graph/graph'
import { ascending, NONE, type RunInstance } from './columns'
import { differencesOf } from './differences'
import { labelOf } from './kinds'
import { structureOf, type Structure } from './order'
import { instancesOfParts, partsOf, type Part } from './parts'
import type { Run } from './run'
import { runsIn } from './stacks'
import type { IndexedGroup, Outline, OutlineGroup } from './types'

/** Minimum number of computing nodes in an instance of a group at level 0. */
const LEAST_COMPUTE = 4
/** Maximum nesting of groups. */
const MAX_LEVEL = 4

export function outlineOf(graph: Graph): Outline {
  const { structure, groups } = placedOutline(graph)
  return {
    groups: groups.map(({ instances, ...group }) => {
      const names = instances.map(({ members }) => namesOf(structure, members))
      return { ...group, first: names[0]!, instances: names }
    }),
  }
}

/** The same outline with node indices in the graph in place of names, ascending in each instance. */
export function indexedOutlineOf(graph: Graph): IndexedGroup[] {
  const { structure, groups } = placedOutline(graph)
  const indices = ({ members }: RunInstance): number[] => {
    const found = new Int32Array(members.length)
    for (let i = 0; i < found.length; i++) found[i] = structure.listed[members[i]!]!
    ascending(found)
    const list = new Array<number>(found.length)
    for (let i = 0; i < found.length; i++) list[i] = found[i]!
    return list
  }
  return groups.map(({ instances, ...group }) => ({ ...group, instances: instances.map(indices) }))
}

/** A group with instances as positions in the canonical order. */
type PlacedGroup = Omit<OutlineGroup, 'first' | 'instances'> & { instances: readonly RunInstance[] }

function placedOutline(graph: Graph): { structure: Structure; groups: PlacedGroup[] } {
  const s = structureOf(graph)
  const runs = withoutFragments(
    s,
    runsIn(s, 0, s.nodes.length, { compute: LEAST_COMPUTE, small: true, exact: 0, whole: false }),
  )
  const builder = new Builder(s)
  for (const { instances } of runs) builder.add({ instances, level: 0, parent: null, repeated: true })
  for (const rest of outsideOf(s.nodes.length, runs)) {
    const members = Int32Array.from(rest)
    builder.add({ instances: [{ members, at: members }], level: 0, parent: null, repeated: false })
  }
  const size = ({ instances }: PlacedGroup): number => instances.reduce((n, { members }) => n + members.length, 0)
  const groups = builder.groups.sort((a, b) => size(b) - size(a) || a.level - b.level || a.id - b.id)
  return { structure: s, groups }
}

/** Beside a stack of layers, a run of at most FEW pieces smaller than this share of a layer is dropped. */
const FEW = 3
const SMALL = 0.25

/**
 * Drops pairs of parts that only resemble each other beside a stack of layers: attention and MLP of one dense layer, two
 * convolutions of a stem, two products of a head.
 */
function withoutFragments(s: Structure, runs: readonly Run[]): Run[] {
  const equal = (a: RunInstance, b: RunInstance): boolean =>
    a.members.length === b.members.length && a.at.every((p, c) => (p === NONE) === (b.at[c] === NONE))
  const alike = ({ instances }: Run): boolean => instances.some((i, k) => k > 0 && equal(instances[k - 1]!, i))
  const besideStack = ({ typical, instances }: Run): boolean =>
    runs.some((r) => r.instances.length > instances.length && r.typical.length > typical.length)
  // Pieces side by side, such as two tables, are not layers.
  const share = (run: Run): number => (isChain(s, run) ? SMALL : 1)
  const small = (run: Run): boolean =>
    run.instances.length <= FEW &&
    runs.some((r) => r.instances.length >= run.instances.length && run.typical.length < r.typical.length * share(run))
  return runs.filter((run) => !small(run) && (alike(run) || !besideStack(run)))
}

/** True if an instance needs a value of the previous instance. */
function isChain(s: Structure, { instances: [first, second], from, to }: Run): boolean {
  const reached = new Uint8Array(to - from)
  for (const p of first!.members) reached[p - from] = 1
  for (let p = from; p < to; p++)
    if (s.slots.of(p).some((input) => input >= from && reached[input - from])) reached[p - from] = 1
  return second!.members.some((p) => reached[p - from])
}

interface GroupSource {
  instances: readonly RunInstance[]
  level: number
  parent: PlacedGroup | null
  /** False for nodes outside runs. */
  repeated: boolean
}

class Builder {
  readonly groups: PlacedGroup[] = []
  /** Number of instances in each outermost instance, by group id. */
  private readonly places: number[] = []

  constructor(private readonly s: Structure) {}

  add({ instances, level, parent, repeated }: GroupSource): void {
    const { s } = this
    const id = this.groups.length
    const times = instances.length
    const perParent = parent ? times / parent.times : times
    // A node is compared with the nodes at its place in the other instances of level 0; parts of equal wholes are equal.
    const places = parent ? perParent * this.places[parent.id]! : 1
    const equal = parent?.differs.length === 0
    this.places.push(places)
    this.groups.push({
      id,
      times,
      nodes: repeated ? instances[0]!.at.length : instances[0]!.members.length,
      instances,
      differs: times > 1 && !equal ? differencesOf(s, instances, places) : [],
      level,
      parent: parent?.id ?? null,
      perParent,
      label: repeated ? labelOf(s, instances[Math.min(1, times - 1)]!.members) : null,
    })
    if (!repeated || level >= MAX_LEVEL) return
    const parts = partsOf(s, instances)
    const kinds = parts.filter((p) => p.repeated).map((p) => this.labelOfPart(instances, p))
    if (kinds.includes('attention') && kinds.some((k) => k === 'MLP' || k === 'experts'))
      this.groups[id] = { ...this.groups[id]!, label: 'layer' }
    if (parts.length === 0) return
    for (const [i, inner] of instancesOfParts(instances, parts, s.nodes.length).entries())
      this.add({ instances: inner, level: level + 1, parent: this.groups[id]!, repeated: parts[i]!.repeated })
  }

  private labelOfPart(instances: readonly RunInstance[], { columns }: Part): string {
    const { at } = instances[Math.min(1, instances.length - 1)]!
    return labelOf(
      this.s,
      Int32Array.from(columns[0]!, (c) => at[c] ?? NONE).filter((p) => p !== NONE),
    )
  }
}

function namesOf({ nodes }: Structure, members: Int32Array): string[] {
  const names: string[] = []
  for (let i = 0; i < members.length; i++) names.push(nodes[members[i]!]!.name)
  return names
}

/** Positions outside all runs, grouped by the run that follows them. */
function outsideOf(size: number, runs: readonly Run[]): number[][] {
  const inside = new Uint8Array(size)
  for (const { instances } of runs)
    for (const { members } of instances) for (let i = 0; i < members.length; i++) inside[members[i]!] = 1
  const pieces: number[][] = []
  let from = 0
  for (const end of [...runs.map((r) => r.to), size]) {
    const piece: number[] = []
    for (let p = from; p < end; p++) if (!inside[p]) piece.push(p)
    if (piece.length > 0) pieces.push(piece)
    from = end
  }
  return pieces
}
