/**
 * torch.autocast casts the arguments of the operators that have a policy. Operators below a decomposition, and those that a cast
 * operator calls, are not cast.
 */
import { dtype } from '../fx'
import { rebound, type Bound } from '../ops/bind'
import { isFake, isTuple, itemsOf, visitFakes, type DispatchArg, type FakeTensor } from '../ops/fake'
import { policyOf } from '../ops/dtype/autocast_policies'
import { isFloatDtype } from '../ops/promote'
import type { OpSchema } from '../ops/schema'
import { TorchError } from '../ops/torch_error'

export class Autocast {
  /** The lower precision of each device whose autocast is on. */
  private readonly on = new Map<string, string>()
  /** Above zero below autocast. */
  private below = 0

  set(device: string, dtype: string | null): void {
    if (dtype === null) this.on.delete(device)
    else this.on.set(device, dtype)
  }

  clear(): void {
    this.on.clear()
    this.below = 0
  }

  excluded<T>(run: () => T): T {
    if (this.on.size === 0) return run()
    this.below++
    try {
      return run()
    } finally {
      this.below--
    }
  }

  /**
   * The call on cast arguments, to be made below autocast; undefined: autocast lets it pass.
   * @param cast aten.to, which autograd follows
   */
  call(bound: Bound, cast: (t: FakeTensor, to: string) => FakeTensor): Bound | undefined {
    if (this.on.size === 0 || this.below > 0) return undefined
    for (const [device, lower] of this.on) {
      const policy = policyOf(device, bound.schema.name)
      if (!policy) continue
      if (device === 'cuda' && bound.schema.name === 'aten.binary_cross_entropy.default')
        throw new TorchError(
          'RuntimeError',
          'torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.',
        )
      if (policy === 'first') return inFloat32(bound, device)
      const to = policy === 'lower' ? lower : policy === 'float32' ? 'float32' : widest(bound, device, lower)
      return this.excluded(() =>
        castBound(bound, (t) => (isEligible(t, device) && t.meta.dtype !== to ? cast(t, to) : t)),
      )
    }
    return undefined
  }
}

const isEligible = ({ meta }: FakeTensor, device: string): boolean =>
  isFloatDtype(meta.dtype) && meta.dtype !== 'float64' && (meta.device?.type ?? 'cpu') === device

function widest({ values }: Bound, device: string, lower: string): string {
  let widest = lower
  for (const value of values.values())
    visitFakes(value, (t) => void (isEligible(t, device) && t.meta.dtype === 'float32' && (widest = 'float32')))
  return widest
}

function inFloat32(bound: Bound, device: string): Bound {
  const { schema, values } = bound
  const first = [...values.values()].find(isFake)
  if (!first || !isEligible(first, device) || !takesDtype(schema) || (values.get('dtype') ?? null) !== null)
    return bound
  return rebound(schema, new Map([...values, ['dtype', dtype('float32')]]))
}

const takesDtype = (schema: OpSchema): boolean => schema.args.some((a) => a.name === 'dtype')

/** C++ casts the arguments from the last to the first, the tensors of a list from the first. */
function castBound(bound: Bound, cast: (t: FakeTensor) => FakeTensor): Bound {
  const of = (value: DispatchArg): DispatchArg => {
    if (isFake(value)) return cast(value)
    if (isTuple(value)) return { ...value, items: value.items.map(of) }
    return itemsOf(value)?.map(of) ?? value
  }
  const names = bound.schema.args.map((a) => a.name).filter((name) => bound.values.has(name))
  const made = new Map([...names].reverse().map((name) => [name, of(bound.values.get(name)!)]))
  return rebound(bound.schema, new Map(names.map((name) => [name, made.get(name)!])))
}
