/**
 * The kernel of an operator. One definition, two devices: `reference` computes it on the CPU,
 * `plan` says which compute shaders a GPU dispatches. Kernels know shapes, strides and dtypes, never buffers.
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
  /** Names other projects give the same argument. */
  readonly aliases?: readonly string[]
  /**
   * `in`: a tensor read. `out`: a tensor whose every element is written and whose old contents are never read.
   * `inout`: mutated. A kernel reads `name` and writes `name_out`, tensors of their own: what auto_functionalized
   * would clone costs no copy. `kept`: the schema says it is mutated, and it comes back as it was.
   */
  readonly kind: 'in' | 'out' | 'inout' | 'kept' | 'attr'
  /** Of an `out`: the attribute of its name is true if the caller wants it, and `outputs` leaves it out if not. */
  readonly optional?: boolean
  /** Of an `out`: its shape is its caller's to choose; the attribute of its name holds it. */
  readonly sized?: boolean
  /** An `in` that may also be a number: its value is then an attribute of the same name, its tensor null. */
  readonly scalar?: boolean
  readonly default?: AttrValue
  /** The first dimension is the token count. */
  readonly rows?: boolean
  /** What stands for real data when a run makes its own: positive scales, weights about one. */
  readonly sample?: 'scale' | 'weight'
  /** Dtype of an `out` that its caller chooses, when nobody chose. */
  readonly dtype?: DTypeName
}

/** Arguments bound to parameter names; `out` tensors included. */
export interface KernelCall {
  readonly tensors: Readonly<Record<string, TensorView | null>>
  readonly attrs: Readonly<Record<string, AttrValue>>
}

/** CPU memory as a kernel sees it: logical elements in row-major order, whatever the strides. */
export interface ReferenceMemory {
  /** Decoded values. */
  read(name: string): Float32Array
  /** Rounds each value to the tensor's dtype and stores it. */
  write(name: string, values: Float32Array): void
  /** The tensor's storage itself, for layouts that are no row-major list of values. */
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
  /** Fields of `Params`, u32 each, in declaration order. */
  readonly params: readonly number[]
  readonly workgroups: number
  /** A shader of the person's own: no Params, its own grid. `lines`: how many of its text are theirs. */
  readonly own?: { readonly grid: readonly [number, number, number]; readonly lines: number }
}

export interface OutSpec {
  readonly shape: readonly number[]
  /** Null: the dtype of the tensor that was passed. */
  readonly dtype: DTypeName | null
  /** Row-major unless said; a tensor that was passed keeps its own. */
  readonly stride?: readonly number[]
  /** A tensor that was passed may have its last dimensions in one. */
  readonly flattens?: boolean
}

/** Tensors that a call of the kernel writes, in the order of its parameters. */
export const writtenBy = (kernel: Kernel): string[] =>
  kernel.params.flatMap((p) => (p.kind === 'out' ? [p.name] : p.kind === 'inout' ? [`${p.name}_out`] : []))

/** A known difference between a fused operator and what it replaces, that can be switched off to prove it is the cause. */
export interface Counterfactual {
  readonly id: string
  /** Completes "the fused kernel …". */
  readonly text: string
  /** Attributes that make the definition behave like the unfused operators. */
  readonly attrs: Readonly<Record<string, AttrValue>>
}

export interface Kernel {
  /** Targets it answers to, without namespace and overload: `silu_and_mul`. */
  readonly name: string
  /** In schema order; `out`, `inout` and `kept` ones are auto_functionalized's results, in this order. */
  readonly params: readonly Param[]
  /** True when outputs are returned, not passed in (prims.convert_element_type). */
  readonly functional?: boolean
  /** Shape and dtype of each `out`. Throws KernelRefusal for arguments the operator does not take. */
  outputs(call: KernelCall): Record<string, OutSpec>
  /** `inout` parameters that this call leaves as they are: they have no `name_out`. */
  keeps?(call: KernelCall): readonly string[]
  /** The definition. */
  reference(call: KernelCall, memory: ReferenceMemory): void
  /** Dispatches that compute it. Throws KernelRefusal for layouts it has no shader for. */
  plan(call: KernelCall, device: DeviceTraits): Dispatch[]
  /** Known differences of this operator from unfused ones that ran with `unfused` attributes. */
  counterfactuals?(call: KernelCall, unfused: readonly Readonly<Record<string, AttrValue>>[]): Counterfactual[]
}

/** Device properties that a plan depends on. */
export interface DeviceTraits {
  /**
   * The adapter is a CPU (SwiftShader, llvmpipe): a workgroup barrier there costs more than ten times the arithmetic
   * between two of them, and neighbouring threads gain nothing from reading neighbouring words. One thread then takes
   * a whole group or row.
   */
  readonly serial: boolean
  /** Four threads with consecutive indices in their workgroup pass values to each other without a barrier. */
  readonly quads: boolean
}

export const PARALLEL: DeviceTraits = { serial: false, quads: false }

/** The user's arguments are not what the operator takes; `message` is one plain sentence. */
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
