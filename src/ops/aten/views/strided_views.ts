/** View operators: no storage, no copy. PyTorch's aten view operators, implemented by strides. */
import { KernelRefusal, numel, type AttrValue, type TensorView } from '../../kernel'
import { dimOf } from '../../kernels/strided'

type Args = (name: string, position: number) => AttrValue | undefined
type View = (t: TensorView, arg: Args) => TensorView | TensorView[]

const numbers = (v: AttrValue | undefined): number[] =>
  Array.isArray(v) ? v.map(Number) : v == null ? [] : [Number(v)]
const removed = (list: readonly number[], d: number): number[] => list.filter((_, i) => i !== d)

function slice(t: TensorView, dim: number, start: number, end: number, step: number): TensorView {
  const n = t.shape[dim]!
  const at = (i: number): number => Math.min(Math.max(i < 0 ? i + n : i, 0), n)
  const from = at(start)
  const to = Math.max(from, at(end))
  return {
    ...t,
    shape: t.shape.map((s, d) => (d === dim ? Math.ceil((to - from) / step) : s)),
    stride: t.stride.map((s, d) => (d === dim ? s * step : s)),
    offset: t.offset + from * t.stride[dim]!,
  }
}

const select = (t: TensorView, dim: number, index: number): TensorView => ({
  ...t,
  shape: removed(t.shape, dim),
  stride: removed(t.stride, dim),
  offset: t.offset + (index < 0 ? index + t.shape[dim]! : index) * t.stride[dim]!,
})

function split(t: TensorView, dim: number, sizes: readonly number[]): TensorView[] {
  let from = 0
  return sizes.map((size) => slice(t, dim, from, (from += size), 1))
}

function permute(t: TensorView, dims: readonly number[]): TensorView {
  const order = dims.map((d) => dimOf(d, t.shape.length))
  return { ...t, shape: order.map((d) => t.shape[d]!), stride: order.map((d) => t.stride[d]!) }
}

function swap(t: TensorView, a: number, b: number): TensorView {
  const order = t.shape.map((_, d) => d)
  ;[order[a], order[b]] = [order[b]!, order[a]!]
  return permute(t, order)
}

function squeeze(t: TensorView, dims: readonly number[]): TensorView {
  const gone = (d: number): boolean => dims.includes(d) && t.shape[d] === 1
  return { ...t, shape: t.shape.filter((_, d) => !gone(d)), stride: t.stride.filter((_, d) => !gone(d)) }
}

export function expand(t: TensorView, size: readonly number[]): TensorView {
  const lead = size.length - t.shape.length
  const own = (d: number): number => (d < lead ? 1 : t.shape[d - lead]!)
  const shape = size.map((n, d) => (n === -1 ? own(d) : n))
  const bad = shape.findIndex((n, d) => own(d) !== 1 && own(d) !== n)
  if (bad >= 0 || lead < 0)
    throw new KernelRefusal(
      `[${t.shape.join(', ')}] does not expand to [${shape.join(', ')}]; a fixed size prevents a different token count`,
    )
  return { ...t, shape, stride: shape.map((n, d) => (d < lead || (own(d) === 1 && n !== 1) ? 0 : t.stride[d - lead]!)) }
}

/** The requested shape with its -1 resolved. Throws KernelRefusal. */
export function sizesOf(t: TensorView, asked: readonly number[]): number[] {
  const sizes = [...asked]
  const total = numel(t.shape)
  const hole = sizes.indexOf(-1)
  if (hole >= 0) sizes[hole] = total / sizes.reduce((a, n) => (n === -1 ? a : a * n), 1)
  if (numel(sizes) !== total || sizes.some((n) => !Number.isInteger(n)))
    throw new KernelRefusal(
      `[${t.shape.join(', ')}] cannot become [${asked.join(', ')}]; a fixed size prevents a different token count`,
    )
  return sizes
}

/** Strides for viewing `t` in another shape without a copy; null if there are none. Like at::detail::computeStride. */
export function reshaped(t: TensorView, shape: readonly number[]): TensorView | null {
  const stride = new Array<number>(shape.length).fill(1)
  const own = t.shape.map((n, d) => [n, t.stride[d]!] as const).filter(([n]) => n !== 1)
  if (numel(t.shape) === 0) return { ...t, shape, stride }
  let d = shape.length - 1
  for (let i = own.length - 1; i >= 0; i--) {
    // Own dimensions that are contiguous in storage.
    const base = own[i]![1]
    let size = own[i]![0]
    while (i > 0 && own[i - 1]![1] === own[i]![0] * own[i]![1]) size *= own[--i]![0]
    let covered = 1
    while (d >= 0 && (covered < size || shape[d] === 1)) {
      stride[d] = covered * base
      covered *= shape[d]!
      d--
    }
    if (covered !== size) return null
  }
  while (d >= 0) stride[d--] = 1
  return { ...t, shape, stride }
}

const dim = (t: TensorView, arg: Args, name = 'dim', position = 1, otherwise = 0): number =>
  dimOf(arg(name, position) ?? otherwise, t.shape.length)
const MAX = Number.MAX_SAFE_INTEGER

const VIEWS: Readonly<Record<string, View>> = {
  permute: (t, arg) => permute(t, numbers(arg('dims', 1))),
  t: (t) => (t.shape.length < 2 ? t : swap(t, 0, 1)),
  numpy_T: (t) =>
    permute(
      t,
      t.shape.map((_, d) => t.shape.length - 1 - d),
    ),
  transpose: (t, arg) => swap(t, dim(t, arg, 'dim0', 1), dim(t, arg, 'dim1', 2)),
  expand: (t, arg) => expand(t, numbers(arg('size', 1))),
  unsqueeze(t, arg) {
    const d = dimOf(arg('dim', 1), t.shape.length + 1)
    return {
      ...t,
      shape: t.shape.toSpliced(d, 0, 1),
      stride: t.stride.toSpliced(d, 0, (t.shape[d] ?? 1) * (t.stride[d] ?? 1)),
    }
  },
  squeeze: (t, arg) => {
    const asked = arg('dim', 1)
    return squeeze(t, asked == null ? t.shape.map((_, d) => d) : numbers(asked).map((d) => dimOf(d, t.shape.length)))
  },
  slice: (t, arg) =>
    slice(t, dim(t, arg), Number(arg('start', 2) ?? 0), Number(arg('end', 3) ?? MAX), Number(arg('step', 4) ?? 1)),
  narrow: (t, arg) => {
    const start = Number(arg('start', 2))
    return slice(t, dim(t, arg), start, start + Number(arg('length', 3)), 1)
  },
  select: (t, arg) => select(t, dim(t, arg), Number(arg('index', 2))),
  split(t, arg) {
    const d = dim(t, arg, 'dim', 2)
    const size = arg('split_size', 1)
    if (Array.isArray(size)) return split(t, d, size.map(Number))
    const n = t.shape[d]!
    return split(
      t,
      d,
      Array.from({ length: Math.ceil(n / Number(size)) }, (_, i) => Math.min(Number(size), n - i * Number(size))),
    )
  },
  split_with_sizes: (t, arg) => split(t, dim(t, arg, 'dim', 2), numbers(arg('split_sizes', 1))),
  chunk(t, arg) {
    const d = dim(t, arg, 'dim', 2)
    const size = Math.ceil(t.shape[d]! / Number(arg('chunks', 1)))
    return split(
      t,
      d,
      Array.from({ length: Math.ceil(t.shape[d]! / size) }, (_, i) => Math.min(size, t.shape[d]! - i * size)),
    )
  },
  unbind: (t, arg) => Array.from({ length: t.shape[dim(t, arg)]! }, (_, i) => select(t, dim(t, arg), i)),
  as_strided: (t, arg) => ({
    ...t,
    shape: numbers(arg('size', 1)),
    stride: numbers(arg('stride', 2)),
    offset: Number(arg('storage_offset', 3) ?? 0),
  }),
  detach: (t) => t,
  alias: (t) => t,
  lift: (t) => t,
}

/** The view operator of a target (`aten.slice.Tensor`), if it is one. */
export function viewOperator(target: string): View | null {
  const [ns, name] = target.split('.')
  // Every rank is a buffer on one device, so there is nothing to wait for.
  if (target.startsWith('_c10d_functional.wait_tensor')) return (t) => t
  return ns === 'aten' && name && Object.hasOwn(VIEWS, name) ? VIEWS[name]! : null
}

/** True if the result may share the storage of the first argument; includes reshape, if the strides allow it. */
export const sharesStorage = (target: string): boolean => viewOperator(target) !== null || SHARES.has(target)

const SHARES = new Set(
  'aten.view.default aten.view.dtype aten.reshape.default aten._unsafe_view.default aten.flatten.using_ints'.split(' '),
)
