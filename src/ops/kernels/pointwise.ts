/** A shader with one output element per input element: activations, static quantization, casts. */
import { DTYPES, encodeFn } from '../dtype'
import { tensorArg, type Dispatch, type KernelCall } from '../kernel'
import type { RowSpec } from './row_spec'
import { emitSink } from './row_wgsl'
import { requireDense, Shader, WORKGROUP } from './shader'
import { emitSource } from './source'

export function pointwise(label: string, call: KernelCall, { source, out, sink }: RowSpec): Dispatch[] {
  const target = tensorArg(call, out)
  requireDense(out, target)
  const { perWord, bytes } = DTYPES[target.dtype]
  const n = source.rows * source.cols
  const shader = new Shader(source.wide)
  shader.helper(encodeFn('enc_out', target.dtype, source.wide))
  const value = emitSource(shader, source)
  const buffer = shader.bind(out, target.dtype, 'read_write')
  emitSink(shader, call, sink)
  shader.helper(value)
  const size = shader.param('n', n)
  const cols = `${source.cols}u`
  const base = `${target.offset}u`
  const thread = `  let t = group * ${WORKGROUP}u + lid;`
  if (shader.wide)
    return [
      shader.print(
        label,
        `${thread}
  let e = t * 8u;
  if (e >= ${size}) { return; }
  let x = value8(e / ${cols}, e % ${cols});
  store8_${buffer.index}(${base} + e, enc_out(finish(x.a)), enc_out(finish(x.b)));`,
        Math.ceil(n / 8 / WORKGROUP),
      ),
    ]
  return [
    shader.print(
      label,
      `${thread}
  if (t * ${perWord}u >= ${size}) { return; }
  var word = 0u;
  for (var k = 0u; k < ${perWord}u; k++) {
    let e = t * ${perWord}u + k;
    if (e < ${size}) { word |= enc_out(finish(value(e / ${cols}, e % ${cols}))) << (k * ${bytes * 8 === 32 ? 0 : bytes * 8}u); }
  }
  b${buffer.index}[${base} / ${perWord}u + t] = word;`,
      Math.ceil(n / perWord / WORKGROUP),
    ),
  ]
}
