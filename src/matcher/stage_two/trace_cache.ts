/** Cache of one entry's re-traces, by the metadata of their arguments. */
import type { Graph, Node, Val } from '../../fx'
import type { DropReason } from '../reasons/drop_reason'
import type { PatternExpr } from '../expr/pattern_expr'
import type { TraceArgInfo } from '../trace_args'

/** The re-traced pattern for one set of argument metadata. */
export interface Specific {
  pattern: PatternExpr
  argInfo: TraceArgInfo
  /** Index in the re-traced graph → index in the entry's search graph. */
  toInitial: readonly (number | null)[] | null
  /** The re-traced search function; null for a hand-written pattern. */
  graph: Graph | null
  /** Names of that graph's placeholders, including leading symbolic sizes. */
  placeholders: readonly string[]
}

/** The reason why there is no re-traced pattern; PyTorch drops the match silently. */
export interface Rejected {
  rejected: DropReason
}

/** Floats of a search graph that hold whatever the shapes are. */
export interface FixedLiterals {
  /** Nodes of the search graph whose floats are fixed. */
  nodes: ReadonlySet<Node>
  /** The pattern of stage one with these floats exact. */
  pattern: PatternExpr
}

/** Traces of one entry by argument metadata: equal layers share one trace. */
export class TraceCache {
  /** The arguments of the re-trace, by the captured metadata. */
  readonly args = new Map<string, Val[] | Rejected>()
  /** Only those that a match asked for. */
  readonly specific = new Map<string, Specific | Rejected>()
  readonly replacement = new Map<string, Graph>()
  /** For graphs without shapes; undefined: not asked for yet. */
  fixedLiterals: FixedLiterals | null | undefined

  /** @param earlier of the same registration, whose functions trace as they did */
  constructor(private readonly earlier: TraceCache | null = null) {}

  specificOf(key: string): Specific | Rejected | undefined {
    return taken(key, this.specific, this.earlier?.specific)
  }

  replacementOf(key: string): Graph | undefined {
    return taken(key, this.replacement, this.earlier?.replacement)
  }
}

function taken<T>(key: string, own: Map<string, T>, earlier: ReadonlyMap<string, T> | undefined): T | undefined {
  const known = own.get(key) ?? earlier?.get(key)
  if (known !== undefined) own.set(key, known)
  return known
}
