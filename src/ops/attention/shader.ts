/**
 * Attention in one dispatch with a fused epilogue: scores are never stored. Each thread handles a query row and keeps
 * its running maximum and sum (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018); keys and
 * values pass through workgroup memory one tile at a time, each read once for 64 rows.
 */
import { bitsOf, DTYPES, encodeFn } from '../dtype'
import { KernelRefusal, tensorArg, type DeviceTraits, type Dispatch, type KernelCall, type TensorView } from '../kernel'
import { broadcastStride, place, reader } from '../kernels/strided'
import { Shader, WORKGROUP } from '../kernels/shader'
import type { Sink } from '../kernels/row_spec'
import { emitSink } from '../kernels/row_wgsl'
import type { Attention, Heads } from './heads'

/** Number of float32 in a tile, out of a workgroup's 16 KiB. */
const TILE = 4096
/** Maximum keys per tile: the visible ones of a row are a bit mask of one word. */
const MAX_KEYS = 32

export interface AttentionPlan {
  readonly label: string
  /** Output for the values, as heads. */
  readonly out: { readonly name: string; readonly heads: Heads }
  /** Default: the values unchanged. */
  readonly sink?: Sink
  /** Output for log(sum(exp(scores))), [batch, heads, rows] float32. */
  readonly lse?: { readonly name: string; readonly view: TensorView }
}

const HEADER = 'const LOWEST = -3.4028234663852886e+38f;'

/** WGSL type in which a row's values are read. */
const laneType = (lanes: 1 | 4): string => (lanes === 4 ? 'vec4<f32>' : 'f32')

export function attentionPlan(call: KernelCall, a: Attention, plan: AttentionPlan, device: DeviceTraits): Dispatch[] {
  const { k, v } = a
  const tileKeys = Math.min(MAX_KEYS, Math.floor(TILE / Math.max(k.dim, v.dim)))
  if (tileKeys < 1) throw new KernelRefusal(`a head size of ${Math.max(k.dim, v.dim)} is beyond the ${TILE} handled`)
  const shader = new Shader(false)
  const text = attentionText(call, a, plan, shader)
  return [
    device.serial
      ? serialAttention(shader, plan.label, a, text)
      : tiledAttention(shader, plan.label, a, text, tileKeys),
  ]
}

/** WGSL shared by the two forms of the shader, over `row`, `z` (batch and head) and `key`. */
interface AttentionText {
  readonly lane: string
  /** Number of lanes in a query's and in a value's row. */
  readonly steps: number
  readonly outSteps: number
  readonly rows: string
  readonly keys: string
  readonly keyAt: Address
  readonly valueAt: Address
  /** Condition: the row attends to the key. */
  readonly seen: string
  /** Statements that declare the score `s`, from an expression for lane d of the key. */
  readonly dot: (keyValue: string) => string
  readonly start: string
  readonly finish: string
}

type Address = (head: string, row: string) => string

/**
 * Declares WGSL `NAME_at(address, d)`, which reads `lanes` elements of a row. Returns WGSL for the address of a row.
 */
function headsReader(shader: Shader, name: string, heads: Heads, lanes: 1 | 4): Address {
  const [sb, sh, sr, sd] = heads.stride.map((s, i) => shader.param(`${name}_s${i}`, s))
  const base = shader.param(`${name}_base`, heads.offset)
  const { index } = shader.bind(name, heads.dtype, 'read', false)
  const one = (at: string, i: string): string => `load_${index}(${at} + (${i}) * ${sd})`
  const parts = Array.from({ length: lanes }, (_, i) => one('at', `d * ${lanes}u + ${i}u`))
  shader.helper(
    `fn ${name}_at(at: u32, d: u32) -> ${laneType(lanes)} { return ${lanes === 4 ? `vec4<f32>(${parts.join(', ')})` : parts[0]}; }`,
  )
  return (h, row) => `${base} + b * ${sb} + (${h}) * ${sh} + (${row}) * ${sr}`
}

/** Binds the tensors, in the order of the shader's parameters. */
function attentionText(call: KernelCall, a: Attention, plan: AttentionPlan, shader: Shader): AttentionText {
  const { q, k, v } = a
  // Four values at a time if both head sizes allow it.
  const lanes = k.dim % 4 === 0 && v.dim % 4 === 0 ? 4 : 1
  const lane = laneType(lanes)
  const [steps, outSteps] = [k.dim / lanes, v.dim / lanes]
  const queryAt = headsReader(shader, 'query', q, lanes)
  const keyAt = headsReader(shader, 'key', k, lanes)
  const valueAt = headsReader(shader, 'value', v, lanes)
  const size = (name: string, n: number): string => shader.param(name, n)
  const [rows, keys, heads, sharing] = [
    size('rows', q.rows),
    size('keys', k.rows),
    size('heads', q.heads),
    size('sharing', a.sharing),
  ]
  const scale = `bitcast<f32>(${shader.param('scale', bitsOf(a.scale))})`
  const seen = a.causal ? 'key <= row' : 'true'
  const masked = maskText(call, a, shader)
  const dot = (keyValue: string): string => `var dots = ${lane}();
      for (var d = 0u; d < ${steps}u; d++) { dots += mine[d] * ${keyValue}; }
      var s = ${lanes === 4 ? '((dots.x + dots.y) + (dots.z + dots.w))' : 'dots'} * ${scale};
      ${masked}`
  const start = `  let b = z / ${heads};
  let h = z % ${heads};
  let shared_head = h / ${sharing};
  var mine: array<${lane}, ${steps}>;
  var acc: array<${lane}, ${outSteps}>;
  let query_at_row = ${queryAt('h', 'row')};
  for (var d = 0u; d < ${steps}u; d++) { mine[d] = query_at(query_at_row, d); }
  var top = LOWEST;
  var sum = 0.0;`
  const finish = finishText(call, shader, plan, v.dim, lanes)
  return { lane, steps, outSteps, rows, keys, keyAt, valueAt, seen, dot, start, finish }
}

/** One thread per query row. */
function serialAttention(shader: Shader, label: string, { q }: Attention, text: AttentionText): Dispatch {
  const { outSteps, rows, keys, keyAt, valueAt, seen, dot, start, finish } = text
  return shader.print(
    label,
    `  let e = group * ${WORKGROUP}u + lid;
  if (e >= ${shader.param('count', q.batch * q.heads * q.rows)}) { return; }
  let row = e % ${rows};
  let z = e / ${rows};
${start}
  for (var key = 0u; key < ${keys} && ${seen}; key++) {
    let key_row = ${keyAt('shared_head', 'key')};
    var visible = true;
      ${dot('key_at(key_row, d)')}
    if (!visible) { continue; }
    let peak = max(top, s);
    let shrink = exp(top - peak);
    let p = exp(s - peak);
    top = peak;
    sum = sum * shrink + p;
    let value_row = ${valueAt('shared_head', 'key')};
    for (var d = 0u; d < ${outSteps}u; d++) { acc[d] = acc[d] * shrink + p * value_at(value_row, d); }
  }
${finish}`,
    Math.ceil((q.batch * q.heads * q.rows) / WORKGROUP),
    HEADER,
  )
}

/** One workgroup per block of query rows; keys and values pass through workgroup memory, `tileKeys` at a time. */
function tiledAttention(shader: Shader, label: string, a: Attention, text: AttentionText, tileKeys: number): Dispatch {
  const { q, causal } = a
  const { lane, steps, outSteps, rows, keys, keyAt, valueAt, seen, dot, start, finish } = text
  const blocks = Math.max(1, Math.ceil(q.rows / WORKGROUP))
  const fill = (count: number, at: (h: string, row: string) => string, read: string): string =>
    `    for (var i = lid; i < ${tileKeys * count}u; i += ${WORKGROUP}u) {
      let key = min(k0 + i / ${count}u, ${keys} - 1u);
      tile[i] = ${read}(${at('shared_head', 'key')}, i % ${count}u);
    }`
  return shader.print(
    label,
    `  let z = group / ${blocks}u;
  if (z >= ${shader.param('count', q.batch * q.heads)}) { return; }
  let first = (group % ${blocks}u) * ${WORKGROUP}u;
  let live = first + lid < ${rows};
  let row = min(first + lid, ${rows} - 1u);
${start}
  // No row of this block attends to a later key.
  let end = ${causal ? `min(${keys}, first + ${WORKGROUP}u)` : keys};
  for (var k0 = 0u; k0 < end; k0 += ${tileKeys}u) {
    workgroupBarrier();
${fill(steps, keyAt, 'key_at')}
    workgroupBarrier();
    var scores: array<f32, ${tileKeys}>;
    var seen = 0u;
    var peak = top;
    for (var j = 0u; j < ${tileKeys}u; j++) {
      let key = k0 + j;
      var visible = key < ${keys} && ${seen};
      if (!visible) { continue; }
      ${dot(`tile[j * ${steps}u + d]`)}
      if (!visible) { continue; }
      scores[j] = s;
      seen |= 1u << j;
      peak = max(peak, s);
    }
    workgroupBarrier();
${fill(outSteps, valueAt, 'value_at')}
    workgroupBarrier();
    let shrink = exp(top - peak);
    top = peak;
    sum *= shrink;
    for (var d = 0u; d < ${outSteps}u; d++) { acc[d] *= shrink; }
    for (var j = 0u; j < ${tileKeys}u; j++) {
      if ((seen & (1u << j)) == 0u) { continue; }
      let p = exp(scores[j] - peak);
      sum += p;
      for (var d = 0u; d < ${outSteps}u; d++) { acc[d] += p * tile[j * ${outSteps}u + d]; }
    }
  }
  if (!live) { return; }
${finish}`,
    q.batch * q.heads * blocks,
    `${HEADER}\nvar<workgroup> tile: array<${lane}, ${tileKeys * Math.max(steps, outSteps)}>;`,
  )
}

/** WGSL that adds the mask to `s`, or clears `visible`. A key hidden by minus infinity is detected by its bits. */
function maskText(call: KernelCall, a: Attention, shader: Shader): string {
  if (!a.mask) return ''
  const t = tensorArg(call, a.mask)
  const stride = broadcastStride(a.mask, t, [a.q.batch, a.q.heads, a.q.rows, a.k.rows])
  const read = reader(shader, a.mask, t)(place(shader, 'mask', t.offset, stride, ['b', 'h', 'row', 'key']))
  if (t.dtype === 'bool') return `visible = ${read} != 0.0;`
  return `let added = ${read};
      visible = bitcast<u32>(added) != 0xff800000u;
      s += added;`
}

/** WGSL that stores `acc / sum`, in whole words if a row's elements are adjacent and word-aligned. */
function finishText(call: KernelCall, shader: Shader, plan: AttentionPlan, dim: number, lanes: number): string {
  const { name, heads: out } = plan.out
  const { bytes, perWord } = DTYPES[out.dtype]
  const [sb, sh, sr, sd] = out.stride
  const whole = (n: number): boolean => n % perWord === 0
  const words = bytes <= 4 && sd === 1 && whole(dim) && [sb, sh, sr, out.offset].every(whole)
  const buffer = words ? shader.bind(name, out.dtype, 'read_write', false) : shader.scatter(name, out.dtype)
  shader.helper(encodeFn('enc_out', out.dtype, false))
  emitSink(shader, call, plan.sink)
  const [pb, ph, pr, pd] = out.stride.map((s, i) => shader.param(`out_s${i}`, s))
  const value = (d: string): string =>
    `enc_out(finish(${lanes === 4 ? `acc[(${d}) / 4u][(${d}) % 4u]` : `acc[${d}]`} * inverse))`
  const store = words
    ? `  for (var d = 0u; d < ${dim}u; d += ${perWord}u) {
    var word = 0u;
    for (var i = 0u; i < ${perWord}u; i++) { word |= ${value('d + i')} << (i * ${perWord === 1 ? 0 : bytes * 8}u); }
    b${buffer.index}[(out_row + d) / ${perWord}u] = word;
  }`
    : `  for (var d = 0u; d < ${dim}u; d++) { put_${buffer.index}(out_row + d * ${pd}, ${value('d')}); }`
  return `  let inverse = select(1.0 / sum, 0.0, sum == 0.0);
  let out_row = ${shader.param('out_base', out.offset)} + b * ${pb} + h * ${ph} + row * ${pr};
${store}
${lseText(shader, plan)}`
}

function lseText(shader: Shader, plan: AttentionPlan): string {
  if (!plan.lse) return ''
  const { name, view } = plan.lse
  const { index } = shader.scatter(name, 'float32')
  const at = place(shader, 'lse', view.offset, view.stride, ['b', 'h', 'row'].slice(-view.stride.length))
  return `  put_${index}(${at}, bitcast<u32>(select(top + log(sum), 0.0, sum == 0.0)));`
}
