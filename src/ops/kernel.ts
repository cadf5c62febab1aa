/**
 * The kernel of an operator: one definition for two devices. `reference` computes it on the CPU, and `plan` lists the
 * compute shaders that a GPU dispatches. Kernels know shapes, strides and dtypes, never buffers.
 */
import { contiguousStrides } from './strides'
import type { DTypeName } from './dtype'

/** A tensor without its storage. `stride` and `offset` count elements. */
export interface TensorView {
  readonly dtype: DTypeName
  readonly shape: readonly number[]
  readonly stride: readonly number[]
  readonly offset: number
}

export type AttrValue = null | boolean | number | string | readonly AttrValue[]

export interface Param {
  readonly name: string
  /** Names of the argument in other projects. */
  readonly aliases?: readonly string[]
  /**
   * `in`: read. `out`: every element is written, and the old contents are never read. `inout`: mutated; a kernel reads `name` and
   * writes `name_out`, which are separate tensors, so the clones of auto_functionalized need no copy. `kept`: declared as mutated,
   * but unchanged.
   */
  readonly kind: 'in' | 'out' | 'inout' | 'kept' | 'attr'
  /** For an `out`: present in `outputs` only if the attribute of its name is true. */
  readonly optional?: boolean
  /** For an `out`: the caller chooses its shape through the attribute of its name. */
  readonly sized?: boolean
  /** An `in` that may also be a number: then its value is an attribute of the same name, and its tensor is null. */
  readonly scalar?: boolean
  readonly default?: AttrValue
  /** The first dimension is the token count. */
  readonly rows?: boolean
  /** Kind of generated data for a run: positive scales, weights of about one. */
  readonly sample?: 'scale' | 'weight'
  /** Dtype of an `out` whose dtype the caller may choose but does not. */
  readonly dtype?: DTypeName
}

/** Arguments bound to parameter names, including `out` tensors. */
export interface KernelCall {
  readonly tensors: Readonly<Record<string, TensorView | null>>
  readonly attrs: Readonly<Record<string, AttrValue>>
}

/** A kernel's view of CPU memory: logical elements in row-major order, regardless of strides. */
export interface ReferenceMemory {
  /** Decoded values. */
  read(name: string): Float32Array
  /** Rounds each value to the tensor's dtype and stores it. */
  write(name: string, values: Float32Array): void
  /** The tensor's raw storage, for layouts other than a row-major list of values. */
  bytes(name: string): Uint8Array
}

export interface Binding {
  readonly tensor: string
  readonly access: 'read' | 'read_write'
}

/** One compute dispatch. Bindings 0…n-1 are storage buffers in order, binding n the uniform `Params`. */
export interface Dispatch {
  readonly label: string
  readonly wgsl: string
  readonly bindings: readonly Binding[]
  /** Fields of `Params`, each u32, in declaration order. */
  readonly params: readonly number[]
  readonly workgroups: number
  /** A user-written shader: no Params, its own grid. `lines`: the number of its lines that the user wrote. */
  readonly own?: { readonly grid: readonly [number, number, number]; readonly lines: number }
}

export interface OutSpec {
  readonly shape: readonly number[]
  /** Null: the dtype of the passed tensor. */
  readonly dtype: DTypeName | null
  /** Default: row-major; a passed tensor keeps its own. */
  readonly stride?: readonly number[]
  /** True if the last dimensions of a passed tensor may be merged. */
  readonly flattens?: boolean
}

/** Tensors that a kernel call writes, in parameter order. */
export const writtenBy = (kernel: Kernel): string[] =>
  kernel.params.flatMap((p) => (p.kind === 'out' ? [p.name] : p.kind === 'inout' ? [`${p.name}_out`] : []))

/**
 * A known difference between a fused operator and the operators it replaces, which can be switched off to prove that it
 * is the cause.
 */
export interface Counterfactual {
  readonly id: string
  /** Completes "the fused kernel …". */
  readonly text: string
  /** Attributes that make the definition behave like the unfused operators. */
  readonly attrs: Readonly<Record<string, AttrValue>>
}

export interface Kernel {
  /** Targets that it implements, without namespace and overload: `silu_and_mul`. */
  readonly name: string
  /** In schema order; `out`, `inout` and `kept` ones are auto_functionalized's results, in this order. */
  readonly params: readonly Param[]
  /** True when outputs are returned, not passed in (prims.convert_element_type). */
  readonly functional?: boolean
  /** Shape and dtype of each `out`. Throws KernelRefusal for unsupported arguments. */
  outputs(call: KernelCall): Record<string, OutSpec>
  /** `inout` parameters that this call leaves unchanged: they have no `name_out`. */
  keeps?(call: KernelCall): readonly string[]
  /** The definition. */
  reference(call: KernelCall, memory: ReferenceMemory): void
  /** Dispatches that compute it. Throws KernelRefusal for layouts without a shader. */
  plan(call: KernelCall, device: DeviceTraits): Dispatch[]
  /** Known differences between this operator and the unfused operators, which ran with `unfused` attributes. */
  counterfactuals?(call: KernelCall, unfused: readonly Readonly<Record<string, AttrValue>>[]): Counterfactual[]
}

/** Device properties that a plan depends on. */
export interface DeviceTraits {
  /**
   * True if the adapter is a CPU (SwiftShader, llvmpipe): a workgroup barrier there costs more than ten times the
   * arithmetic between two of them, and adjacent threads gain nothing from reading adjacent words. One thread then
   * handles a whole group or row.
   */
  readonly serial: boolean
  /** True if four threads with consecutive indices in their workgroup can exchange values without a barrier. */
  readonly quads: boolean
}

export const PARALLEL: DeviceTraits = { serial: false, quads: false }

/** The operator does not support the user's arguments; `message` is one plain sentence. */
export class KernelRefusal extends Error {}

export function tensorArg(call: KernelCall, name: string): TensorView {
  const t = call.tensors[name]
  if (!t) throw new KernelRefusal(`its tensor argument \`${name}\` is missing`)
  return t
}

export function numberAttr(call: KernelCall, name: string): number {
  const v = call.attrs[name]
  if (typeof v !== 'number') throw new KernelRefusal(`its argument \`${name}\` must be a number, found ${String(v)}`)
  return v
}

export const numel = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

export function isContiguous(t: TensorView): boolean {
  const want = contiguousStrides(t.shape)
  return t.shape.every((n, i) => n === 1 || t.stride[i] === want[i])
}
