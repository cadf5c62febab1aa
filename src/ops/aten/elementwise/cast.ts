/** Copies and casts. */
import { type Device, dtype as dtypeArg, memoryFormat } from '../../../fx'
import { dtypeInfo } from '../../dtype'
import { itemsOf, type DispatchArg, type FakeTensor } from '../../fake'
import { type Kernel, type KernelCall, KernelRefusal, type Param, tensorArg } from '../../kernel'
import type { OpCall } from '../../op_call'
import { first, type Traits, type Kernels, type Rules } from '../../operator'
import { isContiguousIn, stridesIn, suggestedFormat } from '../../memory_format'
import { preservedStrides, stridesOf } from '../../strides'
import { elementwiseKernel, type Formula, kernelsOf, SELF, WITH_FORMAT } from './elementwise_kernel'
import { UNCHANGED } from '../../shape_words'
import * as guess from '../../guess/relations'

const sameDevice = (a: Device | null, b: Device | null): boolean =>
  a === null || b === null || (a.type === b.type && (a.index ?? 0) === (b.index ?? 0))

function to(c: OpCall, dtype: string | null, device: Device | null): DispatchArg {
  const x = c.tensor('self')
  const format = c.memoryFormat()
  const keeps =
    (dtype === null || dtype === x.meta.dtype) &&
    sameDevice(device, x.meta.device) &&
    !c.bool('copy') &&
    (format === null || format === 'preserve_format' || suggestedFormat(x.meta) === format)
  if (keeps) return x
  return c.call('aten._to_copy.default', [x], {
    ...(dtype === null ? {} : { dtype: dtypeArg(dtype) }),
    ...(device === null || sameDevice(device, x.meta.device) ? {} : { device }),
    ...(format === null ? {} : { memory_format: memoryFormat(format) }),
  })
}

const clone = (c: OpCall, x: FakeTensor): FakeTensor => {
  const format = c.memoryFormat()
  const strides =
    format === null || format === 'preserve_format' ? preservedStrides(x.meta) : stridesIn(format, x.meta.shape)
  return c.fresh(x.meta.dtype, x.meta.shape, x.meta.device, strides)
}

const same: Formula = (x) => x

const COPIES = { clone: same, contiguous: same, lift_fresh_copy: same }

const cast = (name: string): Kernel =>
  elementwiseKernel({
    name,
    params: [SELF, { name: 'dtype', kind: 'attr' }, ...IGNORED],
    operands: ['self'],
    dtype(call: KernelCall) {
      const wanted = call.attrs['dtype']
      if (wanted === null) return tensorArg(call, 'self').dtype
      const dtype = dtypeInfo(String(wanted))
      if (!dtype) throw new KernelRefusal(`the dtype ${String(wanted)} is not supported`)
      return dtype.name
    },
    formula: () => same,
  })

/** Options that do not affect a run. */
const IGNORED: Param[] = ['layout', 'device', 'pin_memory', 'non_blocking', 'memory_format', 'copy'].map((name) => ({
  name,
  kind: 'attr',
  default: null,
}))

/** A copy from any layout to any layout, optionally to another dtype: used by `cat` and `clone`. */
export const copyKernel: Kernel = cast('_to_copy')

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'prims.convert_element_type': {
    guess: guess.cast,
    noop: first,
    // A prim keeps a dense input's strides exactly, including those of dimensions of size 1.
    meta: (c, x) => c.fresh(c.dtype()!, x.meta.shape, x.meta.device, preservedStrides(x.meta)),
  },
  'prims.device_put': {
    noop: first,
    meta: (c, x) => c.fresh(x.meta.dtype, x.meta.shape, c.device(), stridesOf(x.meta)),
  },
  'aten._to_copy': {
    shape: 'The shape of the input, in the given dtype and on the given device.',
    guess: guess.cast,
    decomp: (c, x) => {
      const [dtype, device, format] = [c.dtype(), c.device(), c.memoryFormat()]
      if (dtype === null && device === null && format === null) return c.op('aten.clone.default', x)
      let converted = false
      const convert = (): void => {
        x = c.op('prims.convert_element_type.default', x, dtypeArg(dtype!))
        converted = true
      }
      if (device !== null && !sameDevice(device, x.meta.device)) {
        if (dtype !== null && device.type === 'cpu') convert()
        x = c.op('prims.device_put.default', x, device)
      }
      if (dtype !== null && !converted) convert()
      if (format === null) return x
      return c.call('aten.clone.default', [x], { memory_format: memoryFormat(format) })
    },
  },
  'aten.to.dtype aten.to.device aten.to.dtype_layout': { implicit: (c) => to(c, c.dtype(), c.device()) },
  'aten.to.other': {
    implicit: (c) => to(c, c.tensor('other').meta.dtype, c.tensor('other').meta.device),
  },
  'aten.type_as': {
    implicit: (c) => to(c, c.tensor('other').meta.dtype, c.tensor('other').meta.device),
  },
  'aten.clone': {
    shape: UNCHANGED,
    guess: guess.likeFirst,
    meta: (c) => clone(c, c.tensor('self')),
    noop: first,
  },
  'aten.lift_fresh_copy': {
    guess: guess.likeFirst,
    meta: (c) => clone(c, c.tensor('self')),
  },
  'aten.lift': { registered: 'decomp' },
  'aten.lift_fresh': { implicit: (c) => c.op('aten.lift_fresh_copy.default', c.tensor('self')) },
  'aten.alias': {
    guess: guess.likeFirst,
    meta: (c) => c.view(c.tensor('self'), {}),
    noop: first,
  },
  'aten.detach': {
    guess: guess.likeFirst,
    decomp: (c) => c.op('aten.alias.default', c.tensor('self')),
  },
  'aten.contiguous': {
    shape: UNCHANGED,
    guess: guess.likeFirst,
    implicit: (c, x) => {
      const format = c.memoryFormat() ?? 'contiguous_format'
      if (isContiguousIn(format, x.meta)) return x
      return c.call('aten.clone.default', [x], { memory_format: memoryFormat(format) })
    },
  },
  'aten.dropout': {
    guess: guess.likeFirst,
    implicit: (c, x) => {
      const p = c.number('p')!
      if (!c.bool('train') || p === 0) return x
      return itemsOf(c.call('aten.native_dropout.default', [x, c.get('p'), true]))![0]
    },
  },
})

export const KERNELS: Kernels = {
  ...kernelsOf(COPIES, [SELF, WITH_FORMAT]),
  'aten._to_copy': copyKernel,
  'prims.convert_element_type': cast('convert_element_type'),
}

export const TRAITS: Traits = {
  cast: 'convert_element_type _to_copy to type_as view_dtype bitcast_convert_type',
  factory: 'lift_fresh_copy',
  view: 'alias detach',
  passes:
    'clone contiguous alias detach _to_copy to lift_fresh_copy convert_element_type device_put dropout native_dropout',
  e8m0: 'clone',
}
