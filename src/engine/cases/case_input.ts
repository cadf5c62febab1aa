/** The input of a recorded case: the user's patterns, and the graph with the metadata that its dump omits. */
import type { TorchVersion } from '../../base/torch_version'
import { mergeShapes, read, type ConstantValues, type Graph } from '../../fx'
import { restoreStrings } from '../../ops/schema/string_arguments'
import { roundHalfEven } from '../../ops/kernels/math'
import type { PythonEnvironment, PythonFile } from '../../python/types'
import { DEFAULT_ENVIRONMENT } from '../../workspace/types'
import type { TypedShapes } from '../shapes/typed_shapes'

/** One line of a cases file. */
export interface CaseInput {
  id: string
  pattern_py: string
  /** The patterns as several files, run in order, instead of `pattern_py`. */
  files?: readonly PythonFile[]
  /** `print(graph)`. */
  graph: string
  /** The same graph as print_readable, for dtypes, shapes, strides and devices. */
  readable?: string
  /** Shapes of nodes that the dump leaves out, as print_readable annotates: `{"arg0_1": "bf16[48, 256]"}`. */
  shapes?: TypedShapes
  /** node.meta["custom"] by node name. */
  custom_meta?: Record<string, Record<string, unknown>>
  /** Values of get_attr tensors by target, as torch prints them: `tensor(3.)`. */
  get_attr_values?: Record<string, string>
  /** Names of the stages to apply, in order; absent: every defined one. */
  passes?: string[]
  /** The simulated environment. */
  environment?: PythonEnvironment
  /** Values of symbolic sizes, which a graph's text does not contain: `{"s72": 1024}`. */
  symbols?: Record<string, number>
  /** The PyTorch version of the case, `2.6`; absent: the environment's version, or the newest. */
  torch?: TorchVersion
}

/** The environment of a case, with the PyTorch version and the hints that the case names. */
export function environmentOf({ environment, torch, symbols }: CaseInput): PythonEnvironment | undefined {
  if (!torch && !symbols) return environment
  const { flags, ...others } = environment ?? DEFAULT_ENVIRONMENT
  return { ...others, flags: { ...symbols, ...flags }, ...(torch && { torch }) }
}

/** Builds the case's graph with all the metadata that the case contains. */
export function readCase(input: CaseInput): Graph {
  const { graph } = read(input.graph, `${input.id}.graph.txt`)
  if (input.readable) mergeShapes(graph, read(input.readable, `${input.id}.readable.txt`).graph)
  restoreStrings(graph)
  for (const node of graph.nodes()) {
    const custom = input.custom_meta?.[node.name]
    if (custom) node.meta.custom = custom
    const value = node.op === 'get_attr' ? input.get_attr_values?.[node.target] : undefined
    if (value !== undefined) node.meta.constant = parseTensor(value)
  }
  return graph
}

/** Binary digits of a float's mantissa. */
const DIGITS: Readonly<Record<string, number>> = { float32: 24, float16: 11, bfloat16: 8 }

/** Rounds a float to its dtype: `1.0000e-05` in print becomes 9.999999747378752e-06. */
function roundTo(x: number, dtype: string): number {
  const digits = DIGITS[dtype]
  if (digits === undefined || x === 0 || !Number.isFinite(x)) return x
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(x))) + 1 - digits)
  return roundHalfEven(x / unit) * unit
}

/** The values in `tensor([[1., 2.], [3., 4.]], dtype=…)`, or in the print of a Parameter. */
export function parseTensor(text: string): ConstantValues {
  const dtype = /dtype=torch\.(\w+)/.exec(text)?.[1] ?? 'float32'
  const body = text.replace(/^(?:Parameter containing:\n)?tensor\(/, '').replace(/\)$/, '')
  const end = body.startsWith('[') ? body.lastIndexOf(']') + 1 : body.search(/,|$/)
  const json = body
    .slice(0, end)
    .replace(/True/g, 'true')
    .replace(/False/g, 'false')
    .replace(/(\d)\.(?!\d)/g, '$1.0')
    .replace(/-?\b(?:inf|nan)\b/g, '"$&"')
  // Integers print without a point.
  const whole = !/\d\.|\de|inf|nan/.test(json)
  return JSON.parse(json, (_, v: unknown) => {
    if (typeof v === 'string') return v === 'nan' ? NaN : v === 'inf' ? Infinity : -Infinity
    if (typeof v !== 'number') return v
    return whole ? BigInt(v) : roundTo(v, dtype)
  }) as ConstantValues
}
