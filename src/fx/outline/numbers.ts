/** Numbers for the labels of nodes: comparing texts of constants and shapes would dominate an outline's time. */
import { isCall } from '../graph/calls'
import { Node, type Arg } from '../graph/node'
import type { Val } from '../value'
import { constant, operatorText, shapeText, valText } from './labels'

/**
 * Label numbers by node: `operator` covers the operator and what selects it (the index of getitem, the operator that
 * auto_functionalized calls), `value` the dtype and shape, `exact` both and the constants.
 */
export interface Labels {
  operator: Int32Array
  value: Int32Array
  exact: Int32Array
}

export function labelNodes(nodes: readonly Node[]): Labels {
  const operators = numbering()
  const constants = new Classes(hashOfConstants, sameConstants)
  const vals = new Classes(hashOfVal, sameVal)
  const calls = numbering<number>()
  const labels = numbering<number>()
  const operator = new Int32Array(nodes.length)
  const value = new Int32Array(nodes.length)
  const exact = new Int32Array(nodes.length)
  for (let i = 0; i < nodes.length; i++) {
    const n = nodes[i]!
    operator[i] = operators(operatorText(n))
    const call = calls(operator[i]! * RADIX + constants.numberOf(n))
    value[i] = vals.numberOf(n.meta.val)
    exact[i] = labels(call * RADIX + value[i]!)
  }
  return { operator, value, exact }
}

/** Greater than the number of nodes of a graph; the product of two label numbers stays exact. */
const RADIX = 2 ** 26

/** Assigns one number to equal keys, from 0. */
function numbering<T extends string | number = string>(): (key: T) => number {
  const numbers = new Map<T, number>()
  return (key) => {
    let found = numbers.get(key)
    if (found === undefined) numbers.set(key, (found = numbers.size))
    return found
  }
}

/** Assigns one number to equal items, from 0. */
class Classes<T> {
  private readonly byHash = new Map<number, number[]>()
  /** A representative of each class. */
  private readonly models: T[] = []

  constructor(
    private readonly hash: (item: T) => number,
    private readonly same: (a: T, b: T) => boolean,
  ) {}

  numberOf(item: T): number {
    const hash = this.hash(item)
    const found = this.byHash.get(hash)
    if (found) for (let i = 0; i < found.length; i++) if (this.same(this.models[found[i]!]!, item)) return found[i]!
    const number = this.models.length
    this.models.push(item)
    if (found) found.push(number)
    else this.byHash.set(hash, [number])
    return number
  }
}

const mixed = (hash: number, n: number): number => Math.imul(hash ^ n, 0x01000193)

function hashOfVal(val: Val | undefined | null): number {
  if (!val) return 0
  if (val.kind !== 'tensor') return 1
  const { dtype, shape } = val
  let hash = mixed(dtype.length, dtype.charCodeAt(dtype.length - 1))
  for (let i = 0; i < shape.length; i++) {
    const dim = shape[i]!
    hash = mixed(hash, typeof dim === 'number' ? dim : -1)
  }
  return hash
}

function sameVal(a: Val | undefined | null, b: Val | undefined | null): boolean {
  if (a === b) return true
  if (!a || !b) return !a && !b
  if (a.kind === 'tensor' && b.kind === 'tensor')
    return a.dtype === b.dtype && a.shape.length === b.shape.length && sameShape(a.shape, b.shape)
  if (a.kind !== 'vals' || b.kind !== 'vals') return valText(a) === valText(b)
  if (a.items.length !== b.items.length) return false
  for (let i = 0; i < a.items.length; i++) if (!sameVal(a.items[i], b.items[i])) return false
  return true
}

function sameShape(a: readonly (number | string)[], b: readonly (number | string)[]): boolean {
  for (let i = 0; i < a.length; i++) {
    if (a[i] === b[i]) continue
    return typeof a[i] === 'string' && typeof b[i] === 'string' && shapeText(a) === shapeText(b)
  }
  return true
}

function hashOfConstants(n: Node): number {
  if (!isCall(n)) return 0
  const { args, kwargs } = n
  let hash = 1
  for (let i = 0; i < args.length; i++) hash = mixed(hash, hashOf(args[i]!))
  if (kwargs.size > 0) for (const v of kwargs.values()) hash = mixed(hash, hashOf(v))
  return hash
}

function hashOf(a: Arg): number {
  if (a === null) return 2
  switch (typeof a) {
    // Digits in strings are ignored.
    case 'string':
      return 3
    case 'number':
    case 'bigint':
      return mixed(4, Number(a))
    case 'boolean':
      return a ? 5 : 6
  }
  if (a instanceof Node) return 7
  if (!Array.isArray(a)) return 'kind' in a ? a.kind.length + 8 : 8
  const items = a as readonly Arg[]
  let hash = 9
  for (let i = 0; i < items.length; i++) hash = mixed(hash, hashOf(items[i]!))
  return hash
}

function sameConstants(a: Node, b: Node): boolean {
  if (!isCall(a) || !isCall(b)) return !isCall(a) && !isCall(b)
  if (a.args.length !== b.args.length || a.kwargs.size !== b.kwargs.size) return false
  for (let i = 0; i < a.args.length; i++) if (!same(a.args[i]!, b.args[i]!)) return false
  if (a.kwargs.size === 0) return true
  const others = b.kwargs.entries()
  for (const [key, value] of a.kwargs) {
    const [otherKey, other] = others.next().value!
    if (key !== otherKey || !same(value, other)) return false
  }
  return true
}

/** True if two arguments print alike with all nodes treated as equal. */
function same(a: Arg, b: Arg): boolean {
  if (a === b || (a instanceof Node && b instanceof Node)) return true
  if (typeof a === 'bigint' && typeof b === 'bigint') return false
  if (!Array.isArray(a) || !Array.isArray(b)) return constant(a) === constant(b)
  const items = a as readonly Arg[]
  const others = b as readonly Arg[]
  if (items.length !== others.length) return false
  for (let i = 0; i < items.length; i++) if (!same(items[i]!, others[i]!)) return false
  return true
}
