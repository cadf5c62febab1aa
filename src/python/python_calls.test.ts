/**
 * Python as people write it, through Pyodide and the tracer, beside what PyTorch recorded for the same lines
 * (conformance/record_python_calls.py): the graph's text, each value's dtype, shape and strides, errors by class and
 * first words.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { device, printGraph, sym, type Dim, type Val } from '../fx'
import { PythonError, type CallableId } from '../matcher/types'
import { TorchError } from '../trace/types'
import { start, type Started } from './testing/start'

type Json = null | string | Json[]
interface Case {
  inputs: string[]
  py: string[]
  symbol?: string
  graph?: string
  vals?: Record<string, Json>
  error?: string
}

const LONG: Record<string, string> = {
  f32: 'float32',
  f64: 'float64',
  bf16: 'bfloat16',
  f16: 'float16',
  i64: 'int64',
  i32: 'int32',
  i16: 'int16',
  i8: 'int8',
  u8: 'uint8',
  b8: 'bool',
  f8e4m3fn: 'float8_e4m3fn',
  f8e5m2: 'float8_e5m2',
  c64: 'complex64',
}
const SHORT = Object.fromEntries(Object.entries(LONG).map(([k, v]) => [v, k]))
const cases = readFileSync(new URL('../../conformance/python_calls.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)

const title = (c: Case): string => `${c.inputs.join(' ')} | ${c.py.join(' ;; ').replace('return ', '')}`

/** Not as PyTorch has them yet, by title. */
const DIFFERENT = new Set<string>([
  'f32[4] | torch.diag_embed(a)',
  'f32[4,8] f32[5,6] f32[7,8,6] f32[7] | F.bilinear(a[:, :8], b[:4, :6].expand(4, 6), c, d)',
  "f32[4,8] f32[4,8] | F.kl_div(a, b, reduction='batchmean')",
  'f32[4,8] f32[6,8] | torch.cdist(a, b)',
  'c64[4,4] | a.conj() * a',
  'f32[4,8] f32[4,8] | torch.isclose(a, b)',
  'f32[4,4] | torch.linalg.inv(a)',
  'f32[4,8] f32[4,8] | torch.cross(a[:, :3], b[:, :3], dim=-1)',
  'f32[4,8] | a.renorm(2, 0, 1.0)',
  'f32[4,8] | torch.fft.fft(a)',
  "f32[4,8] | torch.meshgrid(a[0], a[:, 0], indexing='ij')",
  'f32[4,8] | torch.nn.functional.gumbel_softmax(a)',
  'f32[4,8] | torch.block_diag(a, a)',
  'f32[4,8] f32[4,8] | torch.add(a, b, out=a)',
  'f32[4,8] | torch.bmm(a, a)',
  'f32[4,8] f8e4m3fn[4,8] | a + b',
  'f32[s69,8] | a * a.numel()',
  'f32[8,s69] | d = a.shape[-1] // 2 ;; F.silu(a[..., :d]) * a[..., d:]',
  'f32[s69,8] | torch.stack([a, a])',
  'f32[2,s69,8] | a.permute(1, 0, 2).reshape(-1, 8)',
  'f32[s69,8](16,1) | a.reshape(-1)',
  'f32[s69,8] | a.roll(1, 0)',
])

let py: Started
let callables: CallableId[] = []

beforeAll(async () => {
  py = await start()
  const functions = cases.map((c, i) => {
    const names = c.inputs.map((_, k) => String.fromCharCode(97 + k))
    return `def fn${i}(${names.join(', ')}):\n  ${c.py.join('\n  ')}\n`
  })
  const text = `import torch
import torch.nn.functional as F
from _fusescope import callables
${functions.join('')}
print([callables.number(f) for f in [${cases.map((_, i) => `fn${i}`).join(', ')}]])`
  const run = py.run([{ name: 'calls.py', text }])
  if (run.failure) throw new Error(run.failure.traceback)
  callables = JSON.parse(run.console[0]!.text) as CallableId[]
}, 60_000)

function parseTensor(text: string): Val {
  const m = /^(\w+)\[([^\]]*)\](?:\(([^)]*)\))?$/.exec(text)!
  const dims = (s: string): Dim[] => s.split(',').map((d) => (/^\d+$/.test(d) ? Number(d) : d))
  const shape = m[2] === '' ? [] : dims(m[2]!)
  return {
    kind: 'tensor',
    dtype: LONG[m[1]!]!,
    shape,
    stride: m[3] === undefined ? null : dims(m[3]),
    device: device('cpu'),
  }
}

function valText(v: Val | undefined | null): Json {
  if (v?.kind === 'vals') return v.items.map(valText)
  if (v?.kind === 'scalar') {
    const { value } = v
    return typeof value === 'object' && value !== null && 'expr' in value
      ? value.expr.replaceAll(' ', '')
      : String(value)
  }
  if (!v) return null
  const text = `${SHORT[v.dtype] ?? `torch.${v.dtype}`}[${v.shape.join()}](${v.stride!.join()}${v.stride!.length === 1 ? ',' : ''})`
  return text.replaceAll(' ', '')
}

function traced(index: number): { graph: string; vals: Record<string, Json> } | { error: string } {
  const c = cases[index]!
  const names = c.inputs.map((_, k) => String.fromCharCode(97 + k))
  const inputs = c.inputs.map(parseTensor)
  const lead: Val[] = c.symbol ? [{ kind: 'scalar', value: sym(c.symbol) }] : []
  try {
    const graph = py.host.trace(
      callables[index]!,
      [...lead.map(() => 's'), ...names],
      [...lead, ...inputs],
      lead.length,
    )
    const vals: Record<string, Json> = {}
    for (const n of graph.nodes()) if (n.meta.val) vals[n.name] = valText(n.meta.val)
    return { graph: printGraph(graph), vals }
  } catch (e) {
    if (e instanceof PythonError || e instanceof TorchError) return { error: `${e.pythonType}: ${e.message}` }
    throw e
  }
}

/**
 * With a dynamic size PyTorch's decompositions leave arithmetic behind that dead-code elimination takes away, and the
 * names count on from it (`mul_3`): nodes are compared by their order there.
 */
function inOrder(graph: string): string {
  const names = new Map<string, string>()
  for (const [, name] of graph.matchAll(/^ +%(\w+) :/gm)) names.set(name!, `n${names.size}`)
  return graph.replace(/%(\w+)|(?<=return .*)\b(\w+)/g, (text, a?: string, b?: string) => names.get((a ?? b)!) ?? text)
}
const values = (vals: Record<string, Json>, c: Case): unknown => (c.symbol ? Object.values(vals) : vals)

/** `RuntimeError: the first four words of it`. */
const firstWords = (error: string): string => error.split('\n')[0]!.split(' ').slice(0, 5).join(' ')

test.each(cases.map((c, i): [string, number] => [title(c), i]).filter(([name]) => !DIFFERENT.has(name)))(
  '%s',
  (_, i) => {
    const c = cases[i]!
    const got = traced(i)
    if (c.error !== undefined) {
      expect('error' in got ? firstWords(got.error) : got.graph).toBe(firstWords(c.error))
      return
    }
    const text = c.symbol ? inOrder : (graph: string) => graph
    expect('error' in got ? got.error : text(got.graph)).toBe(text(c.graph!))
    expect('vals' in got && values(got.vals, c)).toEqual(values(c.vals!, c))
  },
)
