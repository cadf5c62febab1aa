/** Addressing of tensors with any strides in shaders: row-major numbers to indices, indices to positions in storage. */
import { bitsOf } from '../dtype'
import { KernelRefusal, tensorArg, type KernelCall, type TensorView } from '../kernel'
import type { Buffer } from './accessors'
import type { Shader } from './shader'

/** WGSL that declares `PREFIX0…` from the row-major number `e` in `shape`. */
export function unravel(shader: Shader, prefix: string, shape: readonly number[], e: string): string {
  const lines: string[] = []
  let rest = e
  for (let d = shape.length - 1; d >= 0; d--) {
    if (d === 0) lines.push(`let ${prefix}0 = ${rest};`)
    else {
      const n = shader.param(`${prefix}n${d}`, Math.max(1, shape[d]!))
      lines.push(`let ${prefix}${d} = ${rest} % ${n};`, `let ${prefix}r${d} = ${rest} / ${n};`)
      rest = `${prefix}r${d}`
    }
  }
  return lines.join(' ')
}

/** WGSL for the storage position of the element with indices `PREFIX0…`. */
export function place(
  shader: Shader,
  id: string,
  offset: number,
  stride: readonly number[],
  indices: readonly string[],
): string {
  const terms = stride.map((s, d) => (s === 0 ? null : `${indices[d]} * ${shader.param(`${id}_s${d}`, s)}`))
  return [shader.param(`${id}_base`, offset), ...terms.filter((t) => t !== null)].join(' + ')
}

export const names = (prefix: string, rank: number): string[] => Array.from({ length: rank }, (_, d) => `${prefix}${d}`)

/** Binds a tensor for element access; WGSL for its element at `at`. */
export function reader(shader: Shader, tensor: string, view: TensorView): (at: string) => string {
  const buffer: Buffer = shader.bind(tensor, view.dtype, 'read', false)
  return (at) => `load_${buffer.index}(${at})`
}

/** WGSL that loads a tensor's element at indices of type i32; without indices, its first element. */
export function elements(shader: Shader, call: KernelCall): (tensor: string, at: readonly string[]) => string {
  return (tensor, at) => {
    const view = tensorArg(call, tensor)
    const read = reader(shader, tensor, view)
    if (at.length === 0) return read(`${view.offset}u`)
    if (!shader.has(`get_${tensor}`)) {
      const { args, at: from } = addressed(shader, call, tensor)
      shader.helper(`fn get_${tensor}(${args}) -> f32 { return ${read(from)}; }`)
    }
    return `get_${tensor}(${at.join(', ')})`
  }
}

/** Function parameters for the indices of a tensor, and the element's position in storage. */
export function addressed(shader: Shader, call: KernelCall, tensor: string): { args: string; at: string } {
  const { offset, stride } = tensorArg(call, tensor)
  const args = names('a', stride.length)
  const indices = args.map((a) => `u32(${a})`)
  return { args: args.map((a) => `${a}: i32`).join(', '), at: place(shader, tensor, offset, stride, indices) }
}

/** A literal that WGSL reads as the same float32. */
export const literal = (x: number): string => {
  const text = Object.is(x, -0) ? '-0' : Math.fround(x).toString()
  return /[.e]/.test(text) ? `${text}f` : `${text}.0f`
}

/** WGSL for a number that may be infinite or NaN, which WGSL literals cannot express. */
export const constant = (shader: Pick<Shader, 'param'>, name: string, value: number): string =>
  `bitcast<f32>(${shader.param(name, bitsOf(value))})`

/** Strides of `t` as it broadcasts to `shape`. Throws KernelRefusal. */
export function broadcastStride(name: string, t: TensorView, shape: readonly number[]): number[] {
  const lead = shape.length - t.shape.length
  return shape.map((n, d) => {
    const own = d < lead ? 1 : t.shape[d - lead]!
    if (own === n) return d < lead || n === 1 ? 0 : t.stride[d - lead]!
    if (own === 1) return 0
    throw new KernelRefusal(`\`${name}\` of shape [${t.shape.join(', ')}] does not broadcast to [${shape.join(', ')}]`)
  })
}

/** The common broadcast shape. Throws KernelRefusal. */
export function broadcastShape(shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(0, ...shapes.map((s) => s.length))
  return Array.from({ length: rank }, (_, d) => {
    const sizes = shapes.map((s) => s[d - (rank - s.length)] ?? 1).filter((n) => n !== 1)
    if (new Set(sizes).size > 1)
      throw new KernelRefusal(`shapes ${shapes.map((s) => `[${s.join(', ')}]`).join(' and ')} do not broadcast`)
    return sizes[0] ?? 1
  })
}

/** A dimension counted from the front. Throws KernelRefusal. */
export function dimOf(dim: unknown, rank: number): number {
  const d = Number(dim)
  const n = Math.max(1, rank)
  if (!Number.isInteger(d) || d < -n || d >= n)
    throw new KernelRefusal(`dimension ${String(dim)} is out of range for ${rank} dimensions`)
  return d < 0 ? d + n : d
}
