/** torch.cond under make_fx: each branch is traced to a graph of its own, which the traced graph holds as a module. */
import type { Dim, Graph, TensorMeta } from '../fx'
import { isFake, itemsOf, type DispatchArg, type FakeTensor } from '../ops/fake'
import { TorchError } from '../ops/torch_error'
import type { Recorder } from './recorder'

/** A traced branch, and the tensors from outside that it uses: its inputs, in order. */
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

/** @throws TorchError for what a branch may not take or return */
export function branchOf(recorder: Recorder, output: DispatchArg): Branch {
  const outputs = (itemsOf(output) ?? []).map((o) => {
    if (!isFake(o)) throw refused('whose branches return values that are not tensors')
    return o
  })
  recorder.output({ kind: 'tuple', items: outputs })
  return { graph: recorder.graph, used: recorder.outside ?? [], outputs }
}

/**
 * Records the call under make_fx's names: get_attr nodes of both branches, the call, and one getitem per output.
 * @throws TorchError for branches whose outputs differ
 */
export function recordCond(
  recorder: Recorder,
  pred: DispatchArg,
  [yes, no]: readonly [Branch, Branch],
  operands: readonly FakeTensor[],
  fresh: (meta: TensorMeta) => FakeTensor,
): DispatchArg {
  if (recorder.joint) throw refused('in a joint trace')
  const out: DispatchArg = { kind: 'tuple', items: merged(yes.outputs, no.outputs).map(fresh) }
  let i = 0
  while (recorder.graph.subgraphs.has(`true_graph_${i}`)) i++
  const condition = recorder.arg(pred)
  const modules = [recorder.module(`true_graph_${i}`, yes.graph), recorder.module(`false_graph_${i}`, no.graph)]
  const args = [condition as DispatchArg, ...modules, { kind: 'tuple' as const, items: operands }]
  recorder.record('higher_order.cond', args, new Map(), 'cond')(out)
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
