/** Handles Python's calls for torch.cond (branches) and torch.vmap (batches). */
import type { FakeTensor, Tracer } from '../trace/types'
import type { EngineHandlers } from './calls/table'
import { sourceRef } from './registration'
import type { SharedValues } from './values'

type Kinds = 'branch' | 'branch_end' | 'branch_abort' | 'cond' | 'batch' | 'unbatch' | 'batched'

export function higherOrderHandlers(tracer: Tracer, values: SharedValues): Pick<EngineHandlers, Kinds> {
  const tensors = (ids: readonly number[]): FakeTensor[] => ids.map((id) => values.tensor(id))
  return {
    branch: (ids) => tracer.beginBranch(tensors(ids)),
    branch_end(made) {
      const { number, used } = tracer.endBranch(values.decode(made))
      return [number, used.map((t) => t.id)]
    },
    branch_abort: () => tracer.abort(),
    cond: (pred, [yes, no], operands, place) =>
      values.encode(tracer.cond(values.decode(pred), [yes!, no!], tensors(operands), sourceRef(place))),
    batch: (id, dim, level) => values.encode(tracer.batch(values.tensor(id), dim, level)),
    unbatch: (id, level, dim, size) => values.encode(tracer.unbatch(values.tensor(id), level, dim, size)),
    batched: (id) => values.tensor(id).batch !== undefined,
  }
}
