/** Handles Python's calls for torch.cond and loops (branches) and torch.vmap (batches). */
import { itemsOf, toDim } from '../ops/fake'
import type { BranchResult, FakeTensor, Tracer } from '../trace/types'
import type { EngineHandlers } from './calls/table'
import { sourceRef } from './registration'
import type { SharedValues } from './values'

type Kinds = 'branch' | 'branch_end' | 'branch_abort' | 'samples' | 'higher_order' | 'batch' | 'unbatch' | 'batched'

export function higherOrderHandlers(tracer: Tracer, values: SharedValues): Pick<EngineHandlers, Kinds> {
  const tensors = (ids: readonly number[]): FakeTensor[] => ids.map((id) => values.tensor(id))
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
    batch: (id, dim, level) => values.encode(tracer.batch(values.tensor(id), dim, level)),
    unbatch: (id, level, dim, size) =>
      values.encode(tracer.unbatch(values.tensor(id), level, dim, toDim(values.decode(size)))),
    batched: (id) => values.tensor(id).batch !== undefined,
  }
}
