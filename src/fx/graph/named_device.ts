/** The devices that a graph's nodes name, for texts that print no device beside the shapes. */
import { type Device, type TensorMeta, type Val, isKind } from '../value'
import type { Graph } from './graph'
import type { Node } from './node'

/** A device, and the node that names it. */
export interface NamedDevice {
  device: Device
  node: Node
}

/** What the nodes of a graph tell about the devices of its inputs. */
export interface InferredDevices {
  /** Each device, with the inputs that are inferred to be on it. */
  found: (NamedDevice & { inputs: string[] })[]
  /** Inputs that no node ties to a single device. */
  unknown: string[]
}

/**
 * The only device that the graph's arguments name; null if they name none or several. A cpu beside one accelerator is ignored:
 * constants and copies to the host name it.
 */
export function namedDevice(graph: Graph): NamedDevice | null {
  const all = namedDevices([...graph.nodes()])
  const accelerators = all.filter(({ device }) => isAccelerator(device))
  const [only, other] = accelerators.length > 0 ? accelerators : all
  return only && !other ? only : null
}

/**
 * Sets the device of the tensors in a graph whose text prints none. If the nodes name one device, all tensors are on it; if they
 * name several, each tensor is on the device of the operators that use it, because an operator's tensors share a device. Null if
 * the text prints devices, or no node names an accelerator.
 */
export function inferDevices(graph: Graph): InferredDevices | null {
  const nodes = [...graph.nodes()]
  if (nodes.some(({ meta }) => hasDevice(meta.val))) return null
  const accelerators = namedDevices(nodes).filter(({ device }) => isAccelerator(device))
  if (accelerators.length === 0) return null
  const of = accelerators.length === 1 ? () => accelerators[0]! : devicesByGroup(nodes)
  const found = new Map<string, InferredDevices['found'][number]>()
  const unknown: string[] = []
  for (const node of nodes) {
    const { op, name, meta } = node
    if (!meta.val) continue
    const named = of(node)
    const val = named ? onDevice(meta.val, named.device) : meta.val
    if (op === 'placeholder' && tensors(meta.val).length > 0) {
      if (!named) unknown.push(name)
      else {
        const key = keyOf(named.device)
        if (!found.has(key)) found.set(key, { ...named, inputs: [] })
        found.get(key)!.inputs.push(name)
      }
    }
    meta.val = val
  }
  return { found: [...found.values()], unknown }
}

const isAccelerator = ({ type }: Device): boolean => type !== 'cpu' && type !== 'meta'
const keyOf = ({ type, index }: Device): string => `${type}:${index ?? ''}`

/** The device that a node's arguments name. A tensor created on "cuda" is on the current device, cuda:0. */
function ownDevice(node: Node): Device | null {
  for (const arg of [...node.args, ...node.kwargs.values()])
    if (isKind(arg, 'device')) return isAccelerator(arg) ? { ...arg, index: arg.index ?? 0 } : arg
  return null
}

function namedDevices(nodes: readonly Node[]): NamedDevice[] {
  const found = new Map<string, NamedDevice>()
  for (const node of nodes) {
    const device = ownDevice(node)
    if (device && !found.has(keyOf(device))) found.set(keyOf(device), { device, node })
  }
  return [...found.values()]
}

/** A node that writes a value from any device into its first argument. */
const COPIES = /^aten\.copy_?\./

/**
 * The device of each node: the only one that its group names. The tensors of one operator form a group, unless the operator copies
 * between devices.
 */
function devicesByGroup(nodes: readonly Node[]): (node: Node) => NamedDevice | null {
  const parents = new Map<Node, Node>(nodes.map((n) => [n, n]))
  const rootOf = (node: Node): Node => {
    let root = node
    while (parents.get(root) !== root) root = parents.get(root)!
    for (let n = node; n !== root;) {
      const next = parents.get(n)!
      parents.set(n, root)
      n = next
    }
    return root
  }
  for (const node of nodes) {
    if (node.op === 'output') continue
    const all = [...node.inputs()].filter(bindsDevice)
    const inputs = COPIES.test(node.target) ? all.slice(0, 1) : all
    const group = ownDevice(node) === null ? [node, ...inputs] : inputs
    for (const n of group) parents.set(rootOf(n), rootOf(group[0]!))
  }
  const named = new Map<Node, NamedDevice | null>()
  for (const node of nodes) {
    const device = ownDevice(node)
    if (!device) continue
    const root = rootOf(node)
    const other = named.get(root)
    if (other === undefined) named.set(root, { device, node })
    else if (other && keyOf(other.device) !== keyOf(device)) named.set(root, null)
  }
  return (node) => named.get(rootOf(node)) ?? null
}

/** Whether an operator needs this input on its own device: tensors without dimensions may be on the cpu. */
function bindsDevice({ meta: { val } }: Node): boolean {
  return val === undefined || val.kind === 'vals' || (val.kind === 'tensor' && val.shape.length > 0)
}

const tensors = (val: Val | null | undefined): TensorMeta[] =>
  val?.kind === 'tensor' ? [val] : val?.kind === 'vals' ? val.items.flatMap(tensors) : []

const hasDevice = (val: Val | undefined): boolean => tensors(val).some((t) => t.device !== null)

function onDevice(val: Val, device: Device): Val {
  if (val.kind === 'tensor') return { ...val, device }
  return val.kind === 'vals' ? { ...val, items: val.items.map((v) => v && onDevice(v, device)) } : val
}
