/** Elementwise operators: one formula, computed in float32 and rounded to the result's dtype, with broadcasting. */
import { type DTypeName, DTYPES, encodeFn } from '../../dtype'
import {
  type Dispatch,
  isContiguous,
  type Kernel,
  type KernelCall,
  numel,
  type Param,
  tensorArg,
  type TensorView,
} from '../../kernel'
import type { Buffer } from '../../kernels/accessors'
import { readsInEights, rowsOf, Shader, WORKGROUP } from '../../kernels/shader'
import { broadcastShape, broadcastStride, constant, names, place, reader, unravel } from '../../kernels/strided'
import type { Promotion } from '../../promote'
import { resultDtype } from './result_dtype'

export interface Formula {
  /** WGSL of the lane types F32, U32 and I32 over the operands' names. */
  readonly wgsl: string
  /** The definition, for the operands in order. */
  readonly js: (...x: number[]) => number
  /** WGSL functions that `wgsl` calls. */
  readonly helpers?: readonly string[]
}

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
  readonly formula: Formula | ((call: KernelCall) => Formula)
}

const OUT = 'result'

export function elementwiseKernel(spec: Elementwise): Kernel {
  const formulaOf = (call: KernelCall): Formula =>
    typeof spec.formula === 'function' ? spec.formula(call) : spec.formula
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
      const { js } = formulaOf(call)
      const reads = spec.operands.map((n) => {
        const t = call.tensors[n]
        if (!t) {
          const v = number(call, n)
          return () => v
        }
        const x = memory.read(n)
        if (x.length === numel(shape)) return (i: number) => x[i]!
        const at = broadcastIndex(t.shape, shape)
        return (i: number) => x[at(i)]!
      })
      const out = new Float32Array(numel(shape))
      for (let i = 0; i < out.length; i++) out[i] = js(...reads.map((r) => r(i)))
      memory.write(OUT, out)
    },
    plan: (call) => [plan(spec, call, formulaOf(call))],
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

/** A shader over one call, before its form is chosen. */
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

/** Eight elements a thread where all tensors are contiguous and equal in shape; else a word, or an element. */
function plan(spec: Elementwise, call: KernelCall, formula: Formula): Dispatch {
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
  for (const h of formula.helpers ?? []) shader.helper(h)
  const size = shader.param('n', elements)
  const scalars = spec.operands
    .filter((name) => !call.tensors[name])
    .map((name) => `let x_${name} = F32(${constant(shader, `k_${name}`, Number(call.attrs[name] ?? 0))});`)
    .join(' ')
  // `self` is a reserved word in WGSL, and an operand may have a function's name.
  const text = formula.wgsl.replace(new RegExp(`\\b(${spec.operands.join('|')})\\b(?!\\()`, 'g'), 'x_$1')
  const signature = tensors.map((name) => `x_${name}: F32`).join(', ')
  const compute = `fn compute(${signature}) -> U32 { ${scalars} return enc_out(bitcast<U32>(${text})); }`
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

/** Every element of a word, so that threads share no word of the result. */
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
