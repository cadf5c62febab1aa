/** Reads the rows that RowWriter writes. */
import { Graph } from '../fx/graph/graph'
import { dict, NODE_OPS, slice, tuple, type Arg, type NodeMeta } from '../fx/graph/node'
import {
  device,
  dtype,
  ELLIPSIS,
  layout,
  memoryFormat,
  opRef,
  sym,
  type Device,
  type Dim,
  type TensorMeta,
} from '../fx/value'
import { CodeError } from './range_coder'
import { RowCursor } from './row_cursor'
import {
  ARG,
  candidateDims,
  contiguous,
  derivedNames,
  OTHER_NAME,
  RowState,
  SOURCE,
  STRIDE,
  unsigned,
  VAL,
} from './row_state'

export class RowReader {
  private row = new RowCursor([], [])

  constructor(private readonly strings: readonly string[]) {}

  graph(rows: readonly (readonly number[])[]): Graph {
    const graph = new Graph()
    const state = new RowState()
    const names = new Set<string>()
    for (const row of rows) {
      this.row = new RowCursor(row, this.strings)
      state.add(this.node(graph, state, names))
      this.row.end()
    }
    return graph
  }

  private node(graph: Graph, state: RowState, names: Set<string>) {
    const op = NODE_OPS[this.row.uint()]
    if (op === undefined) throw new CodeError('a kind of node that does not exist')
    const target = this.row.optional()
    const name = this.name(target === undefined ? undefined : derivedNames(op, target), state)
    if (names.has(name)) throw new CodeError('two nodes of one name')
    names.add(name)
    const type = this.row.optional() ?? null
    const args = this.args(state)
    const kwargs = this.entries(state)
    const node = graph.createNamed(name, op, target ?? name, args, kwargs)
    node.type = type
    node.meta = { ...this.val(node), ...this.comment(state) }
    return node
  }

  private name(derived: readonly string[] | undefined, state: RowState): string {
    const form = this.row.uint()
    const template = form === OTHER_NAME ? this.row.string() : derived?.[form]
    if (template === undefined) throw new CodeError('a name that does not exist')
    return state.names.name(template, () => this.row.uint())
  }

  private args(state: RowState): Arg[] {
    const args: Arg[] = []
    for (let n = this.row.count(); n > 0; n--) args.push(this.arg(state))
    return args
  }

  private entries(state: RowState): Map<string, Arg> {
    const entries = new Map<string, Arg>()
    for (let n = this.row.count(); n > 0; n--) {
      const key = this.row.string()
      entries.set(key, this.arg(state))
    }
    return entries
  }

  private arg(state: RowState): Arg {
    const kind = this.row.uint()
    switch (kind) {
      case ARG.near:
      case ARG.fresh:
      case ARG.used:
      case ARG.far:
      case ARG.newFar: {
        const node = state.resolve(kind, this.row.uint())
        if (!node) throw new CodeError('a node that does not exist')
        return node
      }
      case ARG.none:
        return null
      case ARG.true:
        return true
      case ARG.false:
        return false
      case ARG.int:
        return BigInt(unsigned(this.row.uint()))
      case ARG.bigint:
        return bigint(this.row.string())
      case ARG.float:
        return float(this.row.string())
      case ARG.string:
        return this.row.string()
      case ARG.list:
        return this.args(state)
      case ARG.tuple:
        return tuple(this.args(state))
      case ARG.dict:
        return dict(this.entries(state))
      case ARG.slice:
        return slice(this.arg(state), this.arg(state), this.arg(state))
      default:
        return this.leaf(kind)
    }
  }

  private leaf(kind: number): Arg {
    switch (kind) {
      case ARG.dtype:
        return dtype(this.row.string())
      case ARG.layout:
        return layout(this.row.string())
      case ARG.memoryFormat:
        return memoryFormat(this.row.string())
      case ARG.op:
        return opRef(this.row.string())
      case ARG.sym:
        return sym(this.row.string())
      case ARG.opaque:
        return { kind: 'opaque', text: this.row.string() }
      case ARG.device:
        return this.device(this.row.string())
      case ARG.complex:
        return { kind: 'complex', re: float(this.row.string()), im: float(this.row.string()) }
      case ARG.ellipsis:
        return ELLIPSIS
      default:
        throw new CodeError('a kind of argument that does not exist')
    }
  }

  private device(type: string): Device {
    const index = this.row.uint()
    return device(type, index === 0 ? null : index - 1)
  }

  private val(node: Parameters<typeof candidateDims>[0]): NodeMeta {
    switch (this.row.uint()) {
      case VAL.none:
        return {}
      case VAL.same: {
        const val = node.inputs()[0]?.meta.val
        if (!val) throw new CodeError('a shape that does not exist')
        return { val }
      }
      case VAL.sym:
        return { val: { kind: 'scalar', value: sym(this.row.string()) } }
      case VAL.tensor:
        return { val: this.tensor(candidateDims(node)) }
      default:
        throw new CodeError('a kind of value that does not exist')
    }
  }

  private tensor(candidates: Dim[]): TensorMeta {
    const type = this.row.string()
    const rank = this.row.count()
    const dim = (): Dim => {
      const at = this.row.uint()
      if (at > 0) {
        const known = candidates[at - 1]
        if (known === undefined) throw new CodeError('a size that does not exist')
        return known
      }
      const d = this.row.either()
      candidates.push(d)
      return d
    }
    const dims = (): Dim[] => Array.from({ length: rank }, dim)
    const shape = dims()
    const stride = this.stride(shape, dims)
    const on = this.row.optional()
    return { kind: 'tensor', dtype: type, shape, stride, device: on === undefined ? null : this.device(on) }
  }

  private stride(shape: readonly Dim[], dims: () => Dim[]): Dim[] | null {
    const order = shape.map((_, i) => i)
    switch (this.row.uint()) {
      case STRIDE.none:
        return null
      case STRIDE.contiguous:
        break
      case STRIDE.permuted:
        for (let i = 0; i < order.length; i++) order[i] = this.row.uint()
        if (new Set(order).size !== shape.length || order.some((d) => d >= shape.length))
          throw new CodeError('an order of dimensions that is none')
        break
      case STRIDE.explicit:
        return dims()
      default:
        throw new CodeError('a kind of strides that does not exist')
    }
    const stride = contiguous(shape, order)
    if (!stride) throw new CodeError('strides that cannot be computed')
    return stride
  }

  private comment(state: RowState): NodeMeta {
    switch (this.row.uint()) {
      case SOURCE.same:
        return state.comment
      case SOURCE.none:
        return (state.comment = {})
      case SOURCE.known: {
        const known = state.comments[this.row.uint()]
        if (!known) throw new CodeError('a comment that does not exist')
        return (state.comment = known)
      }
    }
    const comment: NodeMeta = {}
    const file = this.row.optional()
    if (file !== undefined) {
      const line = state.line + unsigned(this.row.uint())
      const fn = this.row.optional()
      const code = this.row.optional()
      comment.source = { file, line, ...(fn !== undefined && { fn }), ...(code !== undefined && { code }) }
      state.line = line
    }
    const more = this.row.optional()
    if (more !== undefined) {
      const [custom, additional] = JSON.parse(more) as [NodeMeta['custom'] | 0, NodeMeta['additional'] | 0]
      if (custom) comment.custom = custom
      if (additional) comment.additional = additional
    }
    state.comments.push(comment)
    return (state.comment = comment)
  }
}

function bigint(text: string): bigint {
  if (!/^-?\d{1,1000}$/.test(text)) throw new CodeError('an integer that is none')
  return BigInt(text)
}

/** Reads the text of a float's repr(). */
function float(text: string): number {
  if (text === 'inf') return Infinity
  if (text === '-inf') return -Infinity
  if (text === 'nan') return NaN
  const x = Number(text)
  if (Number.isNaN(x)) throw new CodeError('a float that is none')
  return x
}
