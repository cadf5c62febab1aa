/** The catalog of examples (public/examples/index.json), with the gallery's order and search. */
import type { Sketch } from './sketch'
import { count, thousands } from '../../base/english'

/** The systems whose passes the examples show, in the order of the gallery; each has docs/systems/NAME.md, lower case. */
export const SYSTEMS = ['vLLM', 'Inductor', 'vLLM-Ascend', 'SGLang'] as const
export type System = (typeof SYSTEMS)[number]

/** One line of the index; paths are below public/examples. */
/** The example of a first visit: it fits on one screen. */
export const FIRST_EXAMPLE = 'rms-norm-int8'

export interface ExampleInfo {
  id: string
  system: System
  title: string
  /** The description, two lines. */
  description: string
  workspace: string
  report: string
  /** The guide: docs/systems/PAGE.md. */
  page: string
  shows: ExampleFigures
  /** Hash of public/bases/HASH.txt, which links that began as this example build on. */
  base: string
  /** The pattern that fired most often, and its replacement; absent if none is registered. */
  sketch?: { pattern: Sketch; replacement: Sketch | null }
  /** Initial view: a tab, and a text in it. */
  view?: { openFile: string; startAt: string }
}

/** Counts of the stored report, for the graph that is shown first. */
export interface ExampleFigures {
  entries: number
  matches: number
  nodes: number
  nodesAfter: number | null
  /** The number of graphs and of matches on all of them, for a workspace with several graphs. */
  graphs?: { count: number; matches: number }
}

/** The page of a system: docs/systems/PAGE.md. */
export const systemPage = (system: System): string => system.toLowerCase()

/** Examples by system, in order, filtered to those that contain every word of the query. */
export function galleryOf(list: readonly ExampleInfo[], query = ''): { system: System; examples: ExampleInfo[] }[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (e: ExampleInfo): boolean => {
    const text = `${e.system} ${e.title} ${e.description} ${e.id}`.toLowerCase()
    return words.every((w) => text.includes(w))
  }
  return SYSTEMS.map((system) => ({ system, examples: list.filter((e) => e.system === system && fits(e)) })).filter(
    (group) => group.examples.length > 0,
  )
}

/** "18 patterns · 32 matches · 1,552 → 1,456 nodes", "18 patterns · 16 matches on 16 graphs" */
export function figuresText({ entries, matches, nodes, nodesAfter, graphs }: ExampleFigures): string {
  if (graphs)
    return `${count(entries, 'pattern')} · ${count(graphs.matches, 'match', 'matches')} on ${count(graphs.count, 'graph')}`
  const before = nodesAfter !== null && nodesAfter !== nodes ? `${thousands(nodes)} → ` : ''
  return [
    count(entries, 'pattern'),
    count(matches, 'match', 'matches'),
    before + count(before ? nodesAfter! : nodes, 'node'),
  ].join(' · ')
}
