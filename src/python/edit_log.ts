/**
 * Records the edits that user code makes through the methods of torch.fx's Graph and Node while a stage runs, each with the
 * line of the code that made it.
 */
import { formatArg, type Node, type SourceRef } from '../fx'

/** The method or the attribute of torch.fx that made the edit; `move`: append or prepend. */
export type EditCall =
  | 'create_node'
  | 'erase_node'
  | 'replace_all_uses_with'
  | 'replace_input_with'
  | 'target'
  | 'args'
  | 'kwargs'
  | 'move'
  | 'eliminate_dead_code'

export interface GraphEdit {
  call: EditCall
  node: Node
  /** What the edit did: `aten.relu.default → aten.sigmoid.default`. */
  text: string
  /** Other nodes that it changed: users whose inputs it replaced. */
  users: readonly Node[]
  /** The lines of user code that led to it, innermost first. */
  frames: readonly SourceRef[]
}

/** A stage that edits more than this is recorded up to here. */
const MAX_EDITS = 5000

export class EditLog {
  private edits: GraphEdit[] | null = null
  private leftOut = 0

  /** Records the edits of `body`. */
  during(body: () => void): { edits: GraphEdit[]; leftOut: number } {
    const before = { edits: this.edits, leftOut: this.leftOut }
    const edits: GraphEdit[] = (this.edits = [])
    this.leftOut = 0
    try {
      body()
    } finally {
      // What a pass did before it raised counts, too.
      this.last = { edits, leftOut: this.leftOut }
      Object.assign(this, before)
    }
    return this.last
  }

  /** The record of the last stage, also of one that raised. */
  last: { edits: GraphEdit[]; leftOut: number } = { edits: [], leftOut: 0 }

  get recording(): boolean {
    return this.edits !== null
  }

  add(edit: GraphEdit): void {
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
  return cut(`${target}(${[...args.map((a) => plain(formatArg(a))), ...named].join(', ')})`)
}

const argsText = (args: Node['args']): string => cut(`(${args.map((a) => plain(formatArg(a))).join(', ')})`)
const kwargsText = (kwargs: Node['kwargs']): string =>
  cut(`{${[...kwargs].map(([k, v]) => `${k}: ${plain(formatArg(v))}`).join(', ')}}`)

/** Nodes as Python code names them. */
const plain = (text: string): string => text.replaceAll(/%(?=[\w.])/g, '')
const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
