/** The inputs that a minifier repro (`repro.py`, `fx_graph_runnable.py`) or output code creates, for a graph without shapes. */
import { count } from '../../base/english'
import type { Graph } from '../graph/graph'
import { device, type Device, type TensorMeta } from '../value'
import type { Problems } from './scan'

/**
 * `buf0 = reader.storage('7f38', 512, device=device(type='cuda', index=0), dtype_hint=torch.bfloat16)`: all but the first two
 * arguments may be absent.
 */
const STORAGE = /^\s*(\w+) = reader\.storage\((.{0,300})\)\s*$/
const DEVICE = /\bdevice=device\(type='(\w+)'(?:, index=(\d+))?\)/
/** `reader.tensor(buf0, (8, 4), (4, 1), dtype=torch.bfloat16, is_leaf=True)  # arg0_1`. */
const TENSOR = /^\s*reader\.tensor\((\w+), \(([\d, ]*)\)(?:, \(([\d, ]*)\))?((?:, \w+=[\w.]+)*)\)\s*# (\w+)\s*$/
const DTYPE = /\bdtype=torch\.(\w+)/
/** `arg0_1 = rand_strided((8, 4), (4, 1), device='cuda:0', dtype=torch.float32)`. */
const STRIDED = /^\s*(\w+) = rand_strided\(\(([\d, ]*)\), \(([\d, ]*)\), device='([\w:]+)', dtype=torch\.(\w+)\)/

/**
 * Gives inputs without shapes the tensors that the program below the graph creates under their names.
 * @param below the text between the graph and the next one
 */
export function readReproInputs(graph: Graph, below: string, line: number, problems: Problems): void {
  if (!makesTensors(below)) return
  const made = tensorsIn(below)
  const inputs = [...graph.nodes()].filter((n) => n.op === 'placeholder' && !n.meta.val && made.has(n.name))
  for (const input of inputs) input.meta.val = made.get(input.name)!
  if (inputs.length > 0)
    problems.note(
      line,
      `The shapes of ${count(inputs.length, 'input')} are those of the tensors that this program makes.`,
    )
}

const makesTensors = (text: string): boolean => text.includes('reader.tensor(') || text.includes('rand_strided(')

/** The lines below a graph that create its inputs, as one function; empty if there are none. */
export function reproInputs(below: string): string {
  if (!makesTensors(below)) return ''
  const lines = below.split('\n').filter((l) => [STORAGE, TENSOR, STRIDED].some((form) => form.test(l)))
  return lines.length === 0 ? '' : ['', 'def load_args(reader):', ...lines.map((l) => `    ${l.trim()}`), ''].join('\n')
}

function tensorsIn(source: string): ReadonlyMap<string, TensorMeta> {
  const devices = new Map<string, Device>()
  const made = new Map<string, TensorMeta>()
  for (const line of source.split('\n')) {
    const storage = STORAGE.exec(line)
    if (storage) {
      const [, type = 'cpu', index] = DEVICE.exec(storage[2]!) ?? []
      devices.set(storage[1]!, deviceOf(type, index))
    }
    const [, from, shape, stride, others = '', name] = TENSOR.exec(line) ?? []
    if (from !== undefined && shape !== undefined && name !== undefined)
      made.set(name, tensor(shape, stride, DTYPE.exec(others)?.[1] ?? 'float32', devices.get(from) ?? deviceOf('cpu')))
    const strided = STRIDED.exec(line)
    if (strided) {
      const [type = '', index] = strided[4]!.split(':')
      made.set(strided[1]!, tensor(strided[2]!, strided[3], strided[5]!, deviceOf(type, index)))
    }
  }
  return made
}

const deviceOf = (type: string, index?: string): Device => device(type, index === undefined ? null : Number(index))

function tensor(shape: string, stride: string | undefined, dtype: string, on: Device): TensorMeta {
  const sizes = numbers(shape)
  const strides =
    stride === undefined ? sizes.map((_, i) => sizes.slice(i + 1).reduce((a, b) => a * b, 1)) : numbers(stride)
  return { kind: 'tensor', dtype, shape: sizes, stride: strides, device: on }
}

const numbers = (text: string): number[] => text.split(',').flatMap((t) => (t.trim() === '' ? [] : [Number(t)]))
