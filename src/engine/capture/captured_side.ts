/** One run of a capture as a side of a comparison. */
import { Graph, type Node } from '../../fx'
import type { Correspondence } from '../../explain/compare/correspondence'
import type { RunMatches } from '../compare/matches'
import { buildGraph } from './graphs'
import { nameOfPass } from './runs'
import type { RecordedMatch } from './rerun'
import type { Capture, CapturedApplication, CapturedEntry } from './records'

export interface CapturedSide {
  name: string
  capture: Capture
  run: number
}

export interface Side extends CapturedSide {
  /** The graph before the first pass. */
  graph: Graph
  applications: CapturedApplication[]
  /** The pass's name. */
  names: ReadonlyMap<number, string>
  /** Numbers patterns so that both sides share them. */
  shared(entry: number): number
}

export function sideOf(side: CapturedSide, shared: (id: number) => number): Side {
  const applications = applicationsOf(side)
  const first = applications[0] && side.capture.graphs.get(applications[0].before!)
  const names = new Map<number, string>()
  for (const { pass } of applications) if (!names.has(pass)) names.set(pass, nameOfPass(side.capture, pass, names))
  return { ...side, applications, names, shared, graph: first ? buildGraph(first) : new Graph() }
}

const applicationsOf = ({ capture, run }: CapturedSide): CapturedApplication[] =>
  capture.applications.filter((a) => a.run === run && a.before !== null && capture.graphs.has(a.before))

export function entriesOf(side: CapturedSide): CapturedEntry[] {
  const ids = new Set(applicationsOf(side).flatMap((a) => a.table.flatMap(([, , entries]) => entries)))
  return [...ids].flatMap((id) => side.capture.entries.get(id) ?? [])
}

/** The side, with the matches that PyTorch replaced. */
export const recordedSide = (side: Side) => ({
  name: side.name,
  graph: side.graph,
  run: runOf(
    side,
    side.applications.map((application) => ({ application, matches: replacedIn(application) })),
  ),
})

const replacedIn = ({ attempts }: CapturedApplication): RecordedMatch[] =>
  attempts.flatMap(({ entry, node, nodes, applied, raised }) =>
    applied && raised === null ? [{ entry, node, nodes: [...(nodes ?? [])] }] : [],
  )

/** Matches by pass and shared number, in the form that compareRuns expects. */
export function runOf(
  side: Side,
  passes: readonly { application: CapturedApplication; matches: RecordedMatch[] }[],
): RunMatches {
  return {
    passes: passes.map(({ application, matches }) => ({
      key: side.names.get(application.pass)!,
      matches: matches.map((m) => ({ ...m, entry: side.shared(m.entry) })),
    })),
  }
}

/** Names of the nodes that correspond to a node of the recorded graph, in the other graph or in a copy of either. */
export function counterpartsIn(graph: Graph, toOther: Correspondence['toNew'], node: string): string[] {
  const found: Node | null | undefined = graph.find(node)
  const to = found && toOther.get(found)
  return [...new Set([...(to ? [to.name] : []), node])]
}
