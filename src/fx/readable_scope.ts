/** One class of print_readable's code while it is read: its parameters, then the statements of its forward. */
import { Graph, NO_KWARGS, type Node } from './graph'
import { PythonValues } from './python_value'
import { ReadableStatement, type Call } from './readable_statement'
import { excerpt, isSpace, isWordStart, type Problems, ScanError, skipSpaces, wordEnd } from './scan'
import type { CommentMeta } from './source_comment'
import { UNREADABLE } from './target'
import type { Arg, Val } from './value'
import { parseVal } from './val_text'

/** A parameter of forward: a placeholder to be, until the first statement shows the names nodes use for them. */
interface Parameter {
  target: string
  val: Val | null
  type: string | null
  value?: Arg
  line: number
}

/** What a name was annotated with. */
interface Annotation {
  val: Val | null
  type: string | null
}

export class ReadableScope {
  readonly graph = new Graph()
  /** `class` until forward begins, `body` until it returns. */
  state: 'class' | 'body' | 'done' = 'class'
  private readonly names = new Map<string, Arg>()
  private parameters: Parameter[] = []
  private readonly renames = new Map<string, string>()
  private readonly annotations = new Map<string, Annotation>()
  private returnType: string | null = null
  private readonly values: PythonValues
  private readonly statement: ReadableStatement
  /** Statements that use a name from further down. */
  private readonly forward: { node: Node; start: number; end: number; line: number; lineStart: number }[] = []
  private sawForward = false
  private laterNames: Set<string> | null = null

  constructor(
    readonly indent: number,
    private readonly text: string,
    private readonly end: number,
    private readonly problems: Problems,
    private readonly vals: Map<string, Val | null>,
  ) {
    const resolve = (name: string): Arg | undefined => this.resolve(name)
    this.values = new PythonValues(text, 0, 0, resolve)
    this.statement = new ReadableStatement(this.values, resolve)
  }

  /** Reads `forward`'s parameters from after their "("; returns where the line that ends them ends. */
  readParameters(pos: number, line: number, lineStart: number): number {
    const { text, values } = this
    this.state = 'body'
    values.reset(pos, this.end)
    let counted = pos
    let last = pos
    const lineNow = (): number => {
      for (; counted < values.pos; counted++) if (text.charCodeAt(counted) === 10) line++
      return line
    }
    try {
      while (values.peek() !== 41) {
        last = values.pos
        while (text.charCodeAt(values.pos) === 42) values.pos++
        const stop = wordEnd(text, values.pos, this.end)
        if (stop === values.pos) throw new ScanError(values.pos, "a parameter's name")
        const target = text.slice(last, stop)
        values.pos = stop
        const parameter: Parameter = { target, val: null, type: null, line: lineNow() }
        if (values.peek() === 58) {
          values.pos++
          Object.assign(parameter, this.annotation())
        }
        if (values.peek() === 61) {
          values.pos++
          parameter.value = values.value()
        }
        if (target !== 'self') this.parameters.push(parameter)
        if (values.peek() !== 44) break
        values.pos++
      }
      values.expect(41, '"," or ")"')
    } catch (e) {
      this.report(
        e,
        lineNow(),
        text.lastIndexOf('\n', Math.max(lineStart, values.pos - 1)) + 1,
        lineEnd(text, last, this.end),
      )
      return lineEnd(text, values.pos, this.end)
    }
    const stop = lineEnd(text, values.pos, this.end)
    const rest = text.slice(values.pos, stop).trim()
    if (rest.startsWith('->')) this.returnType = rest.slice(2).trim().replace(/:$/, '')
    return stop
  }

  /** Reads one statement. Returns where it ends, which is `end` except for a `return` over several lines. */
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
      if (c === 44) return this.readFlatten(start, end, line)
      let annotated: Annotation | null = null
      if (c === 58) {
        this.values.reset(pos + 1, end)
        annotated = this.annotation()
        pos = this.values.pos
        if (this.values.peek() !== 61) return this.keepAnnotations(word, annotated, end)
        pos = this.values.pos
      } else if (c !== 61 || text.charCodeAt(pos + 1) === 61) {
        this.define()
        return this.readInPlace(start, end, line, comment)
      }
      name = word
      rhs = skipSpaces(text, pos + 1, end)
      if (this.isRename(name, rhs, end)) return end
      this.define()
      this.readAssignment(name, annotated, rhs, end, line, lineStart, comment)
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

  /** The scope's text has ended: settles what is still open. */
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
    const output = this.graph.output()
    if (output) output.type = this.returnType
    inferOutputs(this.graph)
  }

  private report(e: unknown, line: number, lineStart: number, end: number): void {
    if (!(e instanceof ScanError)) throw e
    this.problems.add(line, Math.max(1, e.at - lineStart + 1), e.foundText ?? this.excerpt(e.at, end), e.expected)
  }

  private excerpt(at: number, end: number): string {
    return this.problems.full ? '' : excerpt(this.text, at, end)
  }

  private resolve(name: string): Arg | undefined {
    const found = this.names.get(name)
    if (found !== undefined) return found
    // Only a graph that is not sorted uses a name before its line; look whether one comes at all.
    if (wordEnd(name, 0, name.length) !== name.length || this.names.size === 0) return undefined
    this.laterNames ??= this.collectNames()
    if (!this.laterNames.has(name)) return undefined
    this.sawForward = true
    return { kind: 'opaque', text: name }
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

  /** After a ":": a string that tells dtype and shape, or a Python type up to "=", "," or ")". */
  private annotation(): Annotation {
    const { values, text } = this
    const c = values.peek()
    if (c === 34 || c === 39) {
      const written = values.string()
      let val = this.vals.get(written)
      if (val === undefined) {
        val = parseVal(written)
        this.vals.set(written, val)
      }
      return { val, type: val ? null : written }
    }
    const start = values.pos
    let depth = 0
    for (; values.pos < values.end; values.pos++) {
      const d = text.charCodeAt(values.pos)
      if (d === 91 || d === 40) depth++
      else if (d === 93 || (d === 41 && depth > 0)) depth--
      else if (depth === 0 && (d === 61 || d === 44 || d === 41 || d === 59 || d === 10)) break
    }
    return { val: null, type: text.slice(start, values.pos).trim() }
  }

  /** `x: "f32[3]"; y: "f32[4]";`: annotations of what the next line unpacks. */
  private keepAnnotations(name: string, annotation: Annotation, end: number): number {
    const { values, text } = this
    this.annotations.set(name, annotation)
    while (values.peek() === 59) {
      values.pos++
      const c = values.peek()
      if (c === -1) break
      const stop = wordEnd(text, values.pos, end)
      const next = text.slice(values.pos, stop)
      values.pos = stop
      values.expect(58, '":"')
      this.annotations.set(next, this.annotation())
    }
    if (values.peek() !== -1) throw new ScanError(values.pos, '"=" or the end of the line')
    return end
  }

  /** `a, b, = fx_pytree.tree_flatten_spec(…)`: the placeholders are these, not forward's parameters. */
  private readFlatten(start: number, end: number, line: number): number {
    const { text, values } = this
    values.reset(start, end)
    const found: Parameter[] = []
    while (values.peek() !== 61) {
      const stop = wordEnd(text, values.pos, end)
      if (stop === values.pos) throw new ScanError(values.pos, 'a name')
      const target = text.slice(values.pos, stop)
      found.push({ target, ...(this.annotations.get(target) ?? { val: null, type: null }), line })
      values.pos = stop
      if (values.peek() === 44) values.pos++
    }
    values.pos++
    values.peek()
    if (!text.startsWith('fx_pytree.tree_flatten_spec(', values.pos))
      throw new ScanError(values.pos, '"fx_pytree.tree_flatten_spec("')
    this.parameters = found
    return end
  }

  /** `l_x_ = L_x_` before any other statement: the placeholder of that parameter is called so. */
  private isRename(name: string, rhs: number, end: number): boolean {
    if (this.parameters.length === 0) return false
    const stop = wordEnd(this.text, rhs, end)
    const after = skipSpaces(this.text, stop, end)
    if (after < end && this.text.charCodeAt(after) !== 59) return false
    const raw = this.text.slice(rhs, stop)
    if (!this.parameters.some((p) => p.target.replaceAll('*', '') === raw)) return false
    this.renames.set(raw, name)
    return true
  }

  /** Makes the placeholders, once their names are known. */
  private define(): void {
    if (this.parameters.length === 0) return
    const parameters = this.parameters
    this.parameters = []
    for (const p of parameters) {
      const raw = p.target.replaceAll('*', '')
      const name = this.renames.get(raw) ?? raw
      if (this.names.has(name)) {
        this.problems.add(p.line, 1, `a second parameter named "${name}"`, 'a name no parameter before has')
        continue
      }
      const node = this.graph.createNamed(name, 'placeholder', p.target, p.value === undefined ? [] : [p.value])
      node.type = p.type
      node.meta = p.val ? { val: p.val, textLine: p.line } : { textLine: p.line }
      this.names.set(name, node)
    }
  }

  private readAssignment(
    name: string,
    annotated: Annotation | null,
    rhs: number,
    end: number,
    line: number,
    lineStart: number,
    comment: CommentMeta | null,
  ): void {
    if (this.names.has(name))
      throw new ScanError(lineStart, 'a name no node above has', `a second node named "${name}"`)
    this.values.reset(rhs, end)
    this.sawForward = false
    const found = this.statement.rightSide()
    if ('alias' in found) {
      this.names.set(name, found.alias)
      return
    }
    const node = this.make(name, found, annotated, line, comment)
    if (this.sawForward) this.forward.push({ node, start: rhs, end, line, lineStart })
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
      annotated = this.annotation()
    }
    this.make(name, found, annotated, line, comment)
    return end
  }

  private readReturn(pos: number, end: number, line: number): number {
    this.define()
    this.state = 'done'
    const { text, values } = this
    let last = end - 1
    while (last > pos && text.charCodeAt(last) <= 32) last--
    const open = text.charCodeAt(last) === 40 || text.charCodeAt(last) === 91
    values.reset(pos, open ? this.end : end)
    const node = this.graph.createNode('output', 'output')
    node.meta.textLine = line
    if (values.peek() === -1) {
      node.setArgs([null], NO_KWARGS)
      return end
    }
    const wrapped = text.startsWith('pytree.tree_unflatten(', values.pos)
    if (wrapped) values.pos += 'pytree.tree_unflatten('.length
    const start = values.pos
    try {
      node.setArgs([values.value()], NO_KWARGS)
      if (!wrapped && !open && values.peek() !== -1) throw new ScanError(values.pos, 'the end of the line')
    } catch (e) {
      node.setArgs([{ kind: 'opaque', text: text.slice(start, Math.min(end, start + 200)) }], NO_KWARGS)
      throw e
    }
    return open ? lineEnd(text, values.pos, this.end) : end
  }
}

/** The val of an operator of several outputs, which print_readable leaves out, from those of its getitems. */
function inferOutputs(graph: Graph): void {
  for (const node of graph.nodes()) {
    if (node.op !== 'call_function' || node.meta.val || node.users.size === 0) continue
    const items: (Val | null)[] = []
    let known = false
    for (const user of node.users) {
      const index = user.args[1]
      if (user.target !== 'operator.getitem' || user.args[0] !== node || typeof index !== 'bigint') break
      if (index < 0n || index > 1000n) continue
      while (items.length <= Number(index)) items.push(null)
      items[Number(index)] = user.meta.val ?? null
      known ||= user.meta.val !== undefined
    }
    if (known) node.meta.val = { kind: 'vals', items }
  }
}

function lineEnd(text: string, pos: number, end: number): number {
  const newline = text.indexOf('\n', pos)
  return newline < 0 || newline > end ? end : newline
}
