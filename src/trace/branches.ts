/**
 * torch.cond, while_loop, scan and map under make_fx: each branch is traced to a separate graph, which the traced graph holds as a
 * module.
 */
import type { Dim, Graph, TensorMeta } from '../fx'
import { isFake, itemsOf, type DispatchArg, type FakeTensor } from '../ops/fake'
import { contiguousStrides, stridesInOrder } from '../ops/strides'
import { TorchError } from '../ops/torch_error'
import type { Recorder } from './recorder'
import type { BranchResult } from './types'

/** A traced branch, and the outside tensors that it uses: its inputs, in order. */
export interface Branch {
  graph: Graph
  used: readonly FakeTensor[]
  outputs: readonly FakeTensor[]
}

const refused = (what: string): TorchError =>
  new TorchError('NotImplementedError', `Fusescope cannot trace torch.cond ${what}`)

/** Branches of one run by number, as Python names them. */
export class Branches {
  private readonly traced: Branch[] = []

  clear(): void {
    this.traced.length = 0
  }

  keep(branch: Branch): number {
    return this.traced.push(branch) - 1
  }

  get(number: number): Branch {
    const branch = this.traced[number]
    if (!branch) throw new TorchError('RuntimeError', 'a branch of an earlier run')
    return branch
  }
}

/** @throws TorchError for invalid inputs or results of a branch */
export function branchOf(recorder: Recorder, output: DispatchArg, returns: BranchResult): Branch {
  const outputs = (itemsOf(output) ?? []).map((o) => {
    if (!isFake(o)) throw refused('whose branches return values that are not tensors')
    return o
  })
  recorder.output(returns === 'tensor' ? outputs[0]! : returns === 'list' ? outputs : { kind: 'tuple', items: outputs })
  return { graph: recorder.graph, used: recorder.outside ?? [], outputs }
}

/** A higher-order operator: its graphs, their positions among the arguments, and its outputs. */
interface HigherOrder {
  modules: readonly string[]
  at: number
  /** The second graph is the last item of this argument. */
  within?: number
  outputs(branches: readonly Branch[], args: readonly DispatchArg[]): TensorMeta[]
}

const metas = (tensors: readonly DispatchArg[]): TensorMeta[] => tensors.filter(isFake).map((t) => t.meta)

/** torch.stack of outputs of a single row: a contiguous copy. */
const stacked = (rows: readonly TensorMeta[], first: FakeTensor): TensorMeta[] =>
  rows.map((row) => {
    const shape = [first.meta.shape[0]!, ...row.shape]
    return { ...row, shape, stride: contiguousStrides(shape) }
  })

const firstOf = (list: DispatchArg | undefined): FakeTensor => itemsOf(list)!.find(isFake)!

/** If a tensor is both carried and closed over, make_fx identifies it by its last placeholder. */
function sharePlaceholders(
  body: Graph,
  carried: readonly DispatchArg[],
  rows: number,
  closed: readonly DispatchArg[],
): void {
  const inputs = [...body.nodes()].filter((n) => n.op === 'placeholder')
  for (const [i, tensor] of carried.entries()) {
    const at = closed.lastIndexOf(tensor)
    if (at >= 0) inputs[i]!.replaceAllUsesWith(inputs[carried.length + rows + at]!)
  }
}

const HIGHER_ORDER: Readonly<Record<string, HigherOrder>> = {
  cond: { modules: ['true_graph_', 'false_graph_'], at: 1, outputs: ([yes, no]) => merged(yes!.outputs, no!.outputs) },
  while_loop: {
    modules: ['while_loop_cond_graph_', 'while_loop_body_graph_'],
    at: 0,
    outputs: ([, body]) => metas(body!.outputs),
  },
  scan: {
    modules: ['scan_combine_graph_'],
    at: 0,
    outputs([combine], [init, xs, closed]) {
      sharePlaceholders(combine!.graph, itemsOf(init)!, itemsOf(xs)!.length, itemsOf(closed)!)
      const carried = itemsOf(init)!.length
      const made = metas(combine!.outputs)
      return [...made.slice(0, carried), ...stacked(made.slice(carried), firstOf(xs))]
    },
  },
  map_impl: {
    modules: ['body_graph_'],
    at: 0,
    outputs: ([body], [xs]) => stacked(metas(body!.outputs), firstOf(xs)),
  },
  associative_scan: {
    modules: ['associative_scan_combine_graph_'],
    at: 0,
    outputs: (_, [xs]) => metas(itemsOf(xs)!),
  },
  flex_attention: {
    modules: ['sdpa_score', 'sdpa_mask'],
    at: 3,
    within: 3,
    outputs(_branches, [query, , value]) {
      const { storageOffset: _, shape, stride, ...meta } = (query as FakeTensor).meta
      const rows = shape.slice(0, 3)
      const sizes = [...rows, (value as FakeTensor).meta.shape.at(-1)!]
      const sums: TensorMeta = { ...meta, shape: rows, stride: contiguousStrides(rows), dtype: 'float32' }
      const like = stride ?? contiguousStrides(shape)
      return [{ ...meta, shape: sizes, stride: stridesInOrder(sizes, like) }, sums, sums]
    },
  },
}

/**
 * Records the call under make_fx's names: get_attr nodes of the branches, the call, and one getitem per output.
 * @throws TorchError for branches whose outputs differ
 */
export function recordHigherOrder(
  recorder: Recorder,
  op: string,
  branches: readonly Branch[],
  args: readonly DispatchArg[],
  fresh: (meta: TensorMeta) => FakeTensor,
): DispatchArg {
  if (recorder.joint) throw refused('in a joint trace')
  const { modules, at, within, outputs } = HIGHER_ORDER[op]!
  const out: DispatchArg = { kind: 'tuple', items: outputs(branches, args).map(fresh) }
  let i = 0
  while (recorder.graph.subgraphs.has(`${modules[0]!}${i}`)) i++
  // make_fx unwraps the arguments in order; if the graphs come first, their nodes are created before.
  const before = args.slice(0, at).map((a) => recorder.arg(a))
  const graphs: DispatchArg[] = branches.map((b, m) => recorder.module(`${modules[m]!}${i}`, b.graph))
  const after = args.map((a, position): DispatchArg =>
    position === within ? { kind: 'tuple', items: [...itemsOf(a)!, graphs.pop()!] } : a,
  )
  recorder.record(
    `higher_order.${op}`,
    [...(before as DispatchArg[]), ...graphs, ...after.slice(at)],
    new Map(),
    op,
  )(out)
  return out
}

function merged(yes: readonly FakeTensor[], no: readonly FakeTensor[]): TensorMeta[] {
  if (yes.length !== no.length)
    throw new TorchError('RuntimeError', 'torch.cond: Expected branches to return the same pytree structure.')
  return yes.map(({ meta: a }, i) => {
    const b = no[i]!.meta
    if (a.shape.length !== b.shape.length)
      throw new TorchError(
        'RuntimeError',
        `When merging two branches' output in torch.cond, expected same dim but got ${a.shape.length} and ${b.shape.length}.`,
      )
    if (a.dtype !== b.dtype)
      throw new TorchError(
        'RuntimeError',
        `When merging two branches' output in torch.cond, expected same dtype but got torch.${a.dtype} and torch.${b.dtype}.`,
      )
    if (!same(a.shape, b.shape) || !same(a.stride ?? [], b.stride ?? []))
      throw refused('whose branches return tensors of different sizes or strides')
    return a
  })
}

const same = (a: readonly Dim[], b: readonly Dim[]): boolean => a.length === b.length && a.every((d, i) => d === b[i])
