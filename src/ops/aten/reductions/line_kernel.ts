/** Builds kernels that reduce or rewrite the lines of a tensor along some dimensions. */
import { type DTypeName, encodeFn } from '../../dtype'
import {
  type AttrValue,
  type Kernel,
  type KernelCall,
  KernelRefusal,
  numel,
  type Param,
  tensorArg,
  type Dispatch,
  type ReferenceMemory,
} from '../../kernel'
import { WGSL_NAN, WGSL_ORDER } from '../../kernels/math'
import { Shader, WORKGROUP } from '../../kernels/shader'
import { dimOf, names, place, reader, unravel } from '../../kernels/strided'
import { resultDtype } from '../elementwise/result_dtype'

interface LineOut {
  readonly name: string
  /** One value per line, or one per element. */
  readonly per: 'line' | 'element'
  dtype(call: KernelCall): DTypeName
}

export interface LineOp {
  readonly name: string
  readonly params: readonly Param[]
  /** The dimensions of a line; null: all. */
  dims(call: KernelCall): readonly number[] | null
  readonly keepdim?: (call: KernelCall) => boolean
  readonly outs: readonly LineOut[]
  /** WGSL statements: `n` elements `x(r)`; `out_NAME(r, value)` (r is 0 for one value per line). */
  wgsl(call: KernelCall): string
  /** The definition: the outputs for a line, in the order of `outs`. */
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

/** Applies the definition to each line. */
function lineReference(op: LineOp, call: KernelCall, memory: ReferenceMemory): void {
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
}

/** One thread per line. */
function linePlan(op: LineOp, call: KernelCall): Dispatch {
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
  return shader.print(
    op.name,
    `  let l = group * ${WORKGROUP}u + lid;
  if (l >= ${count}) { return; }
  ${lineShape.length ? unravel(shader, 'l', lineShape, 'l') : ''}
  ${starts.join('\n  ')}
${body}`,
    Math.ceil(lines / WORKGROUP),
  )
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
    reference: (call, memory) => lineReference(op, call, memory),
    plan: (call) => [linePlan(op, call)],
  }
}

export const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['a', 'input', 'inp'] }

export const DIM: Param = { name: 'dim', kind: 'attr', default: null, aliases: ['dims'] }

export const KEEP: Param = { name: 'keepdim', kind: 'attr', default: false }

export const DTYPE: Param = { name: 'dtype', kind: 'attr', default: null }

const listOf = (v: AttrValue | undefined): readonly number[] | null => {
  if (v === null || v === undefined) return null
  if (Array.isArray(v)) return v.length === 0 ? null : v.map(Number)
  return [Number(v)]
}

export const dims = (call: KernelCall): readonly number[] | null => listOf(call.attrs['dim'])

export const oneDim = (call: KernelCall): readonly number[] => [Number(call.attrs['dim'] ?? -1)]

export const keepdim = (call: KernelCall): boolean => call.attrs['keepdim'] === true

export const own = (call: KernelCall): DTypeName => tensorArg(call, 'self').dtype

export const chosen =
  (kind: 'default' | 'bool_to_long' | 'int_to_float') =>
  (call: KernelCall): DTypeName => {
    const dtype = call.attrs['dtype']
    if (typeof dtype === 'string') return dtype as DTypeName
    const found = resultDtype([tensorArg(call, 'self')], kind)
    return kind === 'bool_to_long' && ['int8', 'uint8', 'int32'].includes(found) ? 'int64' : found
  }

export const reduceKernel = (
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
