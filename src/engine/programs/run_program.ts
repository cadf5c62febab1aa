/** Programs of a registration's two sides over inputs of given sizes, and of two whole graphs. */
import { isCall, isKind, type Graph, type TensorMeta, type Val } from '../../fx'
import { Node, type Arg } from '../../fx'
import { withRanks } from '../../gpu/run/ranks'
import type { RunProgram, RunPrograms } from '../../gpu/types'
import type { OperatorBodies } from './operator_bodies'
import { programOf } from './program'
import { tensorOf } from '../report/views'

/**
 * The two functions of a registration, traced over the same inputs.
 * @throws Error, one plain sentence, if they return different numbers of tensors
 */
export function variantPrograms(
  title: string,
  search: Graph,
  replacement: Graph,
  bodies: OperatorBodies | null = null,
): RunPrograms {
  const [unfused, fused] = [search, replacement].map((g) => wholeProgram(g, outputsOf(g), bodies)) as [
    RunProgram,
    RunProgram,
  ]
  if (unfused.outputs.length !== fused.outputs.length)
    throw new Error(
      `The search function of ${title} returns ${unfused.outputs.length} tensors, its replacement ${fused.outputs.length}.`,
    )
  return withRanks({ title, unfused, fused })
}

/** @throws Error, one plain sentence, if a graph has no shapes or no outputs to compare */
export function graphPrograms(
  title: string,
  before: Graph,
  after: Graph,
  bodies: OperatorBodies | null = null,
): RunPrograms {
  for (const node of before.nodes())
    if (node.op === 'placeholder' && node.users.size > 0 && node.meta.val === undefined)
      throw new Error(
        `The input ${node.name} of the graph has no shape. Provide the print_readable form, or the shapes in a second text.`,
      )
  const outputs = [before, after].map(outputsOf) as [string[], string[]]
  if (outputs[0].length === 0) throw new Error('The graph returns no tensor, so there is nothing to compare.')
  return withRanks({
    title,
    unfused: wholeProgram(before, outputs[0], bodies),
    fused: wholeProgram(after, outputs[1], bodies),
  })
}

/**
 * The example inputs of a registration with other shapes, by argument name; the items of a list use the list's name.
 */
export function withShapes(
  argNames: readonly string[],
  inputs: readonly Val[],
  shapes: Readonly<Record<string, readonly number[]>>,
): Val[] {
  return inputs.map((val, i) => {
    const shape = shapes[argNames[i] ?? '']
    return shape && val.kind === 'tensor' ? resized(val, shape) : val
  })
}

/**
 * Shapes by argument, given by argument or by placeholder of the pattern: FX names the placeholder of `input`
 * `input_1`, because the name is taken.
 */
export function byArgument(
  entry: { pattern: { nodes: readonly { op: string; name: string }[] } },
  argNames: readonly string[],
  shapes: Readonly<Record<string, number[]>>,
): Record<string, number[]> {
  const placeholders = entry.pattern.nodes.filter((n) => n.op === 'placeholder').map((n) => n.name)
  const found: Record<string, number[]> = {}
  argNames.forEach((name, i) => {
    const shape = shapes[placeholders[i] ?? name] ?? shapes[name]
    if (shape) found[name] = shape
  })
  return found
}

/** Dense strides in the dimension order of the example: a transposed example stays transposed. */
function resized(meta: TensorMeta, shape: readonly number[]): TensorMeta {
  const old = meta.stride ?? []
  const own = (d: number): number => (typeof old[d] === 'number' ? old[d] : 0)
  const keep = old.length === shape.length
  const order = shape.map((_, d) => d).sort((a, b) => (keep ? own(b) - own(a) : 0) || a - b)
  const stride = new Array<number>(shape.length)
  let step = 1
  for (const d of order.reverse()) {
    stride[d] = step
    step *= Math.max(1, shape[d]!)
  }
  return { ...meta, shape: [...shape], stride }
}

function wholeProgram(graph: Graph, outputs: readonly string[], bodies: OperatorBodies | null): RunProgram {
  const body = new Set<string>()
  for (const node of graph.nodes()) if (isCall(node)) body.add(node.name)
  return programOf(graph, body, outputs, bodies)
}

/** Tensors that the graph returns, in order. */
function outputsOf(graph: Graph): string[] {
  const names: string[] = []
  const visit = (arg: Arg | undefined): void => {
    if (arg instanceof Node) {
      if (arg.meta.val === undefined || tensorOf(arg.meta.val)) names.push(arg.name)
    } else if (Array.isArray(arg)) (arg as readonly Arg[]).forEach(visit)
    else if (isKind(arg, 'tuple')) arg.items.forEach(visit)
  }
  visit(graph.output()?.args[0])
  return names
}
