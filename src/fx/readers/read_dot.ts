/**
 * Reads the DOT text of torch.fx.passes.graph_drawer.FxGraphDrawer. Its labels show only arguments that are not nodes; node
 * arguments are edges. If the order of a node's inputs stays open, a note says so.
 */
import { Graph } from '../graph/graph'
import { NO_KWARGS, tuple, type Arg, type Node, type NodeOp } from '../graph/node'
import { device, type Val } from '../value'
import { bareValue } from './bare_words'
import { isCutMark } from './sections/cut_text'
import { PythonValues } from './python_value'
import type { TextRange } from './read_graph_text'
import { targetFromRepr } from './repr_target'
import { excerpt, type Problems, ScanError } from './scan'
import { UNREADABLE } from '../target'

const NODE = /^"?([\w.]+)"?\s*\[label="\{(.*?)\}"/
/** Word processors turn the arrow, or its line, into a single character. */
const EDGE = /^"?([\w.]+)"?\s*(?:->|\u2192|[\u2013\u2014]>)\s*"?([\w.]+)"?/
const OPS = new Set(['placeholder', 'get_attr', 'call_function', 'call_method', 'call_module', 'output'])
/** Operators that compute the same with their two inputs in either order. */
const COMMUTES =
  /(?:^|\.)(?:add|mul|eq|ne|maximum|minimum|logical_and|logical_or|bitwise_and|bitwise_or|and_|or_)(?:\.|$)/

interface Drawn {
  node: Node
  args: readonly Arg[]
  kwargs: ReadonlyMap<string, Arg>
  line: number
}

export function readDot(text: string, range: TextRange, problems: Problems): Graph {
  return new DotReader(text, range, problems).read()
}

class DotReader {
  private readonly graph = new Graph()
  private readonly drawn = new Map<string, Drawn>()
  private readonly inputs = new Map<string, Node[]>()

  constructor(
    private readonly text: string,
    private readonly range: TextRange,
    private readonly problems: Problems,
  ) {}

  read(): Graph {
    const lines = this.text.slice(this.range.start, this.range.end).split('\n')
    for (const [i, written] of lines.entries()) {
      const line = written.trim()
      const node = NODE.exec(line)
      if (node) this.readNode(node[1]!, node[2]!, this.range.line + i)
      else if (!EDGE.test(line)) this.readOther(line, this.range.line + i)
    }
    for (const [i, line] of lines.entries()) this.readEdge(line.trim(), this.range.line + i)
    this.connect()
    return this.graph
  }

  private readOther(line: string, at: number): void {
    if (isCutMark(line)) this.problems.cut(at, 1, line)
    else if (/\[label="/.test(line))
      this.problems.add(
        at,
        1,
        excerpt(line, 0, line.length),
        'a node of FxGraphDrawer: name [label="{name=%name|op_code=…}"]',
      )
  }

  private readNode(name: string, label: string, line: number): void {
    const op = /\|op_code=(\w+)/.exec(label)?.[1] ?? ''
    // Parameters of a drawn module are not nodes of the graph.
    if (op.startsWith('get_parameter') || !/^name=%/.test(label)) return
    if (!OPS.has(op)) return this.problems.add(line, 1, JSON.stringify(op), 'op_code=placeholder, call_function, …')
    const written = /\|target=(.*?)(?:\\n|\\l|\||$)/.exec(label)?.[1] ?? ''
    const target = op === 'call_function' ? targetFromRepr(unescape(written)) : written || name
    if (target === null) this.problems.add(line, 1, JSON.stringify(written), 'the name of a function')
    const node =
      op === 'output'
        ? this.graph.createNode('output', 'output')
        : this.graph.createNamed(name, op as NodeOp, target ?? UNREADABLE)
    node.meta.textLine = line
    const val = valOf(label)
    if (val) node.meta.val = val
    this.drawn.set(name, { node, line, ...this.argumentsOf(label, line) })
  }

  private argumentsOf(label: string, line: number): Pick<Drawn, 'args' | 'kwargs'> {
    const args = /\|args=\((.*?)\)(?:\\l|\||$)/s.exec(label)?.[1]
    const kwargs = /\|kwargs=\\?\{(.*?)\\?\}(?:\\l|\||$)/s.exec(label)?.[1]
    const named = new Map<string, Arg>()
    const list: Arg[] = []
    try {
      if (args) list.push(...itemsOf(unescape(args)))
      if (kwargs)
        for (const part of unescape(kwargs).split(/,\s*(?=\w+: )/)) {
          const at = part.indexOf(':')
          const [value] = itemsOf(part.slice(at + 1).replace(/,\s*$/, ''))
          if (at > 0 && value !== undefined) named.set(part.slice(0, at).trim(), value)
        }
    } catch (e) {
      if (!(e instanceof ScanError)) throw e
      this.problems.add(line, 1, excerpt(unescape(`${args ?? ''} ${kwargs ?? ''}`).trim(), 0, 200), e.expected)
    }
    return { args: list, kwargs: named.size > 0 ? named : NO_KWARGS }
  }

  private readEdge(line: string, at: number): void {
    const edge = EDGE.exec(line)
    if (!edge) return
    const [from, to] = [this.drawn.get(edge[1]!), this.drawn.get(edge[2]!)]
    if (from && to) this.inputs.set(edge[2]!, [...(this.inputs.get(edge[2]!) ?? []), from.node])
    else if (!edge[1]!.includes('.'))
      this.problems.add(at, 1, JSON.stringify(from ? edge[2] : edge[1]), 'a node of this drawing')
  }

  /** Inputs come first, in the drawing's order, then the arguments that the label shows. */
  private connect(): void {
    const unclear: string[] = []
    for (const [name, { node, args, kwargs }] of this.drawn) {
      const inputs = this.inputs.get(name) ?? []
      if (node.op === 'output') {
        node.setArgs([tuple(inputs)], NO_KWARGS)
        continue
      }
      if (node.op === 'placeholder' || node.op === 'get_attr') continue
      node.setArgs([...inputs, ...args], kwargs)
      if (inputs.length > 2 || (inputs.length === 2 && !COMMUTES.test(node.target))) unclear.push(name)
    }
    if (unclear.length > 0) {
      const shown = unclear.length > 8 ? `${unclear.slice(0, 8).join(', ')}, …` : unclear.join(', ')
      this.problems.note(this.range.line, `A drawing does not record the order of inputs; check it for ${shown}.`)
    }
  }
}

/**
 * Escapes in a label: `\l` and `
 * ` end a line, `\{` is a bracket.
 */
const unescape = (text: string): string =>
  text
    .replace(/\\[ln]/g, ' ')
    .replace(/\\(.)/g, '$1')
    .trim()

function itemsOf(text: string): readonly Arg[] {
  const bare = text.trim().replace(/,$/, '')
  // Strings and devices are not quoted.
  if (/^[A-Za-z_][\w:.-]*$/.test(bare)) return [bareValue(bare)]
  const closed = `${bare})`
  return new PythonValues(closed, 0, closed.length, () => undefined).items(41).items
}

function valOf(label: string): Val | null {
  const dtype = /\|dtype=torch\.(\w+)/.exec(label)?.[1]
  const shapes = [...label.matchAll(/\|shape=\(([^)]*)\)/g)]
  if (!dtype || shapes.length !== 1) return null
  const stride = /\|stride=\(([^)]*)\)/.exec(label)?.[1]
  const where = /\|device=([a-z]+)(?::(\d+))?/.exec(label)
  const dims = (text: string): (number | string)[] =>
    text
      .split(',')
      .map((d) => d.trim())
      .filter((d) => d !== '')
      .map((d) => (/^\d+$/.test(d) ? Number(d) : d))
  return {
    kind: 'tensor',
    dtype,
    shape: dims(shapes[0]![1]!),
    stride: stride === undefined ? null : dims(stride),
    device: where ? device(where[1]!, where[2] === undefined ? null : Number(where[2])) : null,
  }
}
