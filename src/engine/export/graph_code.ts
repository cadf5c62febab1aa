/** A graph as Python that rebuilds it with GraphBuilder, one line per node. */
import type { Arg, ConstantValues, Graph, Node, Val } from '../../fx'
import { code, floatLiteral, identifier, joined, literal, LocalNames, proseText, type Code } from '../../fx/code/code'
import { targetCode } from '../../fx/code/targets'
import { annotationCode, constantCode, deviceCall, tupleCode, valueCode, type ValueForms } from '../../fx/code/values'
import { UNREADABLE } from '../../fx/target'
import { isOverload, targetToText } from '../../fx'
import type { Standing } from '../../ops/calls/computes'
import { isNative, isRuled } from '../../ops/calls/ruled'
import { refusedCalls } from '../../trace/propagate'
import type { Tracer } from '../../trace/types'

export interface GraphCode {
  /** The body of a function whose parameter `build` is a GraphBuilder. */
  lines: Code[]
  /** The parts that cannot be rebuilt, one sentence each. */
  notes: string[]
}

/** Names that the lines use. */
const USED = 'build function torch operator device inf nan slice complex Ellipsis math builtins getattr'.split(' ')
/** Parameters of GraphBuilder.call; a key of node.meta must not have one of these names. */
const PARAMETERS = new Set(['self', 'name', 'target', 'args', 'kwargs', 'val', 'op', 'meta'])

/**
 * @param stands true if the user's files name an operator
 * @param tracer of the export: calls that Fusescope's rules refuse are not made
 */
export function graphCode(graph: Graph, stands: Standing = nobody, tracer: Tracer | null = null): GraphCode {
  const locals = new LocalNames(USED)
  const names = new Map<Node, Code>()
  const refused = tracer === null ? new Set<Node>() : refusedCalls(graph, tracer, isComputed)
  const writer = new GraphWriter(names, stands, refused)
  for (const node of graph.nodes()) {
    const into = locals.take(node.name)
    writer.node(node, into)
    // Only now: the lines above must not use the name.
    names.set(node, into)
  }
  const lacking = unknownValues(graph, (n) => !isRuled(n, stands) || refused.has(n))
  if (lacking.length > 0)
    writer.notes.push(
      `The text has no metadata for ${lacking.join(', ')}, and no shape rule computes it, so the graph has none for ${lacking.length === 1 ? 'it' : 'them'}.`,
    )
  if (graph.output() === null) writer.lines.push(code`return build.output(None)`)
  if (graph.subgraphs.size > 0)
    writer.notes.push(
      `The subgraphs ${[...graph.subgraphs.keys()].join(', ')} are exported as empty modules: no pattern matches inside them.`,
    )
  return { lines: writer.lines, notes: writer.notes }
}

/** Targets that the export does not call, for nodes without metadata in a text that has some. */
function unknownValues(graph: Graph, isNamed: (node: Node) => boolean): string[] {
  const nodes = [...graph.nodes()].filter((n) => n.op.startsWith('call_') && n.op !== 'call_module')
  if (!nodes.some((n) => n.meta.val)) return []
  const lacking = nodes.filter((n) => !n.meta.val && targetCode(n.target) !== null && isNamed(n))
  return [...new Set(lacking.map((n) => proseText(targetToText(n.target), 100)))]
}

/** True for PyTorch's own kernels: a library's operator has the fake that its files or the script define. */
const isComputed = (node: Node): boolean =>
  isRuled(node, nobody) && !(isOverload(node.target) && !isNative(node.target))

const nobody: Standing = () => false

/** Values that are not nodes: sizes become calls of the builder, texts without a Python form become strings. */
export const DATA_FORMS: Omit<ValueForms, 'node'> = {
  target: calleeCode,
  size: (expr) => code`build.sym(${literal(expr)})`,
  opaque: (text) => literal(text),
  device: deviceCall,
  notFinite: floatLiteral,
}

/**
 * Writes nodes as calls of `build`: `call` computes the value that the text lacks, if there is a rule; `refused` is for nodes whose
 * rule gives no value; `named` for all others.
 */
export class GraphWriter {
  readonly lines: Code[] = []
  readonly notes: string[] = []
  private readonly forms: ValueForms

  /** @param names expressions of the nodes so far */
  constructor(
    private readonly names: Pick<ReadonlyMap<Node, Code>, 'get'>,
    private readonly stands: Standing = nobody,
    private readonly refused: ReadonlySet<Node> = new Set(),
  ) {
    this.forms = { ...DATA_FORMS, node: (n) => names.get(n) ?? null }
  }

  /** @param into the variable of the node */
  node(node: Node, into: Code): void {
    const { op, target } = node
    if (op === 'output') {
      this.lines.push(code`return build.output(${this.arg(node.args[0] ?? null, node)})`)
      return
    }
    const name = literal(node.name)
    if (target === UNREADABLE) {
      this.notes.push(`The line of ${node.name} cannot be read, so the exported graph lacks the node.`)
      this.lines.push(code`${into} = build.named(${name}, function("fusescope.unreadable"), (), {}, ${this.val(node)})`)
      return
    }
    if (op === 'placeholder') {
      const defaults = joined(
        node.args.map((a) => code`, ${this.arg(a, node)}`),
        '',
      )
      const of = this.attribute(node, /^\*{0,2}[A-Za-z_]\w*$/)
      this.lines.push(code`${into} = build.placeholder(${name}, ${of}, ${this.val(node)}${defaults})`)
      return
    }
    if (op === 'get_attr') {
      const { constant } = node.meta
      const values = constant === undefined ? code`` : code`, ${this.constant(constant, node)}`
      this.lines.push(
        code`${into} = build.get_attr(${name}, ${this.attribute(node, PATH)}, ${this.val(node)}${values})`,
      )
      return
    }
    const isFunction = op === 'call_function'
    const callee = isFunction ? calleeCode(target) : this.attribute(node, PATH)
    const args = this.call(node.args, node.kwargs, node)
    const kind = isFunction ? code`` : code`, op=${literal(op)}`
    const isCalled = op === 'call_module' || isRuled(node, this.stands)
    const how = this.refused.has(node) ? code`refused` : isCalled ? code`call` : code`named`
    this.lines.push(
      code`${into} = build.${how}(${name}, ${callee}, ${args}, ${this.val(node)}${kind}${this.metadata(node)})`,
    )
  }

  /** A tuple and a dict. */
  call(args: readonly Arg[], kwargs: ReadonlyMap<string, Arg>, of: Pick<Node, 'name'>): Code {
    const named = [...kwargs].filter(([k]) => this.isKeyword(k, of))
    const dict = joined(named.map(([k, v]) => code`${literal(k)}: ${this.arg(v, of)}`))
    return code`${tupleCode(args.map((a) => this.arg(a, of)))}, {${dict}}`
  }

  private isKeyword(name: string, of: Pick<Node, 'name'>): boolean {
    const isName = /^[A-Za-z_]\w*$/.test(name)
    if (!isName)
      this.notes.push(
        `The export leaves out the argument ${JSON.stringify(name)} of ${of.name}, because it is not a name in Python.`,
      )
    return isName
  }

  private arg(arg: Arg, of: Pick<Node, 'name'>): Code {
    const written = valueCode(arg, this.forms)
    if (written === null)
      this.notes.push(`The export has None for an argument of ${of.name} that Python code cannot express.`)
    return written ?? code`None`
  }

  private val(node: Node): Code {
    const written = valCode(node.meta.val)
    if (written === null)
      this.notes.push(`The export leaves out the metadata of ${node.name}, which is not a dtype, sizes and a device.`)
    return written ?? code`None`
  }

  private constant(constant: ConstantValues, of: Node): Code {
    const written = constantCode(constant, this.forms)
    if (written === null) this.notes.push(`The export leaves out the values of ${of.name}, which are not numbers.`)
    return written ?? code`None`
  }

  /** A name that torch.fx puts into the code that it generates for the graph. */
  private attribute({ name, target }: Node, allowed: RegExp): Code {
    if (allowed.test(target)) return literal(target)
    const instead = new LocalNames().take(target.slice(0, 100))
    this.notes.push(
      `The export names ${JSON.stringify(target)}, the target of ${name}, ${instead}: it is not a name in Python.`,
    )
    return literal(instead)
  }

  private metadata({ name, meta }: Node): Code {
    const keys: [string, unknown][] = Object.entries(meta.additional ?? {})
    if (meta.custom && Object.keys(meta.custom).length > 0) keys.push(['custom', meta.custom])
    const written = keys.map(([k, v]) => {
      const key = PARAMETERS.has(k) ? null : identifier(k)
      if (key) return code`, ${key}=${literal(v)}`
      this.notes.push(`The export leaves out ${JSON.stringify(k)} of the metadata of ${name}.`)
      return code``
    })
    return joined(written, '')
  }
}

const PATH = /^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/

/** A call_function's target as an expression. A function outside the table becomes a placeholder, which is never called. */
export function calleeCode(target: string): Code {
  return targetCode(target) ?? code`function(${literal(targetToText(target))})`
}

/** print_readable's annotation with strides and device; several values as a tuple. Null for a value that is not such a text. */
export const valCode = (val: Val | null | undefined): Code | null => annotationCode(val)
