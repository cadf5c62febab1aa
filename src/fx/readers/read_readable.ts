/**
 * Reads GraphModule.print_readable: the class of a graph, with the classes of its subgraphs nested at its end. Files
 * such as fx_graph_readable.py and fx_graph_runnable.py contain the same code.
 */
import type { TextSpan } from '../graph/cycle'
import { Graph } from '../graph/graph'
import { isCutMark } from './sections/cut_text'
import type { TextRange } from './read_graph_text'
import { ReadableScope } from './readable_scope'
import { lineEnd, type Problems, skipSpaces } from './scan'
import { type CommentMeta, parseComment } from './source_comment'
import type { Val } from '../value'

/** A log writes the graph's name or the file of its code before the class: `/x/_lazy_graph_module.py class …`, `<eval_with_key>.0 class …`. */
const CLASS = /^(?:[/<_]\S* ){0,2}class ([^\s(:]{1,300})\(.{0,100}Module\):\s*$/

/** A line that may begin a statement: no other line may continue on the next one, because bad lines would then be read 500 times. */
const BEGINS = /^\s*(?:return\b|[A-Za-z_]\w*(?:\s*:\s*"[^"]{0,400}")?(?:\s*,\s*\w+)*,?\s*=)/
const BROKEN = /[([{,]\s*$/
/** Maximum number of lines of one statement. */
const MAX_BROKEN = 500
/** A statement. A line inside brackets never looks like one, because a keyword argument has no blanks around its `=`. */
const NEW_STATEMENT = /^\s*(?:return\b|class |def |#|\w+(?:\s*:\s*"[^"]*")? = )/

/** Number of brackets that a line opens beyond those it closes, strings not counted. */
function depthOf(line: string): number {
  let depth = 0
  for (const c of line.replace(/"[^"]*"|'[^']*'/g, ''))
    if ('([{'.includes(c)) depth++
    else if (')]}'.includes(c)) depth--
  return depth
}

/** Maximum nesting of subgraphs, because code that walks them is recursive. */
const MAX_CLASSES = 50

/** The class name that a line begins, or null. `line` starts at its first non-space character. */
export function classOfLine(line: string): string | null {
  return line.length < 1000 ? (CLASS.exec(line)?.[1] ?? null) : null
}

/** Reads the first class in a range. Bad lines are reported in `problems`, and reading continues. */
export function readReadable(text: string, range: TextRange, problems: Problems): Graph {
  return new ReadableReader(text, range, problems).read()
}

class ReadableReader {
  private readonly vals = new Map<string, Val | null>()
  private readonly comments = new Map<string, CommentMeta | null>()
  /** The open classes, outermost first. */
  private readonly open: ReadableScope[] = []
  private readonly all: ReadableScope[] = []
  private comment: CommentMeta | null = null
  private docstring = false
  /** True if names that nothing defines are inputs. */
  private readonly openNames: ReadonlySet<string> | null = null
  private line: number

  constructor(
    private readonly text: string,
    private readonly range: TextRange,
    private readonly problems: Problems,
  ) {
    this.line = range.line
    if (range.open) this.openNames = clearedNames(text.slice(range.start, range.end))
  }

  read(): Graph {
    const { text, range } = this
    if (range.headless) this.openScope(0, null).state = 'body'
    for (let pos = range.start; pos < range.end;) {
      const newline = text.indexOf('\n', pos)
      const end = newline < 0 || newline > range.end ? range.end : newline
      const next = this.readLine({ start: skipSpaces(text, pos, end), end, line: this.line, lineStart: pos })
      if (next === null) break
      for (let i = end; i < next; i++) if (text.charCodeAt(i) === 10) this.line++
      this.line++
      pos = next + 1
    }
    for (const scope of this.all) scope.finish()
    const [first] = this.all
    // The text may also end inside a subgraph.
    const cut = this.all.filter((s) => s.state !== 'done' && !(s === first && range.headless))
    for (const scope of cut) scope.reportEnd(Math.max(range.line, this.line - 1), scope !== first)
    return first?.graph ?? new Graph()
  }

  /**
   * @param span the line, from its first non-space character
   * @returns its end; null if the class has ended
   */
  private readLine(span: TextSpan): number | null {
    const { text } = this
    const { start, end, line, lineStart } = span
    const c = start < end ? text.charCodeAt(start) : -1
    // A docstring, or the output of FX_GRAPH_SHOW_META.
    if (c === 34 && text.startsWith('"""', start)) {
      if (text.slice(start + 3, end).indexOf('"""') < 0) this.docstring = !this.docstring
      return end
    }
    if (c === -1 || this.docstring) return end
    const isComment = c === 35 || (c === 47 && text.charCodeAt(start + 1) === 47)
    if (isComment && !(end - start <= 100 && isCutMark(text.slice(start, end).trimEnd()))) {
      this.comment = this.commentOf(text.slice(start, end)) ?? this.comment
      return end
    }
    const name = c === 99 || c === 47 || c === 60 || c === 95 ? classOfLine(text.slice(start, end)) : null
    if (name !== null) return this.openClass(name, c === 99 ? start - lineStart : 0, span) ? end : null
    if (c === 100 && text.startsWith('def ', start)) return this.readDef(span)
    const scope = this.open.at(-1)
    if (end - start <= 100 && scope?.state === 'body') {
      const mark = text.slice(start, end).trimEnd()
      if (isCutMark(mark)) {
        this.problems.cut(line, start - lineStart + 1, mark)
        return end
      }
    }
    if (scope?.state !== 'body') return end
    return scope.readStatement(start, this.statementEnd(span), line, lineStart, this.comment)
  }

  /** The end of a statement: formatters break lines after opening brackets and commas. */
  private statementEnd({ start, end }: TextSpan): number {
    const { text, range } = this
    if (!BROKEN.test(text.slice(Math.max(start, end - 20), end))) return end
    if (!BEGINS.test(text.slice(start, Math.min(end, start + 500)))) return end
    let depth = depthOf(text.slice(start, end))
    let stop = end
    for (let lines = 0; depth > 0 && lines < MAX_BROKEN && stop < range.end; lines++) {
      const next = lineEnd(text, stop + 1, range.end)
      const written = text.slice(stop + 1, next)
      if (written.trim() === '' || NEW_STATEMENT.test(written)) return end
      depth += depthOf(written)
      stop = next
    }
    return depth === 0 ? stop : end
  }

  private commentOf(written: string): CommentMeta | null {
    let meta = this.comments.get(written)
    if (meta === undefined) this.comments.set(written, (meta = parseComment(written)))
    return meta
  }

  private readDef({ start, end, line, lineStart }: TextSpan): number {
    const isForward = this.text.startsWith('def forward(', start)
    // A function with another name counts as forward if the text has no class.
    if (!isForward && this.open.length > 0) return end
    const scope = this.open.at(-1) ?? this.openScope(start - lineStart, null)
    if (scope.state === 'class') return scope.readParameters(this.text.indexOf('(', start) + 1, line, lineStart)
    this.problems.add(line, start - lineStart + 1, 'a second "def forward"', 'one "def forward" in a class')
    return end
  }

  /** @returns false if the first class has ended, or classes nest too deep */
  private openClass(name: string, indent: number, { start, line, lineStart }: TextSpan): boolean {
    while (this.open.length > 0 && this.open.at(-1)!.indent >= indent) this.open.pop()
    if (this.open.length === 0 && this.all.length > 0) return false
    if (this.open.length >= MAX_CLASSES) {
      this.problems.add(line, start - lineStart + 1, 'a deeper one', `classes nested at most ${MAX_CLASSES} deep`)
      return false
    }
    this.openScope(indent, name)
    return true
  }

  private openScope(indent: number, name: string | null): ReadableScope {
    const scope = new ReadableScope(
      { name, indent, line: this.line, text: this.text, end: this.range.end },
      this.problems,
      this.vals,
      this.openNames,
    )
    const outer = this.open.at(-1)?.graph
    if (name !== null && outer) outer.subgraphs.set(this.freeName(name, outer), scope.graph)
    this.open.push(scope)
    this.all.push(scope)
    this.comment = null
    return scope
  }

  /** The caller of a subgraph finds the first class of a name; a second one is kept under another name. */
  private freeName(name: string, { subgraphs }: Graph): string {
    if (!subgraphs.has(name)) return name
    let n = 1
    while (subgraphs.has(`${name}_${n}`)) n++
    const message = `A class above is named ${JSON.stringify(name)} too; this one is read as ${JSON.stringify(`${name}_${n}`)}.`
    this.problems.add(this.line, 1, `a second class named "${name}"`, 'a name no class above has', message)
    return `${name}_${n}`
  }
}

/** Names that statements clear: `x = res = None`. */
function clearedNames(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\b([A-Za-z_]\w*) = (?=(?:\w+ = )*None\b)/g)].map((m) => m[1]!))
}
