/**
 * Reads GraphModule.print_readable: the class of a graph, with the classes of its subgraphs nested at its end. Files
 * such as fx_graph_readable.py and fx_graph_runnable.py hold the same code.
 */
import { Graph } from '../graph/graph'
import type { TextRange } from './read_graph_text'
import { ReadableScope } from './readable_scope'
import { type Problems, skipSpaces } from './scan'
import { type CommentMeta, parseComment } from './source_comment'
import type { Val } from '../value'

const CLASS = /^(?:\/\S* )?class ([^\s(:]{1,300})\(.{0,100}Module\):\s*$/

/** Subgraphs may nest this deep; what walks them recurses. */
const MAX_CLASSES = 50

/** The name of the class a line begins, or null. `line` starts at its first character that is no space. */
export function classOfLine(line: string): string | null {
  return line.length < 1000 ? (CLASS.exec(line)?.[1] ?? null) : null
}

/** Reads the first class in a range. Bad lines are reported in `problems`, and the rest is still read. */
export function readReadable(text: string, range: TextRange, problems: Problems): Graph {
  const vals = new Map<string, Val | null>()
  const comments = new Map<string, CommentMeta | null>()
  const scopes: ReadableScope[] = []
  const all: ReadableScope[] = []
  let comment: CommentMeta | null = null
  let line = range.line
  let docstring = false

  const open = (indent: number, name: string | null): ReadableScope => {
    const scope = new ReadableScope(indent, text, range.end, problems, vals)
    if (name !== null) scopes.at(-1)?.graph.subgraphs.set(name, scope.graph)
    scopes.push(scope)
    all.push(scope)
    comment = null
    return scope
  }

  for (let pos = range.start; pos < range.end;) {
    let end = text.indexOf('\n', pos)
    if (end < 0 || end > range.end) end = range.end
    const start = skipSpaces(text, pos, end)
    const lineStart = pos
    const here = line
    let next = end
    const c = start < end ? text.charCodeAt(start) : -1
    // A docstring, or what FX_GRAPH_SHOW_META prints.
    if (c === 34 && text.startsWith('"""', start)) {
      if (text.slice(start + 3, end).indexOf('"""') < 0) docstring = !docstring
    } else if (c === -1 || docstring) {
      // Nothing to read.
    } else if (c === 35) {
      const written = text.slice(start, end)
      let meta = comments.get(written)
      if (meta === undefined) {
        meta = parseComment(written)
        comments.set(written, meta)
      }
      if (meta) comment = meta
    } else {
      const name = c === 99 || c === 47 ? classOfLine(text.slice(start, end)) : null
      if (name !== null) {
        const indent = c === 47 ? 0 : start - pos
        while (scopes.length > 0 && scopes.at(-1)!.indent >= indent) scopes.pop()
        if (scopes.length === 0 && all.length > 0) break
        if (scopes.length >= MAX_CLASSES) {
          problems.add(here, start - pos + 1, 'a deeper one', `classes nested at most ${MAX_CLASSES} deep`)
          break
        }
        open(indent, name)
      } else if (c === 100 && text.startsWith('def ', start)) {
        if (text.startsWith('def forward(', start)) {
          const scope = scopes.at(-1) ?? open(start - pos, null)
          if (scope.state === 'class') next = scope.readParameters(start + 'def forward('.length, here, lineStart)
        }
      } else {
        const scope = scopes.at(-1)
        if (scope?.state === 'body') next = scope.readStatement(start, end, here, lineStart, comment)
      }
    }
    for (let i = end; i < next; i++) if (text.charCodeAt(i) === 10) line++
    line++
    pos = next + 1
  }
  for (const scope of all) scope.finish()
  if (all[0]?.state === 'body') problems.add(Math.max(range.line, line - 1), 1, 'the end', 'a "return" line')
  return all[0]?.graph ?? new Graph()
}
