/**
 * Maps a Selection to nodes of the graphs before and after, source lines and pattern nodes. Pure, so the canvas, the
 * editor and the panels cannot disagree.
 */
import { fileOf } from '../session/workspace_store'
import type { EntryReport, GraphView, NearMiss, PassReport, Report, SourceRef } from '../../engine/protocol'
import type { Selection, Workspace } from '../../workspace/types'
import { editsOf, indexOf, nodeNamed, passNamed, positions, type MatchRef } from '../../engine/queries/report_index'
import { placesOf } from '../../engine/queries/why_not_places'
import { rewriteOf } from './rewrite_map'

export interface Highlight {
  before: Set<string>
  after: Set<string>
  /** The main node, which the canvas centers. */
  focusBefore: string | null
  focusAfter: string | null
  /** File name → lines, from 1. */
  lines: Map<string, Set<number>>
  /** The culprit of a near miss. */
  culprit: string | null
  entry: { pass: PassReport; entry: EntryReport } | null
  match: MatchRef | null
  nearMiss: NearMiss | null
  /** A second culprit outside the near miss: brought into view, not highlighted. */
  outside: string | null
  /** For a near miss with several places: the anchor of the selected one. */
  place: string | null
  /** Indices into entry.pattern.nodes. */
  patternNodes: Set<number>
}

export const NOTHING: Highlight = Object.freeze({
  before: new Set<string>(),
  after: new Set<string>(),
  focusBefore: null,
  focusAfter: null,
  lines: new Map<string, Set<number>>(),
  culprit: null,
  entry: null,
  match: null,
  nearMiss: null,
  outside: null,
  place: null,
  patternNodes: new Set<number>(),
})

/** The report, the graph before the passes and the workspace that a selection refers to. */
interface HighlightContext {
  report: Report | null
  before: GraphView | null
  workspace: Workspace
}

export function highlightOf(
  selection: Selection | null,
  report: Report | null,
  graph: GraphView | null,
  workspace: Workspace,
): Highlight {
  if (!selection) return NOTHING
  const h: Highlight = { ...NOTHING, before: new Set(), after: new Set(), lines: new Map(), patternNodes: new Set() }
  const before = graph ?? report?.graph ?? null
  const context: HighlightContext = { report, before, workspace }
  switch (selection.kind) {
    case 'node':
      nodeSelected(h, selection.name, selection.side, context)
      break
    case 'match': {
      const ref =
        report &&
        indexOf(report).matches.find((m) => m.pass.name === selection.pass && m.match.index === selection.index)
      if (ref) matchSelected(h, ref, workspace)
      break
    }
    case 'entry': {
      const found = entryOf(report, selection.pass, selection.index)
      if (!found) break
      h.entry = found
      for (const m of found.pass.matches) if (m.entry === found.entry.index) addAll(h, m.nodes, m.added)
      for (const n of found.entry.pattern.nodes) addSource(h, n.source, workspace)
      addSource(h, found.entry.source, workspace)
      break
    }
    case 'patternNode': {
      const found = entryOf(report, selection.pass, selection.entry)
      if (!found) break
      h.entry = found
      patternNodeSelected(h, found.pass, found.entry, selection.index, workspace)
      addSource(h, selection.source ?? null, workspace)
      break
    }
    case 'line':
      lineSelected(h, selection.file, selection.line, context)
      break
    case 'nearMiss': {
      const pass = passNamed(report, selection.pass)
      const miss = pass?.nearMisses.find((n) => n.index === selection.index)
      if (report && pass && miss) nearMissSelected(h, { report, pass, miss, anchor: selection.place }, workspace)
    }
  }
  // A node in both graphs is highlighted on both sides.
  if (before && selection.kind !== 'match' && selection.kind !== 'entry')
    for (const name of h.before) if (nodeNamed(report?.after ?? null, name)) h.after.add(name)
  for (const name of h.before) addGraphLine(h, before, name, workspace)
  h.focusBefore ??= h.before.values().next().value ?? null
  h.focusAfter ??= h.after.values().next().value ?? null
  return h
}

function nodeSelected(
  h: Highlight,
  name: string,
  side: 'before' | 'after',
  { report, before, workspace }: HighlightContext,
): void {
  const index = report ? indexOf(report) : null
  for (const { edit } of report ? editsOf(report) : [])
    if (edit.node === name && edit.source) addSource(h, edit.source, workspace)
  if (side === 'before' || nodeNamed(before, name)) {
    h.before.add(name)
    h.focusBefore = name
    const ref = index?.byNode.get(name)?.[0]
    if (ref) {
      h.match = ref
      h.entry = { pass: ref.pass, entry: ref.entry }
      for (const [i, n] of ref.match.map) if (n === name) tracePatternNode(h, ref.entry, i, workspace)
    }
    if (report && side === 'before') addAll(h, [], rewriteOf(report).before.get(name) ?? [])
  }
  if (side === 'after' || nodeNamed(report?.after ?? null, name)) {
    h.after.add(name)
    h.focusAfter = name
    const ref = index?.byAdded.get(name)?.[0]
    if (ref && !h.match) {
      h.match = ref
      h.entry = { pass: ref.pass, entry: ref.entry }
    }
    if (report && side === 'after') addAll(h, rewriteOf(report).after.get(name) ?? [], [])
  }
}

function matchSelected(h: Highlight, ref: MatchRef, w: Workspace): void {
  h.match = ref
  h.entry = { pass: ref.pass, entry: ref.entry }
  addAll(h, ref.match.nodes, ref.match.added)
  h.focusBefore = ref.match.node
  h.focusAfter = ref.match.added[0] ?? null
  for (const [i] of ref.match.map) tracePatternNode(h, ref.entry, i, w)
}

function patternNodeSelected(h: Highlight, pass: PassReport, entry: EntryReport, index: number, w: Workspace): void {
  tracePatternNode(h, entry, index, w)
  for (const m of pass.matches) {
    if (m.entry !== entry.index) continue
    for (const [i, name] of m.map) if (i === index) h.before.add(name)
    // A placeholder of the pattern is bound to an input of the match.
    const node = entry.pattern.nodes[index]
    const input = node?.op === 'placeholder' ? (m.inputs[node.target] ?? m.inputs[node.name]) : undefined
    if (input !== undefined) h.before.add(input)
  }
}

function lineSelected(h: Highlight, file: string, line: number, context: HighlightContext): void {
  const { report, before, workspace: w } = context
  addLine(h, file, line)
  if (file === w.graph.name || file === w.shapes?.name) {
    const node = file === w.graph.name ? before?.nodes.find((n) => n.textLine === line) : null
    if (node) nodeSelected(h, node.name, 'before', context)
    return
  }
  for (const { edit } of report ? editsOf(report) : []) {
    const lines = [edit.source, ...(edit.callers ?? [])]
    if (!lines.some((s) => s?.line === line && fileOf(w, s.file) === file)) continue
    if (edit.call !== 'create_node' && nodeNamed(before, edit.node)) h.before.add(edit.node)
    else if (edit.in === 'after' && nodeNamed(report?.after ?? null, edit.node)) h.after.add(edit.node)
  }
  for (const pass of report?.passes ?? [])
    for (const entry of pass.entries) {
      const here = entry.pattern.nodes.flatMap((n, i) =>
        n.source && n.source.line === line && fileOf(w, n.source.file) === file ? [i] : [],
      )
      const registers = entry.source?.line === line && fileOf(w, entry.source.file) === file
      if (here.length === 0 && !registers) continue
      h.entry ??= { pass, entry }
      for (const i of here) if (entry === h.entry.entry) h.patternNodes.add(i)
      for (const m of pass.matches) {
        if (m.entry !== entry.index) continue
        if (registers) addAll(h, m.nodes, m.added)
        for (const [i, name] of m.map) if (here.includes(i)) h.before.add(name)
      }
    }
}

/** A near miss of a pass, and the anchor of its selected place. */
interface SelectedNearMiss {
  report: Report
  pass: PassReport
  miss: NearMiss
  anchor: string | undefined
}

function nearMissSelected(h: Highlight, { report, pass, miss, anchor }: SelectedNearMiss, w: Workspace): void {
  const entry = pass.entries[miss.entry]
  const places = placesOf(report, miss)
  const place = places.find((p) => p.anchor === anchor) ?? places[0]
  h.nearMiss = miss
  h.place = place?.anchor ?? null
  for (const n of place?.nodes ?? []) h.before.add(n)
  h.culprit = place?.culprit ?? null
  h.outside = place?.other ?? null
  if (h.culprit) h.before.add(h.culprit)
  h.focusBefore = h.culprit ?? h.place
  if (!entry) return
  h.entry = { pass, entry }
  const cause = miss.causes[0]!
  const blamed = cause.patternNode ?? miss.mismatch?.patternNode ?? null
  if (blamed !== null) tracePatternNode(h, entry, blamed, w)
  addSource(h, cause.source ?? (blamed === null ? entry.source : null), w)
}

function entryOf(report: Report | null, pass: string, index: number): { pass: PassReport; entry: EntryReport } | null {
  const p = passNamed(report, pass)
  const entry = p?.entries.find((e) => e.index === index)
  return p && entry ? { pass: p, entry } : null
}

function addAll(h: Highlight, before: readonly string[], after: readonly string[]): void {
  for (const n of before) h.before.add(n)
  for (const n of after) h.after.add(n)
}

function tracePatternNode(h: Highlight, entry: EntryReport, index: number, w: Workspace): void {
  h.patternNodes.add(index)
  addSource(h, entry.pattern.nodes[index]?.source ?? null, w)
}

function addSource(h: Highlight, source: SourceRef | null, w: Workspace): void {
  if (source) addLine(h, fileOf(w, source.file), source.line)
}

function addLine(h: Highlight, file: string, line: number): void {
  const lines = h.lines.get(file)
  if (lines) lines.add(line)
  else h.lines.set(file, new Set([line]))
}

function addGraphLine(h: Highlight, graph: GraphView | null, name: string, w: Workspace): void {
  if (!graph) return
  const line = graph.nodes[positions(graph).get(name) ?? -1]?.textLine
  if (line) addLine(h, w.graph.name, line)
}
