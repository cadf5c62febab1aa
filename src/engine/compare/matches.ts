/** Matches of a pipeline run, expressed in the nodes of the graph that the passes started from. */
import type { Graph, Node } from '../../fx'

/** The matches of a PipelineRun. */
export interface RunMatches {
  passes: readonly {
    key: string
    matches: readonly { entry: number; node: string; nodes: readonly string[] }[]
  }[]
}

export interface FoundMatch {
  /** Key of the application of the pass. */
  pass: string
  entry: number
  node: string
  /** Names. Nodes that an earlier pass created are not in the graph. */
  nodes: readonly string[]
  /** The nodes that are in the graph. */
  inGraph: readonly Node[]
}

export function matchesOf(graph: Graph, run: RunMatches): FoundMatch[] {
  const byName = new Map([...graph.nodes()].map((n) => [n.name, n]))
  return run.passes.flatMap(({ key, matches }) =>
    matches.map(({ entry, node, nodes }) => ({
      pass: key,
      entry,
      node,
      nodes,
      inGraph: nodes.flatMap((n) => byName.get(n) ?? []),
    })),
  )
}

/** True if one of the matches has the same pattern and at least half of these nodes. */
export function hasMatch(
  matches: readonly FoundMatch[],
  of: Pick<FoundMatch, 'pass' | 'entry'>,
  names: ReadonlySet<string>,
): boolean {
  return matches.some(
    (m) =>
      m.pass === of.pass &&
      m.entry === of.entry &&
      names.size > 0 &&
      m.nodes.filter((n) => names.has(n)).length * 2 >= names.size,
  )
}
