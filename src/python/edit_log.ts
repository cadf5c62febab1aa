/**
 * Records the edits that user code makes through the methods of torch.fx's Graph and Node while a stage runs, each with the
 * line of the code that made it.
 */
import { formatArg, Node, type Graph } from '../fx'
import type { DispatchArg } from '../trace/types'
import { isEdit } from './calls/answer'
import type { EditKind } from './calls/table'
import { withoutTensors } from './node_values'
import type { OpenGraphs } from './open_graphs'
import { sourceOfFrame, type Frame } from './registration'
import type { GraphEdit } from './pass_call'
import type { Json } from './wire'

/** Maximum number of recorded edits of a stage. */
const MAX_EDITS = 5000

export interface EditLogOptions {
  graphs: OpenGraphs
  /** Decodes Python values that may contain graph nodes. */
  decode(data: Json): DispatchArg
  /** Makes an edit. */
  answer(kind: EditKind, payload: readonly Json[]): Json
}

type Added = Pick<GraphEdit, 'call' | 'node'> & Partial<GraphEdit>

export class EditLog {
  private edits: GraphEdit[] | null = null
  private leftOut = 0
  /** The graph whose nodes the shown graph took over. */
  private taken: Graph | null = null
  /** The record of the last stage, also of one that raised. */
  last: { edits: GraphEdit[]; leftOut: number } = { edits: [], leftOut: 0 }

  constructor(private readonly options: EditLogOptions) {}

  /** Number of edits of the present stage so far. */
  get count(): number {
    return (this.edits?.length ?? 0) + this.leftOut
  }

  /** Records the edits of `body` on a graph, and on the graph whose nodes it takes. */
  during<T>(graph: Graph, body: () => T): T {
    const before = { edits: this.edits, leftOut: this.leftOut, taken: this.taken }
    const edits: GraphEdit[] = (this.edits = [])
    this.leftOut = 0
    try {
      return body()
    } finally {
      // Edits before an exception count too; edits of traced patterns' graphs do not.
      const of = (node: Node): boolean => node.graph === graph || node.graph === this.taken
      this.last = { edits: edits.filter((edit) => of(edit.node)), leftOut: this.leftOut }
      Object.assign(this, before)
    }
  }

  /**
   * Makes an edit by a method of torch.fx, and records it with its lines while a stage runs.
   * @param lines of user code, innermost first
   */
  answer(lines: readonly Frame[], kind: string, payload: readonly Json[]): Json {
    if (!isEdit(kind)) throw new Error(`${kind} is not an edit`)
    const frames = lines.map(sourceOfFrame)
    const add = (edit: Added): void => this.add({ text: '', users: [], ...edit, frames })
    const answer = (): Json => this.options.answer(kind, payload)
    if (kind === 'node_create') {
      const key = answer()
      const node = this.options.graphs.node(key as string)
      if (frames[0]) node.meta.madeAt = frames[0]
      add({ call: 'create_node', node, text: callText(node) })
      return key
    }
    if (kind === 'graph_dead_code' || kind === 'graph_become') return this.ofGraph(kind, payload, answer, add)
    return this.ofNode(kind, payload, answer, add)
  }

  /** The nodes that the graph loses; and those that it takes from another graph, unless a method created them. */
  private ofGraph(
    kind: 'graph_dead_code' | 'graph_become',
    [number]: readonly Json[],
    answer: () => Json,
    add: (edit: Added) => void,
  ): Json {
    const call = kind === 'graph_become' ? 'graph' : 'eliminate_dead_code'
    const graph = this.options.graphs.current(kind === 'graph_become' ? null : (number as number | null))
    const texts = new Map([...graph.nodes()].map((n) => [n, callText(n)]))
    const found = answer()
    for (const [node, text] of texts) if (node.erased) add({ call, node, text })
    if (call === 'eliminate_dead_code') return found
    this.taken = this.options.graphs.current(number as number)
    const made = new Set(this.edits?.map((edit) => edit.node.name))
    for (const node of graph.nodes())
      if (!made.has(node.name) && callText(node) !== texts.get(node)) add({ call, node, text: callText(node) })
    return found
  }

  private ofNode(kind: EditKind, payload: readonly Json[], answer: () => Json, add: (edit: Added) => void): Json {
    const node = this.options.graphs.node(payload[0] as string)
    const { target, args, kwargs } = node
    const call = callText(node)
    const users = [...node.users]
    const made = answer()
    if (kind === 'node_target') add({ call: 'target', node, text: `${target} → ${node.target}` })
    else if (kind === 'node_args') for (const edit of argumentEdits(node, { args, kwargs })) add({ node, ...edit })
    else if (kind === 'node_erase') add({ call: 'erase_node', node, text: call })
    else if (kind === 'node_move') add({ call: 'move', node, text: call })
    else if (kind === 'node_replace')
      add({ call: 'replace_all_uses_with', node, text: this.nameIn(payload[1]!), users })
    else if (kind === 'node_input') {
      const [old, is] = [this.nameIn({ node: payload[1]! }), this.nameIn(payload[2]!)]
      add({ call: 'replace_input_with', node, text: `${old} → ${is}` })
    }
    return made
  }

  /** An argument as Python code names it. */
  private nameIn(data: Json): string {
    const value = withoutTensors(this.options.decode(data))
    return value instanceof Node ? value.name : formatArg(value)
  }

  private add(edit: GraphEdit): void {
    if (!this.edits) return
    if (this.edits.length < MAX_EDITS) this.edits.push(edit)
    else this.leftOut++
  }
}

/** The edits of an assignment to `args` or `kwargs`, from the arguments before. */
export function argumentEdits(node: Node, before: Pick<Node, 'args' | 'kwargs'>): Pick<GraphEdit, 'call' | 'text'>[] {
  const positional = [before.args, node.args].map(argsText) as [string, string]
  const named = [before.kwargs, node.kwargs].map(kwargsText) as [string, string]
  return [
    ...(positional[0] === positional[1] ? [] : [{ call: 'args' as const, text: positional.join(' → ') }]),
    ...(named[0] === named[1] ? [] : [{ call: 'kwargs' as const, text: named.join(' → ') }]),
  ]
}

/** `aten.add.Tensor(x, y, alpha = 2)`. */
export function callText({ target, args, kwargs }: Node): string {
  const named = [...kwargs].map(([k, v]) => `${k} = ${plain(formatArg(v))}`)
  return `${target}(${[...args.map((a) => plain(formatArg(a))), ...named].join(', ')})`
}

const argsText = (args: Node['args']): string => `(${args.map((a) => plain(formatArg(a))).join(', ')})`
const kwargsText = (kwargs: Node['kwargs']): string =>
  `{${[...kwargs].map(([k, v]) => `${k}: ${plain(formatArg(v))}`).join(', ')}}`

/** Nodes as Python code names them. */
const plain = (text: string): string => text.replaceAll(/%(?=[\w.])/g, '')
