/** Compares Fusescope's traces of single operator calls with PyTorch's recordings (conformance/record_traces.py). */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { device, dtype, memoryFormat, printGraph, type Val } from '../fx'
import { DTYPE_ABBR, dtypeFromAbbr } from '../fx/dtypes'
import { itemsOf, type DispatchArg } from '../ops/fake'
import { TorchError } from '../ops/torch_error'
import { createTracer } from './tracer'

type Json = null | boolean | number | string | Json[] | { [k: string]: Json }
interface Case {
  inputs: string[]
  calls: [string, Json[], Record<string, Json>][]
  out?: Json
  graph?: string
  vals?: Record<string, Json>
  error?: string
}

const cases = readFileSync(new URL('../../conformance/traces.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)

/** A short name stands for the function of torch, whose bindings add a device and pin_memory. */
const FACTORIES =
  /^aten\.(empty|zeros|ones|full|arange|rand|randn|randint|randperm|eye|linspace|empty_strided|scalar_tensor)$/

/** torch.var and its like: which overload torch's parser chooses (torch/_calls.py does this for Python). */
function chosen(target: string, args: readonly Json[], kwargs: Record<string, Json>): string {
  if (!/^aten\.(var|std)(_mean)?$/.test(target)) return target
  const plain = args.length === 1 && !('dim' in kwargs) && !('unbiased' in kwargs)
  return `${target}.${'correction' in kwargs || plain ? 'correction' : 'dim'}`
}

function optionsOf(target: string, kwargs: Record<string, Json>): [string, DispatchArg][] {
  if (!FACTORIES.test(target)) return []
  return [...(kwargs['device'] ? [] : ([['device', device('cpu')]] as [string, DispatchArg][])), ['pin_memory', false]]
}

function parseTensor(text: string): Val {
  const m = /^(\w+)\[([\d,]*)\](?:\(([\d,]*)\))?$/.exec(text)!
  const ints = (s: string): number[] => s.split(',').filter(Boolean).map(Number)
  return {
    kind: 'tensor',
    dtype: dtypeFromAbbr(m[1]!)!,
    shape: ints(m[2]!),
    stride: m[3] === undefined ? null : ints(m[3]),
    device: device('cpu'),
  }
}

function value(x: Json, values: readonly DispatchArg[]): DispatchArg {
  if (typeof x === 'string') {
    const m = /^\$(\d+)(?:\.(\d+))?$/.exec(x)
    if (!m) return x
    const v = values[Number(m[1])]!
    if (m[2] === undefined) return v
    const item = itemsOf(v)![Number(m[2])]
    if (item === undefined) throw new TorchError('IndexError', 'tuple index out of range')
    return item
  }
  if (typeof x === 'number') return x > 2 ** 53 ? 2n ** 63n - 1n : BigInt(x)
  if (Array.isArray(x)) return x.map((y) => value(y, values))
  if (typeof x !== 'object' || x === null) return x
  const [[k, v]] = Object.entries(x) as [[string, Json]]
  if (k === 'f') return v === '-inf' ? -Infinity : Number(v)
  return k === 'dtype' ? dtype(v as string) : k === 'device' ? device(v as string) : memoryFormat(v as string)
}

function valText(v: Val | undefined | null): Json {
  if (v?.kind === 'vals') return v.items.map(valText)
  if (v?.kind !== 'tensor') return null
  return `${DTYPE_ABBR[v.dtype]}[${v.shape.join()}](${v.stride!.join()}${v.stride!.length === 1 ? ',' : ''})`
}

function run(c: Case): { graph: string; vals: Record<string, Json> } {
  const t = createTracer()
  const names = c.inputs.map((_, i) => String.fromCharCode(97 + i))
  const values: DispatchArg[] = t.begin(c.inputs.map((text, i) => ({ name: names[i]!, val: parseTensor(text) })))
  for (const [target, args, kwargs] of c.calls)
    values.push(
      t.call(
        chosen(target, args, kwargs),
        args.map((a) => value(a, values)),
        new Map([
          ...optionsOf(target, kwargs),
          ...Object.entries(kwargs).map(([k, v]) => [k, value(v, values)] as const),
        ]),
      ),
    )
  const graph = t.end(value(c.out ?? `$${values.length - 1}`, values))
  const vals: Record<string, Json> = {}
  for (const n of graph.nodes()) if (n.meta.val) vals[n.name] = valText(n.meta.val)
  return { graph: printGraph(graph), vals }
}

const title = (c: Case): string => `${c.inputs.join(' ')} ${JSON.stringify(c.calls).slice(1, -1)}`
/** `RuntimeError: …`, the first line, as recorded. */
function raised(fn: () => unknown): string {
  try {
    fn()
  } catch (e) {
    if (e instanceof TorchError) return `${e.pythonType}: ${e.message}`.split('\n')[0]!.slice(0, 300)
    throw e
  }
  return 'nothing'
}

describe('M1: single calls trace as in PyTorch', () => {
  for (const c of cases) {
    test(title(c), () => {
      if (c.error !== undefined) {
        expect(raised(() => run(c))).toBe(c.error)
        return
      }
      const got = run(c)
      expect(got.graph).toBe(c.graph)
      expect(got.vals).toEqual(c.vals)
    })
  }
})
