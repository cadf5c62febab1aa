/** The device that a graph's nodes name, where its text prints none beside the shapes. */
import { type Device, type TensorMeta, type Val, isKind } from '../value'
import type { Graph } from './graph'
import type { Node } from './node'

/** A device, and the node that names it. */
export interface NamedDevice {
  device: Device
  node: Node
}

/**
 * The only device that the arguments of a graph name; null if they name none, or several. A cpu beside one accelerator does
 * not count: constants and copies to the host name it.
 */
export function namedDevice(graph: Graph): NamedDevice | null {
  const found = new Map<string, NamedDevice>()
  for (const node of graph.nodes())
    for (const arg of [...node.args, ...node.kwargs.values()])
      if (isKind(arg, 'device')) found.set(`${arg.type}:${arg.index ?? ''}`, { device: arg, node })
  const all = [...found.values()]
  const accelerators = all.filter(({ device }) => device.type !== 'cpu' && device.type !== 'meta')
  const [only, other] = accelerators.length > 0 ? accelerators : all
  return only && !other ? only : null
}

/**
 * Puts the tensors of a graph whose text prints no device onto the only one that its nodes name. Returns that device and the
 * inputs; null if the text prints devices, or its nodes name none or several.
 */
export function inferDevices(graph: Graph): (NamedDevice & { inputs: string[] }) | null {
  const nodes = [...graph.nodes()]
  const named = nodes.some(({ meta }) => hasDevice(meta.val)) ? null : namedDevice(graph)
  if (!named || named.device.type === 'cpu') return null
  const inputs: string[] = []
  for (const { op, name, meta } of nodes) {
    if (!meta.val) continue
    const val = onDevice(meta.val, named.device)
    if (val !== meta.val && op === 'placeholder') inputs.push(name)
    meta.val = val
  }
  return { ...named, inputs }
}

const tensors = (val: Val | null | undefined): TensorMeta[] =>
  val?.kind === 'tensor' ? [val] : val?.kind === 'vals' ? val.items.flatMap(tensors) : []

const hasDevice = (val: Val | undefined): boolean => tensors(val).some((t) => t.device !== null)

function onDevice(val: Val, device: Device): Val {
  if (val.kind === 'tensor') return { ...val, device }
  return val.kind === 'vals' ? { ...val, items: val.items.map((v) => v && onDevice(v, device)) } : val
}
