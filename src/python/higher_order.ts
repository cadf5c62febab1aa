/** Handles Python's calls for torch.cond (branches) and torch.vmap (batches). */
import type { FakeTensor, Tracer } from '../trace/types'
import { sourceRef, type SourceLocation } from './registration'
import type { SharedValues } from './values'
import type { Json } from './wire'

/** Undefined for calls of other kinds. */
export function answerHigherOrder(
  kind: string,
  payload: Json[],
  { tracer, values }: { tracer: Tracer; values: SharedValues },
): Json | undefined {
  const tensors = (ids: Json): FakeTensor[] => (ids as number[]).map((id) => values.tensor(id))
  switch (kind) {
    case 'branch':
      tracer.beginBranch!(tensors(payload[0]!))
      return true
    case 'branch_end': {
      const { number, used } = tracer.endBranch!(values.decode(payload[0]!))
      return [number, used.map((t) => t.id)]
    }
    case 'branch_abort':
      tracer.abort()
      return true
    case 'cond': {
      const [pred, branches, operands, place] = payload as [Json, [number, number], Json, SourceLocation | null]
      return values.encode(tracer.cond!(values.decode(pred), branches, tensors(operands), sourceRef(place)))
    }
    case 'batch': {
      const [id, dim, level] = payload as [number, number, number]
      return values.encode(tracer.batch!(values.tensor(id), dim, level))
    }
    case 'unbatch': {
      const [id, level, dim, size] = payload as [number, number, number, number]
      return values.encode(tracer.unbatch!(values.tensor(id), level, dim, size))
    }
    case 'batched':
      return values.tensor(payload[0] as number).batch !== undefined
    default:
      return undefined
  }
}
