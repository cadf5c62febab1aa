/**
 * Row shaders in which one thread, or four adjacent threads that exchange values without a barrier, handle a row: for
 * CPU adapters, where a barrier costs more than everything else. The four read adjacent eights, so that a row stays in
 * the cache; four separate rows with a power-of-two length would evict each other.
 */
import type { Dispatch } from '../kernel'
import { largestInQuad } from './quant_wgsl'
import type { RowSpec } from './row_spec'
import type { RowParts } from './row_parts'
import { WORKGROUP } from './shader'

/** Maximum eights of one group that a thread keeps in registers. */
const MAX_KEPT = 8

/** @param lanes threads per row */
export function fewThreadsARow(label: string, { source, norm }: RowSpec, parts: RowParts, lanes: 1 | 4): Dispatch {
  const { shader, rows, cols, groups, load, keepValue, finish, store } = parts
  const step = 8 * lanes
  const main = [
    `  let t = group * ${WORKGROUP}u + lid;
  let row = t / ${lanes}u;
  let lane = (t % ${lanes}u) * 8u;
  if (row >= ${rows}) { return; }`,
  ]
  if (norm)
    main.push(
      rowSum(source.cols, lanes, `let v = ${load}; ${keepValue}`),
      `  let inverse = ${parts.inverseOf('sum')};`,
      parts.storeInverse && `  if (lane == 0u) { ${parts.storeInverse} }`,
    )
  const value = norm ? `let v = ${parts.loadKept};` : `let v = ${load}; ${keepValue}`
  if (!groups) main.push(`  for (var c = lane; c < ${cols}; c += ${step}u) { ${value} ${finish} ${store} }`)
  else {
    const quantize = `${lanes === 4 ? largestInQuad('m') : ''}
    let s = scale_of(bitcast<f32>(m));
    if (lane == 0u) { ${groups.storeScale} }`
    main.push(`  for (var g = 0u; g < ${groups.count}u; g++) {`)
    const kept = groups.size / step
    if (Number.isInteger(kept) && kept <= MAX_KEPT && source.cols % groups.size === 0) {
      const turns = Array.from({ length: kept }, (_, i) => i)
      const at = (i: number): string => `let c = g * ${groups.size}u + lane + ${i * step}u;`
      main.push(
        '    var m = 0;',
        ...turns.map(
          (i) => `    var x${i}: V8;\n    { ${at(i)} ${value} ${finish} x${i} = x; m = max(m, ${parts.peak}); }`,
        ),
        quantize,
        ...turns.map((i) => `    { ${at(i)} let x = x${i}; ${store} }`),
      )
    } else
      main.push(
        `    let end = min((g + 1u) * ${groups.size}u, ${cols});
    var m = 0;
    for (var c = g * ${groups.size}u + lane; c < end; c += ${step}u) { ${value} ${finish} m = max(m, ${parts.peak}); }`,
        quantize,
        `    for (var c = g * ${groups.size}u + lane; c < end; c += ${step}u) { let v = ${parts.loadKept}; ${finish} ${store} }`,
      )
    main.push('  }')
  }
  return shader.print(label, main.filter(Boolean).join('\n'), Math.ceil((source.rows * lanes) / WORKGROUP))
}

/** Number of vectors of eight summed in parallel, and additions to a partial sum before it moves up a level. */
const VECTORS = 4
const BLOCK = 16

/**
 * Statements that declare `sum`, of a row's squares in the order of torch_sum.ts. Four threads handle one vector each, as the order requires; a single thread handles
 * all four. Rows of up to 131,072 elements are exact; longer ones lack the fourth level.
 * @param take statements that declare `v`, the eight values from column `c` on
 */
function rowSum(cols: number, lanes: 1 | 4, take: string): string {
  const step = 8 * VECTORS
  const steps = Math.floor(cols / step)
  const rest = (cols - steps * step) / 8
  const own = Array.from({ length: VECTORS / lanes }, (_, k) => k)
  const each = (text: (half: 'a' | 'b', k: number) => string): string =>
    own.flatMap((k) => (['a', 'b'] as const).map((half) => text(half, k))).join(' ')
  const first = lanes === 4 ? 'lane' : '0u'
  const added = (half: string, k: number): string => `low_${half}${k} += v.${half} * v.${half};`
  const vectors = own.map(
    (k) => `{ let c = i * ${step}u + ${first} + ${8 * k}u; ${take} ${added('a', k)} ${added('b', k)} }`,
  )
  const sums = each(
    (h, k) => `var low_${h}${k} = vec4<f32>(); var mid_${h}${k} = vec4<f32>(); var top_${h}${k} = vec4<f32>();`,
  )
  const loop = `  ${sums}
  for (var i = 0u; i < ${steps}u;) {
    let end = min(i + ${BLOCK}u, ${steps}u);
    for (; i < end; i++) { ${vectors.join(' ')} }
    if (i % ${BLOCK}u == 0u) { ${each((h, k) => `mid_${h}${k} += low_${h}${k}; low_${h}${k} = vec4<f32>();`)} }
    if (i % ${BLOCK * BLOCK}u == 0u) { ${each((h, k) => `top_${h}${k} += mid_${h}${k}; mid_${h}${k} = vec4<f32>();`)} }
  }
  ${each((h, k) => `low_${h}${k} = (low_${h}${k} + mid_${h}${k}) + top_${h}${k};`)}`
  return `${loop}
${lanes === 4 ? acrossQuad(cols, steps * step, rest, take) : acrossThread(steps * step, rest, take)}
  let sum = ((((((whole_a.x + whole_a.y) + whole_a.z) + whole_a.w) + whole_b.x) + whole_b.y) + whole_b.z) + whole_b.w;`
}

/** The remainder of a row is added to the first of the four sums. */
function acrossThread(from: number, rest: number, take: string): string {
  const left = Array.from(
    { length: rest },
    (_, j) => `  { let c = ${from + 8 * j}u; ${take} low_a0 += v.a * v.a; low_b0 += v.b * v.b; }`,
  )
  return [
    ...left,
    ...['a', 'b'].map((h) => `  let whole_${h} = ((low_${h}0 + low_${h}1) + low_${h}2) + low_${h}3;`),
  ].join('\n')
}

/** Each thread reads the sums of its neighbors and adds them in vector order. */
function acrossQuad(cols: number, from: number, rest: number, take: string): string {
  const four = (name: string, of: string): string =>
    `  var ${name} = array<vec4<f32>, 4>(${of}, quadSwapX(${of}), quadSwapY(${of}), quadSwapDiagonal(${of}));`
  const left =
    rest === 0
      ? []
      : [
          `  var left_a = vec4<f32>(); var left_b = vec4<f32>();
  { let c = ${from}u + lane; if (c < ${cols}u) { ${take} left_a = v.a * v.a; left_b = v.b * v.b; } }`,
          ...['a', 'b'].map((h) => four(`rest_${h}`, `left_${h}`)),
        ]
  const sums = ['a', 'b'].map((h) => {
    const leftover = Array.from({ length: rest }, (_, j) => `rest_${h}[me ^ ${j}u]`)
    const terms = [`sums_${h}[me]`, ...leftover, ...[1, 2, 3].map((k) => `sums_${h}[me ^ ${k}u]`)]
    return `${four(`sums_${h}`, `low_${h}0`)}
  let whole_${h} = ${terms.reduce((sum, term) => `(${sum} + ${term})`)};`
  })
  return [...left, '  let me = lane / 8u;', ...sums].join('\n')
}
