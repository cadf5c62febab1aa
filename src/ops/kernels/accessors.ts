/** WGSL that reads and writes a storage buffer in its dtype. */
import { decodeFn, DTYPES, type DTypeName } from '../dtype'
import type { Binding } from '../kernel'

/** A storage buffer of a shader. */
export interface Buffer {
  readonly index: number
  readonly dtype: DTypeName
  readonly wide: boolean
  /** Written element by element at any position: `put_N(e, code)`. Codes that share a word are set atomically. */
  readonly put: boolean
  /** Bound as atomic words regardless of dtype. */
  readonly atomic?: boolean
}

/**
 * Load and store functions of one buffer: `load_N` for word access; `load8_N` and `store8_N` for wide access; `put_N`.
 */
export function accessors(b: Buffer & Binding): string {
  const { bytes, perWord } = DTYPES[b.dtype]
  const i = b.index
  const bits = bytes * 8
  const mask = bits === 16 ? '0xffffu' : '0xffu'
  if (b.put) {
    if (bytes === 8)
      return `fn put_${i}(e: u32, code: u32) { b${i}[e * 2u] = code; b${i}[e * 2u + 1u] = select(0u, 0xffffffffu, bitcast<i32>(code) < 0); }\n`
    if (bytes === 4) return `fn put_${i}(e: u32, code: u32) { b${i}[e] = code; }\n`
    return `fn put_${i}(e: u32, code: u32) {
  let shift = (e % ${perWord}u) * ${bits}u;
  atomicAnd(&b${i}[e / ${perWord}u], ~(${mask} << shift));
  atomicOr(&b${i}[e / ${perWord}u], (code & ${mask}) << shift);
}\n`
  }
  if (!b.wide) {
    if (b.access === 'read_write') return ''
    if (bytes === 8)
      return `${decodeFn(`dec_${i}`, b.dtype, false)}fn load_${i}(e: u32) -> f32 { return bitcast<f32>(dec_${i}(b${i}[e * 2u])); }\n`
    const pick = perWord === 1 ? `b${i}[e]` : `(b${i}[e / ${perWord}u] >> ((e % ${perWord}u) * ${bits}u)) & ${mask}`
    return `${decodeFn(`dec_${i}`, b.dtype, false)}fn load_${i}(e: u32) -> f32 { return bitcast<f32>(dec_${i}(${pick})); }\n`
  }
  return loadEights(b) + (b.access === 'read' ? '' : storeEights(b))
}

/** `load8_N(e) -> V8`. */
function loadEights({ index: i, dtype }: Buffer): string {
  if (dtype === 'bfloat16')
    return `fn load8_${i}(e: u32) -> V8 {
  let w = b${i}[e >> 3u];
  let low = w * 0x10000u;
  let high = w & vec4<u32>(0xffff0000u);
  return V8(bitcast<vec4<f32>>(vec4<u32>(low.x, high.x, low.y, high.y)), bitcast<vec4<f32>>(vec4<u32>(low.z, high.z, low.w, high.w)));
}
`
  const halves: Readonly<Record<number, string>> = {
    4: `let a = b${i}[e >> 2u]; let b = b${i}[(e >> 2u) + 1u];`,
    2: `let w = b${i}[e >> 3u];
  let a = vec4<u32>(w.x & 0xffffu, w.x >> 16u, w.y & 0xffffu, w.y >> 16u);
  let b = vec4<u32>(w.z & 0xffffu, w.z >> 16u, w.w & 0xffffu, w.w >> 16u);`,
    1: `let w = b${i}[e >> 3u];
  let at = vec4<u32>(0u, 8u, 16u, 24u);
  let a = (vec4<u32>(w.x) >> at) & vec4<u32>(0xffu);
  let b = (vec4<u32>(w.y) >> at) & vec4<u32>(0xffu);`,
  }
  return `${decodeFn(`dec_${i}`, dtype, true)}fn load8_${i}(e: u32) -> V8 {
  ${halves[DTYPES[dtype].bytes]!}
  return V8(bitcast<vec4<f32>>(dec_${i}(a)), bitcast<vec4<f32>>(dec_${i}(b)));
}
`
}

/** `store8_N(e, a, b)`: storage codes of eight elements. */
function storeEights({ index: i, dtype }: Buffer): string {
  const bytePacked = (v: string): string => `${v}.x + ${v}.y * 0x100u + ${v}.z * 0x10000u + ${v}.w * 0x1000000u`
  const stores: Readonly<Record<number, string>> = {
    4: `b${i}[e >> 2u] = a; b${i}[(e >> 2u) + 1u] = b;`,
    2: `b${i}[e >> 3u] = vec4<u32>(a.xz + a.yw * 0x10000u, b.xz + b.yw * 0x10000u);`,
    1: `b${i}[e >> 3u] = vec2<u32>(${bytePacked('a')}, ${bytePacked('b')});`,
  }
  return `fn store8_${i}(e: u32, a: vec4<u32>, b: vec4<u32>) { ${stores[DTYPES[dtype].bytes]!} }\n`
}
