/** Checks single records of a capture and gives them their types. */
import type { Json } from '../../python/wire'
import { BadRecord } from './bad_record'
import type {
  CapturedApplication,
  CapturedAttempt,
  CapturedEdit,
  CapturedEntry,
  CapturedFrame,
  CapturedFunction,
  CapturedGraph,
  CapturedPass,
  CapturedTrace,
  CaptureHeader,
  DropWhy,
  Fields,
} from './types'

const isFields = (v: Json | undefined): v is { [key: string]: Json } =>
  typeof v === 'object' && v !== null && !Array.isArray(v)
const fields = (v: Json | undefined): Fields => (isFields(v) ? v : {})
const list = (v: Json | undefined): readonly Json[] => (Array.isArray(v) ? v : [])
const text = (v: Json | undefined): string | null => (typeof v === 'string' ? v : null)
const number = (v: Json | undefined): number | null => (typeof v === 'number' ? v : null)
/** An id or an index. */
const whole = (v: Json | undefined): number | null =>
  typeof v === 'number' && Number.isSafeInteger(v) && v >= 0 ? v : null
const texts = (v: Json | undefined): string[] => list(v).filter((x): x is string => typeof x === 'string')
const textMap = (v: Json | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(fields(v)).filter((e): e is [string, string] => typeof e[1] === 'string'))
/** By node: names of its users. */
export const usersOf = (v: Json | undefined): Record<string, string[]> =>
  Object.fromEntries(Object.entries(fields(v)).map(([name, users]) => [name, texts(users)]))

function need<T>(value: T | null, field: string): T {
  if (value === null) throw new BadRecord(`has no valid ${field}`)
  return value
}

export const headerOf = (r: Fields): CaptureHeader => ({
  torch: text(r.torch) ?? 'unknown',
  python: text(r.python),
  platform: text(r.platform),
  packages: textMap(r.packages),
  command: texts(r.command),
  time: text(r.time),
  rank: Number.isInteger(r.rank) ? (r.rank as number) : null,
})

export function passOf(r: Fields): CapturedPass {
  const variable = texts(r.variable)
  const holder = texts(r.holder)
  return {
    id: need(whole(r.id), 'id'),
    passName: text(r.passName),
    variable: variable.length === 2 ? [variable[0]!, variable[1]!] : null,
    holder: holder.length === 3 ? [holder[0]!, holder[1]!, holder[2]!] : null,
  }
}

export function entryOf(r: Fields): CapturedEntry {
  const kind = r.kind
  if (kind !== 'replacement' && kind !== 'graph' && kind !== 'lowering') throw new BadRecord('has no valid kind')
  if (!isFields(r.pattern)) throw new BadRecord('has no pattern')
  const workaround = list(r.scalarWorkaround).map((pair) => list(pair))
  return {
    id: need(whole(r.id), 'id'),
    kind,
    text: text(r.text),
    pattern: r.pattern,
    title: text(r.title),
    registered: list(r.registered).flatMap(frameOf),
    functions: Object.fromEntries(Object.entries(fields(r.functions)).map(([k, f]) => [k, functionOf(fields(f))])),
    argNames: texts(r.argNames),
    exampleInputs: Array.isArray(r.exampleInputs) ? r.exampleInputs.map(fields) : null,
    scalarWorkaround: workaround.length > 0 ? workaround.map(([name, value]) => [String(name), value ?? null]) : null,
    exclusiveArgNames: texts(r.exclusiveArgNames),
    givenPattern: r.givenPattern === true,
    bindings: textMap(r.bindings),
    search: isFields(r.search) ? r.search : null,
  }
}

function frameOf(value: Json): CapturedFrame[] {
  const [file, line, fn] = list(value)
  return typeof file === 'string' && typeof line === 'number' ? [[file, line, String(fn)]] : []
}

const functionOf = (f: Fields): CapturedFunction => ({
  name: text(f.name) ?? '',
  file: text(f.file),
  line: number(f.line),
})

/** Nodes of one graph: ranges of a base double it in a few characters. */
const MAX_NODES = 1_000_000

/**
 * @param known the graphs before it, of which one may be its base
 * @param room how many nodes all graphs may still have
 */
export function graphOf(r: Fields, known: ReadonlyMap<number, CapturedGraph>, room: number): CapturedGraph {
  const base = whole(r.base)
  const from = base === null ? null : known.get(base)
  if (from === undefined) throw new BadRecord(`is based on graph ${base}, which could not be read`)
  if (!Array.isArray(r.nodes)) throw new BadRecord('has no nodes')
  const nodes: Fields[] = []
  for (const item of r.nodes) {
    if (Array.isArray(item)) {
      const start = whole(item[0])
      const count = whole(item[1])
      if (start === null || count === null || !from || start + count > from.nodes.length)
        throw new BadRecord('refers to nodes that its base lacks')
      if (nodes.length + count > Math.min(MAX_NODES, room))
        throw new BadRecord('has more nodes than are read: 1,000,000 in a graph, 5,000,000 in all')
      for (let i = start; i < start + count; i++) nodes.push(from.nodes[i]!)
    } else if (isFields(item) && typeof item.name === 'string' && typeof item.op === 'string') nodes.push(item)
    else throw new BadRecord('has a node without a name')
  }
  return {
    id: need(whole(r.id), 'id'),
    nodes,
    users: usersOf(r.users),
    subgraphs: fields(r.subgraphs),
    symbols: from?.symbols ?? (fields(r.symbols) as CapturedGraph['symbols']),
  }
}

export function traceOf(r: Fields): CapturedTrace {
  if (r.kind !== 'specific' && r.kind !== 'replacement') throw new BadRecord('has no valid kind')
  if (!isFields(r.graph)) throw new BadRecord('has no graph')
  return {
    id: need(whole(r.id), 'id'),
    entry: need(whole(r.entry), 'entry'),
    kind: r.kind,
    argNames: texts(r.argNames),
    graph: r.graph,
  }
}

export function applicationOf(r: Fields): CapturedApplication {
  return {
    id: need(whole(r.id), 'id'),
    pass: need(whole(r.pass), 'pass'),
    run: whole(r.run) ?? 0,
    compile: text(r.compile),
    before: whole(r.before),
    after: null,
    table: list(r.table).flatMap((row) => {
      const [op, target, entries] = list(row)
      const numbers = list(entries).filter((e): e is number => whole(e) !== null)
      return typeof op === 'string' && typeof target === 'string' ? [[op, target, numbers] as const] : []
    }),
    attempts: [],
    count: null,
    error: null,
    rootFailures: 0,
    attemptsLeftOut: 0,
    ended: false,
  }
}

const WHYS: readonly string[] = ['mutation-regions', 'streams', 'trace', 'arguments', 'extra-check'] satisfies DropWhy[]

export function attemptOf(r: Fields): CapturedAttempt {
  if (typeof r.ok !== 'boolean') throw new BadRecord('has no valid ok')
  const second = isFields(r.second) ? r.second : null
  const dropped = fields(r.dropped)
  const why = text(dropped.why)
  return {
    entry: need(whole(r.entry), 'entry'),
    node: need(text(r.node), 'node'),
    ok: r.ok,
    reason: text(r.reason),
    nodes: Array.isArray(r.nodes) ? texts(r.nodes) : null,
    second: second && {
      node: text(second.node) ?? '',
      ok: second.ok === true,
      reason: text(second.reason),
      nodes: Array.isArray(second.nodes) ? texts(second.nodes) : null,
      trace: whole(second.trace),
    },
    dropped: why !== null && WHYS.includes(why) ? { why: why as DropWhy, text: text(dropped.text) } : null,
    applied: r.applied === true,
    replacement: whole(r.replacement),
    edit: isFields(r.edit) ? editOf(r.edit) : null,
    raised: text(r.raised),
  }
}

const editOf = (edit: Fields): CapturedEdit => ({
  nodes: list(edit.nodes).map((n) => ({ ...fields(n), after: text(fields(n).after), new: fields(n).new === true })),
  erased: texts(edit.erased),
})
