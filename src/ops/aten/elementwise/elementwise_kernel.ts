/** Elementwise operators: one formula, computed in float32 and rounded to the result's dtype, with broadcasting. */
import { type DTypeName, DTYPES, encodeFn, dtypeInfo } from '../../dtype'
import {
  type Dispatch,
  isContiguous,
  type Kernel,
  type KernelCall,
  numel,
  type Param,
  tensorArg,
  type TensorView,
  KernelRefusal,
} from '../../kernel'
import { type Expr, given } from '../../expr/expr'
import { schedule } from '../../expr/schedule'
import { evaluate } from '../../expr/to_js'
import { WgslPrinter } from '../../expr/to_wgsl'
import type { Buffer } from '../../kernels/accessors'
import { readsInEights, rowsOf, Shader, WORKGROUP } from '../../kernels/shader'
import { broadcastShape, broadcastStride, constant, names, place, reader, unravel } from '../../kernels/strided'
import { type Promotion, categoryOf, promoteTypes } from '../../promote'
import { TorchError } from '../../torch_error'
import type { Kernels } from '../../operator'

/** The value of an element, of the operands in order. */
export type Formula = (...x: Expr[]) => Expr

export interface Elementwise {
  readonly name: string
  readonly params: readonly Param[]
  /** Operands of the formula: tensors, or numbers if the call passes numbers. */
  readonly operands: readonly string[]
  /** Operands that determine the dtype; default: all. */
  readonly promoted?: readonly string[]
  readonly promotion?: Promotion
  /** A dtype rule that overrides promotion. */
  readonly dtype?: (call: KernelCall) => DTypeName
  formula(call: KernelCall): Formula
}

/** Names of operands in expressions: `self` is a reserved word in WGSL. */
const named = (operand: string): string => `x_${operand}`

const valueOf = (spec: Elementwise, call: KernelCall): Expr =>
  spec.formula(call)(...spec.operands.map((n) => given(named(n))))

const OUT = 'result'

export function elementwiseKernel(spec: Elementwise): Kernel {
  const number = (call: KernelCall, name: string): number => Number(call.attrs[name] ?? 0)
  return {
    name: spec.name,
    functional: true,
    params: [...spec.params, { name: OUT, kind: 'out' }],
    outputs(call) {
      const operand = (n: string) =>
        call.tensors[n] ?? (typeof call.attrs[n] === 'boolean' ? call.attrs[n] : number(call, n))
      const tensors = spec.operands.flatMap((n) => call.tensors[n] ?? [])
      const dtype = spec.dtype
        ? spec.dtype(call)
        : resultDtype((spec.promoted ?? spec.operands).map(operand), spec.promotion ?? 'default')
      return { [OUT]: { shape: broadcastShape(tensors.map((t) => t.shape)), dtype } }
    },
    reference(call, memory) {
      const { shape } = tensorArg(call, OUT)
      const count = numel(shape)
      const values = evaluate(count, valueOf(spec, call), (operand) => {
        const name = operand.slice(named('').length)
        const t = call.tensors[name]
        const v = number(call, name)
        if (!t) return v
        const x = memory.read(name)
        if (x.length === count) return x
        const at = broadcastIndex(t.shape, shape)
        return (e) => x[at(e)]!
      })
      memory.write(OUT, values)
    },
    plan: (call) => [plan(spec, call)],
  }
}

/** Row-major index in `from` of the element with a given row-major index in `to`. */
export function broadcastIndex(from: readonly number[], to: readonly number[]): (i: number) => number {
  const lead = to.length - from.length
  const strides: number[] = new Array<number>(to.length).fill(0)
  for (let d = to.length - 1, s = 1; d >= lead; d--) {
    const n = from[d - lead]!
    strides[d] = n === 1 ? 0 : s
    s *= n
  }
  return (i) => {
    let at = 0
    for (let d = to.length - 1; d >= 0; d--) {
      at += (i % to[d]!) * strides[d]!
      i = Math.floor(i / to[d]!)
    }
    return at
  }
}

/** A shader for one call, before its form is chosen. */
interface ElementwiseShader {
  readonly spec: Elementwise
  readonly call: KernelCall
  readonly shader: Shader
  readonly out: TensorView
  readonly elements: number
  /** WGSL name of the element count. */
  readonly size: string
  /** Operands that are tensors. */
  readonly tensors: readonly string[]
  /** WGSL function from the operands to the result's code. */
  readonly compute: string
}

/** Eight elements per thread if all tensors are contiguous with equal shapes; else a word, or an element. */
function plan(spec: Elementwise, call: KernelCall): Dispatch {
  const out = tensorArg(call, OUT)
  const elements = numel(out.shape)
  const tensors = spec.operands.filter((name) => call.tensors[name])
  const same = (name: string): boolean => {
    const t = tensorArg(call, name)
    return (
      String(t.shape) === String(out.shape) &&
      isContiguous(t) &&
      readsInEights({ ...rowsOf(name, t), cols: elements, rowStride: 0 })
    )
  }
  const dense = isContiguous(out) && out.offset % 8 === 0 && DTYPES[out.dtype].bytes <= 4
  const wide = dense && elements % 8 === 0 && tensors.every(same)
  const shader = new Shader(wide)
  shader.helper(encodeFn('enc_out', out.dtype, wide))
  const size = shader.param('n', elements)
  const scalars = spec.operands
    .filter((name) => !call.tensors[name])
    .map((name) => `let ${named(name)} = F32(${constant(shader, `k_${name}`, Number(call.attrs[name] ?? 0))});`)
    .join(' ')
  const store = (_: string, __: unknown, value: string): string => `return enc_out(bitcast<U32>(${value}));`
  const text = new WgslPrinter({ shader, given: (name) => name, store }).statements(
    schedule([{ out: OUT, at: [], value: valueOf(spec, call) }]),
  )
  const signature = tensors.map((name) => `${named(name)}: F32`).join(', ')
  const compute = `fn compute(${signature}) -> U32 {\n  ${scalars}\n${text}\n}`
  const base = { spec, call, shader, out, elements, size, tensors, compute }
  if (wide) return eightAThread(base)
  return dense ? wordAThread(base) : elementAThread(base)
}

function eightAThread({ spec, call, shader, out, elements, size, tensors, compute }: ElementwiseShader): Dispatch {
  const loads = tensors.map((name) => shader.bind(name, tensorArg(call, name).dtype, 'read').index)
  const q = shader.bind(OUT, out.dtype, 'read_write')
  shader.helper(compute)
  const bases = tensors.map((name) => shader.param(`base_${name}`, tensorArg(call, name).offset))
  const base = shader.param('base', out.offset)
  const args = (half: string): string => tensors.map((_, i) => `v${i}.${half}`).join(', ')
  return shader.print(
    spec.name,
    `  let e = (group * ${WORKGROUP}u + lid) * 8u;
  if (e >= ${size}) { return; }
${loads.map((b, i) => `  let v${i} = load8_${b}(${bases[i]} + e);`).join('\n')}
  store8_${q.index}(${base} + e, compute(${args('a')}), compute(${args('b')}));`,
    Math.ceil(elements / 8 / WORKGROUP),
  )
}

/** All elements of a word, so that threads share no word of the result. */
function wordAThread(e: ElementwiseShader): Dispatch {
  const { spec, shader, out, elements, size } = e
  const { bytes, perWord } = DTYPES[out.dtype]
  const { q, element } = oneElement(e, () => shader.bind(OUT, out.dtype, 'read_write', false))
  const base = shader.param('base', out.offset)
  return shader.print(
    spec.name,
    `  let t = group * ${WORKGROUP}u + lid;
  if (t * ${perWord}u >= ${size}) { return; }
  var word = 0u;
  for (var k = 0u; k < ${perWord}u; k++) {
    let e = t * ${perWord}u + k;
    if (e < ${size}) { ${element} word |= code << (k * ${perWord === 1 ? 0 : bytes * 8}u); }
  }
  b${q.index}[${base} / ${perWord}u + t] = word;`,
    Math.ceil(elements / perWord / WORKGROUP),
  )
}

function elementAThread(e: ElementwiseShader): Dispatch {
  const { spec, shader, out, elements, size } = e
  const { q, element, at } = oneElement(e, () => shader.scatter(OUT, out.dtype))
  return shader.print(
    spec.name,
    `  let e = group * ${WORKGROUP}u + lid;
  if (e >= ${size}) { return; }
  ${element}
  put_${q.index}(${place(shader, 'out', out.offset, out.stride, at)}, code);`,
    Math.ceil(elements / WORKGROUP),
  )
}

/** Statements that compute the `code` of element `e`, with the operands broadcast. */
function oneElement(
  { call, shader, out, tensors, compute }: ElementwiseShader,
  bindOut: () => Buffer,
): { q: Buffer; element: string; at: readonly string[] } {
  const rank = out.shape.length
  const at = names('i', rank)
  const reads = tensors.map((name) => {
    const t = tensorArg(call, name)
    return { read: reader(shader, name, t), t, stride: broadcastStride(name, t, out.shape), name }
  })
  const q = bindOut()
  shader.helper(compute)
  const args = reads.map((r) => r.read(place(shader, r.name, r.t.offset, r.stride, at))).join(', ')
  return { q, at, element: `${rank === 0 ? '' : unravel(shader, 'i', out.shape, 'e')} let code = compute(${args});` }
}

const categoryOfNumber = (v: unknown): number => (typeof v === 'boolean' ? 0 : Number.isInteger(v) ? 1 : 2)

/**
 * src/ops/promote.ts for tensor views instead of fake tensors.
 * @param operands tensors, and numbers that take part in promotion (a whole number counts as an int). Throws KernelRefusal.
 */
export function resultDtype(operands: readonly (TensorView | number | boolean)[], kind: Promotion): DTypeName {
  if (kind === 'always_bool') return 'bool'
  const tensors = operands.filter((o) => typeof o === 'object')
  const highest = Math.max(
    0,
    ...operands.map((o) => (typeof o === 'object' ? categoryOf(o.dtype) : categoryOfNumber(o))),
  )
  const own = tensors.filter((t) => categoryOf(t.dtype) === highest)
  const dims = own.filter((t) => t.shape.length > 0)
  let result = ''
  try {
    for (const { dtype } of dims.length > 0 ? dims : own) result = result === '' ? dtype : promoteTypes(result, dtype)
  } catch (e) {
    if (e instanceof TorchError) throw new KernelRefusal(e.message)
    throw e
  }
  if (result === '') result = ['bool', 'int64', 'float32'][highest]!
  if (kind === 'int_to_float' && categoryOf(result) < 2) result = 'float32'
  if (kind === 'bool_to_long' && result === 'bool') result = 'int64'
  const info = dtypeInfo(result)
  if (!info) throw new KernelRefusal(`the dtype ${result} is not supported`)
  return info.name
}

/** Elementwise kernels of formulas, and their parameters. Whole numbers are exact up to 2^24. */
export const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['a', 'input', 'x'] }

export const OTHER: Param = { name: 'other', kind: 'in', scalar: true, aliases: ['b', 'exponent'] }

/** One kernel per formula, exact for whole numbers up to 2^24, under its name in aten; the operands are the tensors among `params`. */
export const kernelsOf = (
  table: Readonly<Record<string, Formula>>,
  params: readonly Param[],
  promotion?: Elementwise['promotion'],
): Kernels =>
  Object.fromEntries(
    Object.entries(table).map(([name, formula]) => {
      const operands = params.filter((p) => p.kind === 'in').map((p) => p.name)
      const made = { name, params, operands, ...(promotion && { promotion }), formula: () => formula }
      return [`aten.${name}`, elementwiseKernel(made)]
    }),
  )

export const WITH_FORMAT: Param = { name: 'memory_format', kind: 'attr', default: null }
