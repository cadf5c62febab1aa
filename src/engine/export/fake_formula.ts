/**
 * Derives the fake implementation of an operator from calls with known outputs: each output size is an argument's size, a multiple
 * or a part of one, an int argument or a constant, whichever holds for every call.
 */
import { type Dim, type DType, type TensorMeta, isKind } from '../../fx'
import type { Code } from '../../fx/code/code'
import { dtypeCode } from '../../fx/code/values'
import { isTensor, type CallValue } from './operator_calls'

export interface KnownCall {
  args: ReadonlyMap<string, CallValue>
  outs: readonly TensorMeta[]
}

/**
 * @param calls their argument names are Python identifiers
 * @returns a Python expression over the argument names; null if no formula holds for every call
 */
export function fakeExpression(calls: readonly KnownCall[]): Code | null {
  const [first] = calls
  if (!first) return null
  const outs: string[] = []
  for (let i = 0; i < first.outs.length; i++) {
    const of = calls.map(({ args, outs: all }) => ({ args, out: all[i] }))
    if (of.some(({ out }) => !out)) return null
    const text = outputExpression(of as Sample[])
    if (text === null) return null
    outs.push(text)
  }
  // Names of arguments and dtypes, and ints: see the functions below.
  return (outs.length === 1 ? outs[0]! : `(${outs.join(', ')})`) as Code
}

interface Sample {
  args: ReadonlyMap<string, CallValue>
  out: TensorMeta
}

function outputExpression(samples: readonly Sample[]): string | null {
  const tensors = [...samples[0]!.args.keys()].filter((k) => samples.every((s) => isTensor(s.args.get(k))))
  const shape = shapeExpression(samples, tensors)
  const dtype = dtypeExpression(samples, tensors)
  if (shape === null || dtype === null) return null
  const device = tensors[0] === undefined ? '' : `, device=${tensors[0]}.device`
  return `torch.empty(${shape}, dtype=${dtype}${device})`
}

const tensorOf = (s: Sample, name: string): TensorMeta => s.args.get(name) as TensorMeta

function shapeExpression(samples: readonly Sample[], tensors: readonly string[]): string | null {
  const like = tensors.find((k) => samples.every((s) => sameShape(s.out.shape, tensorOf(s, k).shape)))
  if (like !== undefined) return `${like}.shape`
  const leading = tensors.find((k) =>
    samples.every(({ out, args }) => {
      const { shape } = args.get(k) as TensorMeta
      return shape.length > 0 && sameShape(out.shape.slice(0, -1), shape.slice(0, -1))
    }),
  )
  if (leading !== undefined) {
    const last = dimExpression(samples, tensors, 1, (s) => s.out.shape.at(-1))
    if (last !== null) return `(*${leading}.shape[:-1], ${last})`
  }
  const rank = samples[0]!.out.shape.length
  if (samples.some((s) => s.out.shape.length !== rank)) return null
  const dims = Array.from({ length: rank }, (_, d) => dimExpression(samples, tensors, rank - d, (s) => s.out.shape[d]))
  return dims.includes(null) ? null : `(${dims.map((d) => `${d}, `).join('')})`.replace(', )', rank === 1 ? ',)' : ')')
}

/**
 * @param fromEnd position of the size in the output, from 1 for the last; sizes at the same position are tried first
 * @param wanted the size that the expression must equal in each sample
 */
function dimExpression(
  samples: readonly Sample[],
  tensors: readonly string[],
  fromEnd: number,
  wanted: (s: Sample) => Dim | undefined,
): string | null {
  const sizes = sizeReaders(samples, tensors)
  for (const { text, read } of sizes) if (samples.every((s) => same(read(s), wanted(s)))) return text
  const near = [...sizes.filter((r) => r.fromEnd === fromEnd), ...sizes.filter((r) => r.fromEnd !== fromEnd)]
  for (const a of near)
    for (const b of sizes.filter((r) => r.fromEnd === null))
      if (a !== b && samples.every((s) => isQuotient(wanted(s), a.read(s), b.read(s)))) return `${a.text} // ${b.text}`
  for (const { text, read } of near) {
    const factor = ratio(samples, read, wanted)
    if (factor) return `${text} ${factor}`
  }
  const constant = wanted(samples[0]!)
  return typeof constant === 'number' && Number.isSafeInteger(constant) && samples.every((s) => wanted(s) === constant)
    ? String(constant)
    : null
}

interface SizeReader {
  text: string
  /** Position from the end of a tensor's shape; null for an int argument. */
  fromEnd: number | null
  read(s: Sample): Dim | undefined
}

/** Sizes of tensor arguments, from the front and the back, and int arguments. */
function sizeReaders(samples: readonly Sample[], tensors: readonly string[]): SizeReader[] {
  const ranks = new Map(tensors.map((k) => [k, Math.min(...samples.map((s) => tensorOf(s, k).shape.length))]))
  const steady = (k: string): boolean => samples.every((s) => tensorOf(s, k).shape.length === ranks.get(k))
  const sizes = tensors.flatMap((k): SizeReader[] =>
    Array.from({ length: ranks.get(k)! }, (_, i) => {
      const at = steady(k) ? i : i - ranks.get(k)!
      return { text: `${k}.shape[${at}]`, fromEnd: ranks.get(k)! - i, read: (s) => tensorOf(s, k).shape.at(at) }
    }),
  )
  const ints = [...samples[0]!.args.keys()].filter((k) => samples.every((s) => typeof s.args.get(k) === 'bigint'))
  return [...sizes, ...ints.map((k): SizeReader => ({ text: k, fromEnd: null, read: (s) => Number(s.args.get(k)) }))]
}

/** `* 2` or `// 2` that turns one size into the other in every sample. */
function ratio(samples: readonly Sample[], read: SizeReader['read'], wanted: SizeReader['read']): string | null {
  const pairs = samples.map((s) => [read(s), wanted(s)] as const)
  const numbers = pairs.filter((p): p is readonly [number, number] => p.every((d) => typeof d === 'number'))
  const [first] = numbers
  if (numbers.length < pairs.length || !first) return null
  const [from, to] = first
  if (from > 0 && to % from === 0 && pairs.every(([a, b]) => Number(a) * (to / from) === b)) return `* ${to / from}`
  if (to > 0 && from % to === 0 && pairs.every(([a, b]) => Number(a) / (from / to) === b)) return `// ${from / to}`
  return null
}

const isQuotient = (wanted: Dim | undefined, a: Dim | undefined, b: Dim | undefined): boolean =>
  typeof wanted === 'number' && typeof a === 'number' && typeof b === 'number' && b > 1 && Math.floor(a / b) === wanted

function dtypeExpression(samples: readonly Sample[], tensors: readonly string[]): string | null {
  const named = [...samples[0]!.args.keys()].find((k) =>
    samples.every((s) => isDtype(s.args.get(k)) && (s.args.get(k) as DType).name === s.out.dtype),
  )
  if (named !== undefined) return named
  const like = tensors.find((k) => samples.every((s) => tensorOf(s, k).dtype === s.out.dtype))
  const [{ out }] = samples as [Sample]
  const constant = samples.every((s) => s.out.dtype === out.dtype)
  // If all calls have one dtype, the dtype of a float argument of 16 bits or more is a likelier rule than a constant.
  if (like !== undefined) return `${like}.dtype`
  return constant ? dtypeCode(out.dtype) : null
}

const isDtype = (v: CallValue): v is DType => isKind(v, 'dtype')

const same = (a: Dim | undefined, b: Dim | undefined): boolean => a !== undefined && String(a) === String(b)
const sameShape = (a: readonly Dim[], b: readonly Dim[]): boolean =>
  a.length === b.length && a.every((d, i) => same(d, b[i]))
