/** Building blocks of all shaders: row views, buffers with their decoders, parameters, entry point. */
import { DTYPES, lanes, type DTypeName } from '../dtype'
import { isContiguous, KernelRefusal, numel, type Binding, type Dispatch, type TensorView } from '../kernel'
import { accessors, type Buffer } from './accessors'

/** A tensor viewed as rows of its last dimension: element (r, c) is at `offset + r * rowStride + c * colStride`. */
export interface Rows {
  readonly dtype: DTypeName
  readonly rows: number
  readonly cols: number
  readonly rowStride: number
  readonly colStride: number
  readonly offset: number
}

/** Throws KernelRefusal if the leading dimensions are not evenly spaced rows. */
export function rowsOf(name: string, t: TensorView): Rows {
  const last = t.shape.length - 1
  const cols = last < 0 ? 1 : t.shape[last]!
  const rows = numel(t.shape.slice(0, Math.max(0, last)))
  let rowStride = 0
  let expected: number | null = null
  for (let i = last - 1; i >= 0; i--) {
    if (t.shape[i] === 1) continue
    if (expected === null) rowStride = t.stride[i]!
    else if (t.stride[i] !== expected)
      throw new KernelRefusal(
        `\`${name}\` has shape [${t.shape.join(', ')}] and stride [${t.stride.join(', ')}], whose rows are not evenly spaced; make it contiguous first`,
      )
    expected = t.stride[i]! * t.shape[i]!
  }
  return { dtype: t.dtype, rows, cols, rowStride, colStride: last < 0 ? 1 : t.stride[last]!, offset: t.offset }
}

/** True if rows, columns and offset are whole blocks of eight, so that eight elements can be accessed at a time. */
export const readsInEights = (r: Rows): boolean =>
  DTYPES[r.dtype].bytes <= 4 &&
  (r.colStride === 1 || r.cols === 1) &&
  r.cols % 8 === 0 &&
  r.rowStride % 8 === 0 &&
  r.offset % 8 === 0

/** A packed output is written whole words at a time, so it must be dense. Throws KernelRefusal. */
export function requireDense(name: string, t: TensorView): void {
  if (!isContiguous(t) || t.offset % 8 !== 0)
    throw new KernelRefusal(
      `\`${name}\` must be contiguous to be written, found stride [${t.stride.join(', ')}] for shape [${t.shape.join(', ')}]`,
    )
}

/** A tensor's rows and their binding in the shader. */
export interface Stream {
  readonly buffer: Buffer
  /** WGSL for the index of element (row, col). */
  at(row: string, col: string): string
}

export const WORKGROUP = 64
const MAX_PER_DIMENSION = 65535

/** WGSL for the index of element (row, col) of rows, from column `from` on. */
export function placed(r: Rows, row: string, col: string, from = 0): string {
  const terms = [
    [row, r.rowStride],
    [col, r.colStride],
  ] as const
  const base = r.offset + from * r.colStride
  const sum = terms.flatMap(([of, by]) => (by === 0 ? [] : by === 1 ? [`(${of})`] : [`(${of}) * ${by}u`]))
  return [...(base === 0 ? [] : [`${base}u`]), ...sum].join(' + ') || '0u'
}

/** Collects a shader's bindings and prints it. `wide`: loads and stores of eight elements. */
export class Shader {
  private readonly buffers: (Buffer & Binding)[] = []
  private readonly fields: [string, number][] = []
  private readonly helpers: string[] = []
  private readonly starts: string[] = []

  constructor(readonly wide: boolean) {}

  /** Binds a tensor once, even if several streams read it. Word access (`wide` false) suits scalars and scales. */
  bind(tensor: string, dtype: DTypeName, access: Binding['access'], wide = this.wide, put = false): Buffer {
    const known = this.buffers.find((b) => b.tensor === tensor)
    if (known) return known
    const buffer = { tensor, access, dtype, wide: wide && !put, put, index: this.buffers.length }
    this.buffers.push(buffer)
    return buffer
  }

  param(name: string, value: number): string {
    this.fields.push([name, value])
    return `P.${name}`
  }

  /** Adds a function once. Lane types (see `lanes`) are instantiated for this shader. */
  helper(wgsl: string): void {
    const text = lanes(wgsl, this.wide)
    if (!this.helpers.includes(text)) this.helpers.push(text)
  }

  /** True if a function of this name was added. */
  has(name: string): boolean {
    return this.helpers.some((text) => text.startsWith(`fn ${name}(`))
  }

  /** `var<private> NAME`, computed once per thread: a CPU recomputes a function at each call. */
  once(name: string, value: string): void {
    this.helper(`var<private> ${name}: f32;`)
    this.starts.push(`  ${name} = ${value};\n`)
  }

  /**
   * Rows of an input from column `from` on. Their layout is a literal in the shader, because it depends on the width of rows, not
   * on their number, and a CPU reloads a parameter at each use.
   */
  stream(tensor: string, rows: Rows, from = 0): Stream {
    const buffer = this.bind(tensor, rows.dtype, 'read')
    const at = (r: string, c: string): string => placed(rows, r, c, from)
    return { buffer, at }
  }

  /** Name of `fn(e) -> f32`: one element of a buffer read in eights. */
  one({ index: i, dtype }: Buffer): string {
    const text =
      dtype === 'bfloat16'
        ? `let w = b${i}[e >> 3u][(e >> 1u) & 3u];
  return bitcast<f32>(select(w & 0xffff0000u, w * 0x10000u, (e & 1u) == 0u));`
        : `let v = load8_${i}(e);
  return select(v.b, v.a, (e & 7u) < 4u)[e & 3u];`
    this.helper(`fn one_${i}(e: u32) -> f32 {\n  ${text}\n}`)
    return `one_${i}`
  }

  /** Binds an output that is written element by element. */
  scatter(tensor: string, dtype: DTypeName): Buffer {
    return this.bind(tensor, dtype, 'read_write', false, true)
  }

  /** Binds a float32 output as atomic words. */
  peak(tensor: string): Buffer {
    const buffer = { tensor, access: 'read_write', dtype: 'float32', wide: false, put: false, atomic: true } as const
    this.buffers.push({ ...buffer, index: this.buffers.length })
    return this.buffers.at(-1)!
  }

  print(label: string, main: string, workgroups: number, shared = '', size = WORKGROUP): Dispatch {
    const n = this.buffers.length
    const decls = this.buffers.map(
      (b) => `@group(0) @binding(${b.index}) var<storage, ${b.access}> b${b.index}: array<${wordType(b)}>;`,
    )
    // A struct needs members, but not every shader has parameters. An automatic layout omits unused bindings.
    if (this.fields.length === 0) main = `  _ = ${this.param('unused', 0)};\n${main}`
    const params = this.fields.map(([name]) => `  ${name}: u32,`)
    // Whole quads leave a shader together, which uniformity analysis cannot see.
    const quads = /\bquadSwap/.test(main) ? 'enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n' : ''
    const wgsl = `${quads}struct Params {
${params.join('\n')}
}
${decls.join('\n')}
@group(0) @binding(${n}) var<uniform> P: Params;
${shared}
// Eight consecutive elements.
struct V8 { a: vec4<f32>, b: vec4<f32> }
${this.buffers.map((b) => accessors(b)).join('')}
${this.helpers.join('\n')}
@compute @workgroup_size(${size})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
${this.starts.join('')}${main}
}
`
    return {
      label,
      wgsl,
      bindings: this.buffers.map(({ tensor, access }) => ({ tensor, access })),
      params: this.fields.map(([, v]) => v),
      workgroups: Math.max(1, workgroups),
    }
  }
}

/** Workgroups as x and y, because one dimension is limited to 65,535. */
export function gridOf(workgroups: number): [number, number] {
  if (workgroups <= MAX_PER_DIMENSION) return [workgroups, 1]
  const y = Math.ceil(workgroups / MAX_PER_DIMENSION)
  return [Math.ceil(workgroups / y), y]
}

function wordType(b: Buffer): string {
  if (b.atomic || (b.put && DTYPES[b.dtype].bytes < 4)) return 'atomic<u32>'
  if (!b.wide) return 'u32'
  return DTYPES[b.dtype].bytes === 1 ? 'vec2<u32>' : 'vec4<u32>'
}
