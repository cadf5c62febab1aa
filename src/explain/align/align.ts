/** Aligns a pattern with a graph at one anchor and reports every difference. */
import type { Node } from '../../fx'
import { anchorsOf } from './anchors'
import type { PatternGraph } from './pattern_graph'
import { Similarity } from './similarity'
import { AlignmentWalk } from './alignment_walk'
import type { AlignOptions, Alignment } from './alignment'

export type { AlignOptions, Alignment } from './alignment'

/** Caches similarities across anchors: create one aligner per pattern. */
export class Aligner {
  private readonly similarity: Similarity

  private readonly places = { near: new Map<Node, readonly Node[]>(), far: new Map<Node, readonly Node[]>() }

  constructor(
    readonly pattern: PatternGraph,
    private readonly options: AlignOptions,
  ) {
    this.similarity = new Similarity(pattern, options.schemaOf)
  }

  /** How much of the computation of `output` could align at the node. */
  value(output: Node, node: Node): number {
    return this.similarity.value(output, node)
  }

  align(output: Node, anchor: Node): Alignment {
    return new AlignmentWalk(this.pattern, this.similarity, this.options.stage, anchor).run(output, (o) =>
      this.placesOf(o, this.placesOf(o, false).length === 0),
    )
  }

  private anchors(output: Node, far: boolean): readonly Node[] {
    const { index, free } = this.options
    const all = [...anchorsOf(output, index, far)]
    return free ? all.filter((n) => free(n)) : all
  }

  /** Candidate nodes for an output: nodes that run its operator; with `far`, also nodes reached from its parts. */
  placesOf(output: Node, far: boolean): readonly Node[] {
    const kept = far ? this.places.far : this.places.near
    let found = kept.get(output)
    if (!found) kept.set(output, (found = this.anchors(output, far)))
    return found
  }
}
