/**
 * Recomputes a node's metadata from its inputs' metadata by the rules of tracing: for one node, what PyTorch's
 * FakeTensorUpdater.incremental_update (torch/_inductor/fx_utils.py) does for a graph.
 */
import {
  formatRepr,
  isOverload,
  mapArgs,
  Node,
  type Arg,
  type Val,
  isGetitem,
  wrappedOperator,
  isFunctionalized,
} from '../../fx'
import { isFake, isSym, isTuple, itemsOf, visitFakes, type DispatchArg } from '../../ops/fake'
import { PythonError } from '../../matcher'
import { argumentValues } from '../../trace/argument_values'
import { TorchError, type Tracer } from '../../trace/types'
import type { Arguments } from './changes'

export type Recomputed =
  /** `shares`: inputs that share storage with the result, as indices into the node's distinct inputs. */
  | { val: Val; shares: readonly number[] }
  /** The operator rejects these inputs. */
  | { raised: string }

/** Metadata of an input. */
export type ValOf = (node: Node) => Val | null | undefined

export class Recompute {
  /** By operator and the metadata of all arguments: repeated layers reuse one result. */
  private readonly known = new Map<string, Recomputed | null>()

  constructor(private readonly tracer: Tracer) {}

  /** Null if there is no rule, or an input has no metadata. */
  of(node: Node, [args, kwargs]: Arguments, valOf: ValOf): Recomputed | null {
    if (node.op !== 'call_function') return null
    if (isGetitem(node)) return itemOf(args, valOf)
    if (!this.hasSchema(node)) return null
    const inputs = new Map<Node, Val>()
    const parts: string[] = [node.target]
    let unknown = false
    // Nodes by their position among the inputs: `add(x, x)` is a different call from `add(x, y)`.
    const numbered = (n: Node): Arg => {
      if (!inputs.has(n)) {
        const val = valOf(n)
        if (!val) unknown = true
        else {
          inputs.set(n, val)
          parts.push(valKey(val))
        }
      }
      return `\0${[...inputs.keys()].indexOf(n)}`
    }
    const [a, k] = mapArgs(args, kwargs, numbered)
    if (unknown) return null
    parts.push(formatRepr(a), ...[...k].map(([name, v]) => `${name}=${formatRepr(v)}`))
    const key = parts.join('\n')
    let found = this.known.get(key)
    if (found === undefined) this.known.set(key, (found = this.run(node.target, [args, kwargs], inputs)))
    return found
  }

  private hasSchema(node: Node): boolean {
    const operator = isFunctionalized(node) ? wrappedOperator(node) : node.target
    return operator !== null && isOverload(operator) && this.tracer.schemaOf(operator) !== null
  }

  private run(target: string, [args, kwargs]: Arguments, inputs: ReadonlyMap<Node, Val>): Recomputed | null {
    const fakes = new Map<Node, DispatchArg>()
    const storages = new Map<number, number>()
    for (const [n, val] of inputs) {
      const fake = this.toFake(val)
      visitFakes(fake, (t) => storages.set(t.storage, fakes.size))
      fakes.set(n, fake)
    }
    const [given, named] = argumentValues({ args, kwargs }, fakes)
    try {
      const out = this.tracer.call(target, given, named)
      const shares = new Set<number>()
      visitFakes(out, (t) => {
        const from = storages.get(t.storage)
        if (from !== undefined) shares.add(from)
      })
      const val = toVal(out)
      return val && { val, shares: [...shares] }
    } catch (e) {
      if (!(e instanceof TorchError || e instanceof PythonError)) throw e
      return /NotImplementedError|Unsupported|Dynamic|DataDependent/.test(e.pythonType)
        ? null
        : { raised: `${e.pythonType}: ${e.message.split('\n')[0]}` }
    }
  }

  private toFake(val: Val): DispatchArg {
    if (val.kind === 'tensor') return this.tracer.fake(val)
    if (val.kind === 'scalar') return val.value
    const items = val.items.map((v) => v && this.toFake(v))
    return val.list ? items : { kind: 'tuple', items }
  }
}

/** The item of a packed value; null unless the value is packed and the index is constant. */
function itemOf([packed, index]: readonly Arg[], valOf: ValOf): Recomputed | null {
  const val = packed instanceof Node ? valOf(packed) : null
  if (val?.kind !== 'vals' || typeof index !== 'bigint') return null
  const item = val.items.at(Number(index))
  return item ? { val: item, shares: [] } : null
}

function toVal(out: DispatchArg): Val | null {
  if (isFake(out)) return out.meta
  if (out === null || isSym(out) || typeof out === 'bigint' || typeof out === 'number' || typeof out === 'boolean')
    return { kind: 'scalar', value: out }
  const items = itemsOf(out)
  return items && { kind: 'vals', items: items.map(toVal), ...(isTuple(out) ? {} : { list: true }) }
}

const keys = new WeakMap<Val, string>()

/** Key of the metadata: equal keys mean equal metadata. */
function valKey(val: Val): string {
  let key = keys.get(val)
  if (key === undefined)
    keys.set(val, (key = JSON.stringify(val, (_, v: unknown) => (typeof v === 'bigint' ? `${v}n` : v))))
  return key
}
