/**
 * Counts how often each pattern fires on each graph of a workspace. Counts are cached until the code changes, so an edit
 * of one graph runs one graph again.
 */
import { formatProblem, type Problem } from '../../fx'
import { graphsOf } from '../../workspace/graphs'
import type { GraphFile, Workspace } from '../../workspace/types'
import { readGraph } from '../cases/graph_file'
import { graphKey } from '../cases/graph_key'
import { countPlaces, unshapedPlaces } from '../shapes/unshaped'
import { shapedGraph } from '../shapes/shaped_graph'
import type { EntryView } from '../../matcher'
import { sha256 } from '../../base/sha256'
import { firedByEntry, type PassRun } from '../pipeline/apply_pass'
import type { Interpreter } from '../run/interpreter'
import { applyElsewhere, type Run } from '../run/run'
import type { GraphColumn } from '../protocol'

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
   * @param run whose pipeline is applied to the other graphs
   */
  *of(
    workspace: Workspace,
    shown: { graph: string; problems: readonly Problem[]; passes: readonly PassRun[] },
    interpreter: Interpreter,
    run: Run,
  ): Generator<GraphColumn | null> {
    const graphs = graphsOf(workspace)
    this.keep(codeKey(workspace), graphs)
    for (const file of graphs) {
      const key = graphKey(file)
      const counts =
        this.known.get(key) ??
        (file.name === shown.graph
          ? countsOf(shown.passes, shown.passes, shown.problems)
          : yield* countOn(file, shown.passes, interpreter, run))
      this.known.set(key, counts)
      yield { graph: file.name, ...counts }
    }
  }
}

function* countOn(
  file: GraphFile,
  shown: readonly PassRun[],
  interpreter: Interpreter,
  run: Run,
): Generator<null, Counts> {
  const { graph, problems } = readGraph(file)
  yield null
  const shaped = interpreter.with(run.registrations, () =>
    shapedGraph(graph, file.inputShapes ?? {}, interpreter.tracer),
  )
  const slices = applyElsewhere(interpreter, run, shaped.graph, 'counts')
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
  const searched = searchedOf(passes)
  const byEntry = (count: (p: PassRun) => number[]): number[][] => {
    const next = new Map<string, number>()
    const counts = new Map<PassRun | null | undefined, number[]>(passes.map((p) => [p, count(p)]))
    return shown.map((p, i) => {
      if (p.passId !== null) return counts.get(onThis[i]) ?? p.toExplain.entries.map(() => 0)
      return p.toExplain.entries.map((entry) => {
        const key = searchKey(p, entry)
        const at = next.get(key) ?? 0
        next.set(key, at + 1)
        const { pass, index } = searched.get(key)?.[at] ?? {}
        return counts.get(pass)?.[index!] ?? 0
      })
    })
  }
  const unshaped = byEntry(unshapedByEntry)
  const raised = passes.find((p) => p.toExplain.applyError !== null)?.toExplain.applyError ?? null
  return {
    fired: byEntry(firedByEntry),
    ...(unshaped.some((pass) => pass.some((n) => n > 0)) && { unshaped }),
    problem: first ? formatProblem(first) : raised,
  }
}

const searchKey = ({ toExplain }: PassRun, { registration }: EntryView): string =>
  `${toExplain.name}\u0000${registration.title}`

/** The searches of SubgraphMatcher, in order, by stage and pattern: on another graph they may form other passes. */
function searchedOf(passes: readonly PassRun[]): Map<string, { pass: PassRun; index: number }[]> {
  const found = new Map<string, { pass: PassRun; index: number }[]>()
  for (const pass of passes) {
    if (pass.passId !== null) continue
    for (const entry of pass.toExplain.entries) {
      const key = searchKey(pass, entry)
      found.set(key, [...(found.get(key) ?? []), { pass, index: entry.index }])
    }
  }
  return found
}

/** Places of each entry where all nodes align and shapes are missing. */
function unshapedByEntry(pass: PassRun): number[] {
  const places = unshapedPlaces(pass, new Map())
  return pass.toExplain.entries.map((_, entry) => countPlaces(places.filter((p) => p.entry === entry)))
}

/** Hash of everything that affects registration and application. */
const codeKey = ({ files, passes, environment }: Workspace): string =>
  sha256(JSON.stringify([files, passes, environment]))
