/** Operators that compute each result element separately, for any strides. */
import { encodeFn } from '../dtype'
import {
  numel,
  tensorArg,
  type Kernel,
  type KernelCall,
  type OutSpec,
  type Param,
  type Dispatch,
  type ReferenceMemory,
} from '../kernel'
import { Shader, WORKGROUP } from './shader'
import { contiguousStrides } from '../strides'
import { names, place, reader, unravel } from './strided'

/** Reads elements of a tensor argument by index. */
export type Read = (name: string) => (...index: number[]) => number

export interface Each {
  readonly name: string
  readonly params: readonly Param[]
  /** True if all outputs have the same shape. */
  outputs(call: KernelCall): Record<string, OutSpec>
  /**
   * WGSL statements that declare `v_NAME: f32` for each output, of the element with indices `i0…`.
   * `at(tensor, indices)` is WGSL for an element; `n(name, value)` for a number.
   */
  wgsl(
    call: KernelCall,
    at: (tensor: string, indices: readonly string[]) => string,
    n: (name: string, value: number) => string,
  ): string
  /** WGSL functions that the statements call. */
  readonly helpers?: (call: KernelCall) => readonly string[]
  /** The definition: the outputs for the element with these indices, in the order of `outputs`. */
  js(call: KernelCall, read: Read): (index: readonly number[]) => readonly number[]
}

/** Applies the definition to each index. */
function eachReference(spec: Each, call: KernelCall, memory: ReferenceMemory): void {
  const read: Read = (name) => {
    const stride = contiguousStrides(tensorArg(call, name).shape)
    const x = memory.read(name)
    return (...index) => x[index.reduce((at, i, d) => at + i * stride[d]!, 0)]!
  }
  const [first, ...rest] = Object.keys(spec.outputs(call))
  const { shape } = tensorArg(call, first!)
  const made = [first!, ...rest].map((name) => ({ name, values: new Float32Array(numel(shape)) }))
  const value = spec.js(call, read)
  const index = shape.map(() => 0)
  for (let e = 0; e < numel(shape); e++) {
    value(index).forEach((v, o) => (made[o]!.values[e] = v))
    for (let d = shape.length - 1; d >= 0 && ++index[d]! === shape[d]; d--) index[d] = 0
  }
  for (const { name, values } of made) memory.write(name, values)
}

/** One thread per element. */
function eachPlan(spec: Each, call: KernelCall): Dispatch {
  const shader = new Shader(false)
  for (const helper of spec.helpers?.(call) ?? []) shader.helper(helper)
  const readers = new Set<string>()
  const at = (tensor: string, indices: readonly string[]): string => {
    if (!readers.has(tensor)) {
      readers.add(tensor)
      const t = tensorArg(call, tensor)
      const args = names('a', t.shape.length)
      const read = reader(shader, tensor, t)
      shader.helper(
        `fn at_${tensor}(${args.map((a) => `${a}: u32`).join(', ')}) -> f32 { return ${read(place(shader, tensor, t.offset, t.stride, args))}; }`,
      )
    }
    return `at_${tensor}(${indices.join(', ')})`
  }
  const body = spec.wgsl(call, at, (name, value) => shader.param(name, value))
  const list = Object.keys(spec.outputs(call)).map((name) => ({ name, view: tensorArg(call, name) }))
  const { shape } = list[0]!.view
  const index = names('i', shape.length)
  const stores = list.map(({ name, view }) => {
    const q = shader.scatter(name, view.dtype)
    shader.helper(encodeFn(`enc_${name}`, view.dtype, false))
    return `  put_${q.index}(${place(shader, `out_${name}`, view.offset, view.stride, index)}, enc_${name}(bitcast<u32>(v_${name})));`
  })
  return shader.print(
    spec.name,
    `  let e = group * ${WORKGROUP}u + lid;
  if (e >= ${shader.param('count', numel(shape))}) { return; }
  ${shape.length ? unravel(shader, 'i', shape, 'e') : ''}
${body}
${stores.join('\n')}`,
    Math.ceil(numel(shape) / WORKGROUP),
  )
}

export function eachKernel(spec: Each): Kernel {
  return {
    name: spec.name,
    functional: true,
    params: spec.params,
    outputs: (call) => spec.outputs(call),
    reference: (call, memory) => eachReference(spec, call, memory),
    plan: (call) => [eachPlan(spec, call)],
  }
}
