/** Undoes the wrapping by which torch.compile makes mutations into results. */
import { callTarget } from './lower_call'
import { innerTarget } from './lower_inputs'
import { CannotRun, isItems, type Value } from './lower_values'
import type { Lowers } from './lowers'
import { findKernel } from '../device/registry'
import type { RunNode } from '../types'

/** auto_functionalized(op, **kwargs) returns (result, *mutated arguments after the call). */
export function functionalized(on: Lowers, node: RunNode, kwargs: Record<string, Value>): Value {
  const target = innerTarget(node)
  if (!target) throw new CannotRun(`${node.name} does not name the operator that it wraps`)
  return callTarget(on, node, target, { kwargs, functionalized: true })
}

/**
 * auto_functionalized_v2(op, …, _x_base_index=i, _all_bases=[…]) returns (result, *bases after the call). A mutated
 * argument is passed as a base, either whole (`_x_alias`) or as a view (`_x_size`, `_x_stride`, `_x_storage_offset`).
 */
export function functionalizedV2(on: Lowers, node: RunNode, kwargs: Record<string, Value>): Value {
  const target = innerTarget(node)
  const bases = kwargs['_all_bases']
  if (!target || bases === undefined || !isItems(bases))
    throw new CannotRun(`${node.name} does not name the operator that it wraps`)
  const own: Record<string, Value> = {}
  const baseOf = new Map<string, number>()
  for (const [key, v] of Object.entries(kwargs)) {
    const found = /^_(.+)_base_index$/.exec(key)
    if (found && typeof v === 'number') {
      baseOf.set(found[1]!, v)
      own[found[1]!] = bases.items[v] ?? null
      if (kwargs[`_${found[1]}_size`] !== undefined || kwargs[`_${found[1]}_slice_dim`] !== undefined)
        throw new CannotRun(`${node.name} mutates a view of its base \`${found[1]}\``)
    } else if (found) own[found[1]!] = null
    else if (!key.startsWith('_')) own[key] = v
  }
  const kernel = findKernel(target)?.kernel
  const results = callTarget(on, node, target, { kwargs: own, functionalized: true })
  const after = [...bases.items]
  const mutated = kernel?.params.filter((p) => p.kind !== 'in' && p.kind !== 'attr') ?? []
  if (isItems(results))
    mutated.forEach((p, i) => {
      const name = [p.name, ...(p.aliases ?? [])].find((n) => baseOf.has(n))
      if (name !== undefined) after[baseOf.get(name)!] = results.items[i + 1]!
    })
  return { items: [null, ...after] }
}
