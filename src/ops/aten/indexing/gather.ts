/** Elements selected by an index along one dimension. */
import type { Dim } from '../../../fx'
import { encodeFn } from '../../dtype'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor } from '../../fake'
import {
  type Kernel,
  type KernelCall,
  KernelRefusal,
  numel,
  type Param,
  tensorArg,
  type Dispatch,
  type ReferenceMemory,
} from '../../kernel'
import { Shader, WORKGROUP } from '../../kernels/shader'
import { dimOf, names, place, reader, unravel } from '../../kernels/strided'
import { type OpCall, wrapDim } from '../../op_call'
import type { Families, Kernels, Rules } from '../../operator'
import { cppName } from '../../promote'
import { broadcastShapes, listText } from '../../strides'
import { runtimeError, TorchError } from '../../torch_error'
import { checkGather, checkRows } from './index_checks'

export const selfDim = (c: OpCall): number => wrapDim(c.int('dim'), c.tensor('self').meta.shape.length)

type GatherMode = 'select' | 'gather'

/** The definition, along dimension `d`. */
function gatherReference(call: KernelCall, memory: ReferenceMemory, mode: GatherMode, d: number): void {
  const { shape } = tensorArg(call, 'self')
  const index = tensorArg(call, 'index')
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
}

/** One thread per result element, along dimension `d`. */
function gatherPlan(name: string, call: KernelCall, mode: GatherMode, d: number): Dispatch {
  const x = tensorArg(call, 'self')
  const index = tensorArg(call, 'index')
  const out = tensorArg(call, 'result')
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
  return shader.print(
    name,
    `  let e = group * ${WORKGROUP}u + lid;
  if (e >= ${n}) { return; }
  ${out.shape.length ? unravel(shader, 'i', out.shape, 'e') : ''}
  let asked = i32(${readI(place(shader, 'index', index.offset, index.stride, indexAt))});
  let pick = min(u32(select(asked, asked + i32(${size}), asked < 0)), ${size} - 1u);
  put_${q.index}(${place(shader, 'out', out.offset, out.stride, at)}, enc_out(bitcast<u32>(${readX(place(shader, 'self', x.offset, x.stride, own))})));`,
    Math.ceil(numel(out.shape) / WORKGROUP),
  )
}

/** `select`: the index's shape replaces one dimension. `gather`: index and result have the same shape. */
function gatherKernel(
  name: string,
  params: readonly Param[],
  mode: GatherMode,
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
    reference: (call, memory) => gatherReference(call, memory, mode, dimIn(call)),
    plan: (call) => [gatherPlan(name, call, mode, dimIn(call))],
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

/** `x[:, …, i]`: the lowered form of aten.index.Tensor with one index tensor. */
export const indexOne = gatherKernel('index', [SELF, DIM, INDEX], 'select', dim)

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.embedding': {
    meta: (c) => {
      const [w, i] = [c.tensor('weight'), c.tensor('indices')]
      const rank = w.meta.shape.length
      if (rank !== 2) throw new TorchError('AssertionError', `'weight' must be 2-D, got ${rank}-D`)
      checkRows(i)
      return c.fresh(w.meta.dtype, [...i.meta.shape, ...w.meta.shape.slice(1)], w.meta.device)
    },
  },
  'aten.index_select': {
    decomp: (c) => {
      const x = c.tensor('self')
      const dim = wrapDim(c.int('dim'), x.meta.shape.length)
      const rank = c.tensor('index').meta.shape.length
      if (rank > 1) throw runtimeError(`Index should have dimension 1 or 0 (got ${rank})`)
      const picked = c.op('aten.index.Tensor', x, [...new Array<DispatchArg>(dim).fill(null), c.tensor('index')])
      return c.op('aten.contiguous.default', picked)
    },
  },
  'aten.gather': {
    meta: (c) => {
      const [x, index] = [c.tensor('self'), c.tensor('index')]
      checkGather(x, selfDim(c), index)
      return c.fresh(x.meta.dtype, index.meta.shape, x.meta.device)
    },
  },
  'aten.take': {
    decomp: (c) =>
      c.op('aten.index.Tensor', c.op('aten.reshape.default', c.tensor('self'), [-1n]), [c.tensor('index')]),
  },
  'aten.take_along_dim': {
    decomp: (c) => {
      const [x, index] = [c.tensor('self'), c.tensor('indices')]
      if (index.meta.dtype !== 'int64')
        throw runtimeError(
          `torch.take_along_dim(): dtype of indices should be Long but got ${cppName(index.meta.dtype)}`,
        )
      if (!c.has('dim')) {
        const flat = c.op('aten.reshape.default', x, [-1n])
        return c.op('aten.gather.default', flat, 0n, c.op('aten.reshape.default', index, [-1n]))
      }
      const dim = selfDim(c)
      const shape = (own: FakeTensor): DispatchArg[] => {
        const rest = broadcastShapes([x, index].map((t) => t.meta.shape.map((d, i): Dim => (i === dim ? 1 : d))))
        return dimArgs(rest.map((d, i) => (i === dim ? own.meta.shape[dim]! : d)))
      }
      const indices = c.op('aten.expand.default', index, shape(index))
      const self = c.op('aten.expand.default', x, shape(x))
      const wrapped = c.op('aten.remainder.Scalar', indices, dimArg(x.meta.shape[dim]!))
      return c.op('aten.gather.default', self, BigInt(dim), wrapped)
    },
  },
  'aten.channel_shuffle': {
    implicit: (c) => {
      const x = c.tensor('self')
      const [batch, channels] = x.meta.shape
      const groups = c.int('groups')
      if (x.meta.shape.length <= 2)
        throw runtimeError(
          `channel_shuffle expects input with > 2 dims, but got input with sizes ${listText(x.meta.shape)}`,
        )
      if (groups <= 0)
        throw runtimeError(`Number of groups to divide channels in must be positive. Value of groups:${groups}`)
      if (typeof channels !== 'number') return undefined
      if (channels % groups !== 0)
        throw runtimeError(
          `Number of channels must be divisible by groups. Got ${channels} channels and ${groups} groups.`,
        )
      const rest = dimArgs(x.meta.shape.slice(2))
      const split = [dimArg(batch!), BigInt(groups), BigInt(channels / groups), ...rest]
      const order = [0n, 2n, 1n, ...rest.map((_, i) => BigInt(i + 3))]
      const mixed = c.op('aten.permute.default', c.op('aten.view.default', x, split), order)
      return c.op('aten.contiguous.default', c.op('aten.reshape.default', mixed, dimArgs(x.meta.shape)))
    },
  },
})

export const KERNELS: Kernels = {
  'aten.embedding': gatherKernel('embedding', [SELF, INDEX, ...IGNORED], 'select', () => 0),
  'aten.index_select': gatherKernel('index_select', [SELF, DIM, INDEX], 'select', dim),
  'aten.gather': gatherKernel('gather', [SELF, DIM, INDEX, ...IGNORED], 'gather', dim),
}

export const FAMILIES: Families = {
  view: 'index_select gather embedding',
}
