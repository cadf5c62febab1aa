/** Markdown of plain text, code and diagrams, for texts that may hold any character. */
import type { Message } from '../../../base/message'
import { markdownText as plain } from '../../../base/escapes'
import { partText } from '../../../base/message'
import type { GraphView, NodeView } from '../../../engine/protocol'

/** A code span; its fence is longer than any run of backticks in the text. */
export function code(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ')
  const fence = '`'.repeat(longestRun(line) + 1)
  const pad = /^`|`$|^ .* $/.test(line) ? ' ' : ''
  return line.trim() === '' ? '' : `${fence}${pad}${line}${pad}${fence}`
}

/** A fenced block. */
export function block(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`
}

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))

/** A message whose nodes, operators and places are code. Two code spans that touch would be one. */
export const messageMarkdown = (parts: Message): string =>
  parts
    .map((p) => (typeof p === 'string' || 'note' in p ? plain(partText(p)) : code(partText(p))))
    .reduce((text, next) => `${text}${text.endsWith('`') && next.startsWith('`') ? ' ' : ''}${next}`, '')

/** Nodes as lines of a graph: `mm: "bf16[48, 256]" = aten.mm.default(arg0_1, arg1_1)`. */
export const graphLines = (nodes: readonly NodeView[]): string => nodes.map(lineOf).join('\n')

function lineOf({ name, op, target, dtype, shape, args, kwargs }: NodeView): string {
  const type = shape === null ? '' : `: "${dtype ?? ''}${shape}"`
  if (op === 'placeholder') return `${name}${type}`
  return `${name}${type} = ${target}(${[...args, ...kwargs.map(([k, v]) => `${k} = ${v}`)].join(', ')})`
}

/**
 * A mermaid flowchart of these nodes.
 * @param names nodes of the graph, in its order
 * @param blamed the node to mark
 */
export function mermaid(graph: GraphView, names: ReadonlySet<string>, blamed: string | null): string {
  const shown = graph.nodes.flatMap((n, i) => (names.has(n.name) ? [i] : []))
  const within = new Set(shown)
  const lines = ['flowchart TD']
  for (const i of shown) {
    const { name, inner, target } = graph.nodes[i]!
    lines.push(`  n${i}["${label(name)}<br/>${label(inner ?? target)}"]${name === blamed ? ':::culprit' : ''}`)
  }
  for (const i of shown)
    for (const from of graph.nodes[i]!.inputs) if (within.has(from)) lines.push(`  n${from} --> n${i}`)
  lines.push('  classDef culprit stroke:#c2410c,stroke-width:3px')
  return lines.join('\n')
}

/** Mermaid reads a label as HTML, with entities that begin with #. */
const label = (text: string): string => text.replace(/[^\w.:,\- ]/g, (c) => `#${c.codePointAt(0)};`)
