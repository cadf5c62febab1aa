/**
 * Functionalization: an in-place call becomes the functional one, whose result replaces the tensor from then on. A write to a view
 * is written into its base, and other views of the base are recreated when they are next read.
 */
import { isWritten, writtenBack, type Call } from '../../ops/aten/views/written'
import { rebound, type Bound } from '../../ops/bind'
import { isFake, isTuple, itemsOf, visitFakes, type DispatchArg, type FakeTensor } from '../../ops/fake'
import { mutatedArgs, type OpSchema } from '../../ops/schema'
import { sumTo } from '../../ops/sum_to'
import { TorchError } from '../../ops/torch_error'
import type { TapeOptions } from './types'

/** A view, defined by the call that creates it from the base's value. */
interface View {
  readonly base: FakeTensor
  readonly bound: Bound
  /** The base's value that `now` shows. */
  shown: FakeTensor
  now: FakeTensor
}

/** An in-place call on a view. */
export interface ViewWrite {
  readonly bound: Bound
  /** The operator that computes the view's new value. */
  readonly functional: string
  readonly root: FakeTensor
  readonly self: FakeTensor
  /** From the written view to the root. */
  readonly chain: readonly View[]
  made?: FakeTensor
  /** The new value of the root. */
  make(): FakeTensor
  readonly call: Call
}

const viewOf = (call: Call, { bound }: View, base: FakeTensor): FakeTensor =>
  call(bound.schema.name, rebound(bound.schema, new Map([...bound.values, ['self', base]])).args)

/** `value` written into `root` through the views of `chain`, the innermost first; intermediate views are recreated. */
function intoRoot(call: Call, chain: readonly View[], root: FakeTensor, value: FakeTensor): FakeTensor {
  const levels = [root]
  for (const view of chain.slice(1).reverse()) levels.push(viewOf(call, view, levels.at(-1)!))
  return chain.reduce((inner, view) => writtenBack(call, view.bound, levels.pop()!, inner), value)
}

/**
 * CopySlices::apply.
 * @param formulas the gradients of the call's arguments from the view's gradient; the view's own gradient comes first
 */
export function sliceGradients(
  { chain, call }: ViewWrite,
  grad: FakeTensor,
  formulas: (slice: FakeTensor) => readonly (FakeTensor | null)[],
): (FakeTensor | null)[] {
  const slice = [...chain].reverse().reduce((x, view) => viewOf(call, view, x), grad)
  const format = { kind: 'memory_format', name: 'contiguous_format' } as const
  const [self, ...others] = formulas(call('aten.clone.default', [slice], { memory_format: format }))
  if (!self) return [null, ...others]
  const shaped = sumTo({ op: (name, ...args) => call(name, args) }, self, slice.meta.shape)
  return [intoRoot(call, chain, grad, call('aten.copy.default', [slice, shaped])), ...others]
}

export class Mutations {
  private readonly replaced = new Map<FakeTensor, FakeTensor>()
  private readonly views = new Map<FakeTensor, View>()
  /** Storages whose tensors have an unknown relation. */
  private readonly shared = new Set<number>()

  constructor(private readonly options: Pick<TapeOptions, 'dispatcher' | 'hasSchema'>) {}

  /** The tensor that now holds the values of `tensor`. */
  valueOf(tensor: FakeTensor): FakeTensor {
    let now = tensor
    for (let next = this.replaced.get(now); next; next = this.replaced.get(now)) now = next
    const view = this.views.get(now)
    if (!view) return now
    const base = this.valueOf(view.base)
    if (base !== view.shown) {
      view.shown = base
      view.now = viewOf(this.call, view, base)
    }
    return view.now
  }

  private readonly call: Call = (name, args, kwargs) => this.options.dispatcher.call(name, args, kwargs) as FakeTensor

  replace(tensor: FakeTensor, value: FakeTensor): void {
    this.replaced.set(tensor, value)
  }

  /** The call on the current values of its arguments. */
  current(bound: Bound): Bound {
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

  /** Notes which results are views of an argument. */
  viewed(bound: Bound, out: DispatchArg): void {
    const { name } = bound.schema
    const self = bound.values.get('self')
    visitFakes(out, (t) => {
      if (isFake(self) && self !== t && self.storage === t.storage && isWritten(name))
        this.views.set(t, { base: self, bound, shown: self, now: t })
      else for (const value of bound.values.values()) visitFakes(value, (a) => this.relate(a, t))
    })
  }

  private relate(a: FakeTensor, t: FakeTensor): void {
    if (a !== t && a.storage === t.storage) this.shared.add(t.storage)
  }

  /**
   * The result of an in-place call, or of a call that writes to a view; undefined for another call.
   * @throws TorchError NotImplementedError for a write to a tensor with unknown views
   */
  functionalized(bound: Bound): { out: DispatchArg; write?: ViewWrite } | undefined {
    const { schema } = bound
    const written = mutatedArgs(schema)
    if (written.length === 0) return undefined
    const self = bound.values.get(written[0]!)
    const functional = withoutUnderscore(schema)
    if (written.length > 1 || !isFake(self) || functional === schema.name || !this.options.hasSchema(functional))
      throw unsupported(schema.name)
    if (this.shared.has(self.storage)) throw unsupported(`${schema.name} on a tensor that has such views`)
    const compute = (): FakeTensor => {
      const kwargs = Object.fromEntries(bound.kwargs)
      const made = this.options.dispatcher.call(functional, bound.args, kwargs) as FakeTensor
      if (made.meta.dtype !== self.meta.dtype) throw unsupported(`${schema.name} with a result of another dtype`)
      return made
    }
    const chain: View[] = []
    for (let view = this.views.get(self); view; view = this.views.get(view.base)) chain.push(view)
    if (chain.length === 0) {
      this.replaced.set(self, compute())
      return { out: self }
    }
    const { call } = this
    const write: ViewWrite = {
      bound,
      functional,
      root: chain.at(-1)!.base,
      self,
      chain,
      call,
      make: () => {
        write.made = compute()
        return intoRoot(call, chain, write.root, write.made)
      },
    }
    return { out: self, write }
  }
}

const unsupported = (what: string): TorchError =>
  new TorchError('NotImplementedError', `Fusescope cannot functionalize ${what} in a joint trace yet`)

/** `aten.add.Tensor` of `aten.add_.Tensor`. */
export function withoutUnderscore({ name }: OpSchema): string {
  const [ns, packet, overload] = name.split('.') as [string, string, string]
  return `${ns}.${packet.replace(/_$/, '')}.${overload}`
}
