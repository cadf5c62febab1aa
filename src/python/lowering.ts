/**
 * Lowers a graph to the operators that a traced pattern contains: runs its calls on fake tensors while the tracer records, as
 * make_fx with Inductor's decompositions records a function.
 */
import { operatorBehind, type Graph, type Node, type Val } from '../fx'
import { argumentValues } from '../trace/argument_values'
import { calledBy } from '../trace/propagate'
import { isPythons } from '../trace/python_calls'
import { TorchError, type DispatchArg, type PythonCall, type TraceInput, type Tracer } from '../trace/types'
import type { Channel } from './channel'
import { isTensorCall } from '../ops/calls/torch_calls'
import type { SharedValues } from './values'

type CallArgs = [args: readonly DispatchArg[], kwargs: ReadonlyMap<string, DispatchArg>]

export class Lowering {
  constructor(
    private readonly tracer: Tracer,
    private readonly values: SharedValues,
    private readonly channel: Channel,
  ) {}

  /**
   * @returns the lowered graph. Attributes of the module become placeholders, as AOTAutograd lifts them.
   * @param bodies true traces the Python bodies of user operators instead of recording the calls
   * @throws TorchError NotImplementedError for a call whose code is not in the graph; PythonError for what a call raises
   */
  run(graph: Graph, bodies = false): Graph {
    const inputs = [...graph.nodes()].filter((n) => n.op === 'placeholder' || n.op === 'get_attr')
    const fakes = this.tracer.begin(inputs.map((node, i) => inputOf(node, `arg${i}`)))
    const values = new Map<Node, DispatchArg>(inputs.map((node, i) => [node, fakes[i]!]))
    let output: DispatchArg = null
    try {
      for (const node of graph.nodes()) {
        if (values.has(node)) continue
        const [args, kwargs] = argumentValues(node, values)
        if (node.op === 'output') output = args[0] ?? null
        else values.set(node, bodies ? this.callBody(node, args, kwargs) : this.call(node, args, kwargs))
      }
    } catch (e) {
      this.tracer.abort()
      throw e
    }
    return this.tracer.end(output)
  }

  private call(node: Node, args: DispatchArg[], kwargs: Map<string, DispatchArg>): DispatchArg {
    if (node.op === 'call_module')
      throw unavailable(node, `the module self.${node.target}, whose code is not in the graph`)
    if (operatorBehind(node.target).startsWith('python:'))
      throw unavailable(node, `${node.target.slice('python:'.length)}, whose code is not in the graph`)
    this.tracer.at(node.meta.source)
    const name = calledBy(node)
    if (!isPythons(name, [...args, ...kwargs.values()])) return this.tracer.call(name, args, kwargs, node.meta.source)
    return this.callTorch(name, args, kwargs)
  }

  private callBody(node: Node, args: DispatchArg[], kwargs: Map<string, DispatchArg>): DispatchArg {
    this.tracer.at(node.meta.source)
    return this.inPython('call_body', node.target, args, kwargs)
  }

  /** Calls a function of torch, or a method of the first argument (`.split`). */
  readonly callTorch: PythonCall = (target, args, kwargs) => {
    if (!isTensorCall(target, args, kwargs))
      throw new TorchError('NotImplementedError', `${target} is no function of PyTorch that computes tensors`)
    return this.inPython('call_torch', target, args, kwargs)
  }

  private inPython(kind: 'call_torch' | 'call_body', target: string, ...[args, kwargs]: CallArgs): DispatchArg {
    return this.values.decode(
      this.channel.call(
        kind,
        target,
        args.map((a) => this.values.encode(a)),
        [...kwargs].map(([name, value]) => [name, this.values.encode(value)]),
      ),
    )
  }
}

/** Placeholders get the names that make_fx gives the inputs of a GraphModule: arg0_1, arg1_1, … */
function inputOf(node: Node, name: string): TraceInput {
  const val: Val | null | undefined = node.meta.val
  if (!val) throw new TorchError('RuntimeError', `the graph does not contain the shape of ${node.name}`)
  return { name, val }
}

const unavailable = (node: Node, what: string): TorchError =>
  new TorchError('NotImplementedError', `${node.name} calls ${what}`)
