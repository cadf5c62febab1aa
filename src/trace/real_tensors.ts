/**
 * A trace under no fake mode, as replace_by_example traces in a pass before autograd: what a factory makes there is a real tensor, which
 * the fake mode of the inputs refuses in a call with them.
 */
import { argumentText, type Bound } from '../ops/bind'
import { isFake, itemsOf, type DispatchArg, type FakeTensor } from '../ops/fake'
import { TorchError } from '../ops/torch_error'
import { fakeRepr, type ConstantValues } from '../fx'

/** The argument that is the value of each element. */
const FILLS: Readonly<Record<string, number>> = { 'aten.full.default': 1, 'aten.scalar_tensor.default': 0 }

const UNNAMED_DTYPES: ReadonlySet<string> = new Set(['float32', 'int64', 'bool', 'complex64'])

export class RealTensors {
  private readonly fakes = new WeakSet<FakeTensor>()
  /** The value of a real one without dimensions, where it is known. */
  private readonly reals = new WeakMap<FakeTensor, string>()

  input(value: DispatchArg): void {
    for (const t of tensorsIn(value)) this.fakes.add(t)
  }

  constant(tensor: FakeTensor, values: ConstantValues | DispatchArg): void {
    const { dtype } = tensor.meta
    this.reals.set(tensor, valueText(values, /^(bfloat|float)/.test(dtype)))
  }

  /** Notes what the call's result will be. */
  called({ schema, args, kwargs }: Bound): (out: DispatchArg) => void {
    const tensors = [...args, ...kwargs.values()].flatMap(tensorsIn)
    const first = tensors.find((t) => this.reals.has(t))
    if (!tensors.some((t) => this.fakes.has(t))) {
      if (tensors.length > 0 && !first) return () => undefined
      const value = schema.name === 'aten.lift_fresh_copy.default' ? this.reals.get(first!)! : ''
      const fill = args[FILLS[schema.name] ?? args.length] ?? null
      return (out) => tensorsIn(out).forEach((t) => (fill === null ? this.reals.set(t, value) : this.constant(t, fill)))
    }
    if (!first) return (out) => this.input(out)
    const text = (v: DispatchArg): string =>
      argumentText(v, (t) => (this.reals.has(t) ? this.repr(t) : fakeRepr(t.meta)))
    const given = [...args.map(text), ...[...kwargs].map(([k, v]) => `${k}=${text(v)}`)]
    throw new TorchError(
      'AssertionError',
      `Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode with 'allow_non_fake_inputs'. Found in ${schema.name}(${given.join(', ')})`,
    )
  }

  private repr(t: FakeTensor): string {
    const { shape, dtype } = t.meta
    const values = shape.length === 0 ? this.reals.get(t) || '...' : '[...]'
    const type = UNNAMED_DTYPES.has(dtype) ? '' : `, dtype=torch.${dtype}`
    return `tensor(${values}, size=(${shape.join(', ')}${shape.length === 1 ? ',' : ''})${type})`
  }
}

function valueText(value: ConstantValues | DispatchArg, isFloat: boolean): string {
  if (typeof value !== 'boolean' && typeof value !== 'bigint' && typeof value !== 'number') return ''
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (!isFloat) return String(value)
  if (!Number.isFinite(Number(value))) return String(value).replace('Infinity', 'inf').replace('NaN', 'nan')
  return Number.isInteger(Number(value)) ? `${value}.` : Number(value).toFixed(4)
}

function tensorsIn(value: DispatchArg): FakeTensor[] {
  return isFake(value) ? [value] : (itemsOf(value)?.flatMap(tensorsIn) ?? [])
}
