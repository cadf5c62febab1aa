/** Completes the last word of a query: keys, and the values that occur in the graph. */
import type { NodeView } from '../../../engine/protocol'
import { count } from '../../../base/english'
import { indexOf, markOf } from '../../../engine/queries/report_index'
import type { FindContext } from './find'
import { modulesOf } from '../../fold/modules'
import { partsOf } from './parts'
import { isKey, KEYS, tokens, type Key } from './query'

export interface Completion {
  /** The whole query with this completion. */
  query: string
  /** The completed word. */
  text: string
  /** The meaning of the completion, or the number of nodes that have it. */
  note: string
}

const MOST = 8

/** Completions of the word at the end of the query, most frequent values first; none after a space. */
export function completions(context: FindContext, query: string): Completion[] {
  const word = /\s$/.test(query) ? '' : (tokens(query).at(-1) ?? '')
  if (word === '' || word === '-') return []
  const before = query.slice(0, query.length - word.length)
  const not = word.startsWith('-') ? '-' : ''
  const typed = word.slice(not.length)
  const offer = (text: string, note: string): Completion => ({ query: before + not + text, text: not + text, note })
  const keyed = /^([a-z]+):(.*)$/is.exec(typed)
  if (!keyed)
    return Object.entries(KEYS)
      .filter(([key]) => key.startsWith(typed.toLowerCase()))
      .map(([key, note]) => offer(key === 'users' || key === 'inputs' ? `${key}>` : `${key}:`, note))
  const [, name = '', start = ''] = keyed
  const key = name.toLowerCase()
  if (!isKey(key)) return []
  // Completes the second node of a path like the first.
  const done = key === 'path' ? start.slice(0, start.lastIndexOf('~') + 1) : ''
  const plain = start.slice(done.length).replace(/^"/, '').toLowerCase()
  return valuesOf(context, key)
    .filter(([value]) => value.toLowerCase().includes(plain) && value.toLowerCase() !== plain)
    .slice(0, MOST)
    .map(([value, n]) =>
      offer(`${key}:${done}${/[\s"]/.test(value) && !value.startsWith('[') ? `"${value}"` : value}`, count(n, 'node')),
    )
}

function valuesOf(context: FindContext, key: Key): [value: string, nodes: number][] {
  const counts = new Map<string, number>()
  const add = (value: string | null | undefined): void => {
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  if (key === 'matched') countMatched(context, add)
  else if (key === 'in') for (const parts of partsOf(context).values()) parts.forEach((p) => add(p.replace(' ', '')))
  else if (key === 'module') for (const path of modulesOf(context.graph) ?? []) add(path)
  else for (const node of context.graph.nodes) add(valueOf(node, key))
  return [...counts].toSorted((a, b) => b[1] - a[1])
}

function valueOf(node: NodeView, key: Key): string | null {
  switch (key) {
    case 'op':
      return node.op.startsWith('call') ? (node.inner ?? node.target) : node.op
    case 'dtype':
      return node.dtype
    case 'shape':
      return node.shape
    case 'device':
      return node.device
    case 'line':
      return node.source && `${node.source.file.split('/').at(-1)}:${node.source.line}`
    case 'name':
    case 'near':
    case 'path':
      return node.name
    default:
      return null
  }
}

function countMatched({ report, side }: FindContext, add: (value: string) => void): void {
  if (!report) return
  const index = indexOf(report)
  for (const refs of (side === 'before' ? index.byNode : index.byAdded).values())
    for (const { pass, entry } of refs) add(markOf(report, pass.name, entry.index).letter)
}
