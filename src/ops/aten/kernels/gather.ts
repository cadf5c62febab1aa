/** Reading by an index tensor: embedding, index_select, gather, and `x[:, i]` with one index. A negative index counts from the end. */
import { encodeFn } from '../../dtype'
import { KernelRefusal, numel, tensorArg, type Kernel, type KernelCall, type Param } from '../../kernel'
import { Shader, WORKGROUP } from '../../_C/shader'
import { dimOf, names, place, reader, unravel } from './strided'

/** `select`: the index's shape takes the place of one dimension. `gather`: index and result have one shape. */
function gatherKernel(
  name: string,
  params: readonly Param[],
  mode: 'select' | 'gather',
  at: (call: KernelCall) => number,
): Kernel {
  const dimIn = (call: KernelCall): number => dimOf(at(call), tensorArg(call, 'self').shape.length)
  return {
    name,
    functional: true,
    params: [...params, { name: 'result', kind: 'out' }],
    outputs(call) {
      const { shape, dtype } = tensorArg(call, 'self')
      const index = tensorArg(call, 'index')
      if (!['int64', 'int32'].includes(index.dtype))
        throw new KernelRefusal(`an index must be int64 or int32, found ${index.dtype}`)
      const d = dimIn(call)
      if (mode === 'gather' && index.shape.length !== shape.length)
        throw new KernelRefusal(`an index of ${index.shape.length} dimensions cannot pick from ${shape.length}`)
      return {
        result: {
          shape: mode === 'gather' ? index.shape : [...shape.slice(0, d), ...index.shape, ...shape.slice(d + 1)],
          dtype,
        },
      }
    },
    reference(call, memory) {
      const { shape } = tensorArg(call, 'self')
      const index = tensorArg(call, 'index')
      const d = dimIn(call)
      const x = memory.read('self')
      const picked = memory.read('index')
      const out = new Float32Array(numel(tensorArg(call, 'result').shape))
      const inner = numel(shape.slice(d + 1))
      const size = shape[d]!
      const wrap = (i: number): number => (i < 0 ? i + size : i)
      const stride = shape.map((_, k) => numel(shape.slice(k + 1)))
      const count = numel(index.shape)
      for (let i = 0; i < out.length; i++) {
        if (mode === 'select') {
          const pick = wrap(picked[Math.floor(i / inner) % count]!)
          out[i] = x[(Math.floor(i / (inner * count)) * size + pick) * inner + (i % inner)]!
          continue
        }
        let rest = i
        let from = 0
        for (let k = shape.length - 1; k >= 0; k--) {
          const own = rest % index.shape[k]!
          rest = Math.floor(rest / index.shape[k]!)
          from += (k === d ? wrap(picked[i]!) : own) * stride[k]!
        }
        out[i] = x[from]!
      }
      memory.write('result', out)
    },
    plan(call) {
      const x = tensorArg(call, 'self')
      const index = tensorArg(call, 'index')
      const out = tensorArg(call, 'result')
      const d = dimIn(call)
      const shader = new Shader(false)
      shader.helper(encodeFn('enc_out', out.dtype, false))
      const readX = reader(shader, 'self', x)
      const readI = reader(shader, 'index', index)
      const q = shader.scatter('result', out.dtype)
      const n = shader.param('n', numel(out.shape))
      const size = shader.param('size', x.shape[d]!)
      const at = names('i', out.shape.length)
      const indexAt = mode === 'gather' ? at : at.slice(d, d + index.shape.length)
      const own =
        mode === 'gather'
          ? at.map((a, k) => (k === d ? 'pick' : a))
          : [...at.slice(0, d), 'pick', ...at.slice(d + index.shape.length)]
      return [
        shader.print(
          name,
          `  let e = group * ${WORKGROUP}u + lid;
  if (e >= ${n}) { return; }
  ${out.shape.length ? unravel(shader, 'i', out.shape, 'e') : ''}
  let asked = i32(${readI(place(shader, 'index', index.offset, index.stride, indexAt))});
  let pick = min(u32(select(asked, asked + i32(${size}), asked < 0)), ${size} - 1u);
  put_${q.index}(${place(shader, 'out', out.offset, out.stride, at)}, enc_out(bitcast<u32>(${readX(place(shader, 'self', x.offset, x.stride, own))})));`,
          Math.ceil(numel(out.shape) / WORKGROUP),
        ),
      ]
    },
  }
}

const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['weight'] }
const INDEX: Param = { name: 'index', kind: 'in', aliases: ['indices'] }
const DIM: Param = { name: 'dim', kind: 'attr' }
const IGNORED = ['padding_idx', 'scale_grad_by_freq', 'sparse', 'sparse_grad'].map((name): Param => ({
  name,
  kind: 'attr',
  default: null,
}))
const dim = (call: KernelCall): number => Number(call.attrs['dim'])

/** `x[:, …, i]`: what lowering makes of aten.index.Tensor with one index tensor. */
export const indexOne = gatherKernel('index', [SELF, DIM, INDEX], 'select', dim)

/** `start + i * step`. */
const iota: Kernel = {
  name: 'iota',
  functional: true,
  params: [
    { name: 'length', kind: 'attr' },
    { name: 'start', kind: 'attr', default: 0 },
    { name: 'step', kind: 'attr', default: 1 },
    { name: 'dtype', kind: 'attr', default: 'int64' },
    { name: 'device', kind: 'attr', default: null },
    { name: 'requires_grad', kind: 'attr', default: null },
    { name: 'result', kind: 'out', dtype: 'int64' },
  ],
  outputs: (call) => ({ result: { shape: [Number(call.attrs['length'])], dtype: null } }),
  reference(call, memory) {
    const [start, step] = [Number(call.attrs['start']), Number(call.attrs['step'])]
    memory.write(
      'result',
      Float32Array.from({ length: Number(call.attrs['length']) }, (_, i) => start + i * step),
    )
  },
  plan(call) {
    const out = tensorArg(call, 'result')
    const shader = new Shader(false)
    shader.helper(encodeFn('enc_out', out.dtype, false))
    const q = shader.scatter('result', out.dtype)
    const n = shader.param('n', out.shape[0]!)
    const text = (name: string): string => Number(call.attrs[name]).toExponential() + 'f'
    return [
      shader.print(
        'iota',
        `  let e = group * ${WORKGROUP}u + lid;
  if (e < ${n}) { put_${q.index}(e, enc_out(bitcast<u32>(${text('start')} + f32(e) * ${text('step')}))); }`,
        Math.ceil(out.shape[0]! / WORKGROUP),
      ),
    ]
  },
}

export const GATHERS: readonly (readonly [string, Kernel])[] = [
  ['embedding', gatherKernel('embedding', [SELF, INDEX, ...IGNORED], 'select', () => 0)],
  ['index_select', gatherKernel('index_select', [SELF, DIM, INDEX], 'select', dim)],
  ['gather', gatherKernel('gather', [SELF, DIM, INDEX, ...IGNORED], 'gather', dim)],
  ['iota', iota],
]
