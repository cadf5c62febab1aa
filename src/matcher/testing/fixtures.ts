/** Test fixtures: graphs as text, and a Python side with predefined traces. */
import type { Graph, Val } from '../../fx'
import { readGraphText } from '../../fx/readers/read_graph_text'
import { Problems } from '../../fx/readers/scan'
import {
  PatternRegistry,
  type Attempt,
  type AppliedMatch,
  type CallableId,
  type LiveHost,
  type MatchView,
  type Registration,
} from '../index'

/** `print(graph)` without its users: `%a = placeholder[target=a]`. Indented or not. */
export function graph(text: string): Graph {
  const lines = text
    .trim()
    .split('\n')
    .map((l) => `    ${l.trim().replace(/^(%\w+) = /, '$1 : [num_users=0] = ')}`)
  const full = ['graph():', ...lines].join('\n')
  const problems = new Problems('fixture')
  const read = readGraphText(full, { start: 0, end: full.length, line: 1 }, problems)
  if (problems.list.length > 0) throw new Error(problems.list.map((p) => p.message).join('; '))
  return read
}

/** Gives every node the metadata of a float tensor, so that passes can re-trace. */
export function withShapes(g: Graph, shape: readonly (number | string)[] = [4, 8]): Graph {
  for (const n of g.nodes())
    if (n.op !== 'output') n.meta.val = { kind: 'tensor', dtype: 'float32', shape, stride: null, device: null }
  return g
}

export const tensor = (...shape: number[]): Val => ({
  kind: 'tensor',
  dtype: 'float32',
  shape,
  stride: null,
  device: null,
})

/** Result of a traced function: FX text by its arguments, or an exception. */
export type Traced = (args: readonly Val[]) => string

export interface Fixture {
  search: Traced
  replace: Traced
  argNames: readonly string[]
  extraCheck?: (kwargs: ReadonlyMap<string, unknown>) => unknown
  registration?: Partial<Registration>
}

export interface Applied {
  count: number
  error: { pythonType: string; message: string } | null
  attempts: Attempt[]
  applied: AppliedMatch[]
  /** Number of traces requested from Python. */
  traces: number
}

/** A host of these functions; it raises where another one is called. */
export function hostOf(functions: {
  trace: LiveHost['trace']
  extraCheck?: (fn: CallableId, match: MatchView) => unknown
  handle?: LiveHost['handle']
}): LiveHost {
  const refuse = (): never => {
    throw new Error('the fixture has no such function')
  }
  const { trace, extraCheck = refuse, handle = refuse } = functions
  return {
    recorded: false,
    trace,
    extraCheck: (fn, match) => ({ result: { value: extraCheck(fn, match) }, reads: [], stubs: [], returned: null }),
    handle,
    matchUser: refuse,
    anchorsUser: refuse,
    traceDecisions: () => [],
  }
}

/** Registers the fixtures in one pass and applies it. */
export function applyPass(target: Graph, fixtures: readonly Fixture[]): Applied {
  let traces = 0
  const host = hostOf({
    trace: (fn, _names, args) => {
      traces++
      const f = fixtures[Math.floor(fn / 2)]!
      return graph((fn % 2 === 0 ? f.search : f.replace)(args))
    },
    extraCheck: (fn, match) => fixtures[fn]!.extraCheck!(match.kwargs),
  })
  const registry = new PatternRegistry({ host: () => host })
  registry.newPass(0, null)
  fixtures.forEach((f, i) => registry.registerReplacement(0, registrationOf(f, i)))
  const attempts: Attempt[] = []
  const applied: AppliedMatch[] = []
  const result = registry.apply(0, target, { attempt: (a) => attempts.push(a), applied: (m) => applied.push(m) })
  return { ...result, attempts, applied, traces }
}

function registrationOf(f: Fixture, index: number): Registration {
  return {
    search: 2 * index,
    replace: 2 * index + 1,
    argNames: f.argNames,
    exampleInputs: f.argNames.map(() => tensor(2, 2)),
    extraCheck: f.extraCheck ? index : null,
    scalarWorkaround: null,
    exclusiveArgNames: [],
    searchFnPattern: null,
    skipDuplicates: false,
    title: 'pattern',
    source: null,
    bindings: {},
    ...f.registration,
  }
}
