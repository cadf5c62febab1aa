/**
 * Names of call_function targets: `aten.add.Tensor` in a Node, `torch.ops.aten.add.Tensor` in text. Python functions
 * keep their own dotted name. Those outside the modules below could be mistaken for operators (`my_model.layers.fn` has
 * three parts too), so they have the prefix `python:`.
 */
const PYTHON = 'python:'
const PYTHON_MODULES = /^(?:operator|_operator|builtins|math|torch)\./

/** Converts the name in print(graph) or print_readable to a Node's target. */
export function targetFromText(text: string): string {
  if (text.startsWith('torch.ops.')) return text.slice('torch.ops.'.length)
  if (!text.includes('.') || PYTHON_MODULES.test(text)) return text
  return PYTHON + text
}

/** The name of a call_function's target in `print(graph)`. */
export function targetToText(target: string): string {
  if (target.startsWith(PYTHON)) return target.slice(PYTHON.length)
  if (!target.includes('.') || PYTHON_MODULES.test(target)) return target
  return `torch.ops.${target}`
}

/** True for `ns.op.overload` (an OpOverload); false for higher-order operators, packets and plain Python functions. */
export function isOverload(target: string): boolean {
  let known = overloads.get(target)
  if (known === undefined) overloads.set(target, (known = looksLikeOverload(target)))
  return known
}

/** Cache: a graph of thousands of nodes has dozens of targets. */
const overloads = new Map<string, boolean>()

function looksLikeOverload(target: string): boolean {
  if (target.startsWith('higher_order.') || target.startsWith(PYTHON) || PYTHON_MODULES.test(target)) return false
  return target.split('.').length === 3
}

/** Inferred from an operator's name: in-place operators end in `_`, output variants are named `out`. */
export function looksMutable(target: string): boolean {
  if (!isOverload(target)) return false
  const [, op, overload] = target.split('.') as [string, string, string]
  return (
    (op.endsWith('_') && !op.endsWith('__')) || [op, overload].some((name) => name === 'out' || name.endsWith('_out'))
  )
}

const packets = new Map<string, string>()

/** `aten.add.Tensor` → `aten.add`; other targets unchanged. Cached, because it is called for each pair of nodes. */
export function packetOf(target: string): string {
  let packet = packets.get(target)
  if (packet === undefined) {
    packet = isOverload(target) ? target.slice(0, target.lastIndexOf('.')) : target.replace(/^_operator\./, 'operator.')
    packets.set(target, packet)
  }
  return packet
}

/** True for `aten.add`, an operator without an overload (an OpOverloadPacket). */
export function isPacket(target: string): boolean {
  return /^\w+\.\w+$/.test(target) && !isHigherOrder(target) && !PYTHON_MODULES.test(target)
}

/** True for `higher_order.cond` and other HigherOrderOperators. */
export function isHigherOrder(target: string): boolean {
  return target.startsWith('higher_order.')
}

/** The target that a reader gives to a node whose line it could not read; the line's text is its only argument. */
export const UNREADABLE = `${PYTHON}unreadable`
