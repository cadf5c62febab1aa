/** Reads Graph.print_tabular: one node a row, under `opcode name target args kwargs`. */
import { isKind } from '../value'
import { Graph } from '../graph/graph'
import { NO_KWARGS, type Arg, type Node, type NodeOp } from '../graph/node'
import { isCutMark } from './sections/cut_text'
import { addInput, finishOpen } from './open_text'
import { PythonValues } from './python_value'
import type { TextRange } from './read_graph_text'
import { targetFromRepr } from './repr_target'
import { excerpt, type Problems, ScanError } from './scan'
import { UNREADABLE } from '../target'

const OPS: readonly string[] = ['placeholder', 'get_attr', 'call_function', 'call_method', 'call_module', 'output']
const ROW = 'a row of the table: opcode, name, target, args, kwargs'

interface Row {
  op: NodeOp
  name: string
  target: string
  /** Offset of the args in the text. */
  args: number
  end: number
  line: number
  lineStart: number
}

export function readTabular(text: string, range: TextRange, problems: Problems): Graph {
  return new TabularReader(text, range, problems).read()
}

class TabularReader {
  private readonly graph = new Graph()
  private readonly names = new Map<string, Node>()
  private readonly inputs: string[] = []
  /** Offsets of the columns in a line, from the row of dashes. */
  private columns: number[] | null = null

  constructor(
    private readonly text: string,
    private readonly range: TextRange,
    private readonly problems: Problems,
  ) {}

  read(): Graph {
    const rows = this.rows()
    // Creates all nodes first, because a row may use a node of a later row.
    for (const row of rows) this.define(row)
    for (const row of rows) this.readArgs(row)
    if (this.range.open) finishOpen(this.graph, this.inputs, this.range.line, this.problems)
    return this.graph
  }

  private rows(): Row[] {
    const { text, range } = this
    const rows: Row[] = []
    let line = range.line - 1
    for (let pos = range.start; pos < range.end;) {
      let end = text.indexOf('\n', pos)
      if (end < 0 || end > range.end) end = range.end
      line++
      const written = text.slice(pos, end).trimEnd()
      const trimmed = written.trimStart()
      if ((line === range.line && !range.headless) || trimmed === '') {
        if (rows.some((r) => r.op === 'output')) break
      } else if (/^-{3,}(?: +-{3,})+$/.test(trimmed)) this.columns = [...written.matchAll(/-{3,}/g)].map((m) => m.index)
      else if (/^[|+\-: ]+$/.test(trimmed)) this.columns = null
      else if (isCutMark(trimmed)) this.problems.cut(line, written.length - trimmed.length + 1, trimmed)
      else {
        const row = this.row(pos, pos + written.length, line)
        if (row) rows.push(row)
        else if (rows.at(-1)?.op === 'output') break
        else this.problems.add(line, 1, excerpt(text, pos, end), ROW)
      }
      pos = end + 1
    }
    return rows
  }

  private row(start: number, end: number, line: number): Row | null {
    const written = this.text.slice(start, end)
    const head = /^[\s|]*(\w+)[\s|]+([\w.]+)[\s|]+/.exec(written)
    if (!head || !OPS.includes(head[1]!)) return null
    const from = head[0].length
    const at = this.columns?.[3]
    // The column's offset counts if the cells before it have the table's width.
    const args =
      at !== undefined && /[\s|]/.test(written[at - 1] ?? '') && written[at] === '(' ? at : argsAt(written, from)
    if (args < 0) return null
    return {
      op: head[1] as NodeOp,
      name: head[2]!,
      target: written.slice(from, args).replace(/[\s|]+$/, ''),
      args: start + args,
      end,
      line,
      lineStart: start,
    }
  }

  private define({ op, name, target, line, lineStart }: Row): void {
    if (this.names.has(name)) {
      this.problems.add(line, 1, `a second node named "${name}"`, 'a name no node above has')
      return
    }
    const known = op === 'call_function' ? targetFromRepr(target) : target
    if (known === null)
      this.problems.add(
        line,
        Math.max(1, this.text.indexOf(target, lineStart) - lineStart + 1),
        JSON.stringify(target),
        'the name of a function',
      )
    const args: Arg[] = known === null ? [{ kind: 'opaque', text: target }] : []
    const node =
      op === 'output'
        ? this.graph.createNode('output', 'output')
        : this.graph.createNamed(name, op, known ?? UNREADABLE, args)
    node.meta.textLine = line
    this.names.set(name, node)
  }

  private readArgs({ name, op, args, end, line, lineStart }: Row): void {
    const node = this.names.get(name)
    if (!node || node.meta.textLine !== line || node.target === UNREADABLE) return
    const values = new PythonValues(
      this.text,
      args,
      end,
      (word) => this.names.get(word),
      (word) => this.input(word),
    )
    try {
      const list = tupleItems(values.primary())
      this.skipBar(values)
      const kwargs = values.peek() === 123 ? values.primary() : null
      const named = kwargs !== null && isKind(kwargs, 'dict') ? kwargs.entries : NO_KWARGS
      if (op === 'placeholder' && list.length === 0) return
      node.setArgs(list, named)
    } catch (e) {
      if (!(e instanceof ScanError)) throw e
      node.setArgs([{ kind: 'opaque', text: this.text.slice(args, Math.min(end, args + 200)) }], NO_KWARGS)
      this.problems.add(line, e.at - lineStart + 1, e.foundText ?? excerpt(this.text, e.at, end), e.expected)
    }
  }

  private skipBar(values: PythonValues): void {
    if (values.peek() === 124) values.pos++
  }

  private input(name: string): Arg | undefined {
    if (!this.range.open) return undefined
    const node = addInput(this.graph, name)
    this.names.set(name, node)
    this.inputs.push(name)
    return node
  }
}

/** The first bracket at or after `from` that follows blanks: the target may contain brackets. */
function argsAt(written: string, from: number): number {
  for (let at = written.indexOf('(', from); at >= 0; at = written.indexOf('(', at + 1))
    if (at > from && /[\s|]/.test(written[at - 1]!)) return at
  return -1
}

const tupleItems = (value: Arg): readonly Arg[] => (isKind(value, 'tuple') ? value.items : [value])
