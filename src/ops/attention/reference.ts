/** Attention by its definition: softmax(q k^T * scale + mask) v, in float64. */
import { broadcastIndex } from '../aten/elementwise/elementwise_kernel'
import { tensorArg, type KernelCall, type ReferenceMemory } from '../kernel'
import { contiguousStrides } from '../strides'
import { headsOf, type Attention, type Heads } from './heads'

export interface AttentionResult {
  /** Rows in the order of the queries: [batch, heads, rows] or [rows, heads], each `v.dim` values. */
  readonly out: Float32Array
  /** log(sum(exp(scores))) of [batch, heads, rows]. */
  readonly lse: Float32Array
}

/** A row without keys gives zeros, like PyTorch's _safe_softmax, and its `lse` is 0. */
export function attentionValues(call: KernelCall, memory: ReferenceMemory, a: Attention): AttentionResult {
  const packed = (name: string): { at: Heads; x: Float32Array } => {
    const t = tensorArg(call, name)
    return {
      at: headsOf(name, { ...t, stride: contiguousStrides(t.shape), offset: 0 }, a.layout),
      x: memory.read(name),
    }
  }
  const [q, k, v] = [packed('query'), packed('key'), packed('value')]
  const { batch, heads, rows } = a.q
  const keys = a.k.rows
  const visible = maskOf(call, memory, a)
  const out = new Float32Array(batch * heads * rows * a.v.dim)
  const lse = new Float32Array(batch * heads * rows)
  const score = new Float64Array(keys)
  const line = new Float64Array(a.v.dim)
  const start = ({ stride }: Heads, b: number, h: number, row: number): number =>
    b * stride[0] + h * stride[1] + row * stride[2]
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let row = 0; row < rows; row++) {
        const shared = Math.floor(h / a.sharing)
        const from = start(q.at, b, h, row)
        let top = -Infinity
        for (let key = 0; key < keys; key++) {
          let s = visible(b, h, row, key)
          if (s > -Infinity) {
            const to = start(k.at, b, shared, key)
            let dot = 0
            for (let d = 0; d < a.q.dim; d++) dot += q.x[from + d]! * k.x[to + d]!
            s += dot * a.scale
          }
          score[key] = s
          top = Math.max(top, s)
        }
        let sum = 0
        line.fill(0)
        for (let key = 0; key < keys; key++) {
          if (score[key] === -Infinity) continue
          const p = Math.exp(score[key]! - top)
          sum += p
          const to = start(v.at, b, shared, key)
          for (let d = 0; d < a.v.dim; d++) line[d]! += p * v.x[to + d]!
        }
        const place = a.layout === 'tokens first' ? row * heads + h : (b * heads + h) * rows + row
        for (let d = 0; d < a.v.dim; d++) out[place * a.v.dim + d] = sum === 0 ? 0 : line[d]! / sum
        lse[(b * heads + h) * rows + row] = sum === 0 ? 0 : top + Math.log(sum)
      }
  return { out, lse }
}

/** The bias added to a score; -Infinity if the key is masked. */
function maskOf(
  call: KernelCall,
  memory: ReferenceMemory,
  a: Attention,
): (b: number, h: number, row: number, key: number) => number {
  const { heads, rows, batch } = a.q
  const keys = a.k.rows
  if (!a.mask) return (_b, _h, row, key) => (a.causal && key > row ? -Infinity : 0)
  const t = tensorArg(call, a.mask)
  const values = memory.read(a.mask)
  const at = broadcastIndex(t.shape, [batch, heads, rows, keys])
  return (b, h, row, key) => {
    if (a.causal && key > row) return -Infinity
    const m = values[at(((b * heads + h) * rows + row) * keys + key)]!
    return t.dtype === 'bool' ? (m === 0 ? -Infinity : 0) : m
  }
}
