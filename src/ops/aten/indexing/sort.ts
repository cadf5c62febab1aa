/** Sorting and selection of elements by value. */
import { encodeFn } from '../../dtype'
import { itemsOf } from '../../fake'
import {
  type Kernel,
  type KernelCall,
  KernelRefusal,
  numel,
  type Param,
  tensorArg,
  type Dispatch,
  type ReferenceMemory,
} from '../../kernel'
import { Shader, WORKGROUP } from '../../kernels/shader'
import { dimOf, names, place, reader, unravel } from '../../kernels/strided'
import { wrapDim } from '../../op_call'
import type { Traits, Kernels, Rules } from '../../operator'
import { runtimeError, UNNAMED_CHECK } from '../../torch_error'
import { elementwise } from '../elementwise/elementwise_rule'

interface Sorting {
  readonly name: string
  readonly params: readonly Param[]
  /** Number of elements kept per line; null: all. */
  keeps(call: KernelCall): number | null
  descending(call: KernelCall): boolean
  /** False: only the indices are returned. */
  readonly values: boolean
}

/** Maximum line length: every element of a line is compared with every other. */
const MAX_LINE = 8192

const kept = (spec: Sorting, call: KernelCall): { shape: readonly number[]; dim: number; size: number; k: number } => {
  const { shape } = tensorArg(call, 'self')
  const dim = dimOf(call.attrs['dim'], shape.length)
  const size = shape[dim] ?? 1
  const k = spec.keeps(call) ?? size
  if (k < 0 || k > size) throw new KernelRefusal(`selected index k out of range: ${k} of ${size}`)
  if (size > MAX_LINE)
    throw new KernelRefusal(`lines of ${size} elements are too long to be ordered here, at most ${MAX_LINE} are`)
  return { shape, dim, size, k }
}

/** Orders numbers with NaN as the largest. */
const ascending = (a: number, b: number): number =>
  Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : a - b

/** The output for the indices. */
const indicesOf = (spec: Sorting): string => (spec.values ? 'indices' : 'result')

/** The definition: a stable sort of each line. */
function sortReference(spec: Sorting, call: KernelCall, memory: ReferenceMemory): void {
  const { shape, dim, size, k } = kept(spec, call)
  const x = memory.read('self')
  const inner = numel(shape.slice(dim + 1))
  const lines = size === 0 ? 0 : x.length / size
  const values = new Float32Array(lines * k)
  const places = new Float32Array(lines * k)
  const sign = spec.descending(call) ? -1 : 1
  for (let line = 0; line < lines; line++) {
    const from = Math.floor(line / inner) * size * inner + (line % inner)
    const order = Array.from({ length: size }, (_, i) => i).sort(
      (a, b) => sign * ascending(x[from + a * inner]!, x[from + b * inner]!) || a - b,
    )
    const to = Math.floor(line / inner) * k * inner + (line % inner)
    for (let r = 0; r < k; r++) {
      values[to + r * inner] = x[from + order[r]! * inner]!
      places[to + r * inner] = order[r]!
    }
  }
  if (spec.values) memory.write('values', values)
  memory.write(indicesOf(spec), places)
}

/** One thread per element: its rank is the number of elements of its line that come before it. */
function sortPlan(spec: Sorting, call: KernelCall): Dispatch {
  const t = tensorArg(call, 'self')
  const { shape, dim, size, k } = kept(spec, call)
  const shader = new Shader(false)
  const read = reader(shader, 'self', t)
  const at = names('i', shape.length)
  const along = shape.length === 0 ? '0u' : `i${dim}`
  const own = t.stride.map((s, d) => (d === dim ? 0 : s))
  const line = place(shader, 'self', t.offset, own, at)
  const step = shader.param('step', t.stride[dim] ?? 0)
  const out = (name: string, code: string): string => {
    const view = tensorArg(call, name)
    const q = shader.scatter(name, view.dtype)
    shader.helper(encodeFn(`enc_${name}`, view.dtype, false))
    const to = at.map((a, d) => (d === dim ? 'rank' : a))
    return `put_${q.index}(${place(shader, name, view.offset, view.stride, to)}, enc_${name}(bitcast<u32>(${code})));`
  }
  // Bits of a float in the order of integers: NaN last, both zeros equal.
  shader.helper(`fn key_of(x: f32) -> u32 {
  let b = bitcast<u32>(x);
  if ((b & 0x7fffffffu) > 0x7f800000u) { return 0xffffffffu; }
  if ((b & 0x7fffffffu) == 0u) { return 0x80000000u; }
  return select(b | 0x80000000u, ~b, b >= 0x80000000u);
}`)
  const before = spec.descending(call) ? 'other > key' : 'other < key'
  return shader.print(
    spec.name,
    `  let e = group * ${WORKGROUP}u + lid;
  if (e >= ${shader.param('count', numel(shape))}) { return; }
  ${shape.length ? unravel(shader, 'i', shape, 'e') : ''}
  let line = ${line};
  let mine = ${read(`line + ${along} * ${step}`)};
  let key = key_of(mine);
  var rank = 0u;
  for (var j = 0u; j < ${shader.param('size', size)}; j++) {
    let other = key_of(${read(`line + j * ${step}`)});
    if (${before} || (other == key && j < ${along})) { rank++; }
  }
  if (rank >= ${shader.param('kept', k)}) { return; }
  ${spec.values ? out('values', 'mine') : ''}
  ${out(indicesOf(spec), `f32(${along})`)}`,
    Math.ceil(numel(shape) / WORKGROUP),
  )
}

function sorting(spec: Sorting): Kernel {
  const indices = indicesOf(spec)
  return {
    name: spec.name,
    functional: true,
    params: [
      ...spec.params,
      ...(spec.values ? [{ name: 'values', kind: 'out' } as const] : []),
      { name: indices, kind: 'out' },
    ],
    outputs(call) {
      const { shape, dim, k } = kept(spec, call)
      const made = shape.map((n, d) => (d === dim ? k : n))
      return {
        ...(spec.values && { values: { shape: made, dtype: tensorArg(call, 'self').dtype } }),
        [indices]: { shape: made, dtype: 'int64' },
      }
    },
    reference: (call, memory) => sortReference(spec, call, memory),
    plan: (call) => [sortPlan(spec, call)],
  }
}

const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['input'] }

const attr = (name: string, value: Param['default']): Param => ({ name, kind: 'attr', default: value })

const STABLE = attr('stable', null)

const DIM = attr('dim', -1)

const DESCENDING = attr('descending', false)

const all = (): null => null

const descendingAttr = (call: KernelCall): boolean => call.attrs['descending'] === true

const sort = (params: readonly Param[]): Kernel =>
  sorting({ name: 'sort', params, keeps: all, descending: descendingAttr, values: true })

const argsort = (params: readonly Param[]): Kernel =>
  sorting({ name: 'argsort', params, keeps: all, descending: descendingAttr, values: false })

const topk = sorting({
  name: 'topk',
  params: [SELF, attr('k', null), DIM, attr('largest', true), attr('sorted', true)],
  keeps: (call) => Number(call.attrs['k']),
  descending: (call) => call.attrs['largest'] !== false,
  values: true,
})

export const rules = (): Rules => ({
  'aten.topk': {
    shape: 'Values and int64 indices, with k in dimension dim.',
    meta: (c, x) => {
      const dim = wrapDim(c.int('dim', -1), x.meta.shape.length)
      const [k, size] = [c.dim('k'), x.meta.shape[dim] ?? 1]
      if (typeof k === 'number' && k < 0) throw runtimeError(UNNAMED_CHECK)
      if (typeof k === 'number' && typeof size === 'number' && k > size)
        throw runtimeError('k not in range for dimension')
      const shape = x.meta.shape.map((d, i) => (i === dim ? k : d))
      return {
        kind: 'tuple',
        items: [c.fresh(x.meta.dtype, shape, x.meta.device), c.fresh('int64', shape, x.meta.device)],
      }
    },
  },
  'aten.sort': {
    meta: (c, x) => ({ kind: 'tuple', items: [elementwise(c, [x]), elementwise(c, [x], 'default', 'int64')] }),
  },
  'aten.msort': {
    implicit: (c) => itemsOf(c.call('aten.sort.default', [c.tensor('self'), 0n]))![0],
  },
  'aten.median.default aten.nanmedian.default': {
    meta: (c) => c.fresh(c.tensor('self').meta.dtype, [], c.tensor('self').meta.device),
  },
})

export const KERNELS: Kernels = {
  'aten.sort.default': sort([SELF, DIM, DESCENDING]),
  'aten.sort.stable': sort([SELF, STABLE, DIM, DESCENDING]),
  'aten.argsort.default': argsort([SELF, DIM, DESCENDING]),
  'aten.argsort.stable': argsort([SELF, STABLE, DIM, DESCENDING]),
  'aten.topk.default': topk,
}

export const TRAITS: Traits = {
  reduction: 'topk sort',
}
