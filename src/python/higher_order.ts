/** Handles Python's calls for torch.cond and loops (branches), for torch.func (levels), and for the modes of autograd and autocast. */
import { isFake, itemsOf, toDim, type DispatchArg } from '../ops/fake'
import type { LevelKind } from '../trace/transforms/transforms'
import type { BranchResult, FakeTensor, Tracer } from '../trace/types'
import type { EngineHandlers } from './calls/table'
import { sourceRef } from './registration'
import type { SharedValues } from './values'

type Kinds =
  | 'branch'
  | 'branch_end'
  | 'branch_abort'
  | 'samples'
  | 'higher_order'
  | 'level'
  | 'level_end'
  | 'lift'
  | 'lowered'
  | 'tangent'
  | 'gradients'
  | 'batch'
  | 'unbatch'
  | 'batched'
  | 'grad_mode'
  | 'autocast'

const fakeOf = (a: DispatchArg): FakeTensor | null => (isFake(a) ? a : null)

export function higherOrderHandlers(tracer: Tracer, values: SharedValues): Pick<EngineHandlers, Kinds> {
  const tensors = (ids: readonly number[]): FakeTensor[] => ids.map((id) => values.tensor(id))
  const at = (id: number, level: number): FakeTensor['lifted'] => {
    const { lifted } = values.tensor(id)
    return lifted?.level === level ? lifted : undefined
  }
  return {
    branch: (ids) => tracer.beginBranch(tensors(ids)),
    branch_end(made, returns) {
      const { number, used } = tracer.endBranch(values.decode(made), returns as BranchResult)
      return [number, used.map((t) => t.id)]
    },
    branch_abort: () => tracer.abort(),
    samples: (ids, rows) => values.encode(tensors(ids).map((t) => tracer.sample(t, rows))),
    higher_order: (op, branches, args, place) =>
      values.encode(tracer.callBranches(op, branches, itemsOf(values.decode(args))!, sourceRef(place))),
    level: (kind) => tracer.transforms.enter(kind as LevelKind),
    level_end: () => tracer.transforms.exit(),
    lift: (id, tangent) => values.encode(tracer.transforms.lift(values.tensor(id), fakeOf(values.decode(tangent)))),
    lowered: (id, level) => values.encode(at(id, level)?.value ?? values.tensor(id)),
    tangent: (id, level) => values.encode(at(id, level)?.tangent ?? null),
    gradients: (outputs, inputs, given) => {
      const grads = itemsOf(values.decode(given))!.map(fakeOf)
      const all = grads.length > 0 ? (grads as FakeTensor[]) : null
      return values.encode(tracer.transforms.gradients(tensors(outputs), tensors(inputs), all))
    },
    batch: (id, dim, level) => values.encode(tracer.batch(values.tensor(id), dim, level)),
    unbatch: (id, level, dim, size) =>
      values.encode(tracer.unbatch(values.tensor(id), level, dim, toDim(values.decode(size)))),
    batched: (id) => values.tensor(id).batch !== undefined,
    grad_mode(on) {
      const before = tracer.gradMode
      if (on !== null) tracer.gradMode = on
      return before
    },
    autocast: (device, dtype) => tracer.autocast.set(device, dtype),
  }
}
