/** The types in the signatures of calls (table.ts): each with its annotation in Python and the check of a value. */
import type { CallableId, EntryTable, MetaRead, RefusingReturn } from '../../matcher/types'
import type {
  Frame,
  GraphRegistrationJson,
  RegistrationJson,
  SearchJson,
  SourceLocation,
  TraceFn,
} from '../registration'
import type { AskedCondition } from '../pass_call'
import type { DecisionJson } from '../run_json'
import type { ModuleNames, SyntaxData } from '../types'
import type { Json } from '../wire'
import {
  anything,
  array,
  count,
  fields,
  flag,
  list,
  nothing,
  nullable,
  object,
  text,
  tuple,
  type Check,
} from './checks'
import { decision } from './run_form'

/** Where a node is inserted: beside a node, or at the start or the end of the graph. */
export type Point = [side: 'before' | 'after', node: string | null] | null

/** Options of a trace that user code starts. */
export interface RequestedTrace {
  functionalPasses?: boolean
  joint?: boolean
  decompositions: number | null
}

/** What an extra_check read and the answers of stubs that it used. */
export type CheckFacts = [reads: MetaRead[], decided: DecisionJson[]]

/** A type with its annotation in Python, and the check of Python's values. */
interface CallType<T> {
  python: string
  check: Check
  /** Only for the compiler. */
  of?: T
}

const type = <T>(python: string, check: Check): CallType<T> => ({ python, check })

const facts = [list(tuple(text, text, nullable(text))), list(decision)] as const
const asked = fields({
  file: text,
  line: count,
  function: text,
  text,
  counts: tuple(count, count),
  nodes: tuple(list(text), list(text)),
  examples: tuple(nullable(text), nullable(text)),
  wanted: list(text),
  skipped: nullable(tuple(count, count, flag)),
})
const moduleNames: Check = (v) => object(v) && Object.values(v as object).every(list(tuple(text, text)))

/**
 * By name. An encoded value (wire.ts) has no further check: `decode` takes any value. Data in a special form is checked where it is
 * read.
 */
const TYPES = {
  None: type<void | null>('None', nothing),
  bool: type<boolean>('bool', flag),
  'bool | None': type<boolean | null>('bool | None', nullable(flag)),
  int: type<number>('int', count),
  'int | None': type<number | null>('int | None', nullable(count)),
  str: type<string>('str', text),
  'str | None': type<string | null>('str | None', nullable(text)),
  /** An encoded value (wire.ts). */
  Value: type<Json>('Any', anything),
  Values: type<Json[]>('list', array),
  /** Keyword arguments in order. */
  Named: type<[string, Json][]>('list', array),
  Names: type<string[]>('list[str]', list(text)),
  /** A match by the number of a match that Python found, with its nodes if user code changed the list. */
  Matched: type<[number: number | null, nodes: string[] | null]>('list', tuple(nullable(count), nullable(list(text)))),
  Numbers: type<number[]>('list[int]', list(count)),
  /** JSON of the named form. */
  Json: type<Json>('Any', anything),
  Place: type<SourceLocation | null>('list | None', nullable(tuple(text, count))),
  Frames: type<Frame[]>('Sequence', array),
  Point: type<Point>('tuple[str, str | None] | None', nullable(tuple(text, nullable(text)))),
  Dims: type<number[]>('list[int]', list(count)),
  Classes: type<[target: string, name: string][]>('list', list(tuple(text, text))),
  Decompositions: type<[op: string, fn: number][]>('list', list(tuple(text, count))),
  /** Whether an operator exists; `uncertain`: its namespace is not a known one. */
  Known: type<boolean | 'uncertain'>('bool | str', anything),
  TraceFn: type<TraceFn | null>('int | str | None', (v) => v === null || v === 'joint_fwd_bwd' || count(v)),
  TraceOptions: type<RequestedTrace>('dict', object),
  Registration: type<RegistrationJson>('dict', object),
  GraphRegistration: type<GraphRegistrationJson>('dict', object),
  Entries: type<EntryTable>('list', list(tuple(text, text, list(count)))),
  Bindings: type<[pattern: Json, node: Json][]>('list', list(tuple(anything, anything))),
  Search: type<SearchJson>('dict', object),
  Returned: type<RefusingReturn | null>('dict | None', nullable(object)),
  Reads: type<MetaRead[]>('list', facts[0]),
  Replacing: type<(string | null)[]>('list[str | None]', list(nullable(text))),
  Branch: type<[number: number, used: number[]]>('list', tuple(count, list(count))),
  // Python's answers.
  Files: type<[name: string, text: string, made: string | null][]>('list', array),
  Texts: type<[file: string, text: string][]>('list', array),
  Touched: type<CallableId[] | null>('list[int] | None', nullable(list(count))),
  Environment: type<Json>('dict | None', anything),
  Examples: type<readonly (number | null)[] | null>('list | None', anything),
  Match: type<Json>('dict', object),
  Run: type<unknown>('dict', anything),
  Tests: type<unknown>('dict', anything),
  Modules: type<ModuleNames>('dict', moduleNames),
  Syntax: type<SyntaxData | null>('list | None', anything),
  Position: type<[file: string, line: number, name: string] | null>('list | None', nullable(tuple(text, count, text))),
  Traced: type<[result: Json, decided: DecisionJson[]]>('list', tuple(anything, list(decision))),
  Decomposed: type<[applies: boolean, result: Json]>('list', tuple(flag, anything)),
  Facts: type<CheckFacts>('list', tuple(...facts)),
  Checked: type<[answer: Json, ...CheckFacts, RefusingReturn | null]>('list', tuple(anything, ...facts)),
  Passed: type<[replaced: number | null, missing: string[], asked: AskedCondition[]]>(
    'list',
    tuple(nullable(count), list(text), list(asked)),
  ),
}

type Types = typeof TYPES
type Named<N> = N extends keyof Types ? (Types[N] extends CallType<infer T> ? T : never) : never

/** `(key: str, other: str) -> bool`, as Python writes it. */
type Parameters<S> = S extends `${string}: ${infer T}, ${infer Rest}`
  ? [Named<T>, ...Parameters<Rest>]
  : S extends `${string}: ${infer T}`
    ? [Named<T>]
    : []

/** The arguments of a call with this signature. */
export type ArgumentsOf<S extends string> = S extends `(${infer P}) -> ${string}` ? Parameters<P> : never
/** Its answer. */
export type AnswerOf<S extends string> = S extends `(${string}) -> ${infer T}` ? Named<T> : never

export interface Signature {
  parameters: readonly { name: string; type: keyof Types }[]
  answer: keyof Types
}

const isType = (name: string | undefined): name is keyof Types => name !== undefined && Object.hasOwn(TYPES, name)

/** Reads a signature. @throws Error for a type that is not listed above */
export function signatureOf(written: string): Signature {
  const [, inside = '', answer] = /^\((.*)\) -> (.+)$/.exec(written) ?? []
  const parameters = inside === '' ? [] : inside.split(', ').map((each) => each.split(': ') as [string, string])
  const unknown = [...parameters.map(([, t]) => t), answer].find((t) => !isType(t))
  if (unknown !== undefined || !isType(answer)) throw new Error(`${written}: ${unknown} is not a type of calls`)
  return { parameters: parameters.map(([name, t]) => ({ name, type: t as keyof Types })), answer }
}

export const checkOf = (name: keyof Types): Check => TYPES[name].check

/** The signature with Python's own types: `(fn: int, args: list) -> object`. */
export function pythonSignature(written: string): string {
  const { parameters, answer } = signatureOf(written)
  return `(${parameters.map((p) => `${p.name}: ${TYPES[p.type].python}`).join(', ')}) -> ${TYPES[answer].python}`
}
