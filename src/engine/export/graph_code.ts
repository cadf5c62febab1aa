/** A graph as Python that rebuilds it with GraphBuilder, one line per node. */
import {
  formatPython,
  formatVal,
  mapArg,
  targetToText,
  visitNodes,
  type Arg,
  type ConstantValues,
  type Graph,
  type Node,
  type Val,
} from '../../fx'
import { isOverload, UNREADABLE } from '../../fx/target'
import { plainRepr } from '../../fx/meta_text'
import { literal } from './python_text'

export interface GraphCode {
  /** The body of a function of `build`, a GraphBuilder. */
  lines: string[]
  /** What cannot be rebuilt, one sentence each. */
  notes: string[]
}

/** Names that the lines use, and Python's own; a node of such a name gets an underscore. */
const RESERVED = new Set(
  (
    'build function torch operator device inf nan slice complex Ellipsis math builtins ' +
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

export function graphCode(graph: Graph): GraphCode {
  const names = new Map<Node, string>()
  for (const node of graph.nodes()) {
    const name = node.name.replace(/[^A-Za-z0-9_]/g, '_')
    names.set(node, RESERVED.has(name) ? `${name}_` : name)
  }
  const writer = new GraphWriter(names)
  for (const node of graph.nodes()) writer.node(node)
  if (graph.subgraphs.size > 0)
    writer.notes.push(
      `The subgraphs ${[...graph.subgraphs.keys()].join(', ')} are exported as empty modules: no pattern matches inside them.`,
    )
  return { lines: writer.lines, notes: writer.notes }
}

/** Writes nodes as calls of `build`. */
export class GraphWriter {
  readonly lines: string[] = []
  readonly notes: string[] = []

  /** @param names expressions of nodes */
  constructor(private readonly names: Pick<ReadonlyMap<Node, string>, 'get'>) {}

  node(node: Node): void {
    const { op, target } = node
    const into = this.names.get(node)!
    const name = literal(node.name)
    const val = valCode(node.meta.val)
    if (op === 'output') {
      this.lines.push(`return build.output(${this.arg(node.args[0] ?? null)})`)
      return
    }
    if (target === UNREADABLE) {
      this.notes.push(`The line of ${node.name} cannot be read, so the exported graph lacks the node.`)
      this.lines.push(`${into} = build.call(${name}, function("fusescope.unreadable"), (), {}, ${val})`)
      return
    }
    if (op === 'placeholder') {
      const defaults = node.args.map((a) => `, ${this.arg(a)}`).join('')
      this.lines.push(`${into} = build.placeholder(${name}, ${literal(target)}, ${val}${defaults})`)
      return
    }
    if (op === 'get_attr') {
      const { constant } = node.meta
      this.lines.push(
        `${into} = build.get_attr(${name}, ${literal(target)}, ${val}${constant === undefined ? '' : `, ${values(constant)}`})`,
      )
      return
    }
    const callee = op === 'call_function' ? calleeCode(target) : literal(target)
    const args = this.call(node.args, node.kwargs)
    this.lines.push(
      `${into} = build.call(${name}, ${callee}, ${args}, ${val}${op === 'call_function' ? '' : `, op=${literal(op)}`}${metaCode(node)})`,
    )
  }

  /** A tuple and a dict. */
  call(args: readonly Arg[], kwargs: ReadonlyMap<string, Arg>): string {
    const items = args.map((a) => `${this.arg(a)}, `).join('')
    const tuple = `(${items})`.replace(/, \)$/, args.length === 1 ? ',)' : ')')
    return `${tuple}, {${[...kwargs].map(([k, v]) => `${literal(k)}: ${this.arg(v)}`).join(', ')}}`
  }

  private arg(arg: Arg): string {
    const renamed = new Set<Node>()
    visitNodes(arg, (n) => renamed.add(n))
    // Nodes and symbolic sizes print as expressions; `opaque` keeps its text.
    return formatPython(mapSyms(mapArg(arg, (n) => ({ kind: 'opaque', text: this.names.get(n) ?? n.name }))))
  }
}

/** Symbolic sizes inside an argument as calls of the builder, texts without a Python form as strings. */
function mapSyms(arg: Arg): Arg {
  if (typeof arg !== 'object' || arg === null) return arg
  if (Array.isArray(arg)) return (arg as readonly Arg[]).map(mapSyms)
  if (!('kind' in arg)) return arg
  switch (arg.kind) {
    case 'sym':
      return { kind: 'opaque', text: `build.sym(${literal(arg.expr)})` }
    case 'op':
      return { kind: 'opaque', text: calleeCode(arg.name) }
    case 'opaque':
      return /^\w+$|^build\./.test(arg.text) ? arg : arg.text
    case 'tuple':
      return { ...arg, items: arg.items.map(mapSyms) }
    case 'dict':
      return { ...arg, entries: new Map([...arg.entries].map(([k, v]) => [k, mapSyms(v)])) }
    case 'slice':
      return { ...arg, start: mapSyms(arg.start), stop: mapSyms(arg.stop), step: mapSyms(arg.step) }
    default:
      return arg
  }
}

/** A call_function's target as an expression. */
export function calleeCode(target: string): string {
  const text = targetToText(target)
  if (/^(?:torch|operator|math|builtins)\./.test(text)) {
    const isDunder = /^torch\.ops\.\w+\.__/.test(text)
    return isDunder
      ? `getattr(torch.ops.${target.split('.')[0]}, ${literal(target.split('.')[1])}).${target.split('.')[2]}`
      : text
  }
  if (text.startsWith('_operator.')) return text.slice(1)
  return isOverload(target) ? `torch.ops.${target}` : `function(${literal(text)})`
}

const metaCode = ({ meta }: Node): string => {
  const keys: [string, unknown][] = Object.entries(meta.additional ?? {})
  if (meta.custom && Object.keys(meta.custom).length > 0) keys.push(['custom', meta.custom])
  return keys
    .filter(([k]) => /^[A-Za-z_]\w*$/.test(k))
    .map(([k, v]) => `, ${k}=${plainRepr(v)}`)
    .join('')
}

/** print_readable's annotation with strides and device; several values as a tuple. */
export function valCode(val: Val | null | undefined): string {
  if (!val) return 'None'
  if (val.kind === 'vals') {
    const items = val.items.map(valCode)
    return val.list ? `[${items.join(', ')}]` : `(${items.map((i) => `${i}, `).join('')})`.replace(/, \)$/, ',)')
  }
  const text = formatVal(val, { stride: true, device: true })
  return text === '' ? 'None' : literal(text)
}

const values = (constant: ConstantValues): string =>
  Array.isArray(constant) ? `[${constant.map(values).join(', ')}]` : formatPython(constant as Arg)
