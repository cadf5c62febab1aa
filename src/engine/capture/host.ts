/**
 * Answers the matcher's calls into Python from a capture: traces, extra_checks and handlers as PyTorch ran them at the
 * same pattern and node.
 */
import type { Arg, Graph, Node } from '../../fx'
import {
  FailedMatch,
  PythonError,
  type MatchEdit,
  type MatchResult,
  type PatternExpr,
  type CheckAnswer,
  type RecordedHost,
  type RecordedTrace,
} from '../../matcher'
import type { MatchContext } from '../../matcher/match_context'
import type { CallableId } from '../../matcher/types'
import { addNode, argsOf, graphOfJson, nameLaterNodes } from './graphs'
import type { Capture, CapturedApplication, CapturedAttempt, CapturedEdit } from './records'

/** The functions of an entry. */
const FUNCTIONS = ['search', 'replace', 'extraCheck', 'handler'] as const
type FunctionKind = (typeof FUNCTIONS)[number]

/** The id that represents a function of an entry. */
export const callableOf = (entry: number, kind: FunctionKind): CallableId =>
  entry * FUNCTIONS.length + FUNCTIONS.indexOf(kind)

const entryOfCallable = (fn: CallableId): number => Math.floor(fn / FUNCTIONS.length)
const kindOf = (fn: CallableId): FunctionKind => FUNCTIONS[fn % FUNCTIONS.length]!

export class CaptureHost implements RecordedHost {
  readonly recorded = true
  /** Attempts of the current application that matched in stage one, by entry and node. */
  private matched = new Map<string, CapturedAttempt>()
  private at: CapturedAttempt | null = null

  constructor(
    private readonly capture: Capture,
    /** The capture's id of a registry entry. */
    private readonly idOf: (number: number) => number,
  ) {}

  /** Selects the application to answer for; null: none. */
  begin(application: CapturedApplication | null): void {
    this.matched = new Map()
    this.at = null
    for (const a of application?.attempts ?? []) if (a.ok) this.matched.set(`${a.entry} ${a.node}`, a)
  }

  visiting(entry: number, node: Node): void {
    this.at = this.matched.get(`${this.idOf(entry)} ${node.name}`) ?? null
  }

  trace(fn: CallableId): Graph {
    const entry = this.capture.entries.get(entryOfCallable(fn))
    if (kindOf(fn) === 'search') {
      if (entry?.search) return graphOfJson(entry.search)
    } else {
      const id = this.at?.replacement ?? this.anyReplacement(entryOfCallable(fn))
      const trace = id === null ? undefined : this.capture.traces.get(id)
      if (trace) return graphOfJson(trace.graph)
    }
    throw this.at?.raised ? raisedError(this.at.raised) : missing(`trace of ${kindOf(fn)}`)
  }

  /** The trace of another match, to show the replacement of an entry. */
  private anyReplacement(entry: number): number | null {
    if (this.at) return null
    for (const t of this.capture.traces.values()) if (t.entry === entry && t.kind === 'replacement') return t.id
    return null
  }

  recordedTrace(_search: CallableId): RecordedTrace | null {
    const { at } = this
    if (at?.dropped?.why === 'trace') {
      const [type, ...rest] = (at.dropped.text ?? 'RuntimeError: ').split(': ')
      return { rejected: { kind: 'retrace-raised', type: type!, message: rest.join(': ') } }
    }
    if (at?.second && at.second.trace === null) return null
    const trace = at?.second ? this.capture.traces.get(at.second.trace!) : undefined
    if (!trace) return { rejected: { kind: 'not-recorded' } }
    return { graph: graphOfJson(trace.graph), placeholders: trace.argNames }
  }

  extraCheck(): CheckAnswer {
    const { at } = this
    const raised = at?.raised && !at.applied ? raisedError(at.raised) : null
    return { result: raised ? { raised } : { value: at?.applied === true }, reads: [], stubs: [], returned: null }
  }

  handle(_fn: CallableId, match: MatchEdit): void {
    if (this.at?.raised) throw raisedError(this.at.raised)
    if (!this.at?.edit) throw missing('edit of the handler')
    applyEdit(match.graph, this.at.edit)
  }

  matchUser(_fn: CallableId, _node: Arg, _ctx: MatchContext, pattern: PatternExpr): MatchResult {
    return new FailedMatch({ kind: 'user_match', pattern, text: 'a capture cannot run _match' })
  }

  anchorsUser(): readonly Node[] {
    return []
  }
}

const missing = (what: string): PythonError => new PythonError('LookupError', `the capture has no ${what} here`, [])

function raisedError(text: string): PythonError {
  const cut = text.indexOf(': ')
  return new PythonError(cut < 0 ? text : text.slice(0, cut), cut < 0 ? '' : text.slice(cut + 2), [])
}

/** Repeats what a handler did. @throws PythonError if the graph lacks a node that the edit names */
function applyEdit(graph: Graph, edit: CapturedEdit): void {
  const nodes = new Map([...graph.nodes()].map((n) => [n.name, n]))
  const find = (name: string): Node => {
    const node = nodes.get(name)
    if (!node) throw missing(`node ${name}`)
    return node
  }
  const known = [...nodes.keys()]
  const added = edit.nodes.filter((n) => n.new)
  for (const n of added) {
    const make = () => addNode(graph, nodes, n)
    if (n.after === null) graph.insertingBefore(graph.first, make)
    else graph.insertingAfter(find(n.after), make)
  }
  nameLaterNodes(added, nodes, known)
  for (const n of edit.nodes) if (!n.new) find(String(n.name)).setArgs(...argsOf(n, nodes))
  for (const name of edit.erased.toReversed()) {
    const node = find(name)
    if (node.users.size > 0) throw missing(`use of ${name}`)
    graph.eraseNode(node)
  }
}
