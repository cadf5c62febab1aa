/** Shapes given beside a graph: `{"arg0_1": "bf16[48, 256]"}`, from the table of inputs or `--shapes FILE.json`. */
import {
  formatVal,
  namedDevice,
  readTypedVal,
  type Device,
  type Graph,
  type Node,
  type Problem,
  type Val,
} from '../../fx'
import { listed } from '../../base/english'
import { err, ok, type Result } from '../../base/result'

/** Annotations by node name, as print_readable writes them. */
export type TypedShapes = Readonly<Record<string, string>>

/** The text of a shapes file. The problem names the line and the key. */
export function parseShapesFile(text: string, file: string): Result<TypedShapes> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (e) {
    const at = Number(/position (\d+)/.exec(String(e))?.[1] ?? 0)
    return err({ file, ...position(text, at), message: `this is not valid JSON; ${EXPECTED}.`, expected: EXPECTED })
  }
  const wrong = wrongType(value)
  if (wrong === null) return ok(value as TypedShapes)
  return err({ file, ...placeOf(text, wrong.key), message: wrong.message, expected: EXPECTED })
}

const EXPECTED = 'expected an object of shapes by node name, {"arg0_1": "bf16[48, 256]"}'

/** The first value that is not a map of texts. */
export function wrongType(value: unknown): { key: string | null; message: string } | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { key: null, message: `this is not an object; ${EXPECTED}.` }
  for (const [key, v] of Object.entries(value))
    if (typeof v !== 'string') return { key, message: `"${key}" is not a text; expected "bf16[48, 256]".` }
  return null
}

/** A shape that cannot be used: an unknown node, a text that is not a shape, or a contradiction to the graph's text. */
export interface WrongShape {
  name: string
  message: string
}

/** Sets `meta.val` of the named nodes. Nodes with an invalid shape stay unchanged. */
export function applyTyped(graph: Graph, shapes: TypedShapes): WrongShape[] {
  const names = Object.entries(shapes)
  if (names.length === 0) return []
  const byName = new Map([...graph.nodes()].map((n) => [n.name, n]))
  const device = namedDevice(graph)?.device ?? null
  const wrong: WrongShape[] = []
  for (const [name, text] of names) {
    const message = applyOne(graph, byName.get(name), { name, text }, device)
    if (message !== null) wrong.push({ name, message })
  }
  return wrong
}

function applyOne(
  graph: Graph,
  node: Node | undefined,
  { name, text }: { name: string; text: string },
  device: Device | null,
): string | null {
  if (!node) return `"${name}": the graph has no node of this name; its inputs are ${listed(inputNames(graph))}.`
  const read = readTypedVal(text)
  if ('wrong' in read) return `"${name}": "${text}" ${read.wrong}.`
  const { val } = read
  const known = node.meta.val
  if (known) return agrees(known, val) ? null : `"${name}": the graph’s text gives ${formatVal(known)}, not "${text}".`
  node.meta.val = val.kind === 'tensor' && !val.device && device ? { ...val, device } : val
  return null
}

/** Problems of a file of shapes, at the line of each key. */
export const shapeProblems = (wrong: readonly WrongShape[], text: string, file: string): Problem[] =>
  wrong.map(({ name, message }) => ({ file, ...placeOf(text, name), message }))

const inputNames = (graph: Graph): string[] =>
  [...graph.nodes()].filter((n) => n.op === 'placeholder' || n.op === 'get_attr').map((n) => n.name)

/** Strides and device are compared only if both sides have them. */
function agrees(known: Val, typed: Val): boolean {
  if (known.kind !== 'tensor' || typed.kind !== 'tensor') return formatVal(known) === formatVal(typed)
  const format = {
    stride: known.stride !== null && typed.stride !== null,
    device: Boolean(known.device && typed.device),
  }
  return formatVal(known, format) === formatVal(typed, format)
}

const placeOf = (text: string, key: string | null): { line: number; column: number } =>
  position(text, key === null ? 0 : Math.max(0, text.indexOf(JSON.stringify(key))))

function position(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return { line, column: at - before.lastIndexOf('\n') }
}
