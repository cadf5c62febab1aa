/** Splices a replacement graph into a graph at a match (ReplacementPatternEntry.replace_with_graph). */
import { isHigherOrder, mapArg, mapArgs, Node, type Arg, type Graph, type NodeMeta, type Tuple, isGetitem } from '../fx'
import { isImpure } from '../ops/purity'
import { TorchError } from '../trace/types'
import { commonCustomContext, mergeCustomContext } from './custom_context'
import { tensorFormat } from './constant'
import { containerParts } from './expr/arg_text'
import { whileExecuting } from './fx_to_pattern'
import type { Match } from './match'
import { pyRepr, pyTypeName } from './py'
import { asserted } from './reasons/refusal'
import type { TorchRules } from '../base/torch_version'
import type { TorchFacts } from './schema_facts'

/** The part of a match that replacement needs: its nodes and outputs. */
export type MatchedNodes = Pick<Match, 'nodes' | 'outputNodes'>

export interface Replaced {
  /** The inserted nodes that still exist. */
  added: Node[]
  /** For each output of the match, its replacing node. */
  replacedBy: (Node | null)[]
}

/** @param args values for the replacement's placeholders, in order */
export function replaceWithGraph(
  match: MatchedNodes,
  graph: Graph,
  replacement: Graph,
  args: readonly Arg[],
  { schemaOf, rules }: TorchFacts,
): Replaced {
  const outputs = match.outputNodes()
  const splice = new Splice(match, graph, new Set(args.filter((a): a is Node => a instanceof Node)), rules)
  const replacedBy = graph.insertingBefore(insertionPoint(outputs, rules), () => splice.run(replacement, args, outputs))
  for (const n of [...match.nodes].reverse()) if (!n.erased && n.users.size === 0) graph.eraseNode(n)
  // Dead nodes would inflate the user counts that later heuristics read.
  for (const n of rules.erasesDeadReplacements ? [...splice.added].reverse() : [])
    if (!n.erased && n.users.size === 0 && !isImpure(n, schemaOf, rules) && !isHigherOrder(n.target)) graph.eraseNode(n)
  return { added: splice.added.filter((n) => !n.erased), replacedBy }
}

/** Before the earliest output. */
function insertionPoint(outputs: readonly (Node | null)[], rules: TorchRules): Node {
  if (!outputs[0]) throw asserted('output_nodes[0] is falsy', rules)
  let first = outputs[0]
  for (const n of outputs) if (n && n.isBefore(first)) first = n
  return first
}

class Splice {
  readonly added: Node[] = []
  private readonly addedSet = new Set<Node>()
  private readonly context: Readonly<Record<string, unknown>>

  constructor(
    match: MatchedNodes,
    private readonly graph: Graph,
    private readonly inputs: ReadonlySet<Node>,
    private readonly rules: TorchRules,
  ) {
    this.context = rules.memoryPools ? commonCustomContext(match.nodes) : {}
  }

  run(replacement: Graph, args: readonly Arg[], outputs: readonly (Node | null)[]): (Node | null)[] {
    const result = this.copy(replacement, args)
    const values = result instanceof Node ? [result] : (keysOf(result) ?? itemsOf(result))
    if (values && values.length === outputs.length) {
      outputs.forEach((old, i) => this.replace(old, values[i]!))
      return values.map((v) => (v instanceof Node ? v : null))
    }
    if (!values) throw new TorchError('TypeError', `object of type '${pyTypeName(result)}' has no len()`)
    if (outputs.length !== 1) throw asserted(`expected 1 output node, got ${outputs.length}`, this.rules)
    this.replace(outputs[0]!, result)
    return [null]
  }

  /** Copies the replacement's calls into the graph; returns the value of its output. */
  private copy(replacement: Graph, args: readonly Arg[]): Arg {
    const env = new Map<Node, Arg>()
    let next = 0
    const load = (n: Node): Arg => env.get(n)!
    for (const node of replacement.nodes()) {
      if (node.op === 'output') return mapArg(node.args[0] ?? null, load)
      if (node.op === 'placeholder') {
        const value = args[next++]
        if (value === undefined)
          throw whileExecuting(
            new TorchError(
              'RuntimeError',
              `Expected positional argument for parameter ${node.target}, but one was not passed in!`,
            ),
            node,
          )
        env.set(node, value)
        continue
      }
      env.set(node, this.copyNode(replacement, node, load))
    }
    return null
  }

  private copyNode(replacement: Graph, node: Node, load: (n: Node) => Arg): Node {
    if (node.op === 'get_attr' && this.rules.subgraphsInReplacements) return this.copySubgraph(replacement, node)
    if (node.op !== 'call_function')
      throw whileExecuting(new TorchError('NotImplementedError', `unhandled ${node.name}`), node, this.rules)
    const made = this.graph.createNode('call_function', node.target, ...mapArgs(node.args, node.kwargs, load))
    transferMeta(made.meta, node)
    mergeCustomContext(made.meta, this.context)
    this.keep(made)
    return made
  }

  private copySubgraph(replacement: Graph, node: Node): Node {
    const body = replacement.subgraphs.get(node.target)
    if (!body) {
      const { val, constant } = node.meta
      const got = val?.kind === 'tensor' ? ` Got ${tensorFormat({ meta: val, values: constant ?? null })}.` : ''
      throw whileExecuting(
        new TorchError('NotImplementedError', `NYI: replacement_graph.${node.target} is not a graph module.${got}`),
        node,
      )
    }
    let name = [...this.graph.subgraphs].find(([, g]) => g === body)?.[0]
    for (let i = 0; name === undefined; i++) {
      const candidate = `${node.target}_${i}`
      if (!this.graph.subgraphs.has(candidate)) name = candidate
    }
    this.graph.subgraphs.set(name, body)
    const made = this.graph.createNode('get_attr', name)
    this.keep(made)
    return made
  }

  private keep(node: Node): void {
    this.added.push(node)
    this.addedSet.add(node)
  }

  private replace(old: Node | null, value: Arg): void {
    if (old === null) {
      if (value !== null) throw asserted('expected new to be None when old is None', this.rules)
      return
    }
    if (value === null || value instanceof Node) {
      if (value === old && old.users.size > 0 && !this.rules.keepsOwnUses) throw new TorchError('AssertionError', '')
      if (value) {
        transferMeta(value.meta, old)
        if (old.meta.custom) this.percolate(value, old.meta.custom)
      }
      // Uses by the replacement itself stay: its input may be the old node's value.
      for (const user of [...old.users])
        if (!this.rules.keepsOwnUses || !this.addedSet.has(user)) user.replaceInput(old, value)
      if (old.users.size === 0 && !old.erased) this.graph.eraseNode(old)
      return
    }
    this.replaceUnpacked(old, value)
  }

  /** Handles one packed value `old` that is replaced by several: `old[i]` becomes the i-th of them. */
  private replaceUnpacked(old: Node, values: Arg): void {
    const items = itemsOf(values)
    for (const user of [...old.users]) {
      const index = getitemIndex(user, this.rules)
      if (index === null && !this.rules.wholeUses) throw new TorchError('AssertionError', "can't handle")
      if (index === null) for (const u of [...old.users]) u.replaceInput(old, values)
      else {
        if (!items) throw new TorchError('TypeError', `'${pyTypeName(values)}' object is not subscriptable`)
        const value = items.at(Number(index))
        if (value === undefined) throw new TorchError('IndexError', 'tuple index out of range')
        this.replace(user, value)
      }
    }
    this.graph.eraseNode(old)
  }

  /** Adds `custom` to a new output and to all new nodes that it depends on. */
  private percolate(node: Node, custom: NonNullable<NodeMeta['custom']>): void {
    const queue = [node]
    const visited = new Set<Node>()
    for (let n = queue.pop(); n; n = queue.pop()) {
      if (visited.has(n) || this.inputs.has(n)) continue
      visited.add(n)
      n.meta.custom = custom
      queue.push(...n.inputs())
    }
  }
}

/** Copies metadata from the replaced node to a new one; the new node's own value takes precedence. */
export function transferMeta(meta: NodeMeta, from: Node): void {
  if (from.meta.custom) meta.custom = from.meta.custom
  if (from.meta.source) meta.source = from.meta.source
  if (!meta.val && from.meta.val) meta.val = from.meta.val
}

/** A dict has the length of its keys and yields them. */
function keysOf(value: Arg): readonly Arg[] | null {
  const parts = value instanceof Node ? null : containerParts(value)
  return parts?.kind === 'dict' ? parts.entries.map(([key]) => key) : null
}

function itemsOf(value: Arg): readonly Arg[] | null {
  if (Array.isArray(value)) return value as readonly Arg[]
  if (value !== null && typeof value === 'object' && !(value instanceof Node) && (value as Tuple).kind === 'tuple')
    return (value as Tuple).items
  return null
}

function getitemIndex(node: Node, rules: TorchRules): bigint | null {
  if (node.op !== 'call_function' || !isGetitem(node)) return null
  if (node.args.length !== 2) throw asserted(`expected 2 args, got ${node.args.length}`, rules)
  const index = node.args[1]!
  if (typeof index !== 'bigint')
    throw new TorchError('TypeError', `tuple indices must be integers or slices, not ${pyRepr(index)}`)
  return index
}
