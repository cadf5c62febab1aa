/** Arguments that torch's Python bindings add to a call by its short name (`torch.empty`) before dispatch. */
import { device as deviceOf } from '../fx'
import { isFake, isKind, type DispatchArg } from './fake'

/** Factories: their bindings build TensorOptions, which always include a device and pin_memory. */
const FACTORIES = new Set(
  'empty zeros ones full arange rand randn randint randperm eye linspace logspace empty_strided scalar_tensor'
    .split(' ')
    .map((n) => `aten.${n}`),
)

export interface PacketCall {
  name: string
  args: readonly DispatchArg[]
  kwargs: ReadonlyMap<string, DispatchArg>
}

/** @param name a packet: `aten.empty` */
export function asBinding(
  name: string,
  args: readonly DispatchArg[],
  kwargs: ReadonlyMap<string, DispatchArg>,
): PacketCall {
  if (FACTORIES.has(name)) {
    const device = kwargs.get('device') ?? deviceOf('cpu')
    return {
      name,
      args,
      kwargs: new Map([...kwargs, ['device', device], ['pin_memory', kwargs.get('pin_memory') ?? false]]),
    }
  }
  if (name === 'aten.to' && args.length >= 2 && !isFake(args[1])) {
    // x.to(device), x.to(device, dtype), x.to(dtype): one overload covers them all.
    const options = new Map(kwargs)
    for (const a of args.slice(1)) {
      if (isKind(a, 'dtype')) options.set('dtype', a)
      else if (isKind(a, 'device') || typeof a === 'string') options.set('device', a)
    }
    return { name: 'aten.to.dtype_layout', args: args.slice(0, 1), kwargs: options }
  }
  return { name, args, kwargs }
}
