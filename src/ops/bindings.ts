/** Normalizes the forms of a call that torch's Python bindings merge before dispatch. */
import { isFake, isKind, type DispatchArg } from './fake'

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
  if (name === 'aten.to' && args.length >= 2 && !isFake(args[1])) {
    // x.to(device), x.to(device, dtype) and x.to(dtype): one overload covers all three.
    const options = new Map(kwargs)
    for (const a of args.slice(1)) {
      if (isKind(a, 'dtype')) options.set('dtype', a)
      else if (isKind(a, 'device') || typeof a === 'string') options.set('device', a)
    }
    return { name: 'aten.to.dtype_layout', args: args.slice(0, 1), kwargs: options }
  }
  return { name, args, kwargs }
}
