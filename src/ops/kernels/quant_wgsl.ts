/** WGSL for the largest magnitude of a group. */

/** Magnitudes are ordered like their bits, with NaN above infinity: a NaN makes the whole group NaN, as in amax. */
export const PEAK8 = `fn magnitudes(x: vec4<f32>) -> vec4<i32> { return bitcast<vec4<i32>>(x) & vec4<i32>(0x7fffffff); }
fn largest(x: vec4<i32>) -> i32 { return max(max(x.x, x.y), max(x.z, x.w)); }
fn peak8(x: V8) -> i32 { return largest(max(magnitudes(x.a), magnitudes(x.b))); }`

/** Statements that set `name` to the maximum among four adjacent threads. */
export const largestInQuad = (name: string): string =>
  `  ${name} = max(${name}, quadSwapX(${name}));\n  ${name} = max(${name}, quadSwapY(${name}));`
