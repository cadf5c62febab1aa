/**
 * Which pattern fires on which graph, where a workspace has several. A graph is worked out once for as long as the code
 * stays as it is: an edit of one graph costs one graph.
 */
import { formatProblem, type Graph, type Problem } from '../../fx'
import { graphsOf } from '../../workspace/graphs'
import type { GraphFile, Workspace } from '../../workspace/types'
import { graphKey, readGraph } from '../cases/graph_file'
import { hashText } from '../../base/hash'
import type { countFired } from '../pipeline/passes'
import type { GraphColumn, PassReport } from '../protocol'

type Found = Omit<GraphColumn, 'graph'>

export class GraphColumns {
  /** By graphKey; of the code `codeKey`. */
  private readonly known = new Map<string, Found>()
  private codeKey = ''

  /** Forgets what is of other code, and graphs that are gone. */
  private keep(code: string, graphs: readonly GraphFile[]): void {
    if (code !== this.codeKey) this.known.clear()
    this.codeKey = code
    const keys = new Set(graphs.map(graphKey))
    for (const key of this.known.keys()) if (!keys.has(key)) this.known.delete(key)
  }

  /**
   * One column a graph, in the order of the graphs; null where it may be left.
   * @param shown the graph of the last analysis, whose counts are known
   * @param count applies the passes to a graph, which they change
   */
  *of(
    workspace: Workspace,
    shown: { graph: string; problems: readonly Problem[]; passes: readonly PassReport[] },
    count: (graph: Graph) => ReturnType<typeof countFired>,
  ): Generator<GraphColumn | null> {
    const graphs = graphsOf(workspace)
    this.keep(codeKey(workspace), graphs)
    for (const file of graphs) {
      const key = graphKey(file)
      const found =
        this.known.get(key) ??
        (file.name === shown.graph ? ofReport(shown.problems, shown.passes) : yield* columnOf(file, count))
      this.known.set(key, found)
      yield { graph: file.name, ...found }
    }
  }
}

function* columnOf(file: GraphFile, count: (graph: Graph) => ReturnType<typeof countFired>): Generator<null, Found> {
  const { graph, problems } = readGraph(file)
  yield null
  const slices = count(graph)
  for (;;) {
    const step = slices.next()
    if (step.done) {
      const { fired, raised } = step.value
      return { fired, problem: problemOf(problems, raised) }
    }
    yield null
  }
}

const ofReport = (problems: readonly Problem[], passes: readonly PassReport[]): Found => ({
  fired: passes.map((p) => p.entries.map((e) => e.fired)),
  problem: problemOf(problems, passes.find((p) => p.applyError !== null)?.applyError ?? null),
})

const problemOf = ([first]: readonly Problem[], raised: string | null): string | null =>
  first ? formatProblem(first) : raised

/** Of all that decides what is registered and applied. */
const codeKey = ({ files, passes, environment }: Workspace): string =>
  hashText(JSON.stringify([files, passes, environment]))
