/**
 * Kernels of rows, each given by expressions. The shader processes whole rows in one dispatch: reads values from a source, optionally normalizes them by their
 * root mean square, then stores or quantizes them with scales of their own groups. It has three forms: one workgroup
 * per row with eight elements per load; the same element by element, for odd sizes and any strides; and, for CPU
 * adapters, four adjacent threads per row, or one if threads cannot exchange values without a barrier.
 */
import type { Kernel, KernelCall, Dispatch } from '../kernel'
import { groupQuant } from './group_quant'
import { pointwise } from './pointwise'
import { fewThreadsARow } from './row_few_threads'
import { rowParts, type RowParts } from './row_parts'
import type { RowSpec } from './row_spec'
import { rowValues } from './row_values'

export const rowKernel = ({
  rows,
  ...spec
}: Omit<Kernel, 'reference' | 'plan'> & { rows(call: KernelCall): RowSpec }): Kernel => ({
  ...spec,
  reference: (call, memory) => rowValues(memory, rows(call)),
  plan(call, device) {
    const { name } = spec
    const row = rows(call)
    if (!row.norm && !row.quant) return pointwise(name, call, row)
    if (row.quant?.apart) return groupQuant(name, call, row, row.quant, device)
    const parts = rowParts(call, row)
    const inTurns = parts.step === 8 && device.serial
    return [inTurns ? fewThreadsARow(name, row, parts, device.quads ? 4 : 1) : workgroupARow(name, row, parts)]
  },
})

const THREADS = 256
/** Maximum eights of a row that a thread keeps in registers; longer rows are read again. */
const MAX_HELD = 16

/** Row shaders with one workgroup per row, which keep values in registers if the row is short enough. */
function workgroupARow(label: string, { source, norm }: RowSpec, parts: RowParts): Dispatch {
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
