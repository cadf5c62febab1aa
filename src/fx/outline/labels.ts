/** Labels of nodes by what they compute, independent of names. */
import { isGetitem } from '../graph/calls'
import { Node, visitNodes, type Arg } from '../graph/node'
import { formatPython, pyFloatRepr } from '../printers/format'
import { type Val, isKind } from '../value'
import { Lists } from './lists'

/** The operator of a node; names in targets of modules lose their digits: `layers.3.mlp` → `layers.#.mlp`. */
export function operatorText(n: Node): string {
  switch (n.op) {
    case 'placeholder':
    case 'get_attr':
    case 'output':
      return n.op
    case 'call_module':
      return `module ${withoutDigits(n.target)}`
    case 'call_method':
      return `.${n.target}`
    case 'call_function': {
      if (isGetitem(n)) return typeof n.args[1] === 'bigint' ? getitemText(n.args[1]) : 'getitem'
      const first = n.args[0]
      return isOperator(first) ? `${n.target} ${first.name}` : n.target
    }
  }
}

/** Texts of getitem by index, cached because a graph has few. */
const getitems = new Map<bigint, string>()

function getitemText(index: bigint): string {
  let text = getitems.get(index)
  if (text === undefined && getitems.size < 1000) getitems.set(index, (text = `getitem ${index}`))
  return text ?? `getitem ${index}`
}

const isOperator = (a: Arg | undefined): a is Extract<Arg, { kind: 'op' }> => isKind(a, 'op')

/** Digits in strings and in unbacked symbols number the layers: `model.layers.3.attn`, `u7`. */
const withoutDigits = (text: string): string => text.replace(/\d+/g, '#')
const withoutUnbacked = (text: string): string => text.replace(/\bu\d+\b/g, 'u#')

/** Texts for calls whose arguments are only nodes, by their number: most calls of a graph. */
const ONLY_NODES = ['', '%,', '%,%,', '%,%,%,', '%,%,%,%,']

/** The constants of a call, with `%` in place of nodes. */
export function constantsOf(n: Node): string {
  if (n.op !== 'call_function' && n.op !== 'call_method' && n.op !== 'call_module') return ''
  const { args, kwargs } = n
  let nodes = 0
  while (nodes < args.length && args[nodes] instanceof Node) nodes++
  let text = ONLY_NODES[nodes] ?? '%,'.repeat(nodes)
  for (let i = nodes; i < args.length; i++) text += `${constant(args[i]!)},`
  if (kwargs.size > 0) for (const [k, v] of kwargs) text += `${k}=${constant(v)},`
  return text
}

/** One argument, with `%` in place of nodes. */
export function constant(a: Arg): string {
  if (a === null) return 'None'
  switch (typeof a) {
    case 'string':
      return `'${withoutDigits(a)}'`
    case 'number':
      return Number.isInteger(a) ? String(a) : pyFloatRepr(a)
    case 'bigint':
    case 'boolean':
      return String(a)
    default:
      if (Array.isArray(a)) return `[${(a as readonly Arg[]).map(constant).join()}]`
      return composite(a as Exclude<Arg, readonly Arg[] | string | number | bigint | boolean | null>)
  }
}

function composite(a: Exclude<Arg, readonly Arg[] | string | number | bigint | boolean | null>): string {
  if (!('kind' in a)) return '%'
  switch (a.kind) {
    case 'tuple':
      return `(${a.items.map(constant).join()})`
    case 'dict':
      return `{${[...a.entries].map(([k, v]) => `${k}:${constant(v)}`).join()}}`
    case 'slice':
      return `${constant(a.start)}:${constant(a.stop)}:${constant(a.step)}`
    case 'dtype':
    case 'op':
      return a.name
    case 'sym':
      return withoutUnbacked(a.expr)
    default:
      return formatPython(a)
  }
}

/** dtype and shape; empty without a value. */
export function valText(val: Val | undefined | null): string {
  if (!val) return ''
  if (val.kind === 'tensor') return `${val.dtype}[${shapeText(val.shape)}]`
  if (val.kind === 'vals') return `(${val.items.map(valText).join()})`
  return 'scalar'
}

export function shapeText(shape: readonly (number | string)[]): string {
  const text = shape.join(', ')
  return text.includes('u') ? withoutUnbacked(text) : text
}

/** The indices of the input nodes of each node, in the order of its arguments, with repeats. */
export function inputSlots(nodes: readonly Node[], indexOf: (node: Node) => number): Lists {
  const starts = new Int32Array(nodes.length + 1)
  const items: number[] = []
  const collected = (x: Node): void => void items.push(indexOf(x))
  const collect = (a: Arg): void => {
    if (a instanceof Node) items.push(indexOf(a))
    else if (typeof a === 'object') visitNodes(a, collected)
  }
  for (let n = 0; n < nodes.length; n++) {
    const { args, kwargs } = nodes[n]!
    for (let i = 0; i < args.length; i++) collect(args[i]!)
    if (kwargs.size > 0) for (const a of kwargs.values()) collect(a)
    starts[n + 1] = items.length
  }
  return new Lists(starts, new Int32Array(items))
}
