/**
 * The records of a capture (docs/capture.md), by id. A record's shape says how each field is read, and the record's type is derived
 * from it.
 */
import { fields, isFields, list, number, text, type Fields, type Json } from '../../base/json'
import type { Problem } from '../../base/result'
import type { TextFile } from '../../workspace/types'

/** A record with a field of the wrong form; the message continues `The attempt record …`. */
export class BadRecord extends Error {}

type Reader<T> = (v: Json | undefined) => T

/** Reads an object whose fields have their own readers. */
const record =
  <S extends Readonly<Record<string, Reader<unknown>>>>(shape: S) =>
  (r: Fields): { [K in keyof S]: ReturnType<S[K]> } =>
    Object.fromEntries(Object.entries(shape).map(([key, read]) => [key, read(r[key])])) as {
      [K in keyof S]: ReturnType<S[K]>
    }

/** @param field its name in the message */
const need =
  <T>(read: Reader<T | null>, field: string): Reader<T> =>
  (v) => {
    const value = read(v)
    if (value === null) throw new BadRecord(`has no ${field}`)
    return value
  }
const optional =
  <T>(read: (r: Fields) => T): Reader<T | null> =>
  (v) =>
    isFields(v) ? read(v) : null
/** By key; entries that `read` refuses are left out. */
const mapOf =
  <T>(read: Reader<T | null>): Reader<Readonly<Record<string, T>>> =>
  (v) =>
    Object.fromEntries(
      Object.entries(fields(v)).flatMap(([k, x]) => {
        const value = read(x)
        return value === null ? [] : [[k, value]]
      }),
    )
const oneOf =
  <T extends string>(...known: readonly T[]): Reader<T | null> =>
  (v) =>
    known.find((k) => k === v) ?? null

/** An id or an index. */
const whole: Reader<number | null> = (v) => (typeof v === 'number' && Number.isSafeInteger(v) && v >= 0 ? v : null)
const id = need(whole, 'valid id')
const wholeOrZero: Reader<number> = (v) => whole(v) ?? 0
const numberOrZero: Reader<number> = (v) => number(v) ?? 0
const isTrue: Reader<boolean> = (v) => v === true
const bool: Reader<boolean | null> = (v) => (typeof v === 'boolean' ? v : null)
const texts: Reader<readonly string[]> = (v) => list(v).filter((x): x is string => typeof x === 'string')
const textsOrNull: Reader<readonly string[] | null> = (v) => (Array.isArray(v) ? texts(v) : null)
const object: Reader<Fields | null> = (v) => (isFields(v) ? v : null)
/** By node: names of its users. */
export const usersOf = mapOf(texts)

export const headerOf = record({
  torch: (v) => text(v) ?? 'unknown',
  python: text,
  platform: text,
  packages: mapOf(text),
  command: texts,
  time: text,
  /** torchrun's rank, or the job's RANK; null outside a process group. */
  rank: (v) => (Number.isInteger(v) ? (v as number) : null),
})
export type CaptureHeader = ReturnType<typeof headerOf>

export const passOf = record({
  id,
  passName: text,
  /** Module and name of a global variable. */
  variable: (v): readonly [module: string, name: string] | null => {
    const [module, name, ...more] = texts(v)
    return name === undefined || more.length > 0 ? null : [module!, name]
  },
  /** Module, class and attribute of the object that applies it. */
  holder: (v): readonly [module: string, cls: string, attribute: string] | null => {
    const [module, cls, attribute, ...more] = texts(v)
    return attribute === undefined || more.length > 0 ? null : [module!, cls!, attribute]
  },
})
export type CapturedPass = ReturnType<typeof passOf>

/** A place in user code. */
export type CapturedFrame = readonly [file: string, line: number, fn: string]

const functionOf = record({ name: (v) => text(v) ?? '', file: text, line: number })
export type CapturedFunction = ReturnType<typeof functionOf>

export const entryOf = record({
  id,
  kind: need(oneOf('replacement', 'graph', 'lowering'), 'valid kind'),
  /** PatternPrettyPrinter's text; null for a pattern that it cannot print. */
  text,
  pattern: need(object, 'pattern'),
  title: text,
  /** Callers outside torch, innermost first. */
  registered: (v): readonly CapturedFrame[] =>
    list(v).flatMap((frame): CapturedFrame[] => {
      const [file, line, fn] = list(frame)
      return typeof file === 'string' && typeof line === 'number' ? [[file, line, String(fn)]] : []
    }),
  functions: mapOf((f) => functionOf(fields(f))),
  argNames: texts,
  exampleInputs: (v): readonly Fields[] | null => (Array.isArray(v) ? v.map(fields) : null),
  scalarWorkaround: (v): readonly (readonly [string, Json])[] | null => {
    const pairs = list(v).map(list)
    return pairs.length > 0 ? pairs.map(([name, value]) => [String(name), value ?? null]) : null
  },
  exclusiveArgNames: texts,
  givenPattern: isTrue,
  bindings: mapOf(text),
  /** The traced search function. */
  search: object,
})
export type CapturedEntry = ReturnType<typeof entryOf>

/** Nodes as JSON, without ranges of a base graph. */
export interface CapturedGraph {
  id: number
  nodes: readonly Fields[]
  /** By node: names of its users, if their order differs from the graph's. */
  users: ReturnType<typeof usersOf>
  subgraphs: Fields
  /** By symbol. */
  symbols: Readonly<Record<string, { hint?: number; min?: number; max?: number }>>
}

/** Maximum number of nodes of one graph: ranges of a base graph can double it in a few characters. */
const MAX_NODES = 1_000_000

/** @param known the graphs before it, one of which may be its base @param room number of nodes that all graphs may still add */
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
    id: id(r.id),
    nodes,
    users: usersOf(r.users),
    subgraphs: fields(r.subgraphs),
    symbols: from?.symbols ?? (fields(r.symbols) as CapturedGraph['symbols']),
  }
}

export const traceOf = record({
  id,
  entry: need(whole, 'valid entry'),
  kind: need(oneOf('specific', 'replacement'), 'valid kind'),
  argNames: texts,
  graph: need(object, 'graph'),
})
export type CapturedTrace = ReturnType<typeof traceOf>

/** The edit of a handler. */
const editOf = record({
  /** New and changed nodes in the order of the graph, each with the name of the node before it. */
  nodes: (v): readonly (Fields & { after: string | null; new: boolean })[] =>
    list(v).map((n) => ({ ...fields(n), after: text(fields(n).after), new: fields(n).new === true })),
  erased: texts,
})
export type CapturedEdit = ReturnType<typeof editOf>

const why = oneOf('mutation-regions', 'streams', 'trace', 'arguments', 'extra-check')
export type DropWhy = NonNullable<ReturnType<typeof why>>

export const attemptOf = record({
  entry: need(whole, 'valid entry'),
  node: need(text, 'valid node'),
  ok: need(bool, 'valid ok'),
  reason: text,
  nodes: textsOrNull,
  second: optional(record({ node: (v) => text(v) ?? '', ok: isTrue, reason: text, nodes: textsOrNull, trace: whole })),
  dropped: (v): { why: DropWhy; text: string | null } | null => {
    const known = why(fields(v).why)
    return known && { why: known, text: text(fields(v).text) }
  },
  applied: isTrue,
  /** Id of a trace. */
  replacement: whole,
  edit: optional(editOf),
  raised: text,
})
export type CapturedAttempt = ReturnType<typeof attemptOf>

/** One call of PatternMatcherPass.apply. */
const begunOf = record({
  id,
  pass: need(whole, 'valid pass'),
  /** The graph that passes are applied to. */
  run: wholeOrZero,
  compile: text,
  /** Graph ids; null where the graph was left out. */
  before: whole,
  table: (v): readonly (readonly [op: string, target: string, entries: readonly number[]])[] =>
    list(v).flatMap((row) => {
      const [op, target, entries] = list(row)
      const numbers = list(entries).filter((e): e is number => whole(e) !== null)
      return typeof op === 'string' && typeof target === 'string' ? [[op, target, numbers] as const] : []
    }),
})

export const endOf = record({
  /** Null if it raised, or if the capture ends before it. */
  count: number,
  error: text,
  after: number,
  rootFailures: numberOrZero,
  attemptsLeftOut: numberOrZero,
})

export interface CapturedApplication extends ReturnType<typeof begunOf>, ReturnType<typeof endOf> {
  attempts: CapturedAttempt[]
  /** False if the process crashed inside it, or the file is cut. */
  ended: boolean
}

export const applicationOf = (r: Fields): CapturedApplication => ({
  ...begunOf(r),
  ...endOf({}),
  attempts: [],
  ended: false,
})

export interface Capture {
  name: string
  header: CaptureHeader
  passes: ReadonlyMap<number, CapturedPass>
  entries: ReadonlyMap<number, CapturedEntry>
  graphs: ReadonlyMap<number, CapturedGraph>
  traces: ReadonlyMap<number, CapturedTrace>
  applications: readonly CapturedApplication[]
  /** Schemas of operators outside PyTorch, by target. */
  operators: ReadonlyMap<string, string>
  /** The Python files that define the patterns, under names that let them import each other; empty if not recorded. */
  sources: readonly TextFile[]
  /** By kind of record: the number of records that the size limit left out. */
  leftOut: Readonly<Record<string, number>>
  /** Errors of the recorder. */
  notes: readonly string[]
  /** Lines that could not be read. */
  problems: readonly Problem[]
}

/** A captured run whose recorded patterns are in use. */
export interface RecordedRun {
  capture: Capture
  /** By PipelineRun.passes. */
  applications: readonly CapturedApplication[]
}
