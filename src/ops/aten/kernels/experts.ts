/** Operators of mixtures of experts: histc, _grouped_mm, index_put. */
import { bitsOf } from '../../dtype'
import { KernelRefusal, numel, tensorArg, type Kernel, type KernelCall, type Param } from '../../kernel'
import { broadcastIndex } from './elementwise'
import { eachKernel } from './each'
import { dimOf } from './strided'

const RESULT: Param = { name: 'result', kind: 'out' }
const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['input'] }

/** Counts of elements in `bins` equal stretches from min to max, what lies outside left out: torch.histc. */
const histc: Kernel = eachKernel({
  name: 'histc',
  params: [
    SELF,
    { name: 'bins', kind: 'attr', default: 100 },
    { name: 'min', kind: 'attr', default: 0 },
    { name: 'max', kind: 'attr', default: 0 },
    RESULT,
  ],
  outputs(call) {
    const { dtype } = tensorArg(call, 'self')
    if (Number(call.attrs['max']) <= Number(call.attrs['min']))
      throw new KernelRefusal('a range that the elements decide (min equal to max) is not handled')
    return { result: { shape: [Number(call.attrs['bins'])], dtype } }
  },
  js(call, read) {
    const [low, high, bins] = rangeOf(call)
    const { shape } = tensorArg(call, 'self')
    const x = read('self')
    const counts = new Array<number>(bins).fill(0)
    const index = shape.map(() => 0)
    for (let e = 0; e < numel(shape); e++) {
      const v = x(...index)
      if (v >= low && v <= high) counts[Math.min(Math.floor(((v - low) / (high - low)) * bins), bins - 1)]!++
      for (let d = shape.length - 1; d >= 0 && ++index[d]! === shape[d]; d--) index[d] = 0
    }
    return ([bin]) => [counts[bin!]!]
  },
  wgsl(call, at, n) {
    const [low, high, bins] = rangeOf(call)
    const { shape } = tensorArg(call, 'self')
    const number = (name: string, v: number): string => `bitcast<f32>(${n(name, bitsOf(v))})`
    const rest = shape.map((_, d) => `(r / ${numel(shape.slice(d + 1))}u) % ${shape[d]}u`)
    return `  var v_result = 0.0;
  let low = ${number('low', low)};
  let high = ${number('high', high)};
  for (var r = 0u; r < ${n('elements', numel(shape))}; r++) {
    let v = ${at('self', rest)};
    if (v >= low && v <= high && min(u32((v - low) / (high - low) * ${bins}.0), ${bins - 1}u) == i0) { v_result += 1.0; }
  }`
  },
})
const rangeOf = (call: KernelCall): [number, number, number] => [
  Number(call.attrs['min']),
  Number(call.attrs['max']),
  Number(call.attrs['bins']),
]

/**
 * out[r] = self[r] @ mat2[g], g the group of row r: `offs` holds where each group ends. Rows after the last are zeros.
 * torch.nn.functional.grouped_mm of [m, k] and [groups, k, n].
 */
const groupedMm: Kernel = eachKernel({
  name: '_grouped_mm',
  params: [
    SELF,
    { name: 'mat2', kind: 'in' },
    { name: 'offs', kind: 'in', optional: true },
    { name: 'bias', kind: 'in', optional: true },
    { name: 'out_dtype', kind: 'attr', default: null },
    RESULT,
  ],
  outputs(call) {
    const [a, b] = [tensorArg(call, 'self'), tensorArg(call, 'mat2')]
    const { shape: ends } = tensorArg(call, 'offs')
    if (call.tensors['bias']) throw new KernelRefusal('a bias is not handled')
    if (a.shape.length !== 2 || b.shape.length !== 3 || a.shape[1] !== b.shape[1] || ends[0] !== b.shape[0])
      throw new KernelRefusal(
        `only [m, k] with [groups, k, n] is handled, found [${a.shape.join(', ')}] and [${b.shape.join(', ')}] in ${ends[0]} groups`,
      )
    return { result: { shape: [a.shape[0]!, b.shape[2]!], dtype: a.dtype } }
  },
  js(call, read) {
    const [a, b, ends] = [read('self'), read('mat2'), read('offs')]
    const [groups, inner] = tensorArg(call, 'mat2').shape as [number, number]
    return ([row, col]) => {
      let group = 0
      while (group < groups && row! >= ends(group)) group++
      let sum = 0
      if (group < groups) for (let k = 0; k < inner; k++) sum += a(row!, k) * b(group, k, col!)
      return [sum]
    }
  },
  wgsl(call, at, n) {
    const [groups, inner] = tensorArg(call, 'mat2').shape as [number, number]
    return `  let groups = ${n('groups', groups)};
  var g = 0u;
  while (g < groups && f32(i0) >= ${at('offs', ['g'])}) { g++; }
  var v_result = 0.0;
  if (g < groups) {
    for (var k = 0u; k < ${n('inner', inner)}; k++) { v_result += ${at('self', ['i0', 'k'])} * ${at('mat2', ['g', 'k', 'i1'])}; }
  }`
  },
})

/**
 * self with values written (or added) where the index points along one dimension: what lowering makes of
 * aten.index_put with one index tensor. The last of several writes to one place counts.
 */
export const indexPutOne: Kernel = eachKernel({
  name: 'index_put',
  params: [
    SELF,
    { name: 'dim', kind: 'attr' },
    { name: 'index', kind: 'in' },
    { name: 'values', kind: 'in' },
    { name: 'accumulate', kind: 'attr', default: false },
    RESULT,
  ],
  outputs(call) {
    const { shape, dtype } = tensorArg(call, 'self')
    const index = tensorArg(call, 'index')
    if (index.shape.length !== 1 || !['int64', 'int32'].includes(index.dtype))
      throw new KernelRefusal(
        `only an index of one dimension is handled, found ${index.dtype}[${index.shape.join(', ')}]`,
      )
    return { result: { shape, dtype } }
  },
  js(call, read) {
    const { shape } = tensorArg(call, 'self')
    const d = dimOf(call.attrs['dim'], shape.length)
    const [x, index] = [read('self'), read('index')]
    const count = tensorArg(call, 'index').shape[0]!
    const from = tensorArg(call, 'values').shape
    const to = shape.map((n, k) => (k === d ? count : n))
    const flat = broadcastIndex(from, to)
    const values = flatReader(read('values'), from)
    return (at) => {
      let v = x(...at)
      for (let i = 0; i < count; i++) {
        const asked = index(i)
        if ((asked < 0 ? asked + shape[d]! : asked) !== at[d]) continue
        const put = values(flat(to.reduce((sum, n, k) => sum * n + (k === d ? i : at[k]!), 0)))
        v = call.attrs['accumulate'] === true ? v + put : put
      }
      return [v]
    }
  },
  wgsl(call, at, n) {
    const { shape } = tensorArg(call, 'self')
    const d = dimOf(call.attrs['dim'], shape.length)
    const values = tensorArg(call, 'values').shape
    const lead = shape.length - values.length
    const place = values.map((size, k) => (size === 1 ? '0u' : k + lead === d ? 'r' : `i${k + lead}`))
    const own = shape.map((_, k) => `i${k}`)
    return `  var v_result = ${at('self', own)};
  for (var r = 0u; r < ${n('entries', tensorArg(call, 'index').shape[0]!)}; r++) {
    let asked = i32(${at('index', ['r'])});
    if (u32(select(asked, asked + ${shape[d]}, asked < 0)) != i${d}) { continue; }
    v_result ${call.attrs['accumulate'] === true ? '+=' : '='} ${at('values', place)};
  }`
  },
})

/** Elements by their row-major number. */
function flatReader(read: (...index: number[]) => number, shape: readonly number[]): (i: number) => number {
  return (i) => {
    const index = new Array<number>(shape.length)
    for (let d = shape.length - 1; d >= 0; d--) {
      index[d] = i % shape[d]!
      i = Math.floor(i / shape[d]!)
    }
    return read(...index)
  }
}

export const EXPERTS: readonly (readonly [string, Kernel])[] = [
  ['histc', histc],
  ['_grouped_mm', groupedMm],
]
