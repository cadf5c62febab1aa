/** Elements selected by an index along one dimension. */
import type { Dim } from '../../../fx'
import { load } from '../../expr/expr'
import { within } from '../../expr/functions'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor } from '../../fake'
import { type Kernel, type KernelCall, KernelRefusal, type Param, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import { dimOf } from '../../kernels/strided'
import { type OpCall, wrapDim } from '../../op_call'
import type { Traits, Kernels, Rules } from '../../operator'
import { cppName } from '../../promote'
import { broadcastShapes, listText } from '../../strides'
import { runtimeError, TorchError } from '../../torch_error'
import { checkGather, checkRows } from './index_checks'
import { fromFront } from './index_tensor'
import * as guess from '../../guess/relations'

export const selfDim = (c: OpCall): number => wrapDim(c.int('dim'), c.tensor('self').meta.shape.length)

type GatherMode = 'select' | 'gather'

/** `select`: the index's shape replaces one dimension. `gather`: index and result have the same shape. */
function gatherKernel(
  name: string,
  params: readonly Param[],
  mode: GatherMode,
  at: (call: KernelCall) => number,
): Kernel {
  const dimIn = (call: KernelCall): number => dimOf(at(call), tensorArg(call, 'self').shape.length)
  return eachKernel({
    name,
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
    values(call, at) {
      const d = dimIn(call)
      const size = tensorArg(call, 'self').shape[d]!
      const rank = tensorArg(call, 'index').shape.length
      const index = load('index', ...(mode === 'gather' ? at : at.slice(d, d + rank))).whole()
      const pick = within(fromFront(index, size), size)
      return [load('self', ...at.slice(0, d), pick, ...at.slice(mode === 'gather' ? d + 1 : d + rank))]
    },
  })
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
    shape: 'The shape of indices with the width of weight appended.',
    guess: guess.embedding,
    meta: (c) => {
      const [w, i] = [c.tensor('weight'), c.tensor('indices')]
      const rank = w.meta.shape.length
      if (rank !== 2) throw new TorchError('AssertionError', `'weight' must be 2-D, got ${rank}-D`)
      checkRows(i)
      return c.fresh(w.meta.dtype, [...i.meta.shape, ...w.meta.shape.slice(1)], w.meta.device)
    },
  },
  'aten.index_select': {
    shape: 'Dimension dim has the length of index.',
    decomp: (c, x) => {
      const dim = wrapDim(c.int('dim'), x.meta.shape.length)
      const rank = c.tensor('index').meta.shape.length
      if (rank > 1) throw runtimeError(`Index should have dimension 1 or 0 (got ${rank})`)
      const picked = c.op('aten.index.Tensor', x, [...new Array<DispatchArg>(dim).fill(null), c.tensor('index')])
      return c.op('aten.contiguous.default', picked)
    },
  },
  'aten.gather': {
    shape: 'The result has the shape of index.',
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
  'aten.channel_shuffle aten.native_channel_shuffle': {
    implicit: (c, x) => {
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
      const rest = c.schema.name.startsWith('aten.native') ? [-1n] : dimArgs(x.meta.shape.slice(2))
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

export const TRAITS: Traits = {
  view: 'index_select gather embedding',
}
