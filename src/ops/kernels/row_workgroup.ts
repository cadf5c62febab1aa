/** Row shaders with one workgroup per row, which keep values in registers if the row is short enough. */
import type { Dispatch } from '../kernel'
import type { RowSpec } from './row_spec'
import type { RowParts } from './row_parts'

const THREADS = 256
/** Maximum eights of a row that a thread keeps in registers; longer rows are read again. */
const MAX_HELD = 16

export function workgroupARow(label: string, { source, norm }: RowSpec, parts: RowParts): Dispatch {
  const { shader, step, cols, groups, load, keepValue, finish, store } = parts
  const turns = Math.ceil(source.cols / step / THREADS)
  const held = step === 8 && turns <= MAX_HELD && (norm !== undefined || groups !== null)
  const hold = (name: string): string => (held ? `held[i] = ${name};` : '')
  const loop = (body: string): string =>
    `  for (var i = 0u; i < ${turns}u; i++) {\n    let c = (i * ${THREADS}u + lid) * ${step}u;\n    if (c < ${cols}) { ${body} }\n  }`
  const shared: string[] = []
  const main = [`  let row = group;\n  if (row >= ${parts.rows}) { return; }`]
  if (held) main.push(`  var held: array<V8, ${turns}>;`)
  if (norm) {
    shared.push(`var<workgroup> partial: array<f32, ${THREADS}>;`)
    const square = step === 8 ? 'dot(v.a, v.a) + dot(v.b, v.b)' : 'v * v'
    main.push(
      '  var sum = 0.0;',
      loop(`let v = ${load}; ${keepValue} ${hold('v')} sum += ${square};`),
      `  partial[lid] = sum;
  for (var half = ${THREADS / 2}u; half >= 1u; half /= 2u) {
    workgroupBarrier();
    if (lid < half) { partial[lid] += partial[lid + half]; }
  }
  workgroupBarrier();
  let inverse = ${parts.inverseOf('partial[0]')};`,
    )
    if (parts.storeInverse) main.push(`  if (lid == 0u) { ${parts.storeInverse} }`)
  }
  const again = norm ? `let v = ${held ? 'held[i]' : parts.loadKept};` : `let v = ${load}; ${keepValue}`
  if (groups) {
    shared.push(`var<workgroup> peaks: array<atomic<i32>, ${groups.count}>;`)
    main.push(
      `  for (var g = lid; g < ${groups.count}u; g += ${THREADS}u) { atomicStore(&peaks[g], 0); }\n  workgroupBarrier();`,
      loop(`${again} ${finish} ${hold('x')} atomicMax(&peaks[c / ${groups.size}u], ${parts.peak});`),
      `  workgroupBarrier();
  for (var g = lid; g < ${groups.count}u; g += ${THREADS}u) {
    let s = scale_of(bitcast<f32>(atomicLoad(&peaks[g])));
    ${groups.storeScale}
    atomicStore(&peaks[g], bitcast<i32>(s));
  }
  workgroupBarrier();`,
      loop(
        `${held ? 'let x = held[i];' : `let v = ${parts.loadKept}; ${finish}`} let s = bitcast<f32>(atomicLoad(&peaks[c / ${groups.size}u])); ${store}`,
      ),
    )
  } else main.push(loop(`${again} ${finish} ${store}`))
  return shader.print(label, main.join('\n'), source.rows, shared.join('\n'), THREADS)
}
