/** Recognizes the other text form of the graph on screen: print(graph) beside print_readable, by the nodes they name. */
import type { GraphFile, TextFile } from './types'

/** Share of the smaller text's nodes that the other one must have. */
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

/** Names that statements of print_readable assign calls to. */
const readableNames = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/^[ \t]*(\w+)(?:\s*:\s*"[^"]*")?\s*=\s*[^=;]/gm), (m) => m[1]!))

function alike(calls: ReadonlySet<string>, assigned: ReadonlySet<string>): boolean {
  let both = 0
  for (const name of calls) if (assigned.has(name)) both++
  return calls.size > 0 && both >= ENOUGH * calls.size && assigned.size <= calls.size * 3
}

/** Graphs of which two are the forms of one, `NAME.graph.txt` and `NAME.readable.txt`, as one graph each, in order. */
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
