/**
 * Scales programs down: a weight of 4096 × 14336 takes the reference device seconds, and a fraction of it shows the same
 * differences.
 */
import { contiguousStrides, isContiguous } from '../../ops/strides'
import { mapLeaves } from '../../gpu/lower/lower_inputs'
import { denseLike } from '../../gpu/lower/lower_values'
import type { Dim, TensorMeta } from '../../fx'
import type { RunNode, RunProgram, RunPrograms, RunValue } from '../../gpu/types'
import { withValues } from '../programs/program'

/**
 * Sizes of at least this number are divided. Smaller sizes count heads, groups or rows, for which kernels expect a certain number.
 */
const LARGE = 512
/** Minimum quotient of a divided size. */
const LEAST = 64

export interface ScaledPrograms {
  programs: RunPrograms
  /** The divisor of large sizes. */
  by: number
}

/**
 * Divides all large sizes by one power of two until each input has at most `most` elements; null if the inputs are small
 * enough, or if the sizes have no such divisor. Numbers among the arguments that equal a size are divided with it.
 */
export function scaledPrograms(programs: RunPrograms, most: number): ScaledPrograms | null {
  const metas = [programs.unfused, programs.fused].flatMap((p) =>
    [...p.inputs, ...eachNode(p.nodes)].flatMap((n) => n.meta ?? []),
  )
  const inputs = [...programs.unfused.inputs, ...programs.fused.inputs].map((i) => i.meta)
  if (!inputs.every(isDense) || elements(inputs, 1) <= most) return null
  const large = new Set(metas.flatMap((m) => m.shape.filter((d): d is number => typeof d === 'number' && d >= LARGE)))
  if ([programs.unfused, programs.fused].some((p) => [...eachNode(p.nodes)].some((n) => holdsFraction(n, large))))
    return null
  let by = 1
  while (elements(inputs, by) > most && [...large].every((d) => d % (2 * by) === 0 && d / (2 * by) >= LEAST)) by *= 2
  if (by === 1) return null
  const size = (d: number): number => (large.has(d) ? d / by : d)
  return { by, programs: { ...programs, unfused: scaled(programs.unfused, size), fused: scaled(programs.fused, size) } }
}

/** The largest number of elements of an input with its large sizes divided. A symbolic size is one row. */
const elements = (inputs: readonly TensorMeta[], by: number): number =>
  Math.max(
    1,
    ...inputs.map(({ shape }) =>
      shape.reduce<number>((n, d) => n * (typeof d === 'number' ? (d >= LARGE ? d / by : d) : 1), 1),
    ),
  )

/** True for an argument computed from a size, such as 1 / 4096 or its square root. */
function holdsFraction({ args, kwargs }: RunNode, large: ReadonlySet<number>): boolean {
  const isNear = (n: number): boolean => large.has(Math.round(n)) && Math.abs(n - Math.round(n)) < 1e-4 * n
  const holds = (v: RunValue): boolean =>
    typeof v === 'number'
      ? !Number.isInteger(v) && [1 / v, v * v, 1 / (v * v)].some(isNear)
      : typeof v === 'object' && v !== null && 'list' in v && v.list.some(holds)
  return [...args, ...Object.values(kwargs)].some(holds)
}

function* eachNode(nodes: readonly RunNode[]): Generator<RunNode> {
  for (const n of nodes) {
    yield n
    if (n.body) yield* eachNode(n.body.nodes)
  }
}

function scaled(program: RunProgram, size: (d: number) => number): RunProgram {
  const value = (v: RunValue): RunValue => mapLeaves(v, (leaf) => (typeof leaf === 'number' ? size(leaf) : leaf))
  const meta = (m: TensorMeta): TensorMeta => {
    const shape = m.shape.map((d) => (typeof d === 'number' ? size(d) : d))
    return { ...m, shape, stride: strideOf(m, shape) }
  }
  const node = (n: RunNode): RunNode => ({
    ...n,
    meta: n.meta && meta(n.meta),
    ...(n.body && { body: { ...n.body, nodes: n.body.nodes.map(node) } }),
  })
  return {
    inputs: program.inputs.map((i) => ({ ...i, meta: meta(i.meta) })),
    nodes: program.nodes.map((n) => withValues(node(n), value)),
    outputs: program.outputs,
  }
}

const isNumbers = (dims: readonly Dim[]): dims is readonly number[] => dims.every((d) => typeof d === 'number')

/** True if contiguous in some order of its dimensions. */
function isDense(meta: TensorMeta): boolean {
  const { shape, stride } = meta
  if (stride === null || isContiguous(meta)) return true
  return isNumbers(shape) && isNumbers(stride) && String(denseLike(stride, shape)) === String(stride)
}

/** Strides for another shape in the same dimension order; null, meaning contiguous, if no order is known. */
function strideOf(meta: TensorMeta, shape: readonly Dim[]): readonly Dim[] | null {
  if (meta.stride === null || !isDense(meta)) return null
  if (isContiguous(meta)) return contiguousStrides(shape)
  return denseLike(meta.stride as readonly number[], shape as readonly number[])
}
