/** Properties of whole operators, collected from the operators' files. */
import type { Trait } from './operator'
import { TRAITS } from './tables/traits'

/** Names of operators, without namespace and overload. */
export const namesWith = (trait: Trait): ReadonlySet<string> =>
  new Set(TRAITS.flatMap((traits) => traits[trait]?.split(' ') ?? []))

/** A test of targets: `aten.view.default`, or `aten.view` for the operator. */
export function withTrait(trait: Trait): (target: string) => boolean {
  const names = namesWith(trait)
  return (target) => {
    const [namespace = '', name = ''] = target.split('.')
    return NAMESPACES.has(namespace) && names.has(name)
  }
}

const NAMESPACES = new Set(['aten', 'prims', 'inductor', '_c10d_functional', 'vllm'])
