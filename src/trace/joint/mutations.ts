/** Functionalization: an in-place call becomes the functional one, and its result replaces the tensor from then on. */
import { rebound, type Bound } from '../../ops/bind'
import { isFake, isTuple, itemsOf, visitFakes, type DispatchArg, type FakeTensor } from '../../ops/fake'
import { mutatedArgs } from '../../ops/schema'
import { TorchError } from '../../ops/torch_error'
import type { TapeOptions } from './types'

export class Mutations {
  private readonly replaced = new Map<FakeTensor, FakeTensor>()
  /** How many tensors have each storage. */
  private readonly holders = new Map<number, Set<number>>()

  constructor(private readonly options: Pick<TapeOptions, 'dispatcher' | 'hasSchema'>) {}

  /** The tensor that now holds the values of `tensor`. */
  valueOf(tensor: FakeTensor): FakeTensor {
    let now = tensor
    for (let next = this.replaced.get(now); next; next = this.replaced.get(now)) now = next
    return now
  }

  /** The call on the current values of its arguments. */
  current(bound: Bound): Bound {
    for (const value of bound.values.values()) visitFakes(value, (t) => this.note(t))
    if (this.replaced.size === 0) return bound
    let changed = false
    const now = (value: DispatchArg): DispatchArg => {
      if (isFake(value)) {
        const found = this.valueOf(value)
        changed ||= found !== value
        return found
      }
      if (isTuple(value)) return { kind: 'tuple', items: value.items.map(now) }
      return itemsOf(value)?.map(now) ?? value
    }
    const values = new Map([...bound.values].map(([name, value]) => [name, now(value)]))
    return changed ? rebound(bound.schema, values) : bound
  }

  private note(t: FakeTensor): void {
    let ids = this.holders.get(t.storage)
    if (!ids) this.holders.set(t.storage, (ids = new Set()))
    ids.add(t.id)
  }

  /**
   * The result of an in-place call; undefined for another call.
   * @throws TorchError NotImplementedError for a write through a view, or to a viewed tensor
   */
  functionalized(bound: Bound): DispatchArg | undefined {
    const { schema } = bound
    const written = mutatedArgs(schema)
    if (written.length === 0) return undefined
    const self = bound.values.get(written[0]!)
    const [ns, packet, overload] = schema.name.split('.') as [string, string, string]
    const functional = `${ns}.${packet.replace(/_$/, '')}.${overload}`
    if (written.length > 1 || !isFake(self) || !packet.endsWith('_') || !this.options.hasSchema(functional))
      throw unsupported(schema.name)
    if ((this.holders.get(self.storage)?.size ?? 0) > 1) throw unsupported(`${schema.name} on a tensor that has views`)
    const made = this.options.dispatcher.call(functional, bound.args, Object.fromEntries(bound.kwargs)) as FakeTensor
    if (made.meta.dtype !== self.meta.dtype) throw unsupported(`${schema.name} with a result of another dtype`)
    this.replaced.set(self, made)
    return self
  }
}

const unsupported = (what: string): TorchError =>
  new TorchError('NotImplementedError', `Fusescope cannot functionalize ${what} in a joint trace yet`)
