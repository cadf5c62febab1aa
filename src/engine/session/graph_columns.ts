/**
 * Counts how often each pattern fires on each graph of a workspace. Counts are cached until the code changes, so an edit
 * of one graph runs one graph again.
 */
import { formatProblem, type Graph, type Problem } from '../../fx'
import { graphsOf } from '../../workspace/graphs'
import type { GraphFile, Workspace } from '../../workspace/types'
import type { Tracer } from '../../trace/types'
import { readGraph } from '../cases/graph_file'
import { graphKey } from '../cases/graph_key'
import { countPlaces, unshapedPlaces } from '../shapes/unshaped'
import { shapedGraph } from '../shapes/shaped_graph'
import { hashText } from '../../base/hash'
import { firedByEntry, type PassRun } from '../pipeline/apply_pass'
import type { runStages } from '../pipeline/run'
import type { GraphColumn } from '../protocol'

interface OtherGraphs {
  run(graph: Graph): ReturnType<typeof runStages>
  /** Shapes that a graph's text leaves out. */
  tracer: Tracer
}

type Counts = Omit<GraphColumn, 'graph'>

export class GraphColumns {
  /** By graphKey, for the code with `codeKey`. */
  private readonly known = new Map<string, Counts>()
  private codeKey = ''

  /** Drops counts for other code and for removed graphs. */
  private keep(code: string, graphs: readonly GraphFile[]): void {
    if (code !== this.codeKey) this.known.clear()
    this.codeKey = code
    const keys = new Set(graphs.map(graphKey))
    for (const key of this.known.keys()) if (!keys.has(key)) this.known.delete(key)
  }

  /**
   * One column per graph, in order; null at points where the caller may stop.
   * @param shown the graph and the passes of the last analysis, with known counts
   * @param on runs the same pipeline on another graph without modifying it
   */
  *of(
    workspace: Workspace,
    shown: { graph: string; problems: readonly Problem[]; passes: readonly PassRun[] },
    on: OtherGraphs,
  ): Generator<GraphColumn | null> {
    const graphs = graphsOf(workspace)
    this.keep(codeKey(workspace), graphs)
    for (const file of graphs) {
      const key = graphKey(file)
      const counts =
        this.known.get(key) ??
        (file.name === shown.graph
          ? countsOf(shown.passes, shown.passes, shown.problems)
          : yield* countOn(file, shown.passes, on))
      this.known.set(key, counts)
      yield { graph: file.name, ...counts }
    }
  }
}

function* countOn(file: GraphFile, shown: readonly PassRun[], { run, tracer }: OtherGraphs): Generator<null, Counts> {
  const { graph, problems } = readGraph(file)
  yield null
  const slices = run(shapedGraph(graph, file.inputShapes ?? {}, tracer).graph)
  for (;;) {
    const step = slices.next()
    if (step.done) return countsOf(shown, step.value.passes, problems)
    yield null
  }
}

/** @param shown the passes that the counts are for; user code may apply fewer or more of them on another graph */
function countsOf(shown: readonly PassRun[], passes: readonly PassRun[], [first]: readonly Problem[]): Counts {
  const byKey = new Map(passes.map((p) => [p.key, p]))
  const onThis = shown.map((p) => byKey.get(p.key) ?? null)
  const byEntry = (count: (p: PassRun) => number[]): number[][] =>
    shown.map((p, i) => (onThis[i] ? count(onThis[i]) : p.toExplain.entries.map(() => 0)))
  const unshaped = byEntry(unshapedByEntry)
  const raised = passes.find((p) => p.toExplain.applyError !== null)?.toExplain.applyError ?? null
  return {
    fired: byEntry(firedByEntry),
    ...(unshaped.some((pass) => pass.some((n) => n > 0)) && { unshaped }),
    problem: first ? formatProblem(first) : raised,
  }
}

/** Places of each entry where all nodes align and shapes are missing. */
function unshapedByEntry(pass: PassRun): number[] {
  const places = unshapedPlaces(pass, new Map())
  return pass.toExplain.entries.map((_, entry) => countPlaces(places.filter((p) => p.entry === entry)))
}

/** Hash of everything that affects registration and application. */
const codeKey = ({ files, passes, environment }: Workspace): string =>
  hashText(JSON.stringify([files, passes, environment]))
