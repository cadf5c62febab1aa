/**
 * Row shaders in which one thread, or four adjacent threads that exchange values without a barrier, handle a row: for
 * CPU adapters, where a barrier costs more than everything else. The four read adjacent eights, so that a row stays in
 * the cache; four separate rows with a power-of-two length would evict each other.
 */
import type { Dispatch } from '../kernel'
import { largestInQuad } from './quant_wgsl'
import type { RowSpec } from './row_spec'
import type { RowParts } from './row_parts'
import { rowSum } from './row_sum'
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
