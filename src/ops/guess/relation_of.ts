/** The relation between the shapes of a call, by its target. */
import { hasTag } from '../schema/tags'
import { catalogOverloads } from '../schema/catalog'
import type { OpSchema } from '../schema/types'
import { lookupOp } from '../registry'
import { broadcast, likeFirst, type Relation } from './relations'

const known = new Map<string, Relation | null>()

/** The relation of `aten.mm.default`, or of the operator that `torch.mm` or `operator.add` calls; null if none is known. */
export function relationOf(target: string): Relation | null {
  let relation = known.get(target)
  if (relation === undefined) known.set(target, (relation = find(target)))
  return relation
}

function find(target: string): Relation | null {
  const [namespace = '', name = '', overload] = target.split('.')
  const packet = /^_?(?:torch|operator)$/.test(namespace) ? `aten.${name}` : `${namespace}.${name}`
  const overloads = catalogOverloads(packet).filter((s) => overload === undefined || s.name === target)
  const own = overloads.map((s) => lookupOp(s.name)?.guess).find((guess) => guess !== undefined)
  if (own) return own
  // An operator with some reducing overloads is not elementwise; overloads without tensors belong to TorchScript.
  const onTensors = overloads.filter((s) => tensors(s) > 0)
  if (onTensors.length === 0 || !onTensors.every((s) => hasTag(s.name, 'pointwise') || s.name.endsWith('out')))
    return null
  return tensors(onTensors[0]!) > 1 ? broadcast : likeFirst
}

const tensors = ({ args }: OpSchema): number => args.filter((a) => a.type.base === 'Tensor' && a.name !== 'out').length
