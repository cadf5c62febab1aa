/** The differences between two graphs with paired nodes. */
import { formatVal, mapArg, NodeSets, type Arg, type Graph, type Node, type TensorMeta, visitNodes } from '../../fx'
import { argText, canonical, constantsText, Labeler, sameArity } from './canonical'
import { correspondence, type Correspondence } from './correspondence'
import type { Change, ChangeKind, GraphComparison, PairEdit } from './types'

export function compareGraphs(old: Graph, now: Graph): GraphComparison {
  const labeler = new Labeler()
  const [before, after] = [canonical(old, labeler), canonical(now, labeler)]
  const pairs = correspondence(before, after)
  const changes = [...regions(before.order, after.order, pairs), ...pairChanges(before.order, pairs)]
  return { toNew: pairs.toNew, toOld: pairs.toOld, changes }
}

/** Differences between paired nodes that no inserted or removed node explains. */
function pairChanges(order: readonly Node[], pairs: Correspondence): Change[] {
  const changes: Change[] = []
  const symbols = symbolPairs(order, pairs)
  for (const old of order) {
    const now = pairs.toNew.get(old)
    if (!now) continue
    const others = argumentChanges(old, now, pairs)
    const isCall = old.op !== 'placeholder' && old.op !== 'get_attr'
    changes.push(...(isCall && old.target !== now.target ? [targetChange(old, now, others.length > 0)] : others))
    const meta = metadataText(old) === metadataText(now)
    if (!meta) changes.push(change('metadata', old, now, 'meta', `${metadataText(old)} → ${metadataText(now)}`))
  }
  return [...changes, ...valueChanges(order, pairs, symbols)]
}

function change(kind: ChangeKind, old: Node, now: Node, part: PairEdit['part'], detail: string): Change {
  return { kind, removed: [], inserted: [], edits: [{ old, now, part }], detail }
}

const packetOf = (target: string): string => target.split('.').slice(0, 2).join('.')

const targetKind = (old: Node, now: Node): ChangeKind =>
  old.target.split('.').length === 3 && packetOf(old.target) === packetOf(now.target) ? 'overload' : 'target'

/** A different target, with different arguments. */
function targetChange(old: Node, now: Node, args: boolean): Change {
  const kind = targetKind(old, now)
  if (!args) return change(kind, old, now, 'target', `${old.target} → ${now.target}`)
  const detail = `${old.target}(${constantsText(old)}) → ${now.target}(${constantsText(now)})`
  const edits = (['target', 'args'] as const).map((part): PairEdit => ({ old, now, part }))
  return { kind, removed: [], inserted: [], edits, detail }
}

/** Constants, keywords or inputs that differ. */
function argumentChanges(old: Node, now: Node, pairs: Correspondence): Change[] {
  const [a, b] = [constantsText(old), constantsText(now)]
  const detail = `${old.target}(${a}) → (${b})`
  // An added or removed output belongs to the change of the node that it returns.
  if (a !== b && old.op === 'output') return []
  if (a !== b) return sameArity(old, now) ? constantChanges(old, now) : [change('argument', old, now, 'args', detail)]
  const [inputsA, inputsB] = [allInputs(old), allInputs(now)]
  // Inputs without a counterpart belong to a region.
  const moved = inputsA.some((x, i) => {
    const to = pairs.toNew.get(x)
    return to !== undefined && to !== inputsB[i] && pairs.toOld.has(inputsB[i]!)
  })
  if (!moved) return []
  const left = new Set(inputsB)
  const same = inputsA.every((x) => left.has(pairs.toNew.get(x)!)) && new Set(inputsA).size === left.size
  return [change('wiring', old, now, 'args', `${same ? 'order of the ' : ''}inputs of ${now.target}`)]
}

/** One change for each argument that differs. */
function constantChanges(old: Node, now: Node): Change[] {
  const keys: (number | string)[] = [...old.args.keys(), ...old.kwargs.keys()]
  const at = (n: Node, key: number | string): string =>
    argText((typeof key === 'number' ? n.args[key] : n.kwargs.get(key)) ?? null)
  return keys.flatMap((key): Change[] => {
    const [a, b] = [at(old, key), at(now, key)]
    if (a === b) return []
    const name = typeof key === 'number' ? `argument ${key + 1}` : key
    const edit: PairEdit = { old, now, part: 'args', argument: key }
    return [
      { kind: 'constant', removed: [], inserted: [], edits: [edit], detail: `${old.target} ${name}: ${a} → ${b}` },
    ]
  })
}

/** Input nodes in order, with repeats. */
export function allInputs(n: Node): Node[] {
  const found: Node[] = []
  const note = (x: Node): Arg => (found.push(x), null)
  for (const a of n.args) mapArg(a, note)
  for (const a of n.kwargs.values()) mapArg(a, note)
  return found
}

const metadataText = ({ meta }: Node): string =>
  JSON.stringify([meta.custom ?? {}, meta.additional ?? {}], (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))

type Aspect = 'dtype' | 'shape' | 'stride' | 'device'
const ASPECTS: readonly Aspect[] = ['dtype', 'shape', 'stride', 'device']

/** Differences of values. A difference that follows from an input's difference belongs to the input's change. */
function valueChanges(
  order: readonly Node[],
  pairs: Correspondence,
  same: (old: string, now: string) => boolean,
): Change[] {
  const changes: Change[] = []
  for (const aspect of ASPECTS) {
    const origins = new Map<Node, PairEdit[]>()
    for (const old of order) {
      const now = pairs.toNew.get(old)
      const [a, b] = [old.meta.val, now?.meta.val]
      if (!now || a?.kind !== 'tensor' || b?.kind !== 'tensor') continue
      const [from, to] = [aspectText(a, aspect), aspectText(b, aspect)]
      if (from === null || to === null || same(from, to)) continue
      // A stride difference follows from the shape difference.
      if (aspect === 'stride' && !same(aspectText(a, 'shape')!, aspectText(b, 'shape')!)) continue
      const edit: PairEdit = { old, now, part: 'val' }
      const input = allInputs(old).find((i) => origins.has(i) && pairs.toNew.get(i) !== undefined)
      const list = input ? origins.get(input)! : []
      list.push(edit)
      origins.set(old, list)
      if (input) continue
      changes.push({ kind: aspect, removed: [], inserted: [], edits: list, detail: `${from} → ${to}` })
    }
  }
  return changes
}

const aspectText = (val: TensorMeta, aspect: Aspect): string | null => {
  if (aspect === 'dtype') return val.dtype
  if (aspect === 'device')
    return val.device && (val.device.index === null ? val.device.type : `${val.device.type}:${val.device.index}`)
  const dims = val[aspect]
  return dims && `[${dims.join(', ')}]`
}

/** Compares sizes up to the names of symbols. */
function symbolPairs(order: readonly Node[], pairs: Correspondence): (old: string, now: string) => boolean {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const symbols = (text: string): string[] => text.match(/\b[su]\d+\b/g) ?? []
  for (const old of order) {
    const now = pairs.toNew.get(old)
    if (!old.meta.val || !now?.meta.val) continue
    const [a, b] = [symbols(formatVal(old.meta.val)), symbols(formatVal(now.meta.val))]
    if (a.length !== b.length) continue
    a.forEach((s, i) => {
      if (names.has(s) || taken.has(b[i]!)) return
      names.set(s, b[i]!)
      taken.add(b[i]!)
    })
  }
  return (old, now) => old.replaceAll(/\b[su]\d+\b/g, (s) => names.get(s) ?? s) === now
}

/** Nodes that only one of two graphs has, grouped into connected regions with the nodes that read them. */
function regions(old: readonly Node[], now: readonly Node[], pairs: Correspondence): Change[] {
  const removed = old.filter((n) => !pairs.toNew.has(n))
  const inserted = now.filter((n) => !pairs.toOld.has(n))
  // Paired nodes belong to no region.
  const sets = new NodeSets([...removed, ...inserted])
  for (const n of [...removed, ...inserted]) for (const i of n.inputs()) sets.join(n, i)
  // Unpaired nodes between the same paired nodes in both graphs form one region.
  for (const r of removed) {
    const users = counterparts(r.users, pairs.toNew)
    const inputs = counterparts(r.inputs(), pairs.toNew)
    for (const u of users) for (const i of u.inputs()) if (!pairs.toOld.has(i)) sets.join(r, i)
    if (users.length === 0) for (const i of inputs) for (const u of i.users) if (u.users.size === 0) sets.join(r, u)
  }
  const only = new Set(inserted)
  return sets.groups().map((nodes) => region(nodes, only, pairs))
}

const counterparts = (nodes: Iterable<Node>, to: ReadonlyMap<Node, Node>): Node[] =>
  [...nodes].flatMap((n) => to.get(n) ?? [])

function region(nodes: readonly Node[], only: ReadonlySet<Node>, pairs: Correspondence): Change {
  const members = new Set(nodes)
  const removed = nodes.filter((n) => !only.has(n))
  const inserted = nodes.filter((n) => only.has(n))
  const readers = new Map<Node, Node>()
  for (const n of removed) for (const u of n.users) if (pairs.toNew.has(u)) readers.set(u, pairs.toNew.get(u)!)
  for (const n of inserted) for (const u of n.users) if (pairs.toOld.has(u)) readers.set(pairs.toOld.get(u)!, u)
  const edits = [...readers].flatMap(([old, now]) => readingEdits(old, now, members))
  const kind = removed.length === 0 ? 'inserted' : inserted.length === 0 ? 'removed' : 'replaced'
  const one = (n: Node): string => (n.op === 'placeholder' ? 'input' : `${n.target}(${constantsText(n)})`)
  const text = (list: readonly Node[]): string => list.map(one).join('; ')
  const detail = kind === 'replaced' ? `${text(removed)} → ${text(inserted)}` : text(removed) + text(inserted)
  return { kind, removed, inserted, edits, detail }
}

/** The arguments of a paired node that read a region; all arguments if their number changed too. */
function readingEdits(old: Node, now: Node, members: ReadonlySet<Node>): PairEdit[] {
  const reads = (arg: Arg | undefined): boolean => {
    let found = false
    visitNodes(arg ?? null, (n) => (found ||= members.has(n)))
    return found
  }
  if (!sameArity(old, now)) return [{ old, now, part: 'args' }]
  const positions = old.args.flatMap((a, i): (number | string)[] => (reads(a) || reads(now.args[i]) ? [i] : []))
  const names = [...old.kwargs].flatMap(([k, a]) => (reads(a) || reads(now.kwargs.get(k)) ? [k] : []))
  return [...positions, ...names].map((argument) => ({ old, now, part: 'args' as const, argument }))
}
