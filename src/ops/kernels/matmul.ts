/** Kernels of matrix products, whose epilogue is an expression. */
import { encodeFn, type DTypeName } from '../dtype'
import { type Expr, given } from '../expr/expr'
import { schedule } from '../expr/schedule'
import { execute, type JsContext } from '../expr/to_js'
import { WgslPrinter } from '../expr/to_wgsl'
import {
  KernelRefusal,
  tensorArg,
  type DeviceTraits,
  type Dispatch,
  type Kernel,
  type KernelCall,
  type ReferenceMemory,
  type TensorView,
} from '../kernel'
import { contiguousStrides } from '../strides'
import { Shader, WORKGROUP } from './shader'
import { reader } from './strided'

/** [batch, rows, cols] of a tensor of two or three dimensions, by strides: no layout needs a copy. */
export interface Matrix {
  readonly dtype: DTypeName
  readonly batch: number
  readonly rows: number
  readonly cols: number
  readonly stride: readonly [number, number, number]
  readonly offset: number
}

export function matrixOf(name: string, t: TensorView): Matrix {
  const { shape, stride } = t
  if (shape.length !== 2 && shape.length !== 3)
    throw new KernelRefusal(`\`${name}\` must have two or three dimensions, found [${shape.join(', ')}]`)
  const [r, c] = [shape.length - 2, shape.length - 1]
  const batch = shape.length === 3 ? shape[0]! : 1
  return {
    dtype: t.dtype,
    batch,
    rows: shape[r]!,
    cols: shape[c]!,
    stride: [batch > 1 ? stride[0]! : 0, stride[r]!, stride[c]!],
    offset: t.offset,
  }
}

/** A matrix with its dimensions swapped; a tensor with fewer dimensions is unchanged. */
const turned = (t: TensorView): TensorView =>
  t.shape.length === 2 ? { ...t, shape: t.shape.toReversed(), stride: t.stride.toReversed() } : t

export interface MatmulSpec {
  readonly a: string
  readonly b: string
  readonly out: string
  /** True if `b` is laid out like weights, [n, k]. */
  readonly weights?: boolean
  /** Columns of b per output column: the column itself, or also its partner half a row away. */
  readonly halves?: 2
  /** The stored value, from the product and the partner's. */
  finish(p: Expr, p1: Expr, at: { readonly z: Expr; readonly row: Expr; readonly col: Expr }): Expr
  /** Factors applied to elements before multiplication. */
  readonly scales?: { a(row: Expr, k: Expr): Expr; b(k: Expr, col: Expr): Expr } | undefined
}

const index = (name: string): Expr => given(name, 'whole')

const finished = ({ finish }: MatmulSpec): Expr =>
  finish(given('p'), given('p1'), { z: index('z'), row: index('row'), col: index('col') })

const TILE = 16
/** Smallest magnitude that float32 rounds to infinity. */
const FLOAT32_END = 2 ** 128 - 2 ** 103

const rightOf = (call: KernelCall, { b, weights }: MatmulSpec): TensorView =>
  weights ? turned(tensorArg(call, b)) : tensorArg(call, b)

/** WGSL of a product: sizes, element `left(row, k)` and `right(k, col)`, and the statement that stores `p` and `p1`. */
interface ProductText {
  readonly rows: string
  readonly cols: string
  readonly inner: string
  readonly left: (r: string, k: string) => string
  readonly right: (k: string, c: string) => string
  /** True if `p1` is the product with the partner column. */
  readonly paired: boolean
  readonly store: string
}

/** One thread per element. */
function serialProduct(label: string, shader: Shader, out: Matrix, text: ProductText): Dispatch {
  const { rows, cols, inner, left, right, paired, store } = text
  return shader.print(
    label,
    `  let e = group * ${WORKGROUP}u + lid;
  if (e >= ${rows} * ${cols} * ${out.batch}u) { return; }
  let col = e % ${cols};
  let row = (e / ${cols}) % ${rows};
  let z = e / (${cols} * ${rows});
  var p = 0.0;
  var p1 = 0.0;
  for (var k = 0u; k < ${inner}; k++) {
    let v = ${left('row', 'k')};
    p += v * (${right('k', 'col')});
    ${paired ? `p1 += v * (${right('k', `col + ${cols}`)});` : ''}
  }
  ${store}`,
    Math.ceil((out.rows * out.cols * out.batch) / WORKGROUP),
  )
}

/** One workgroup per tile of TILE × TILE elements. */
function tiledProduct(label: string, shader: Shader, out: Matrix, text: ProductText): Dispatch {
  const { rows, cols, inner, left, right, paired, store } = text
  const across = Math.ceil(out.cols / TILE)
  const down = Math.ceil(out.rows / TILE)
  const load = (into: string, col: string): string =>
    `${into}[lid] = select(0.0, ${right('min(k0 + ty, last)', col)}, k0 + ty < ${inner} && col < ${cols});`
  return shader.print(
    label,
    `  let tx = lid % ${TILE}u;
  let ty = lid / ${TILE}u;
  let z = group / ${across * down}u;
  if (z >= ${out.batch}u) { return; }
  let row = ((group / ${across}u) % ${down}u) * ${TILE}u + ty;
  let col = (group % ${across}u) * ${TILE}u + tx;
  let last = max(${inner}, 1u) - 1u;
  let r = min(row, ${rows} - 1u);
  let c = min(col, ${cols} - 1u);
  var p = 0.0;
  var p1 = 0.0;
  for (var k0 = 0u; k0 < ${inner}; k0 += ${TILE}u) {
    left[lid] = select(0.0, ${left('r', 'min(k0 + tx, last)')}, k0 + tx < ${inner} && row < ${rows});
    ${load('right', 'c')}
    ${paired ? load('right1', `c + ${cols}`) : ''}
    workgroupBarrier();
    for (var k = 0u; k < ${TILE}u; k++) {
      let v = left[ty * ${TILE}u + k];
      p += v * right[k * ${TILE}u + tx];
      ${paired ? `p1 += v * right1[k * ${TILE}u + tx];` : ''}
    }
    workgroupBarrier();
  }
  if (row < ${rows} && col < ${cols}) { ${store} }`,
    across * down * out.batch,
    `var<workgroup> left: array<f32, ${TILE * TILE}>;
var<workgroup> right: array<f32, ${TILE * TILE}>;
${paired ? `var<workgroup> right1: array<f32, ${TILE * TILE}>;` : ''}`,
    TILE * TILE,
  )
}

/**
 * Products are summed in float32: in tiles of 16 × 16 in workgroup memory, or with one thread per element on a serial
 * device.
 */
function matmulPlan(label: string, call: KernelCall, spec: MatmulSpec, device: DeviceTraits): Dispatch[] {
  const a = matrixOf(spec.a, tensorArg(call, spec.a))
  const b = matrixOf(spec.b, rightOf(call, spec))
  const out = matrixOf(spec.out, tensorArg(call, spec.out))
  const shader = new Shader(false)
  shader.helper(encodeFn('enc_out', out.dtype, false))
  const at = (name: string, m: Matrix): ((z: string, r: string, c: string) => string) => {
    const base = shader.param(`${name}_base`, m.offset)
    const [sz, sr, sc] = m.stride.map((s, i) => shader.param(`${name}_s${i}`, s))
    return (z, r, c) => `${base} + (${z}) * ${sz} + (${r}) * ${sr} + (${c}) * ${sc}`
  }
  const x = shader.bind(spec.a, a.dtype, 'read')
  const y = shader.bind(spec.b, b.dtype, 'read')
  const q = shader.scatter(spec.out, out.dtype)
  // Positions are literals, because reading a parameter costs a CPU adapter a fifth of its time.
  const load = (tensor: string, at: readonly string[]): string => {
    const view = tensorArg(call, tensor)
    const terms = at.flatMap((i, d) => (view.shape[d]! > 1 ? [`u32(${i}) * ${view.stride[d]}u`] : []))
    return reader(shader, tensor, view)([`${view.offset}u`, ...terms].join(' + '))
  }
  /** A function of indices, and a function of floats. */
  const emit = (name: string, params: string, value: Expr): void => {
    const store = (_: string, __: unknown, text: string): string => `return ${text};`
    const printer = new WgslPrinter({ shader, given: (n) => (n === 'p' || n === 'p1' ? n : `i32(${n})`), load, store })
    const body = printer.statements(schedule([{ out: '', at: [], value }]))
    shader.helper(`fn ${name}(${params}) -> f32 {\n${body}\n}`)
  }
  emit('finish', 'p: f32, p1: f32, row: u32, col: u32, z: u32', finished(spec))
  if (spec.scales) {
    emit('scale_a', 'row: u32, k: u32', spec.scales.a(index('row'), index('k')))
    emit('scale_b', 'k: u32, col: u32', spec.scales.b(index('k'), index('col')))
  }
  const [xAt, yAt, outAt] = [at('a', a), at('b', b), at('o', out)]
  const rows = shader.param('rows', out.rows)
  const cols = shader.param('cols', out.cols)
  const inner = shader.param('inner', a.cols)
  const left = (r: string, k: string): string =>
    `load_${x.index}(${xAt('z', r, k)})${spec.scales ? ` * scale_a(${r}, ${k})` : ''}`
  const right = (k: string, c: string): string =>
    `load_${y.index}(${yAt('z', k, c)})${spec.scales ? ` * scale_b(${k}, ${c})` : ''}`
  const text: ProductText = {
    rows,
    cols,
    inner,
    left,
    right,
    paired: spec.halves === 2,
    store: `put_${q.index}(${outAt('z', 'row', 'col')}, enc_out(bitcast<u32>(finish(p, p1, row, col, z))));`,
  }
  return [device.serial ? serialProduct(label, shader, out, text) : tiledProduct(label, shader, out, text)]
}

/** The definition: products summed in float64, and the epilogue. */
function matmulValues(call: KernelCall, memory: ReferenceMemory, spec: MatmulSpec): void {
  const { batch, rows: m, cols: k } = matrixOf(spec.a, tensorArg(call, spec.a))
  const n = matrixOf(spec.b, rightOf(call, spec)).cols
  const load = (tensor: string): ReturnType<NonNullable<JsContext['load']>> => {
    return { values: memory.read(tensor), stride: contiguousStrides(tensorArg(call, tensor).shape) }
  }
  /** An operand's elements times their factors. */
  const operand = (values: Float32Array, over: JsContext['over'], scale?: Expr): ArrayLike<number> => {
    if (!scale) return values
    const scaled = new Float64Array(values.length)
    const store = { out: '', at: [index('z'), index(over[1]![0]), index(over[2]![0])], value: given('x').times(scale) }
    const stride = contiguousStrides(over.map(([, size]) => size))
    execute(schedule([store]), {
      over,
      given: () => values,
      load,
      store: () => ({ values: scaled, stride }),
    })
    return scaled
  }
  const right = memory.read(spec.b)
  const [z, row, inner, col] = [['z', batch] as const, ['row', m] as const, ['k', k] as const, ['col', n] as const]
  const p = products(
    operand(memory.read(spec.a), [z, row, inner], spec.scales?.a(index('row'), index('k'))),
    operand(spec.weights ? transposed(right, n, k) : right, [z, inner, col], spec.scales?.b(index('k'), index('col'))),
    { batch, m, k, n },
  )
  const cols = n / (spec.halves ?? 1)
  const values = new Float32Array(batch * m * cols)
  execute(schedule([{ out: '', at: [index('z'), index('row'), index('col')], value: finished(spec) }]), {
    over: [z, row, ['col', cols]],
    given: (name) => ({ values: p, cols, begins: (row) => row * n + (name === 'p1' ? cols : 0), step: 1 }),
    load,
    store: () => ({ values, stride: [m * cols, cols, 1] }),
  })
  memory.write(spec.out, values)
}

/** [rows, cols] as [cols, rows]. */
function transposed(values: Float32Array, rows: number, cols: number): Float32Array {
  const out = new Float32Array(values.length)
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) out[j * rows + i] = values[i * cols + j]!
  return out
}

/**
 * a @ b for [batch, m, k] and [batch, k, n] in row-major order, summed in float64. A product that overflows float32 is
 * infinite, as in the float32 sums that this emulates.
 */
function products(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  { batch, m, k, n }: { readonly batch: number; readonly m: number; readonly k: number; readonly n: number },
): Float64Array {
  const out = new Float64Array(batch * m * n)
  for (let z = 0; z < batch; z++)
    for (let i = 0; i < m; i++)
      for (let l = 0; l < k; l++) {
        const v = a[(z * m + i) * k + l]!
        const from = (z * k + l) * n
        const to = (z * m + i) * n
        for (let j = 0; j < n; j++) {
          const product = v * b[from + j]!
          out[to + j]! += Math.abs(product) < FLOAT32_END ? product : Math.fround(product)
        }
      }
  return out
}

export const matmulKernel = ({
  product,
  ...spec
}: Omit<Kernel, 'reference' | 'plan'> & { product(call: KernelCall): MatmulSpec }): Kernel => ({
  ...spec,
  reference: (call, memory) => matmulValues(call, memory, product(call)),
  plan: (call, device) => matmulPlan(spec.name, call, product(call), device),
})
