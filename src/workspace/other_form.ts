/** Recognizes the other text form of the graph on screen (print(graph) for print_readable, and the reverse) by its node names. */
import type { GraphFile, TextFile } from './types'

/** Minimum share of the smaller text's nodes that the other text must have. */
const ENOUGH = 0.9

/**
 * The graph with both of its texts, if the dropped text is its other form; null for another graph. print(graph) is the
 * graph, because it has what print_readable leaves out; print_readable has the shapes.
 */
export function withOtherForm(shown: GraphFile, dropped: TextFile): GraphFile | null {
  const [a, b] = [printedNames(shown.text), printedNames(dropped.text)]
  const [c, d] = [readableNames(shown.text), readableNames(dropped.text)]
  if (a.size > 0 && b.size === 0 && alike(a, d)) return pair(shown, dropped)
  if (b.size > 0 && a.size === 0 && alike(b, c)) return pair(dropped, shown)
  return null
}

function pair(printed: TextFile, readable: TextFile): GraphFile {
  const name = readable.name === printed.name ? `shapes_${readable.name}` : readable.name
  return { name: printed.name, text: printed.text, shapes: { name, text: readable.text } }
}

/** Names of calls in print(graph). */
const printedNames = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/^[ \t]*%(\w+)\b.*? = call_\w+\[/gm), (m) => m[1]!))

/** Names of calls in print_readable's assignments. */
const readableNames = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/^[ \t]*(\w+)(?:\s*:\s*"[^"]*")?\s*=\s*[^=;]/gm), (m) => m[1]!))

function alike(calls: ReadonlySet<string>, assigned: ReadonlySet<string>): boolean {
  let both = 0
  for (const name of calls) if (assigned.has(name)) both++
  return calls.size > 0 && both >= ENOUGH * calls.size && assigned.size <= calls.size * 3
}

/** Merges graphs that are two forms of one graph, `NAME.graph.txt` and `NAME.readable.txt`; the order is kept. */
export function joinedForms(files: readonly GraphFile[]): GraphFile[] {
  const joined: GraphFile[] = []
  const at = new Map<string, number>()
  for (const file of files) {
    const stem = file.name.replace(/([._](graph|readable))?\.(txt|py)$/, '')
    const earlier = at.get(stem)
    const both = earlier !== undefined && !joined[earlier]!.shapes && withOtherForm(joined[earlier]!, file)
    if (both) joined[earlier] = both
    else at.set(stem, joined.push(file) - 1)
  }
  return joined
}
