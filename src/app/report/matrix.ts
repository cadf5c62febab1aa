/** The table of patterns by graphs: one row per registration, one column per graph of the workspace. */
import type { EntryReport, GraphColumn, PassReport, Report } from '../../engine/protocol'
import { graphsOf } from '../../workspace/graphs'
import type { Workspace } from '../../workspace/types'
import { tabLabel } from './tab_label'
import { variantLabel } from './variant_label'
import { count } from '../../base/english'

export interface MatrixColumn {
  graph: string
  /** A short, unique label. */
  label: string
  shown: boolean
  /** Number of matches by row; null: not counted yet. */
  fired: (number | null)[]
  /** Number of places by row that match if the missing shapes allow. */
  unshaped: number[]
  /** The counts belong to an earlier run; the new ones are pending. */
  old: boolean
  problem: string | null
}

export interface MatrixRow {
  pass: PassReport
  entry: EntryReport
  label: string
  /** The label without the common prefix of its class. */
  short: string
}

export interface Matrix {
  rows: MatrixRow[]
  columns: MatrixColumn[]
}

/** @param known number of columns whose counts belong to this report, not to an earlier run */
export function matrixOf(report: Report, workspace: Workspace, known: number): Matrix {
  const rows = report.passes.flatMap((pass) => {
    const labels = pass.entries.map((entry) => variantLabel(pass, entry) || entry.title)
    return pass.entries.map((entry, i): MatrixRow => {
      const label = labels[i]!
      const shared = sharedStart(labels.filter((_, j) => pass.entries[j]!.title === entry.title))
      return { pass, entry, label, short: shared < SHORTENED ? label : `…${label.slice(shared)}` }
    })
  })
  const names = graphsOf(workspace).map((g) => g.name)
  const columns = names.map((graph): MatrixColumn => {
    const at = report.columns?.findIndex((c) => c.graph === graph) ?? -1
    const column = report.columns?.[at]
    return {
      graph,
      label: tabLabel(graph, names).replace(/\.(txt|py)$/, ''),
      shown: graph === workspace.graph.name,
      fired: report.passes.flatMap((p, i) => p.entries.map((_, e) => column?.fired[i]?.[e] ?? null)),
      unshaped: report.passes.flatMap((p, i) => p.entries.map((_, e) => column?.unshaped?.[i]?.[e] ?? 0)),
      old: at >= known,
      problem: column?.problem ?? null,
    }
  })
  return { rows, columns }
}

/** Minimum length of a prefix that is omitted. */
const SHORTENED = 4

/** Length of the common prefix of several labels; 0 for one label. */
function sharedStart(labels: readonly string[]): number {
  const [first = ''] = labels
  let n = 0
  if (labels.length > 1) while (n < first.length && labels.every((l) => l[n] === first[n])) n++
  return n
}

/** Summary of the table in one sentence. */
export function matrixSentence({ rows, columns }: Matrix): string {
  const counted = columns.filter((c) => c.fired.every((n) => n !== null))
  if (counted.length < columns.length) return `${counted.length} of ${count(columns.length, 'graph')} counted so far.`
  const firing = (c: MatrixColumn): number => c.fired.filter((n) => n! > 0).length
  const head = `${count(rows.length, 'pattern')} on ${count(columns.length, 'graph')}: `
  const silent = rows.filter((_, r) => columns.every((c) => c.fired[r] === 0)).length
  const tail = silent > 0 ? ` ${count(silent, 'pattern fires', 'patterns fire')} on none.` : ''
  const first = columns.map((c) => c.fired.findIndex((n) => n! > 0))
  if (columns.every((c) => firing(c) === 1) && new Set(first).size === columns.length)
    return `${head}each graph fires exactly one pattern, each a different one.${tail}`
  const groups = [
    ['fire one pattern', 'fires one pattern', (n: number) => n === 1],
    ['fire several', 'fires several', (n: number) => n > 1],
    ['fire none', 'fires none', (n: number) => n === 0],
  ] as const
  const parts = groups.flatMap(([many, one, is]) => {
    const n = columns.filter((c) => is(firing(c))).length
    return n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]
  })
  return `${head}${parts.join(', ')}.${tail}`
}

/** ` (1 match)` after a graph's name, if counted. */
export function firedOn(columns: readonly GraphColumn[] | undefined, graph: string): string {
  const column = columns?.find((c) => c.graph === graph)
  if (!column) return ''
  const sum = (counts: readonly number[][] = []): number => counts.flat().reduce((n, k) => n + k, 0)
  const unshaped = sum(column.unshaped)
  const more = unshaped > 0 ? `, ${unshaped} if the shapes allow` : ''
  return ` (${column.problem ? 'has a problem' : count(sum(column.fired), 'match', 'matches') + more})`
}
