/** Input sizes of a registration: defaults and user input. */
import type { EntryReport, PassReport, Report } from '../../../engine/protocol'

export interface Argument {
  name: string
  dtype: string
  /** Shape of the example input. */
  shape: number[]
}

/** The tensor arguments of a registration's search function. */
export function argumentsOf(entry: EntryReport): Argument[] {
  return entry.pattern.nodes.flatMap((n) => {
    const shape = n.op === 'placeholder' ? numbersOf(n.shape) : null
    return shape && n.dtype ? [{ name: n.name, dtype: n.dtype, shape }] : []
  })
}

/** `[4, 512]` as numbers; null if a size is symbolic or the text has no shape. */
function numbersOf(shape: string | null): number[] | null {
  if (shape === null) return null
  const items = shape
    .replace(/[[\]\s]/g, '')
    .split(',')
    .filter(Boolean)
  const numbers = items.map(Number)
  return numbers.every((n) => Number.isInteger(n) && n >= 0) ? numbers : null
}

export const TOKENS = 16
const WIDE = 1024

/**
 * Shapes at which a registration can run: those of a similar match in the graph, else the example's with all widths
 * scaled up together. Examples are often too small for the operators' own rules (a group of 128 columns).
 */
export function defaultShapes(report: Report, pass: PassReport, entry: EntryReport): Record<string, number[]> {
  const args = argumentsOf(entry)
  return ofMatch(report, pass, entry, args) ?? enlarged(args)
}

/** The default shapes, with some replaced by argument name; `input` also names the placeholder `input_1`. */
export function shapesOf(
  report: Report,
  pass: PassReport,
  entry: EntryReport,
  given: Readonly<Record<string, number[]>>,
): Record<string, number[]> {
  const shapes = defaultShapes(report, pass, entry)
  for (const { name } of argumentsOf(entry)) {
    const own = given[name] ?? given[name.replace(/_\d+$/, '')]
    if (own) shapes[name] = own
  }
  return shapes
}

function ofMatch(
  report: Report,
  pass: PassReport,
  entry: EntryReport,
  args: readonly Argument[],
): Record<string, number[]> | null {
  const nodes = new Map(report.graph.nodes.map((n) => [n.name, n]))
  for (const match of pass.matches) {
    // Equal names have equal meanings only within a class of patterns.
    if (pass.entries[match.entry]?.title !== entry.title) continue
    const found = args.map((a) => [a, nodes.get(inputOf(match.inputs, a.name) ?? '')] as const)
    const shapes = found.map(([a, n]) => (n && n.dtype === a.dtype ? numbersOf(n.shape) : null))
    if (shapes.every((s, i) => s !== null && s.length === args[i]!.shape.length))
      return Object.fromEntries(args.map((a, i) => [a.name, shapes[i]!]))
  }
  return null
}

/** FX calls the placeholder of an argument whose name is taken (`input`) `input_1`. */
const inputOf = (inputs: Readonly<Record<string, string>>, placeholder: string): string | undefined =>
  inputs[placeholder] ?? inputs[placeholder.replace(/_\d+$/, '')]

function enlarged(args: readonly Argument[]): Record<string, number[]> {
  const activations = args.filter((a) => a.shape.length >= 2 && /^(bf16|f16|f32)$/.test(a.dtype))
  const tokens = activations.find((a) => a.shape[0]! > 1)?.shape[0]
  const widest = Math.max(1, ...activations.flatMap((a) => a.shape.slice(1)))
  const factor = widest >= WIDE / 4 ? 1 : 2 ** Math.ceil(Math.log2(WIDE / 2 / widest))
  return Object.fromEntries(
    args.map((a) => [
      a.name,
      a.shape.map((n, d) => (n <= 1 ? n : d === 0 && a.shape.length >= 2 && n === tokens ? TOKENS : n * factor)),
    ]),
  )
}

/** Parses `4, 512` or `4x512` as a shape; null if it is invalid or has another rank. */
export function parseShape(text: string, rank: number): number[] | null {
  const items = text
    .replace(/[[\]]/g, '')
    .trim()
    .split(/\s*[,x×*]\s*|\s+/)
    .filter(Boolean)
  const numbers = items.map(Number)
  return numbers.length === rank && numbers.every((n) => Number.isInteger(n) && n > 0 && n <= 2 ** 31) ? numbers : null
}

type Shapes = Readonly<Record<string, readonly number[]>>

/** The token count of shapes: the first size of the first tensor of two or more dimensions, else of one. */
export function tokensOf(shapes: Shapes): number {
  const long = Object.values(shapes).filter((s) => s.length > 0 && s[0]! > 1)
  return (long.find((s) => s.length >= 2) ?? long[0])?.[0] ?? TOKENS
}

/**
 * The same shapes for another token count: all inputs whose first size is the token count get it. A one-dimensional input gets it
 * only if no width is that large, because it may be a weight for that width.
 */
export function withTokens(shapes: Shapes, tokens: number): Record<string, number[]> {
  const own = tokensOf(shapes)
  const least = Object.values(shapes).some((s) => s.slice(1).includes(own)) ? 2 : 1
  return Object.fromEntries(
    Object.entries(shapes).map(([k, s]) => [k, s.length >= least && s[0] === own ? [tokens, ...s.slice(1)] : [...s]]),
  )
}
