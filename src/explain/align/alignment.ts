/** Result, options and state of an alignment. */
import type { Arg, Node } from '../../fx'
import type { SchemaLookup } from '../../matcher/schema_facts'
import type { Phase } from '../../matcher/types'
import type { GraphIndex } from './anchors'
import { makeCause, type Cause, type CauseParts } from '../causes'
import type { PatternGraph } from './pattern_graph'

export interface Alignment {
  anchor: Node
  /** Pattern node → graph node that runs the same operator. */
  pairs: ReadonlyMap<Node, Node>
  /** Aligned pattern nodes. */
  score: number
  of: number
  causes: Cause[]
  /** Graph values bound to the pattern's arguments. */
  bound: ReadonlyMap<string, Arg>
  /** Number of the pattern's outputs found in the graph. */
  outputs: number
}

export interface AlignOptions {
  schemaOf: SchemaLookup
  /** In `initial`, ints, floats, lists, devices and dtypes are not compared, as in stage one. */
  stage: Phase
  index: GraphIndex
  /** False for a node that a match replaced; such a node cannot be a candidate for an output. */
  free?(node: Node): boolean
}

/** State of the alignment at one anchor. */
export class Progress {
  readonly pairs = new Map<Node, Node>()
  /** Graph nodes that align with a pattern node or lie between two that do; their uses are not outside uses. */
  readonly inside = new Set<Node>()
  readonly bound = new Map<string, Arg>()
  /** Pattern node → the graph value it was compared with, aligned or not. */
  readonly seen = new Map<Node, Arg>()
  readonly causes: Cause[] = []
  unusedOutputs = 0

  constructor(
    readonly pattern: PatternGraph,
    readonly stage: Phase,
    readonly anchor: Node,
  ) {}

  addCause(parts: CauseParts): void {
    const known = this.pattern.subgraph ? asSubgraph(parts) : this.pattern.users ? inStageOne(parts) : parts
    this.causes.push(makeCause(known, (p) => this.pattern.indexOf(p)))
  }

  nameOf(placeholder: Node): string {
    return this.pattern.argNames.get(placeholder)!
  }
}

/** The first stage compares the constants of a hand-written pattern, because it has no second trace. */
const inStageOne = (parts: CauseParts): CauseParts =>
  parts.stage === 'specific' && 'stage' in parts.reason
    ? { ...parts, stage: 'initial', reason: { ...parts.reason, stage: 'initial' } as CauseParts['reason'] }
    : parts

/** The facts of a cause without those specific to Inductor's matcher: the two stages, and changes by tracing. */
function asSubgraph(parts: CauseParts): CauseParts {
  const { reason } = parts
  const changed = {
    ...reason,
    ...('stage' in reason && { stage: 'subgraph' as const }),
    ...('copies' in reason && { copies: false }),
    ...('viewForReshape' in reason && { viewForReshape: false }),
    ...('madeBy' in reason && { madeBy: null }),
  } as CauseParts['reason']
  return { ...parts, stage: null, reason: changed }
}
