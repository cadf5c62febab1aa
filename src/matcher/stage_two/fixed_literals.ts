/**
 * Stage two of a match whose shapes the graph lacks: the float literals of the search function that follow from no shape
 * and no dtype are exact whatever the shapes are, so that eps 1e-5 against 1e-6 is a mismatch and no open question.
 */
import { orElse } from '../../base/or_else'
import { Node, type Arg, type Graph, type TensorMeta, type Val } from '../../fx'
import { contiguousStrides } from '../../ops/strides'
import { mulDims } from '../../ops/sym'
import { TorchError } from '../../trace/types'
import { PythonError } from '../types'
import type { ReplacementEntry } from '../entry'
import { fxToPattern } from '../fx_to_pattern'
import type { LiveHost } from '../host'
import { initialTraceArgs } from '../registration/example_inputs'
import { stageOneOptions } from '../registration/stage_one'
import { alignNodes } from './align'
import type { FixedLiterals } from './trace_cache'

/**
 * Null if the trace has none. A literal counts as fixed if a second trace has it too, whose inputs have twice the sizes
 * and other float dtypes.
 */
export function fixedLiteralsOf(entry: ReplacementEntry, host: LiveHost): FixedLiterals | null {
  const { registration, searchGraph, givenPattern, traces } = entry
  if (givenPattern || !searchGraph) return null
  if (traces.fixedLiterals !== undefined) return traces.fixedLiterals
  const args = initialTraceArgs(registration)
  const exactFloats = new Set<Node>()
  if ([...searchGraph.nodes()].some(hasFloats)) {
    const other = orElse(
      () => host.trace(registration.search, registration.argNames, args.map(unlike)),
      null,
      PythonError,
      TorchError,
    )
    if (other) for (const node of equalFloats(other, searchGraph)) exactFloats.add(node)
  }
  return (traces.fixedLiterals =
    exactFloats.size === 0
      ? null
      : {
          nodes: exactFloats,
          pattern: fxToPattern(searchGraph, { ...stageOneOptions(registration, args, entry.rules), exactFloats }),
        })
}

/** Relations between sizes and between dtypes stay, so that most functions still trace. */
const OTHER_DTYPE: Readonly<Record<string, string>> = {
  float32: 'float64',
  float64: 'float32',
  bfloat16: 'float16',
  float16: 'bfloat16',
}

function unlike(val: Val): Val {
  if (val.kind === 'vals') return { ...val, items: val.items.map((v) => v && unlike(v)) }
  return val.kind === 'tensor' ? unlikeTensor(val) : val
}

function unlikeTensor(t: TensorMeta): TensorMeta {
  const shape = t.shape.map((d) => (d === 1 ? d : mulDims(d, 2)))
  return { ...t, dtype: OTHER_DTYPE[t.dtype] ?? t.dtype, shape, stride: contiguousStrides(shape) }
}

function* equalFloats(other: Graph, initial: Graph): Generator<Node> {
  const nodes = [...initial.nodes()]
  const counterparts = alignNodes(other, initial)
  let index = 0
  for (const node of other.nodes()) {
    const counterpart = nodes[counterparts[index++] ?? -1]
    if (!counterpart || !hasFloats(counterpart)) continue
    const [a, b] = [floatsOf(node), floatsOf(counterpart)]
    if (a.length === b.length && a.every((x, i) => Object.is(x, b[i]))) yield counterpart
  }
}

const hasFloats = (node: Node): boolean => node.op === 'call_function' && floatsOf(node).length > 0

function floatsOf(node: Node): number[] {
  const floats: number[] = []
  const visit = (arg: Arg): void => {
    if (typeof arg === 'number') floats.push(arg)
    else if (Array.isArray(arg)) arg.forEach(visit)
  }
  node.args.forEach(visit)
  for (const arg of node.kwargs.values()) visit(arg)
  return floats
}
