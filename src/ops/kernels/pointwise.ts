/** A shader with one output element per input element: activations, static quantization, casts. */
import { DTYPES, encodeFn } from '../dtype'
import { tensorArg, type Dispatch, type KernelCall } from '../kernel'
import { requireDense, Shader, WORKGROUP } from './shader'
import { emitSource, type Source } from './source'

/** The epilogue applied to a value before it is stored. */
export interface Sink {
  /** Binds its tensors; returns `fn finish(x: F32) -> U32` with the float32 bits to encode in the output's dtype. */
  emit(shader: Shader): string
}

export const storeAsIs: Sink = { emit: () => 'fn finish(x: F32) -> U32 { return bitcast<U32>(x); }' }

export function pointwise(label: string, call: KernelCall, source: Source, out: string, sink: Sink): Dispatch[] {
  const target = tensorArg(call, out)
  requireDense(out, target)
  const { perWord, bytes } = DTYPES[target.dtype]
  const n = source.rows * source.cols
  const shader = new Shader(source.wide)
  shader.helper(encodeFn('enc_out', target.dtype, source.wide))
  const value = emitSource(shader, source)
  const buffer = shader.bind(out, target.dtype, 'read_write')
  shader.helper(sink.emit(shader))
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
