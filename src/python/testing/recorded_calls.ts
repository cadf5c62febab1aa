/** Replays recorded calls (conformance/record_python_calls.py) and reports differences. */
import { device, printGraph, sym, type Dim, type Val } from '../../fx'
import { DTYPE_ABBR, dtypeFromAbbr } from '../../fx/dtypes'
import { PythonError, type CallableId } from '../../matcher/types'
import { TorchError } from '../../trace/types'
import type { Started } from './start'

export type Json = null | string | Json[]
export interface Call {
  inputs: string[]
  py: string[]
  /** The symbol of the dynamic size, or the symbols of several. */
  symbol?: string
  symbols?: string[]
  graph?: string
  vals?: Record<string, Json>
  error?: string
}

function parseTensor(text: string): Val {
  const m = /^(\w+)\[([^\]]*)\](?:\(([^)]*)\))?$/.exec(text)!
  const dims = (s: string): Dim[] => (s === '' ? [] : s.split(',')).map((d) => (/^\d+$/.test(d) ? Number(d) : d))
  const shape = dims(m[2]!)
  return {
    kind: 'tensor',
    dtype: dtypeFromAbbr(m[1]!)!,
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
  const text = `${DTYPE_ABBR[v.dtype] ?? `torch.${v.dtype}`}[${v.shape.join()}](${v.stride!.join()}${v.stride!.length === 1 ? ',' : ''})`
  return text.replaceAll(' ', '')
}

/** Defines each call's function in Python, and returns their numbers. */
export function define(py: Started, calls: readonly Call[]): CallableId[] {
  const functions = calls.map((c, i) => `def fn${i}(${names(c).join(', ')}):\n  ${c.py.join('\n  ')}\n`)
  const text = `import math
import operator
import torch
import torch.nn.functional as F
from _fusescope import callables
aten, prims = torch.ops.aten, torch.ops.prims
${functions.join('')}
print("[%s]" % ",".join(str(callables.number(f)) for f in [${calls.map((_, i) => `fn${i}`).join(', ')}]))`
  const run = py.run([{ name: 'calls.py', text }])
  if (run.failure) throw new Error(run.failure.traceback)
  return JSON.parse(run.console[0]!.text) as CallableId[]
}

const names = (c: Call): string[] => c.inputs.map((_, k) => String.fromCharCode(97 + k))
const symbolsOf = (c: Call): string[] => c.symbols ?? (c.symbol ? [c.symbol] : [])

/** The traced call, in the recording's form; `error` is shortened by firstWords. */
export function traced(py: Started, c: Call, fn: CallableId): Pick<Call, 'graph' | 'vals' | 'error'> {
  const inputs = c.inputs.map(parseTensor)
  const lead = symbolsOf(c).map((s): Val => ({ kind: 'scalar', value: sym(s) }))
  try {
    const graph = py.host.trace(fn, [...lead.map((_, i) => `s${i}`), ...names(c)], [...lead, ...inputs], {
      leadingSyms: lead.length,
    })
    const vals: Record<string, Json> = {}
    for (const n of graph.nodes()) if (n.meta.val) vals[n.name] = valText(n.meta.val)
    return comparable(c, { graph: printGraph(graph), vals })
  } catch (e) {
    if (e instanceof PythonError || e instanceof TorchError)
      return { error: firstWords(`${e.pythonType}: ${e.message}`) }
    throw e
  }
}

/** The recorded call, in the same form. */
export const recorded = (c: Call): Pick<Call, 'graph' | 'vals' | 'error'> =>
  c.error === undefined ? comparable(c, c) : { error: firstWords(c.error) }

/**
 * With a dynamic size, PyTorch's decompositions produce arithmetic that dead-code elimination removes, which shifts the
 * numbers of names (`mul_3`): nodes are then compared by order.
 */
function comparable(c: Call, { graph, vals }: Pick<Call, 'graph' | 'vals'>): Pick<Call, 'graph' | 'vals'> {
  if (!c.inputs.some((text) => /\[[^\]]*s\d/.test(text))) return { graph: graph!, vals: vals! }
  const order = new Map<string, string>()
  for (const [, name] of graph!.matchAll(/^ +%(\w+) :/gm)) order.set(name!, `n${order.size}`)
  const rename = (name: string): string => order.get(name) ?? name
  return {
    graph: graph!.replace(/%(\w+)|(?<=return .*)\b(\w+)/g, (text, a?: string, b?: string) =>
      order.has((a ?? b)!) ? rename((a ?? b)!) : text,
    ),
    vals: Object.fromEntries(Object.entries(vals!).map(([k, v]) => [rename(k), v])),
  }
}

/** `RuntimeError: its first four words`; Fusescope's own messages in full. */
const firstWords = (error: string): string =>
  error.includes('Fusescope') ? error : error.split('\n')[0]!.split(' ').slice(0, 5).join(' ')
