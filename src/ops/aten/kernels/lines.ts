/**
 * Operators along dimensions: each line (the elements that share all other indices) is one thread's work, whatever the
 * strides. Sums are in float32 on the GPU, in float64 by definition.
 */
import { encodeFn, type DTypeName } from '../../dtype'
import { KernelRefusal, numel, tensorArg, type AttrValue, type Kernel, type KernelCall, type Param } from '../../kernel'
import { Shader, WORKGROUP } from '../../_C/shader'
import { WGSL_NAN, WGSL_ORDER } from '../../math'
import { resultDtype } from './promote'
import { dimOf, names, place, reader, unravel } from './strided'

interface LineOut {
  readonly name: string
  /** One value a line, or one an element. */
  readonly per: 'line' | 'element'
  dtype(call: KernelCall): DTypeName
}

export interface LineOp {
  readonly name: string
  readonly params: readonly Param[]
  /** Which dimensions; null: all. */
  dims(call: KernelCall): readonly number[] | null
  readonly keepdim?: (call: KernelCall) => boolean
  readonly outs: readonly LineOut[]
  /** WGSL statements: `n` elements `x(r)`; `out_NAME(r, value)` (r is 0 for one value a line). */
  wgsl(call: KernelCall): string
  /** The definition: the outputs of a line, in the order of `outs`. */
  js(x: Float64Array, call: KernelCall): (ArrayLike<number> | number)[]
  readonly refuse?: (call: KernelCall) => string | null
}

interface Layout {
  readonly along: number[]
  readonly across: number[]
}

function layoutOf(op: LineOp, call: KernelCall): Layout {
  const { shape } = tensorArg(call, 'self')
  const dims = op.dims(call)
  const chosen = dims === null ? shape.map((_, d) => d) : dims.map((d) => dimOf(d, shape.length))
  const along = shape.map((_, d) => d).filter((d) => chosen.includes(d))
  return { along, across: shape.map((_, d) => d).filter((d) => !along.includes(d)) }
}

export function lineKernel(op: LineOp): Kernel {
  return {
    name: op.name,
    functional: true,
    params: [...op.params, ...op.outs.map((o): Param => ({ name: o.name, kind: 'out' }))],
    outputs(call) {
      const no = op.refuse?.(call)
      if (no) throw new KernelRefusal(no)
      const { shape } = tensorArg(call, 'self')
      const { along, across } = layoutOf(op, call)
      const lines = op.keepdim?.(call) ? shape.map((n, d) => (along.includes(d) ? 1 : n)) : across.map((d) => shape[d]!)
      return Object.fromEntries(
        op.outs.map((o) => [o.name, { shape: o.per === 'line' ? lines : shape, dtype: o.dtype(call) }]),
      )
    },
    reference(call, memory) {
      const { shape } = tensorArg(call, 'self')
      const { along, across } = layoutOf(op, call)
      const stride = shape.map((_, d) => numel(shape.slice(d + 1)))
      const offsets = (dims: number[]): number[] =>
        dims.reduce<number[]>(
          (at, d) => at.flatMap((from) => Array.from({ length: shape[d]! }, (_, i) => from + i * stride[d]!)),
          [0],
        )
      const x = memory.read('self')
      const steps = offsets(along)
      const outs = op.outs.map((o) => new Float32Array(numel(tensorArg(call, o.name).shape)))
      const line = new Float64Array(steps.length)
      offsets(across).forEach((from, l) => {
        steps.forEach((s, i) => (line[i] = x[from + s]!))
        op.js(line, call).forEach((value, o) => {
          if (typeof value === 'number') outs[o]![l] = value
          else steps.forEach((s, i) => (outs[o]![from + s] = value[i]!))
        })
      })
      op.outs.forEach((o, i) => memory.write(o.name, outs[i]!))
    },
    plan(call) {
      const t = tensorArg(call, 'self')
      const { along, across } = layoutOf(op, call)
      const shader = new Shader(false)
      shader.helper(WGSL_NAN)
      shader.helper(WGSL_ORDER)
      const read = reader(shader, 'self', t)
      const pick = (dims: number[], list: readonly number[]): number[] => dims.map((d) => list[d]!)
      const lineShape = pick(across, t.shape)
      const lineAt = (list: readonly number[], id: string, offset: number): string =>
        place(shader, id, offset, list, names('l', lineShape.length))
      const alongShape = pick(along, t.shape)
      const step = (stride: readonly number[], id: string): string =>
        `${alongShape.length ? unravel(shader, `${id}i`, alongShape, 'r') : ''} let at = line + ${place(shader, id, 0, stride, names(`${id}i`, alongShape.length))};`
      const starts = [`let line_self = ${lineAt(pick(across, t.stride), 'self_l', t.offset)};`]
      shader.helper(
        `fn at_self(line: u32, r: u32) -> f32 { ${step(pick(along, t.stride), 'self_r')} return ${read('at')}; }`,
      )
      for (const o of op.outs) {
        const out = tensorArg(call, o.name)
        const q = shader.scatter(o.name, out.dtype)
        shader.helper(encodeFn(`enc_${o.name}`, out.dtype, false))
        const kept = out.shape.length === t.shape.length
        const across_ = kept ? pick(across, out.stride) : out.stride
        const along_ = o.per === 'element' ? pick(along, out.stride) : along.map(() => 0)
        starts.push(`let line_${o.name} = ${lineAt(across_, `${o.name}_l`, out.offset)};`)
        shader.helper(
          `fn put_out_${o.name}(line: u32, r: u32, v: f32) { ${step(along_, `${o.name}_r`)} put_${q.index}(at, enc_${o.name}(bitcast<u32>(v))); }`,
        )
      }
      const lines = numel(lineShape)
      const count = shader.param('lines', lines)
      const n = shader.param('count', numel(alongShape))
      const body = op
        .wgsl(call)
        .replace(/\bx\(/g, 'at_self(line_self, ')
        .replace(/\bout_(\w+)\(/g, 'put_out_$1(line_$1, ')
        .replace(/\bn\b/g, n)
      return [
        shader.print(
          op.name,
          `  let l = group * ${WORKGROUP}u + lid;
  if (l >= ${count}) { return; }
  ${lineShape.length ? unravel(shader, 'l', lineShape, 'l') : ''}
  ${starts.join('\n  ')}
${body}`,
          Math.ceil(lines / WORKGROUP),
        ),
      ]
    },
  }
}

const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['a', 'input', 'inp'] }
const DIM: Param = { name: 'dim', kind: 'attr', default: null, aliases: ['dims'] }
const KEEP: Param = { name: 'keepdim', kind: 'attr', default: false }
const DTYPE: Param = { name: 'dtype', kind: 'attr', default: null }
const listOf = (v: AttrValue | undefined): readonly number[] | null => {
  if (v === null || v === undefined) return null
  if (Array.isArray(v)) return v.length === 0 ? null : v.map(Number)
  return [Number(v)]
}
const dims = (call: KernelCall): readonly number[] | null => listOf(call.attrs['dim'])
const oneDim = (call: KernelCall): readonly number[] => [Number(call.attrs['dim'] ?? -1)]
const keepdim = (call: KernelCall): boolean => call.attrs['keepdim'] === true
const own = (call: KernelCall): DTypeName => tensorArg(call, 'self').dtype
const chosen =
  (kind: 'default' | 'bool_to_long' | 'int_to_float') =>
  (call: KernelCall): DTypeName => {
    const dtype = call.attrs['dtype']
    if (typeof dtype === 'string') return dtype as DTypeName
    const found = resultDtype([tensorArg(call, 'self')], kind)
    return kind === 'bool_to_long' && ['int8', 'uint8', 'int32'].includes(found) ? 'int64' : found
  }

const reduce = (
  name: string,
  dtype: LineOut['dtype'],
  wgsl: string,
  js: (x: Float64Array) => number,
  extra: readonly Param[] = [DTYPE],
): Kernel =>
  lineKernel({
    name,
    params: [SELF, DIM, KEEP, ...extra],
    dims,
    keepdim,
    outs: [{ name: 'result', per: 'line', dtype }],
    wgsl: () => wgsl,
    js: (x) => [js(x)],
  })

const total = (x: Float64Array): number => x.reduce((a, b) => a + b, 0)
const SUM = `  var s0 = 0.0; var s1 = 0.0; var s2 = 0.0; var s3 = 0.0;
  var r = 0u;
  for (; r + 3u < n; r += 4u) { s0 += x(r); s1 += x(r + 1u); s2 += x(r + 2u); s3 += x(r + 3u); }
  for (; r < n; r++) { s0 += x(r); }
  let sum = (s0 + s1) + (s2 + s3);`
/** Largest (or smallest) element, the first of equals; a NaN wins over all. */
const BEST = (better: '<' | '>'): string => `  var best = x(0u);
  var where_ = 0u;
  for (var r = 1u; r < n; r++) {
    let v = x(r);
    if (nan_at(best) == 0u && (nan_at(v) == 1u || order(v) ${better} order(best))) { best = v; where_ = r; }
  }`
function bestAt(x: Float64Array, better: (a: number, b: number) => boolean): number {
  let at = 0
  for (let i = 1; i < x.length; i++) if (!Number.isNaN(x[at]!) && (Number.isNaN(x[i]!) || better(x[i]!, x[at]!))) at = i
  return at
}
const more = (a: number, b: number): boolean => a > b
const less = (a: number, b: number): boolean => a < b

const extreme = (name: string, sign: '<' | '>', values: boolean): Kernel => {
  const better = sign === '>' ? more : less
  return values
    ? reduce(name, own, `${BEST(sign)}\n  out_result(0u, best);`, (x) => x[bestAt(x, better)]!)
    : reduce(
        name,
        () => 'int64',
        `${BEST(sign)}\n  out_result(0u, f32(where_));`,
        (x) => bestAt(x, better),
      )
}

const both = (name: string, sign: '<' | '>'): Kernel =>
  lineKernel({
    name,
    params: [SELF, DIM, KEEP],
    dims: oneDim,
    keepdim,
    outs: [
      { name: 'values', per: 'line', dtype: own },
      { name: 'indices', per: 'line', dtype: () => 'int64' },
    ],
    wgsl: () => `${BEST(sign)}\n  out_values(0u, best);\n  out_indices(0u, f32(where_));`,
    js(x) {
      const at = bestAt(x, sign === '>' ? more : less)
      return [x[at]!, at]
    },
  })

const softmax = (name: string, log: boolean): Kernel =>
  lineKernel({
    name,
    params: [SELF, DIM, { name: 'half_to_float', kind: 'attr', default: false, aliases: ['dtype'] }],
    dims: oneDim,
    outs: [{ name: 'result', per: 'element', dtype: (c) => (c.attrs['half_to_float'] === true ? 'float32' : own(c)) }],
    wgsl: () => `${BEST('>')}
  var sum = 0.0;
  for (var r = 0u; r < n; r++) { sum += exp(x(r) - best); }
  for (var r = 0u; r < n; r++) { out_result(r, ${log ? '(x(r) - best) - log(sum)' : 'exp(x(r) - best) / sum'}); }`,
    js(x) {
      const peak = x.reduce((a, b) => Math.max(a, b), -Infinity)
      const sum = x.reduce((a, b) => a + Math.exp(b - peak), 0)
      return [x.map((v) => (log ? v - peak - Math.log(sum) : Math.exp(v - peak) / sum))]
    },
  })

const cumsum = lineKernel({
  name: 'cumsum',
  params: [SELF, DIM, DTYPE],
  dims: oneDim,
  outs: [{ name: 'result', per: 'element', dtype: chosen('bool_to_long') }],
  wgsl: () => '  var s = 0.0;\n  for (var r = 0u; r < n; r++) { s += x(r); out_result(r, s); }',
  js(x) {
    let s = 0
    return [x.map((v) => (s += v))]
  },
})

/** Bessel's correction: the divisor is n - correction. */
const correctionOf = (call: KernelCall): number =>
  Number(call.attrs['correction'] ?? (call.attrs['unbiased'] === false ? 0 : 1))
const VAR = (call: KernelCall): string => `${SUM}
  let mean = sum / f32(n);
  var m2 = 0.0;
  for (var k = 0u; k < n; k++) { let d = x(k) - mean; m2 += d * d; }
  let variance = m2 / max(f32(n) - ${correctionOf(call).toFixed(1)}, 0.0);`
function moments(x: Float64Array, correction: number): [number, number] {
  const mean = total(x) / x.length
  return [x.reduce((a, v) => a + (v - mean) ** 2, 0) / Math.max(0, x.length - correction), mean]
}
const VAR_PARAMS: Param[] = [
  SELF,
  DIM,
  { name: 'correction', kind: 'attr', default: null },
  { name: 'unbiased', kind: 'attr', default: null },
  KEEP,
]
const spread = (name: string, outs: string[]): Kernel =>
  lineKernel({
    name,
    params: VAR_PARAMS,
    dims,
    keepdim,
    outs: outs.map((o) => ({ name: o, per: 'line', dtype: own })),
    wgsl: (call) => `${VAR(call)}
${outs.map((o) => `  out_${o}(0u, ${{ variance: 'variance', mean: 'mean', deviation: 'sqrt(variance)' }[o]!});`).join('\n')}`,
    js(x, call) {
      const [variance, mean] = moments(x, correctionOf(call))
      return outs.map((o) => ({ variance, mean, deviation: Math.sqrt(variance) })[o]!)
    },
  })

export const LINES: readonly (readonly [string, Kernel])[] = [
  reduce('sum', chosen('bool_to_long'), `${SUM}\n  out_result(0u, sum);`, total),
  reduce('mean', chosen('default'), `${SUM}\n  out_result(0u, sum / f32(n));`, (x) => total(x) / x.length),
  reduce(
    'prod',
    chosen('bool_to_long'),
    '  var p = 1.0;\n  for (var r = 0u; r < n; r++) { p *= x(r); }\n  out_result(0u, p);',
    (x) => x.reduce((a, b) => a * b, 1),
  ),
  reduce(
    'any',
    () => 'bool',
    '  var v = 0.0;\n  for (var r = 0u; r < n; r++) { if (order(x(r)) != 0) { v = 1.0; } }\n  out_result(0u, v);',
    (x) => Number(x.some((v) => v !== 0)),
  ),
  reduce(
    'all',
    () => 'bool',
    '  var v = 1.0;\n  for (var r = 0u; r < n; r++) { if (order(x(r)) == 0) { v = 0.0; } }\n  out_result(0u, v);',
    (x) => Number(x.every((v) => v !== 0)),
  ),
  extreme('amax', '>', true),
  extreme('amin', '<', true),
  extreme('argmax', '>', false),
  extreme('argmin', '<', false),
  softmax('_softmax', false),
  softmax('softmax', false),
  softmax('_log_softmax', true),
  softmax('log_softmax', true),
  cumsum,
  spread('var', ['variance']),
  spread('std', ['deviation']),
  spread('var_mean', ['variance', 'mean']),
].map((k) => [k.name, k] as const)

/** `max(x)` is one value, `max(x, dim)` is two tensors. */
export const LINE_OVERLOADS: readonly (readonly [string, Kernel])[] = [
  ['max.default', extreme('max', '>', true)],
  ['min.default', extreme('min', '<', true)],
  ['max.dim', both('max', '>')],
  ['min.dim', both('min', '<')],
]
