/**
 * What computes a call that has no kernel: the Python body of a user-defined operator (torch.library.custom_op, impl), or the
 * operators that PyTorch runs for the call.
 */
import { wrappedOperator, type Graph, type Node, type SourceRef } from '../../fx'
import type { RunBody } from '../../gpu/types'
import { PythonError } from '../../matcher'
import { TorchError, type SchemaFacts } from '../../trace/types'
import { LoweredCalls } from './lowered_calls'
import { callOf, inlined, type RunNodes, type TracedCall } from './traced_call'

/** The operators that the files of a run define in Python. */
export interface BodySource {
  /** The definition site of the function that computes a target; undefined without one. */
  place(target: string): SourceRef | undefined
  schemaOf(target: string): SchemaFacts | null | undefined
  /**
   * @param call one call of the operator, with its arguments as placeholders
   * @throws PythonError or TorchError
   */
  trace(call: Graph): Graph
  /**
   * @param call a graph of one call of a function of torch, a method or an operator of ATen
   * @returns the operators of ATen that PyTorch runs for it
   * @throws PythonError or TorchError
   */
  lower(call: Graph): Graph
}

/** A traced body, or the reason why there is none. */
type Traced = { graph: Graph } | { untraced: string }

export class OperatorBodies {
  private readonly calls: LoweredCalls

  /** By function and call. */
  private readonly traced = new Map<string, Traced>()

  constructor(private readonly source: BodySource) {
    this.calls = new LoweredCalls((call) => source.lower(call))
  }

  /** The nodes that compute a call; null for a call that a kernel computes, or that is unknown. */
  of(node: Node, run: RunNodes): { body: RunBody } | { untraced: string } | null {
    const target = wrappedOperator(node) ?? node.target
    const place = this.source.place(target)
    if (!place) return this.calls.of(node, run)
    const call = callOf(node, target, this.source.schemaOf(target) ?? null)
    if ('untraced' in call) return call
    const found = this.trace(call, place)
    return 'untraced' in found ? found : inlined(node, call, found.graph, run)
  }

  private trace({ graph, key }: TracedCall, place: SourceRef): Traced {
    const id = `${place.file}:${place.line} ${key}`
    let found = this.traced.get(id)
    if (!found) this.traced.set(id, (found = this.traceNow(graph, place)))
    return found
  }

  private traceNow(call: Graph, { file, line }: SourceRef): Traced {
    try {
      const graph = this.source.trace(call)
      const constant = [...graph.nodes()].find((n) => n.op === 'get_attr')
      if (constant) return { untraced: `its body at ${file}:${line} creates a constant tensor` }
      return { graph }
    } catch (e) {
      if (!(e instanceof PythonError || e instanceof TorchError)) throw e
      const at = e instanceof PythonError ? e.frames.at(-1) : undefined
      const where = `${at?.file ?? file}:${at?.line ?? line}`
      return { untraced: `its body cannot be traced at ${where}: ${e.pythonType}: ${e.message.split('\n')[0]!}` }
    }
  }
}
