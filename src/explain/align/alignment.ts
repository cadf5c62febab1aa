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
  /** Values the pattern's arguments have here. */
  bound: ReadonlyMap<string, Arg>
  /** Outputs of the pattern that the graph has. */
  outputs: number
}

export interface AlignOptions {
  schemaOf: SchemaLookup
  /** `initial`: ints, floats, lists, devices and dtypes are not compared, as in the first stage. */
  stage: Phase
  index: GraphIndex
  /** False for a node that a match replaced: no output of a near miss is there. */
  free?(node: Node): boolean
}

/** State of the alignment at one anchor. */
export class Progress {
  readonly pairs = new Map<Node, Node>()
  /** Graph nodes that stand for a pattern node or between two: no outsiders. */
  readonly inside = new Set<Node>()
  readonly bound = new Map<string, Arg>()
  /** Pattern node → what it was met by, aligned or not. */
  readonly seen = new Map<Node, Arg>()
  readonly causes: Cause[] = []
  unusedOutputs = 0

  constructor(
    readonly pattern: PatternGraph,
    readonly stage: Phase,
    readonly anchor: Node,
  ) {}

  tell(parts: CauseParts): void {
    this.causes.push(makeCause(parts, (p) => this.pattern.indexOf(p)))
  }

  nameOf(placeholder: Node): string {
    return this.pattern.argNames.get(placeholder)!
  }
}
