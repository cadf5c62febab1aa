/** The finding on screen as Markdown, for an issue or a chat: result, cause, fix, pattern, graph and link. */
import { capitalized, withoutNotes } from '../../../base/message'
import { count } from '../../../base/english'
import { numbersText } from '../../../engine/numbers/numbers_text'
import type { EntryReport, Fix, GraphView, Report } from '../../../engine/protocol'
import type { Selection, Workspace } from '../../../workspace/types'
import { positions } from '../../../engine/queries/report_index'
import { highlightOf, type Highlight } from '../../report/highlight'
import { headline, whyNot } from '../../../engine/queries/why_not'
import { markdownText as plain } from '../../../base/escapes'
import { block, code, graphLines, mermaid, messageMarkdown } from './markdown_text'

export interface Finding {
  report: Report
  workspace: Workspace
  selection: Selection | null
  /** Null if the workspace is too large for a link. */
  url: string | null
}

/** Maximum number of nodes in a drawing; a larger one says less than the text. */
const MAX_DRAWN = 30
const MAX_LINES = 60

export function findingAsMarkdown({ report, workspace, selection, url }: Finding): string {
  const why = whyNot(report)
  const { title, detail } = headline(report, why)
  const h = highlightOf(selection ?? mainFinding(report), report, report.graph, workspace)
  const parts = [
    `**${plain(title)}** ${plain(detail)}`.trim(),
    causeText(h),
    ...(h.entry ? [`Pattern ${code(h.entry.entry.title)}${bindings(h.entry.entry)}:`, patternText(h.entry.entry)] : []),
    ...graphText(report.graph, h),
    url === null ? 'The workspace is too large for a link; it is attached as a file.' : `[Open in Fusescope](<${url}>)`,
  ]
  return `${parts.filter((p) => p !== '').join('\n\n')}\n`
}

/** Without a selection: the nearest miss if nothing fired, else the first match. */
function mainFinding(report: Report): Selection | null {
  const pass = report.passes.find((p) => p.matches.length > 0)
  if (pass) return { kind: 'match', pass: pass.name, index: pass.matches[0]!.index }
  const lead = whyNot(report).near[0]?.lead
  return lead ? { kind: 'nearMiss', pass: lead.pass.name, index: lead.miss.index } : null
}

function causeText({ nearMiss, match, place }: Highlight): string {
  if (match) return `Fires at ${code(match.match.node)}, over ${count(match.match.nodes.length, 'node')}.`
  if (!nearMiss) return ''
  const [cause, ...further] = nearMiss.causes
  const at = place === null ? '' : `At ${code(place)}: `
  const source = cause!.source ? ` (${code(`${cause!.source.file}:${cause!.source.line}`)})` : ''
  const sentence = `${at}${messageMarkdown(at === '' ? capitalized(withoutNotes(cause!.parts)) : withoutNotes(cause!.parts))}${source}.`
  const more = further.map((c) => `- ${messageMarkdown(capitalized(withoutNotes(c.parts)))}`)
  return [sentence, more.join('\n'), ...(cause!.fixes ?? []).slice(0, 1).map(fixText)]
    .filter((t) => t !== '')
    .join('\n\n')
}

function fixText(fix: Fix): string {
  const proof = `fires ${count(fix.matchesAfter, 'time')} with it; ${numbersText(fix)}`
  return `Fix: ${plain(fix.title)} (${plain(proof)}).${fix.diff ? `\n\n${block('diff', fix.diff)}` : ''}`
}

const bindings = ({ bindings: b }: EntryReport): string =>
  Object.keys(b).length === 0
    ? ''
    : ` with ${Object.entries(b)
        .map(([k, v]) => code(`${k}=${v}`))
        .join(', ')}`

const patternText = ({ text }: EntryReport): string => (text === '' ? '' : block('python', text))

/** The highlighted nodes and their inputs. */
function graphText(graph: GraphView, { before, culprit, outside }: Highlight): string[] {
  const at = positions(graph)
  const names = new Set(before)
  if (outside) names.add(outside)
  if (names.size === 0) return []
  const withInputs = new Set(names)
  for (const name of names)
    for (const i of graph.nodes[at.get(name) ?? -1]?.inputs ?? []) withInputs.add(graph.nodes[i]!.name)
  const nodes = graph.nodes.filter((n) => withInputs.has(n.name))
  const left = nodes.length - MAX_LINES
  const text = graphLines(nodes.slice(0, MAX_LINES)) + (left > 0 ? `\n# and ${left} more` : '')
  const drawing = nodes.length <= MAX_DRAWN ? [block('mermaid', mermaid(graph, withInputs, culprit))] : []
  return ['Graph, the part concerned:', block('python', text), ...drawing]
}
