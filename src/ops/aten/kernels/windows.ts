/** Operators over windows of two (or one) last dimensions: convolution and max pooling. */
import { KernelRefusal, tensorArg, type AttrValue, type Kernel, type KernelCall, type Param } from '../../kernel'
import { WGSL_ORDER } from '../../math'
import { eachKernel } from './each'

const attr = (name: string, value: AttrValue = null): Param => ({ name, kind: 'attr', default: value })

/** A size for each of `rank` dimensions; one number stands for all, nothing for `otherwise`. */
function sizes(v: AttrValue | undefined, rank: number, otherwise: readonly number[]): number[] {
  const list = Array.isArray(v) ? v.map(Number) : v === null || v === undefined ? [] : [Number(v)]
  if (list.length === 0) return [...otherwise]
  return list.length === 1 ? new Array<number>(rank).fill(list[0]!) : list
}

interface Windows {
  readonly kernel: readonly number[]
  readonly stride: readonly number[]
  readonly padding: readonly number[]
  readonly dilation: readonly number[]
}

/** Sizes after the window has gone over `shape`. With ceil_mode a last window starts within the padded input. */
function reached(shape: readonly number[], w: Windows, ceil: boolean): number[] {
  return shape.map((n, d) => {
    const span = w.dilation[d]! * (w.kernel[d]! - 1) + 1
    const steps = (n + 2 * w.padding[d]! - span) / w.stride[d]!
    const out = (ceil ? Math.ceil(steps) : Math.floor(steps)) + 1
    return ceil && (out - 1) * w.stride[d]! >= n + w.padding[d]! ? out - 1 : out
  })
}

/** WGSL: the place of tap `k` in dimension d, as a signed number. */
const tap = (w: Windows, d: number, i: string, k: string): string =>
  `i32(${i} * ${w.stride[d]}u + ${k} * ${w.dilation[d]}u) - ${w.padding[d]}`

function convolutionOf(call: KernelCall): Windows & { groups: number; rank: number } {
  const x = tensorArg(call, 'input')
  const weight = tensorArg(call, 'weight')
  const rank = weight.shape.length - 2
  if (call.attrs['transposed'] === true) throw new KernelRefusal('a transposed convolution is not handled')
  if ((rank !== 1 && rank !== 2) || x.shape.length !== rank + 2)
    throw new KernelRefusal(
      `only one and two dimensions with a batch are handled, found an input of [${x.shape.join(', ')}]`,
    )
  const groups = Number(call.attrs['groups'] ?? 1)
  if (x.shape[1] !== weight.shape[1]! * groups)
    throw new KernelRefusal(
      `an input of ${x.shape[1]} channels does not fit a weight of [${weight.shape.join(', ')}] in ${groups} groups`,
    )
  const ones = new Array<number>(rank).fill(1)
  return {
    rank,
    groups,
    kernel: weight.shape.slice(2),
    stride: sizes(call.attrs['stride'], rank, ones),
    padding: sizes(call.attrs['padding'], rank, [0, 0]),
    dilation: sizes(call.attrs['dilation'], rank, ones),
  }
}

/** out[b, o, …] = bias[o] + sum over channels and taps of input * weight: torch.nn.functional.conv1d and conv2d. */
const convolution: Kernel = eachKernel({
  name: 'convolution',
  params: [
    { name: 'input', kind: 'in' },
    { name: 'weight', kind: 'in' },
    { name: 'bias', kind: 'in', optional: true },
    attr('stride'),
    attr('padding'),
    attr('dilation'),
    attr('transposed', false),
    attr('output_padding'),
    attr('groups', 1),
    { name: 'result', kind: 'out' },
  ],
  outputs(call) {
    const c = convolutionOf(call)
    const { shape, dtype } = tensorArg(call, 'input')
    const out = tensorArg(call, 'weight').shape[0]!
    return { result: { shape: [shape[0]!, out, ...reached(shape.slice(2), c, false)], dtype } }
  },
  js(call, read) {
    const c = convolutionOf(call)
    const [x, w] = [read('input'), read('weight')]
    const bias = call.tensors['bias'] ? read('bias') : () => 0
    const { shape } = tensorArg(call, 'input')
    const weight = tensorArg(call, 'weight').shape
    const [channels, perGroup] = [weight[1]!, weight[0]! / c.groups]
    const taps = c.kernel.reduce((a, b) => a * b, 1)
    const wide = c.rank === 2 ? c.kernel[1]! : 1
    return ([b, o, ...place]) => {
      const from = Math.floor(o! / perGroup) * channels
      let sum = bias(o!)
      for (let t = 0; t < taps; t++) {
        const k = c.rank === 2 ? [Math.floor(t / wide), t % wide] : [t]
        const at = place.map((p, d) => p * c.stride[d]! + k[d]! * c.dilation[d]! - c.padding[d]!)
        if (at.some((p, d) => p < 0 || p >= shape[2 + d]!)) continue
        for (let ch = 0; ch < channels; ch++) sum += x(b!, from + ch, ...at) * w(o!, ch, ...k)
      }
      return [sum]
    }
  },
  wgsl(call, at, n) {
    const c = convolutionOf(call)
    const { shape } = tensorArg(call, 'input')
    const weight = tensorArg(call, 'weight').shape
    const k = c.kernel.map((_, d) => `k${d}`)
    const p = c.kernel.map((_, d) => `u32(p${d})`)
    const inside = c.kernel.map((_, d) => `p${d} >= 0 && p${d} < ${shape[2 + d]}`).join(' && ')
    return `  var v_result = ${call.tensors['bias'] ? at('bias', ['i1']) : '0.0'};
  let first = (i1 / ${n('per_group', weight[0]! / c.groups)}) * ${n('channels', weight[1]!)};
${c.kernel.map((size, d) => `  for (var k${d} = 0u; k${d} < ${size}u; k${d}++) {\n  let p${d} = ${tap(c, d, `i${2 + d}`, `k${d}`)};`).join('\n')}
    if (${inside}) {
      for (var ch = 0u; ch < ${n('depth', weight[1]!)}; ch++) { v_result += ${at('input', ['i0', 'first + ch', ...p])} * ${at('weight', ['i1', 'ch', ...k])}; }
    }
${'  }\n'.repeat(c.rank)}`
  },
})

const SELF: Param = { name: 'self', kind: 'in', aliases: ['input'] }
const POOL: readonly Param[] = [
  SELF,
  attr('kernel_size'),
  attr('stride'),
  attr('padding', 0),
  attr('dilation', 1),
  attr('ceil_mode', false),
]

function poolOf(call: KernelCall): Windows & { rank: number } {
  const { shape } = tensorArg(call, 'self')
  const rank = 2
  if (shape.length < 3 || shape.length > 4)
    throw new KernelRefusal(`its input must have three or four dimensions, found [${shape.join(', ')}]`)
  const kernel = sizes(call.attrs['kernel_size'], rank, [1, 1])
  return {
    rank,
    kernel,
    stride: sizes(call.attrs['stride'], rank, kernel),
    padding: sizes(call.attrs['padding'], rank, [0, 0]),
    dilation: sizes(call.attrs['dilation'], rank, [1, 1]),
  }
}

/**
 * The largest of each window, the first of equals, a NaN above all, and where it was: torch.nn.functional.max_pool2d.
 * @param offsets the place within the window as int8 (Inductor's low-memory form), else within the input's plane
 */
const maxPool = (name: string, second: string, offsets: boolean): Kernel =>
  eachKernel({
    name,
    params: [...POOL, { name: 'out', kind: 'out' }, { name: second, kind: 'out' }],
    helpers: () => [WGSL_ORDER],
    outputs(call) {
      const { shape, dtype } = tensorArg(call, 'self')
      const w = poolOf(call)
      const made = [...shape.slice(0, -2), ...reached(shape.slice(-2), w, call.attrs['ceil_mode'] === true)]
      return { out: { shape: made, dtype }, [second]: { shape: made, dtype: offsets ? 'int8' : 'int64' } }
    },
    js(call, read) {
      const w = poolOf(call)
      const { shape } = tensorArg(call, 'self')
      const [rows, cols] = shape.slice(-2) as [number, number]
      const x = read('self')
      return (index) => {
        const lead = index.slice(0, -2)
        const [i, j] = index.slice(-2) as [number, number]
        let best = -Infinity
        let at = -1
        for (let k = 0; k < w.kernel[0]! * w.kernel[1]!; k++) {
          const [a, b] = [Math.floor(k / w.kernel[1]!), k % w.kernel[1]!]
          const p = i * w.stride[0]! + a * w.dilation[0]! - w.padding[0]!
          const q = j * w.stride[1]! + b * w.dilation[1]! - w.padding[1]!
          if (p < 0 || q < 0 || p >= rows || q >= cols) continue
          const v = x(...lead, p, q)
          if (at >= 0 && !(v > best || (Number.isNaN(v) && !Number.isNaN(best)))) continue
          best = v
          at = offsets ? k : p * cols + q
        }
        return [best, Math.max(at, 0)]
      }
    },
    wgsl(call, at, n) {
      const w = poolOf(call)
      const { shape } = tensorArg(call, 'self')
      const rank = shape.length
      const [rows, cols] = shape.slice(-2) as [number, number]
      const lead = shape.slice(0, -2).map((_, d) => `i${d}`)
      const place = offsets ? `k0 * ${w.kernel[1]}u + k1` : `u32(p0) * ${n('cols', cols)} + u32(p1)`
      const nan = (v: string): string => `((bitcast<u32>(${v}) & 0x7fffffffu) > 0x7f800000u)`
      return `  var v_out = 0.0;
  var found = false;
  var best = 0u;
  for (var k0 = 0u; k0 < ${w.kernel[0]}u; k0++) {
    let p0 = ${tap(w, 0, `i${rank - 2}`, 'k0')};
    for (var k1 = 0u; k1 < ${w.kernel[1]}u; k1++) {
      let p1 = ${tap(w, 1, `i${rank - 1}`, 'k1')};
      if (p0 < 0 || p1 < 0 || p0 >= ${rows} || p1 >= ${cols}) { continue; }
      let v = ${at('self', [...lead, 'u32(p0)', 'u32(p1)'])};
      if (!found || (!${nan('v_out')} && (${nan('v')} || order(v) > order(v_out)))) { v_out = v; best = ${place}; }
      found = true;
    }
  }
  let v_${second} = f32(best);`
    },
  })

export const WINDOWS: readonly (readonly [string, Kernel])[] = [
  ['convolution', convolution],
  ['max_pool2d_with_indices', maxPool('max_pool2d_with_indices', 'indices', false)],
  ['_low_memory_max_pool_with_offsets', maxPool('_low_memory_max_pool_with_offsets', 'offsets', true)],
]
