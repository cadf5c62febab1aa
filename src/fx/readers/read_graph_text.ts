/**
 * Reads `print(graph)` (Graph.__str__): one node per line.
 * Reason for length: one pass over the lines, with a position that all methods share.
 */
import { reportCycle, type LaterUse, type TextSpan } from '../graph/cycle'
import { Graph } from '../graph/graph'
import { type Arg, NO_KWARGS, type Node, type NodeOp } from '../graph/node'
import { GraphTextArgs } from './graph_text_args'
import { isCutMark } from './sections/cut_text'
import { addInput, finishOpen } from './open_text'
import { PythonValues } from './python_value'
import { excerpt, isDigit, lineEnd, pairBrackets, Problems, ScanError, skipSpaces, wordEnd } from './scan'
import { targetFromText, UNREADABLE } from '../target'
import { targetFromRepr } from './repr_target'
import { parseVal } from '../val_text'

const OPS: readonly NodeOp[] = ['call_function', 'placeholder', 'get_attr', 'call_method', 'call_module']
const NO_ARGS: readonly Arg[] = []
const NODE_LINE = '"%name : [num_users=N] = op[target=…]"'

/** A range of the text's lines, and the number of its first line (from 1). */
export interface TextRange {
  start: number
  end: number
  line: number
  /** The text has no header, or lines are missing: names that no line defines are read as inputs. */
  open?: boolean
  /** A print_readable body without its class and def. */
  headless?: boolean
}

/** Reads the first graph in a range. Bad lines are reported in `problems`, and reading continues. */
export function readGraphText(text: string, range: TextRange, problems: Problems): Graph {
  return new GraphTextReader(text, range, problems).read()
}

/** The inputs in a header: the possible targets of each, most likely first. PyTorch prints a typed target twice: `xx: int`. */
function headerInputs(header: string): { targets: string[]; type: string | null }[] {
  const pairs = pairBrackets(header, 0, header.length)
  const parts: string[] = []
  let start = 0
  for (let i = 0; i <= header.length; i++) {
    i = pairs.get(i) ?? i
    if (i < header.length && header[i] !== ',') continue
    parts.push(header.slice(start, i))
    start = i + 1
  }
  return parts.flatMap((part) => {
    const colon = part.indexOf(':')
    const target = (colon < 0 ? part : part.slice(0, colon)).trim()
    const type = colon < 0 ? null : part.slice(colon + 1).trim()
    const half = target.slice(0, target.length / 2)
    const twice = type !== null && half + half === target
    const targets = (twice ? [half, target] : [target]).filter((t) => /^\*{0,2}[^\W\d]\w*$/.test(t))
    return targets.length > 0 ? [{ targets, type }] : []
  })
}

class GraphTextReader {
  private readonly graph = new Graph()
  private readonly names = new Map<string, Node>()
  private readonly targets = new Map<string, string>()
  private readonly args: GraphTextArgs
  /** Nodes that use later names, read again at the end. */
  private readonly forward: LaterUse[] = []
  /** The node whose arguments are being read: if it uses itself, the use counts as a use of a later name. */
  private current: Node | null = null
  /** Offset after the last line that was read. */
  stop: number
  line: number
  private lineStart = 0

  constructor(
    private readonly text: string,
    private readonly range: TextRange,
    private readonly problems: Problems,
  ) {
    this.line = range.line
    this.stop = range.start
    this.args = new GraphTextArgs(text, (name) => (name === this.current?.name ? undefined : this.names.get(name)))
  }

  read(): Graph {
    const { text, range } = this
    let pos = range.start
    let seen = false
    let header = this.range.start
    while (pos < range.end) {
      let end = lineEnd(text, pos, range.end)
      this.lineStart = pos
      this.stop = end + 1
      const start = skipSpaces(text, pos, end)
      const line = this.line
      this.line++
      pos = end + 1
      if (start === end) continue
      const c = text.charCodeAt(start)
      const isReturn = c === 114 && text.startsWith('return', start) && !(text.charCodeAt(start + 6) > 32)
      if (c === 37 || isReturn) {
        seen = true
        // A string argument may contain line breaks: the node continues to a line that ends like a node's line.
        while (!isReturn && pos < range.end && !this.complete(start, end) && !this.startsEntry(pos)) {
          end = lineEnd(text, pos, range.end)
          this.line++
          pos = end + 1
        }
        this.stop = pos
        this.guarded(line, end, () =>
          isReturn ? this.readReturn(start + 6, end, line) : this.readNode(start, end, line),
        )
        if (isReturn) break
      } else if (text.startsWith('graph(', start)) {
        if (seen) break
        header = end
        this.readInputs(start + 'graph('.length, end, line)
      } else if (c === 98 && text.startsWith('backend_id:', start)) {
        // ExecuTorch prints a delegate's graph below its get_attr.
      } else if (c === 108 && text.startsWith('lowered graph(', start)) {
        pos = this.readLowered(start, end)
      } else if (seen || header > range.start) {
        this.readOther(start, end, line)
      }
    }
    if (range.open) this.closeOpen()
    else this.readForward()
    return this.graph
  }

  /** `graph(x, y):` (torch 1.7 and older), whose inputs have no lines of their own. */
  private readInputs(start: number, end: number, line: number): void {
    const close = pairBrackets(this.text, start - 1, end).get(start - 1)
    const inputs = close === undefined ? [] : headerInputs(this.text.slice(start, close))
    if (inputs.length === 0 || this.names.size > 0) return
    const body = this.text.slice(end, this.range.end)
    if (body.includes('= placeholder[')) return
    const used = new Set(body.match(/%\w+/g))
    const defined = new Set(body.match(/%\w+(?= : )/g))
    for (const { targets, type } of inputs) {
      // The header lists targets. A node whose target shadows a builtin has a name that ends in _1.
      const named = targets.flatMap((target) => {
        const name = target.replace(/^\*+/, '')
        return [name, `${name}_1`].map((n) => ({ name: n, target }))
      })
      const { name, target } = named.find((n) => used.has(`%${n.name}`) && !defined.has(`%${n.name}`)) ?? named[0]!
      if (!this.names.has(name)) this.keep(this.graph.createNamed(name, 'placeholder', target), line, type)
    }
  }

  /** A line between nodes that is not a node. */
  private readOther(start: number, end: number, line: number): void {
    const mark = this.text.slice(start, end).trimEnd()
    if (isCutMark(mark)) this.problems.cut(line, start - this.lineStart + 1, mark)
    else this.problems.add(line, start - this.lineStart + 1, excerpt(this.text, start, end), NODE_LINE)
  }

  /** `lowered graph():`, with the first node on the same line: the graph of the delegate above. Returns the offset of its end. */
  private readLowered(start: number, end: number): number {
    const { text, range, problems } = this
    const colon = text.indexOf(':', start)
    const from = colon < 0 || colon >= end ? end : colon + 1
    const reader = new GraphTextReader(text, { start: from, end: range.end, line: this.line - 1 }, problems)
    const graph = reader.read()
    let name = ''
    for (const node of this.graph.nodes()) if (node.op === 'get_attr') name = node.target
    if (name !== '') this.graph.subgraphs.set(name, graph)
    if (!graph.output())
      problems.add(this.line - 1, start - this.lineStart + 1, 'no "return"', 'the "return" of the lowered graph')
    this.line = reader.line
    return reader.stop
  }

  /** Creates inputs for the names that no line defines, and an output that returns the nodes without users. */
  private closeOpen(): void {
    const missing = new Set<string>()
    for (const { start, end } of this.forward)
      for (let i = start; i < end; i++) {
        if (this.text.charCodeAt(i) !== 37) continue
        const name = this.text.slice(i + 1, wordEnd(this.text, i + 1, end))
        if (name !== '' && !isDigit(name.charCodeAt(0)) && !this.names.has(name)) missing.add(name)
      }
    for (const name of missing) this.names.set(name, addInput(this.graph, name))
    this.readForward()
    finishOpen(this.graph, [...missing], this.range.line, this.problems)
  }

  private complete(start: number, end: number): boolean {
    let last = end - 1
    while (last > start && this.text.charCodeAt(last) <= 32) last--
    const c = this.text.charCodeAt(last)
    if (c === 41 && this.text.charCodeAt(last - 1) === 125) return true
    // A get_attr or placeholder ends with `]`, or with the `)` of a default; a call does not.
    return (c === 41 || c === 93) && !this.text.slice(start, last).includes('](args = (')
  }

  private startsEntry(pos: number): boolean {
    const start = skipSpaces(this.text, pos, this.range.end)
    const c = this.text.charCodeAt(start)
    if (c === 37) {
      const nameEnd = wordEnd(this.text, start + 1, this.range.end)
      return nameEnd > start + 1 && this.text.startsWith(' : ', nameEnd)
    }
    return this.text.startsWith('return ', start) || this.text.startsWith('graph(', start) || c === 10
  }

  private guarded(line: number, end: number, read: () => void): void {
    try {
      read()
    } catch (e) {
      if (!(e instanceof ScanError)) throw e
      const found = e.foundText ?? excerpt(this.text, e.at, end)
      this.problems.add(line, e.at - this.lineStart + 1, found, e.expected)
    }
  }

  private readNode(start: number, end: number, line: number): void {
    const { text } = this
    const nameEnd = wordEnd(text, start + 1, end)
    if (nameEnd === start + 1 || isDigit(text.charCodeAt(start + 1)))
      throw new ScanError(start + 1, 'a node name (letters, digits and underscores)')
    const name = text.slice(start + 1, nameEnd)
    if (this.names.has(name))
      throw new ScanError(start + 1, 'a name no node above has', `a second node named "${name}"`)
    try {
      this.readBody(name, nameEnd, end, line)
    } catch (e) {
      const raw = text.slice(nameEnd, Math.min(end, nameEnd + 200)).trim()
      // A name at the very end of the text may be cut.
      if (!this.names.has(name) && raw !== '') {
        const node = this.graph.createNamed(name, 'call_function', UNREADABLE, [{ kind: 'opaque', text: raw }])
        node.meta.textLine = line
        this.names.set(name, node)
      }
      throw e
    }
  }

  /**
   * Reads the text after a node's name. If a call's arguments cannot be read, the call is already in the graph when
   * this throws.
   */
  private readBody(name: string, nameEnd: number, end: number, line: number): void {
    const { text } = this
    let pos = skipSpaces(text, nameEnd, end)
    if (text.charCodeAt(pos) !== 58) throw new ScanError(pos, '":" after the node name')
    pos = skipSpaces(text, pos + 1, end)

    let type: string | null = null
    if (!this.startsUsers(pos)) {
      const users = text.slice(pos, end).search(/\[(?:(?:num_|#)users|uses)=/)
      if (users < 0) throw new ScanError(pos, '"[num_users=N]"')
      type = text.slice(pos, pos + users).trimEnd()
      pos += users
    }
    while (pos < end && text.charCodeAt(pos) !== 93) pos++
    pos = skipSpaces(text, pos + 1, end)
    if (text.charCodeAt(pos) !== 61) throw new ScanError(pos, '"=" after "[num_users=N]"')
    pos = skipSpaces(text, pos + 1, end)

    // torch 1.8 and older.
    if (text.startsWith('self.', pos)) {
      const stop = lineEnd(text, pos, end)
      return this.keep(this.graph.createNamed(name, 'get_attr', text.slice(pos + 5, stop).trimEnd()), line, type)
    }
    const op = OPS.find((o) => text.startsWith(o, pos))
    if (!op) throw new ScanError(pos, `one of ${OPS.join(', ')}`)
    pos += op.length
    if (!text.startsWith('[target=', pos)) throw new ScanError(pos, '"[target=…]"')
    pos += '[target='.length
    if (op.startsWith('call')) this.readCall(name, op, { start: pos, end, line, lineStart: this.lineStart }, type)
    else this.keep(this.readInput(name, op, pos, end), line, type)
  }

  private keep(node: Node, line: number, type: string | null): void {
    this.names.set(node.name, node)
    node.meta.textLine = line
    if (type !== null) this.setType(node, type)
  }

  private startsUsers(pos: number): boolean {
    // `[uses=N]` (torch 1.7 and older).
    return ['[num_users=', '[#users=', '[uses='].some((t) => this.text.startsWith(t, pos))
  }

  /** A type is a Python name; include_tensor_metadata makes it more specific: `Tensor "f32[4][1]cpu"`. */
  private setType(node: Node, type: string): void {
    const val = type.startsWith('Tensor "') && type.endsWith('"') ? parseVal(type.slice(8, -1)) : null
    if (val) node.meta.val = val
    else node.type = type
  }

  private readInput(name: string, op: NodeOp, pos: number, end: number): Node {
    const { text } = this
    while (end > pos && text.charCodeAt(end - 1) <= 32) end--
    const def = op === 'placeholder' ? text.slice(pos, end).indexOf('](default=') : -1
    const close = def < 0 ? end - 1 : pos + def
    if (text.charCodeAt(close) !== 93) throw new ScanError(end, '"]" after the target')
    const target = text.slice(pos, close)
    if (def < 0) return this.graph.createNamed(name, op, target)
    if (text.charCodeAt(end - 1) !== 41) throw new ScanError(end, '")" after the default')
    const value = this.args.single(close + '](default='.length, end - 1)
    return this.graph.createNamed(name, op, target, [value])
  }

  /** @param span from the target to the end of the node's text */
  private readCall(name: string, op: NodeOp, span: TextSpan, type: string | null): void {
    const { text } = this
    const { start: from, end, line } = span
    const open = text.slice(from, end).indexOf('](args = (')
    if (open < 0) throw new ScanError(from, '"[target=…](args = (…), kwargs = {…})"')
    const written = text.slice(from, from + open)
    let target = written
    if (op === 'call_function') {
      // A target in angle brackets is a repr: builtins were printed so until torch 1.7.
      const ofRepr = written.startsWith('<') ? targetFromRepr(written) : null
      target = this.targets.get(written) ?? ofRepr ?? targetFromText(written)
      this.targets.set(written, target)
    }
    const start = from + open + '](args = ('.length
    const node = this.graph.createNamed(name, op, target)
    this.keep(node, line, type)
    this.current = node
    try {
      this.readArgs(node, start, end)
    } finally {
      if (this.args.forward) this.forward.push({ node, ...span, start })
      this.current = null
    }
  }

  private readArgs(node: Node, start: number, end: number): void {
    const { text, args } = this
    let stop = end
    while (stop > start && text.charCodeAt(stop - 1) <= 32) stop--
    args.forward = false
    try {
      if (text.charCodeAt(stop - 1) !== 41 || text.charCodeAt(stop - 2) !== 125)
        throw new ScanError(stop, '"})" where the node ends')
      // kwargs are nearly always empty; then their brackets are right before the end.
      const empty = '), kwargs = {})'
      const split = text.startsWith(empty, stop - empty.length)
        ? stop - empty.length
        : start + text.slice(start, stop).lastIndexOf('), kwargs = {')
      if (split < start) throw new ScanError(stop, '"), kwargs = {…})" after the arguments')
      const list = split === start ? NO_ARGS : args.list(start, split)
      const from = split + '), kwargs = {'.length
      const kwargs = from >= stop - 2 ? NO_KWARGS : args.keyed(from, stop - 2)
      node.setArgs(list, kwargs)
    } catch (e) {
      if (!(e instanceof ScanError)) throw e
      // The node stays so that its users can be read; its arguments are kept as text.
      node.setArgs([{ kind: 'opaque', text: text.slice(start, Math.min(stop, start + 200)) }], NO_KWARGS)
      throw e
    }
  }

  /** Reads deferred arguments once all nodes are defined; a name that is still undefined is an error. */
  private readForward(): void {
    for (const { node, start, end, line, lineStart } of this.forward) {
      this.lineStart = lineStart
      this.guarded(line, end, () => {
        this.readArgs(node, start, end)
        if (!this.args.forward) return
        const missing = this.missingName(start, end)
        throw new ScanError(missing.at, 'a node of this graph', `"%${missing.name}"`)
      })
    }
    reportCycle(this.graph, this.text, this.forward, this.problems)
  }

  private missingName(start: number, end: number): { at: number; name: string } {
    for (let i = start; i < end; i++) {
      if (this.text.charCodeAt(i) !== 37) continue
      const name = this.text.slice(i + 1, wordEnd(this.text, i + 1, end))
      if (name !== '' && !this.names.has(name)) return { at: i, name }
    }
    return { at: start, name: '' }
  }

  private readReturn(start: number, end: number, line: number): void {
    const from = skipSpaces(this.text, start, end)
    while (end > from && this.text.charCodeAt(end - 1) <= 32) end--
    const node = this.graph.createNode('output', 'output')
    node.meta.textLine = line
    // torch 1.7 and older: `return %x`.
    const old = this.text.charCodeAt(from) === 37
    const shift = old ? from : 0
    const text = old ? this.text.slice(from, end).replaceAll(/%(?=\w)/g, ' ') : this.text
    const values = new PythonValues(text, from - shift, end - shift, (name) => this.names.get(name))
    try {
      const value = values.value()
      if (values.peek() !== -1) throw new ScanError(values.pos, 'the end of the line')
      node.setArgs([value], NO_KWARGS)
    } catch (e) {
      node.setArgs([{ kind: 'opaque', text: this.text.slice(from, Math.min(end, from + 200)) }], NO_KWARGS)
      throw e instanceof ScanError ? new ScanError(e.at + shift, e.expected, e.foundText) : e
    }
  }
}
