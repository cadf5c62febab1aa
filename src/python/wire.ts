/** Values between Python and the tracer as JSON; the same table is in lib/_fusescope/wire.py. */
import { contiguousStrides } from '../ops/strides'
import { isFloatSym } from '../ops/sym'
import {
  device,
  dtype,
  ELLIPSIS,
  layout,
  memoryFormat,
  Node,
  opRef,
  slice,
  sym,
  type Arg,
  type Device,
  type Dim,
  type Val,
} from '../fx'
import type { DispatchArg, FakeTensor } from '../trace/types'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Tagged = { [key: string]: Json }

/**
 * @param tensor the fake tensor with this id
 * @param node the graph node of this name; without it a node is an internal error
 */
export function decode(data: Json, tensor: (id: number) => FakeTensor, node?: (name: string) => Node): DispatchArg {
  if (data === null || typeof data === 'boolean' || typeof data === 'string') return data
  if (typeof data === 'number') return BigInt(data)
  const inner = (d: Json): DispatchArg => decode(d, tensor, node)
  if (Array.isArray(data)) return data.map(inner)
  if ('x' in data) return withGrad(tensor(data.x as number), 'g' in data)
  if ('f' in data)
    return typeof data.f === 'number'
      ? data.f
      : (FLOATS.get(String(data.f)) ?? { kind: 'opaque', text: String(data.f) })
  if ('i' in data) return BigInt(data.i as string)
  if ('t' in data)
    return { kind: 'tuple', items: (data.t as Json[]).map(inner), ...(typeof data.n === 'string' && { named: data.n }) }
  if ('d' in data)
    return { kind: 'dict', entries: new Map((data.d as [string, Json][]).map(([k, v]) => [k, inner(v)])) }
  if ('s' in data) return { ...sym(String(data.s)), ...(typeof data.r === 'number' && { result: data.r }) }
  if ('dt' in data) return dtype(String(data.dt))
  if ('dv' in data) return device(String(data.dv), typeof data.n === 'number' ? data.n : null)
  if ('ly' in data) return layout(String(data.ly))
  if ('mf' in data) return memoryFormat(String(data.mf))
  if ('sl' in data) {
    const [start, stop, step] = (data.sl as Json[]).map(inner) as Arg[]
    return slice(start!, stop!, step!)
  }
  if ('e' in data) return ELLIPSIS
  if ('c' in data) return { kind: 'complex', re: Number((data.c as Json[])[0]), im: Number((data.c as Json[])[1]) }
  if ('op' in data) return opRef(String(data.op))
  if ('node' in data && node) return node(data.node as string)
  return { kind: 'opaque', text: String(data.text), ...(typeof data.py === 'number' && { object: data.py }) }
}

/** User code may set requires_grad on an existing tensor. */
function withGrad(t: FakeTensor, requiresGrad: boolean): FakeTensor {
  if (requiresGrad && !t.meta.requiresGrad) (t as { meta: FakeTensor['meta'] }).meta = { ...t.meta, requiresGrad }
  return t
}

const FLOATS: ReadonlyMap<string, number> = new Map([
  ['inf', Infinity],
  ['-inf', -Infinity],
  ['nan', NaN],
])

/** @param node the name of a graph node (for an extra_check); without it, a node is an internal error */
export function encode(arg: DispatchArg | Arg, node?: (n: Node) => Json): Json {
  if (arg === null || typeof arg === 'boolean' || typeof arg === 'string') return arg
  if (typeof arg === 'bigint') return arg >= -(2n ** 53n) && arg <= 2n ** 53n ? Number(arg) : { i: String(arg) }
  if (typeof arg === 'number')
    return { f: Number.isFinite(arg) ? arg : Number.isNaN(arg) ? 'nan' : arg > 0 ? 'inf' : '-inf' }
  if (arg instanceof Node) {
    if (!node) throw new Error(`node ${arg.name} cannot go to Python here`)
    return node(arg)
  }
  if (Array.isArray(arg)) return (arg as readonly DispatchArg[]).map((a) => encode(a, node))
  const value = arg as Exclude<typeof arg, readonly DispatchArg[] | readonly Arg[]>
  switch (value.kind) {
    case 'fake':
      return encodeFake(value)
    case 'tuple':
      return { t: (value.items as readonly DispatchArg[]).map((a) => encode(a, node)) }
    case 'dict':
      return { d: [...(value.entries as ReadonlyMap<string, DispatchArg>)].map(([k, v]) => [k, encode(v, node)]) }
    case 'sym':
      return { s: value.expr, r: value.result ?? null, ...(isFloatSym(value) && { float: 1 }) }
    case 'dtype':
      return { dt: value.name }
    case 'device':
      return { dv: value.type, n: value.index }
    case 'layout':
      return { ly: value.name }
    case 'memory_format':
      return { mf: value.name }
    case 'slice':
      return { sl: [encode(value.start, node), encode(value.stop, node), encode(value.step, node)] }
    case 'ellipsis':
      return { e: 1 }
    case 'complex':
      return { c: [value.re, value.im] }
    case 'op':
      return { op: value.name }
    case 'opaque':
      return value.object === undefined ? { text: value.text } : { text: value.text, py: value.object }
  }
}

const CPU: Device = { kind: 'device', type: 'cpu', index: null }

/** A size, with the number of its object. */
const numbered = (d: Dim, result: number | undefined): Json =>
  typeof d === 'string' && result !== undefined ? [d, result] : d

function encodeFake(fake: FakeTensor): Tagged {
  const { dtype: name, shape, stride, device: where, requiresGrad } = fake.meta
  const at = where ?? CPU
  return {
    x: fake.id,
    m: [
      name,
      shape.map((d, i) => numbered(d, fake.sizes?.[i])),
      [...(stride ?? contiguousStrides(shape))],
      at.type,
      at.index,
      requiresGrad ?? false,
    ],
  }
}

/** node.meta['val'] for Python: a new fake tensor, a scalar or a list. */
export function encodeVal(
  val: Val | null | undefined,
  fake: (meta: Extract<Val, { kind: 'tensor' }>) => FakeTensor,
): Json {
  if (!val) return null
  if (val.kind === 'tensor') return encodeFake(fake(val))
  if (val.kind === 'scalar') return encode(val.value)
  return containerJson(
    val,
    val.items.map((v) => encodeVal(v, fake)),
  )
}

/** A Python list, tuple or dict of these items. */
export function containerJson({ list, keys }: Extract<Val, { kind: 'vals' }>, items: Json[]): Json {
  if (keys) return { d: keys.map((k, i) => [k, items[i]!]) }
  return list ? items : { t: items }
}
