/**
 * Calls that have no kernel of their own, as the operators of ATen that PyTorch runs for them: functions of torch, methods of
 * tensors (`x.to(dtype)`), and operators that decompose (`aten.hardtanh`).
 */
import { isGetitem, isOverload, Node, operatorBehind, type Arg, type Graph } from '../../fx'
import { findKernel } from '../../gpu/device/registry'
import type { RunBody } from '../../gpu/types'
import { PythonError } from '../../matcher'
import { itemsOf } from '../../ops/fake'
import { TorchError } from '../../trace/types'
import { callOf, inlined, type RunNodes } from './traced_call'

export class LoweredCalls {
  /** By call: its operators of ATen; null where PyTorch runs the call itself, or it cannot be traced. */
  private readonly known = new Map<string, Graph | null>()
  /** Results of nodes without a type, as nodes of the lowered graphs: a replacement's graph has no types. */
  private readonly made = new WeakMap<Node, Arg>()

  /** @param lower throws PythonError or TorchError */
  constructor(private readonly lower: (call: Graph) => Graph) {}

  of(node: Node, run: RunNodes): { body: RunBody } | null {
    if (!node.meta.val) this.takeItem(node)
    if (!this.isLowered(node)) return null
    const call = callOf(node, node.target, null, (arg) => this.valueOf(arg))
    if ('untraced' in call) return null
    const key = `${node.op} ${node.target} ${call.key}`
    let graph = this.known.get(key)
    if (graph === undefined) this.known.set(key, (graph = this.lowered(call.graph)))
    if (!graph) return null
    if (!node.meta.val) this.made.set(node, graph.output()?.args[0] ?? null)
    const [first, ...more] = [...graph.nodes()].filter((n) => n.op === 'call_function')
    return more.length === 0 && first?.target === operatorBehind(node.target) ? null : inlined(node, call, graph, run)
  }

  private lowered(call: Graph): Graph | null {
    try {
      const graph = this.lower(call)
      return [...graph.nodes()].some((n) => n.op === 'get_attr') ? null : graph
    } catch (e) {
      if (e instanceof PythonError || e instanceof TorchError) return null
      throw e
    }
  }

  /** The argument with its type, or the literal that it is. */
  private valueOf(arg: Node): Arg {
    return this.made.get(arg) ?? arg
  }

  /** An item of a call with several results has the type of that result. */
  private takeItem(node: Node): void {
    const [list, index] = node.args
    const items = isGetitem(node) && list instanceof Node ? itemsOf(this.made.get(list)) : null
    const item = typeof index === 'number' ? items?.[index] : undefined
    if (item !== undefined) this.made.set(node, item as Arg)
  }

  /** True for a call of PyTorch without a kernel, and for any whose result has no type. */
  private isLowered(node: Node): boolean {
    if (node.op === 'call_method') return true
    if (node.op !== 'call_function') return false
    const target = operatorBehind(node.target)
    if (isOverload(target)) return /^(?:aten|prims)\./.test(target) && (!node.meta.val || !findKernel(target))
    // Python's operators also compute sizes, and take items of tuples.
    if (/^_?operator\./.test(target)) return node.inputs().some((n) => isTensor(this.valueOf(n)))
    return /^(?:torch|aten|builtins)\./.test(target)
  }
}

const isTensor = (value: Arg): boolean => value instanceof Node && value.meta.val?.kind === 'tensor'
