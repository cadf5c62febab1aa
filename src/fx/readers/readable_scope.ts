/**
 * Reads one class of print_readable's code: the parameters, then the statements of its forward.
 * Reason for length: parameters, statements and the return share one state of names.
 */
import { reportCycle, type LaterUse, type TextSpan } from '../graph/cycle'
import { Graph } from '../graph/graph'
import { type Arg, NO_KWARGS, type Node } from '../graph/node'
import { PythonValues } from './python_value'
import { inferOutputs } from './infer_outputs'
import { Annotations, type Annotation } from './readable_annotation'
import { ReadableParameters } from './readable_parameters'
import { ReadableStatement, type Call } from './readable_statement'
import { addInput, finishOpen } from './open_text'
import {
  closingQuotes,
  excerpt,
  isSpace,
  isWord,
  isWordStart,
  lineEnd,
  placeOf,
  type Problems,
  ScanError,
  skipSpaces,
  wordEnd,
} from './scan'
import type { CommentMeta } from './source_comment'
import { UNREADABLE } from '../target'
import type { Val } from '../value'

/** Where a class begins, and the end of the text that it may use. */
export interface ScopePlace {
  /** The class's name; null for a function. */
  name: string | null
  indent: number
  line: number
  text: string
  end: number
}

export class ReadableScope {
  readonly graph = new Graph()
  /** `class` until forward begins, `body` until it returns. */
  state: 'class' | 'body' | 'done' = 'class'
  /** The last assignment. */
  private last: (TextSpan & { node: Node }) | null = null
  private readonly names = new Map<string, Arg>()
  private returnType: string | null = null
  private readonly values: PythonValues
  private readonly statement: ReadableStatement
  private readonly annotations: Annotations
  private readonly parameters: ReadableParameters
  /** Statements that use later names. */
  private readonly forward: LaterUse[] = []
  private sawForward = false
  private laterNames: Set<string> | null = null
  private readonly inputs: string[] = []

  readonly indent: number
  private readonly name: string | null
  private readonly line: number
  private readonly text: string
  private readonly end: number
  private readonly problems: Problems
  /** True if names that nothing defines are inputs, namely those that the text clears with `x = None`. */
  private readonly openNames: ReadonlySet<string> | null

  /** @param vals the meaning of each annotation of the text */
  constructor(
    place: ScopePlace,
    problems: Problems,
    vals: Map<string, Val | null>,
    openNames: ReadonlySet<string> | null,
  ) {
    const { text } = place
    this.indent = place.indent
    this.name = place.name
    this.line = place.line
    this.text = text
    this.end = place.end
    this.problems = problems
    this.openNames = openNames
    const resolve = (name: string): Arg | undefined => this.resolve(name)
    this.values = new PythonValues(text, 0, 0, resolve, (name) => (this.openNames ? this.input(name) : undefined))
    this.statement = new ReadableStatement(this.values, resolve)
    this.annotations = new Annotations(text, this.values, vals)
    this.parameters = new ReadableParameters(text, place.end, this.values, this.annotations)
  }

  /** Reads `forward`'s parameters from after their "("; returns the end of the line that closes them. */
  readParameters(pos: number, line: number, lineStart: number): number {
    const { text, values } = this
    this.state = 'body'
    values.reset(pos, this.end)
    let counted = pos
    const lineNow = (): number => {
      for (; counted < values.pos; counted++) if (text.charCodeAt(counted) === 10) line++
      return line
    }
    try {
      this.parameters.read(lineNow)
    } catch (e) {
      // At the end of the text, the fault is in its last line, not in the blank lines below.
      if (values.peek() === -1) values.pos = text.slice(0, this.end).trimEnd().length
      const stop = lineEnd(text, values.pos, this.end)
      const at = text.lastIndexOf('\n', Math.max(lineStart, values.pos - 1)) + 1
      this.report(e, lineNow(), at, stop)
      return stop
    }
    const stop = lineEnd(text, values.pos, this.end)
    const rest = text.slice(values.pos, stop).trim()
    if (rest.startsWith('->')) this.returnType = rest.slice(2).trim().replace(/:$/, '')
    return stop
  }

  /** Reads one statement. Returns its end, which is `end` except for a multi-line `return`. */
  readStatement(start: number, end: number, line: number, lineStart: number, comment: CommentMeta | null): number {
    const { text } = this
    let name = ''
    let rhs = start
    try {
      const stop = wordEnd(text, start, end)
      const word = text.slice(start, stop)
      if (!isWordStart(text.charCodeAt(start))) throw new ScanError(start, 'a statement')
      if (word === 'return') return this.readReturn(stop, end, line)
      if (word === 'pass') return end
      let pos = skipSpaces(text, stop, end)
      const c = text.charCodeAt(pos)
      if (c === 44) {
        this.parameters.readFlatten(start, end, line)
        return end
      }
      let annotated: Annotation | null = null
      if (c === 58) {
        this.values.reset(pos + 1, end)
        annotated = this.annotations.read()
        pos = this.values.pos
        if (this.values.peek() === 44) {
          this.parameters.readFlatten(start, end, line)
          return end
        }
        if (this.values.peek() !== 61) {
          this.parameters.declare(word, annotated, end, line)
          return end
        }
        pos = this.values.pos
      } else if (c !== 61 || text.charCodeAt(pos + 1) === 61) {
        this.define()
        // A single word is the beginning of a cut line, not an input.
        if (pos >= end) throw new ScanError(pos, '"=" after the name of a node')
        return this.readInPlace(start, end, line, comment)
      }
      name = word
      rhs = skipSpaces(text, pos + 1, end)
      if (this.parameters.isRename(name, rhs, end)) return end
      this.define()
      this.readAssignment(name, annotated, { start: rhs, end, line, lineStart }, comment)
    } catch (e) {
      this.report(e, line, lineStart, end)
      if (name !== '' && !this.names.has(name)) {
        const raw: Arg = { kind: 'opaque', text: text.slice(rhs, Math.min(end, rhs + 200)) }
        const node = this.graph.createNamed(name, 'call_function', UNREADABLE, [raw])
        node.meta = { ...comment, textLine: line }
        this.names.set(name, node)
      }
    }
    return end
  }

  /** Reports that the text ends before the class does. @param line its last line @param inner it is a subgraph */
  reportEnd(line: number, inner: boolean): void {
    this.dropCut()
    const of = this.name === null ? '' : ` of class ${this.name}`
    if (this.state === 'class') this.problems.add(this.line, 1, 'none', `"def forward"${of}`)
    else this.problems.add(line, 1, 'the end', `a "return" line${inner ? of : ''}`)
  }

  /** Removes the last node if the text may end inside its value: `w_1 = self.w`, `add = a + b`. */
  private dropCut(): void {
    const { last, text, graph } = this
    if (!last || last.node.users.size > 0) return
    const written = text.slice(last.start, last.end).trimEnd()
    if (!isWord(written.charCodeAt(written.length - 1)) || written.includes(';')) return
    // FX names an attribute's node after the whole path.
    const path = /^self\.([\w.]+)$/.exec(written)?.[1]
    const { name } = last.node
    if (path !== undefined && path.replaceAll('.', '_').toLowerCase() === name.toLowerCase()) return
    if (text.slice(last.end, this.end).trim() !== '') return
    graph.eraseNode(last.node)
    this.names.delete(name)
    const column = last.start - last.lineStart + 1
    this.problems.add(last.line, column, 'a line that may be cut', `the lines below, or ";" behind ${name}`)
  }

  /** Ends the scope: reads deferred statements and sets the output's type. */
  finish(): void {
    this.define()
    for (const { node, start, end, line, lineStart } of this.forward) {
      this.laterNames = new Set()
      try {
        this.values.reset(start, end)
        const found = this.statement.rightSide()
        if ('op' in found) node.setArgs(found.args, found.kwargs)
      } catch (e) {
        this.report(e, line, lineStart, end)
      }
    }
    reportCycle(this.graph, this.text, this.forward, this.problems)
    if (this.openNames) finishOpen(this.graph, this.inputs, this.line, this.problems)
    const output = this.graph.output()
    if (output) output.type = this.returnType
    inferOutputs(this.graph)
  }

  private report(e: unknown, line: number, lineStart: number, end: number): void {
    if (!(e instanceof ScanError)) throw e
    // A statement may span several lines.
    const place = placeOf(this.text, { line, lineStart }, Math.min(e.at, end))
    this.problems.add(place.line, place.column, e.foundText ?? this.excerpt(e.at, end), e.expected)
  }

  private excerpt(at: number, end: number): string {
    return this.problems.full ? '' : excerpt(this.text, at, end)
  }

  private resolve(name: string): Arg | undefined {
    const found = this.names.get(name)
    if (found !== undefined) return found
    if (this.openNames?.has(name) && !this.definedLater(name)) return this.input(name)
    // Only an unsorted graph uses a name before its definition: check that it is defined further down.
    if (wordEnd(name, 0, name.length) !== name.length || this.names.size === 0) return undefined
    if (!this.definedLater(name)) return undefined
    this.sawForward = true
    return { kind: 'opaque', text: name }
  }

  private definedLater(name: string): boolean {
    this.laterNames ??= this.collectNames()
    return this.laterNames.has(name)
  }

  private input(name: string): Node {
    const node = addInput(this.graph, name)
    this.names.set(name, node)
    this.inputs.push(name)
    return node
  }

  /** The names assigned anywhere in the text. */
  private collectNames(): Set<string> {
    const names = new Set<string>()
    for (let pos = 0; pos < this.end; pos = lineEnd(this.text, pos, this.end) + 1) {
      const start = skipSpaces(this.text, pos, this.end)
      const stop = wordEnd(this.text, start, this.end)
      const c = this.text.charCodeAt(stop)
      if (stop > start && start > pos && (c === 58 || (isSpace(c) && this.text.charCodeAt(stop + 1) === 61)))
        names.add(this.text.slice(start, stop))
    }
    return names
  }

  private define(): void {
    this.parameters.define(this.graph, this.names, (name, line) =>
      this.problems.add(line, 1, `a second parameter named "${name}"`, 'a name no parameter before has'),
    )
  }

  /** @param rhs the right side of the assignment */
  private readAssignment(name: string, annotated: Annotation | null, rhs: TextSpan, comment: CommentMeta | null): void {
    if (this.names.has(name))
      throw new ScanError(rhs.lineStart, 'a name no node above has', `a second node named "${name}"`)
    this.values.reset(rhs.start, rhs.end)
    this.sawForward = false
    const found = this.statement.rightSide()
    if ('alias' in found) {
      this.names.set(name, found.alias)
      return
    }
    const node = this.make(name, found, annotated, rhs.line, comment)
    this.last = { node, ...rhs }
    if (this.sawForward) this.forward.push({ node, ...rhs })
  }

  private make(
    name: string,
    { op, target, args, kwargs }: Call,
    annotated: Annotation | null,
    line: number,
    comment: CommentMeta | null,
  ): Node {
    const node = this.graph.createNamed(name, op, target, args, kwargs)
    const meta: Node['meta'] = { textLine: line }
    if (annotated?.val) meta.val = annotated.val
    if (comment?.source) meta.source = comment.source
    if (comment?.custom) meta.custom = comment.custom
    if (comment?.additional) meta.additional = comment.additional
    node.meta = meta
    if (annotated?.type) node.type = annotated.type
    this.names.set(name, node)
    return node
  }

  /** `x += y;  iadd = x` and `x[i] = v;  setitem = x`. */
  private readInPlace(start: number, end: number, line: number, comment: CommentMeta | null): number {
    const { values, text } = this
    values.reset(start, end)
    const found = this.statement.inPlace()
    if (!found) throw new ScanError(values.pos, '"=" after the name of a node')
    values.expect(59, '";" and the name of the node')
    values.peek()
    const stop = wordEnd(text, values.pos, end)
    const name = text.slice(values.pos, stop)
    if (name === '') throw new ScanError(values.pos, 'the name of the node')
    if (this.names.has(name))
      throw new ScanError(values.pos, 'a name no node above has', `a second node named "${name}"`)
    values.pos = stop
    let annotated: Annotation | null = null
    if (values.peek() === 58) {
      values.pos++
      annotated = this.annotations.read()
    }
    this.make(name, found, annotated, line, comment)
    return end
  }

  private readReturn(pos: number, end: number, line: number): number {
    this.define()
    this.state = 'done'
    const { text, values } = this
    // An expected text in a test has its closing quotes behind the return.
    const lineStop = end
    end = closingQuotes(text, pos, end)
    let last = end - 1
    while (last > pos && text.charCodeAt(last) <= 32) last--
    const open = text.charCodeAt(last) === 40 || text.charCodeAt(last) === 91
    values.reset(pos, open ? this.end : end)
    const node = this.graph.createNode('output', 'output')
    node.meta.textLine = line
    if (values.peek() === -1) {
      node.setArgs([null], NO_KWARGS)
      return lineStop
    }
    const wrapped = text.startsWith('pytree.tree_unflatten(', values.pos)
    if (wrapped) values.pos += 'pytree.tree_unflatten('.length
    const start = values.pos
    try {
      // After a return that spans several lines, a class may follow: only the return's brackets are read.
      node.setArgs([open && !wrapped ? values.primary() : values.value()], NO_KWARGS)
      if (!wrapped && !open && values.peek() !== -1) throw new ScanError(values.pos, 'the end of the line')
    } catch (e) {
      node.setArgs([{ kind: 'opaque', text: text.slice(start, Math.min(end, start + 200)) }], NO_KWARGS)
      throw e
    }
    return open ? lineEnd(text, values.pos, this.end) : lineStop
  }
}
