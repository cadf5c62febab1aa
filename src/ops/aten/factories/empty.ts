/** Tensors of a given size, uninitialized or filled with one value. */
import { type Device, type Dim, dtype as dtypeArg, layout } from '../../../fx'
import { dimArgs, type DispatchArg } from '../../fake'
import { type OpCall, parseDevice } from '../../op_call'
import { stridesIn } from '../../memory_format'
import type { Traits, OpDef, Rules } from '../../operator'
import { dtypeOfNumber } from '../../promote'

export type Options = Record<string, DispatchArg>

/** The options dtype, layout, device and pin_memory, which decompositions pass on. */
export const allOptions = (c: OpCall, dtype: string, device: Device): Options => ({
  dtype: dtypeArg(dtype),
  layout: layout('strided'),
  device,
  pin_memory: c.bool('pin_memory'),
})

export const CPU: Device = { kind: 'device', type: 'cpu', index: null }

const sized: OpDef = {
  meta: (c) => {
    const shape = c.dims('size')!
    return c.fresh(c.dtype() ?? 'float32', shape, c.device(), stridesIn(c.memoryFormat(), shape))
  },
}

/** 0 and 1 in the given dtype. */
export const valueIn = (dtype: string, value: bigint): DispatchArg => (dtype === 'bool' ? value === 1n : value)

const filled = (value: bigint): OpDef => ({
  decomp: (c) =>
    c.call(
      'aten.full.default',
      [c.get('size'), valueIn(c.dtype() ?? 'float32', value)],
      allOptions(c, c.dtype() ?? 'float32', c.device() ?? CPU),
    ),
})

const SIZED = 'The given size, in the given dtype or the default one.'

export const rules = (): Rules => ({
  'aten.empty aten.rand aten.randn': {
    ...sized,
    shape: SIZED,
  },
  'aten.empty_strided': {
    meta: (c) => c.fresh(c.dtype() ?? 'float32', c.dims('size')!, c.device(), c.dims('stride')!),
  },
  'aten.full': {
    shape: SIZED,
    decomp: (c) => {
      if (c.has('dtype')) return undefined
      // Through torch.full, which passes the device and pin_memory=False.
      const given: Options = { dtype: dtypeArg(dtypeOfNumber(c.get('fill_value'))) }
      if (c.has('layout')) given['layout'] = c.get('layout')
      given['device'] = c.has('device') ? c.get('device') : (c.device() ?? parseDevice('cpu'))
      given['pin_memory'] = c.has('pin_memory') ? c.get('pin_memory') : false
      return c.call('aten.full.default', [c.get('size'), c.get('fill_value')], given)
    },
    meta: (c) => c.fresh(c.dtype() ?? dtypeOfNumber(c.get('fill_value')), c.dims('size')!, c.device()),
  },
  'aten.zeros': {
    ...filled(0n),
    shape: SIZED,
  },
  'aten.ones': {
    ...filled(1n),
    shape: SIZED,
  },
  'aten.empty_permuted': {
    decomp: (c) => {
      const size = c.dims('size')!
      const physical = c.dims('physical_layout')!.map(Number)
      const options: Options = {}
      for (const k of ['dtype', 'layout', 'device', 'pin_memory']) if (c.has(k)) options[k] = c.get(k)
      const make = (s: readonly Dim[]): DispatchArg => c.call('aten.empty.memory_format', [dimArgs(s)], options)
      if (physical.every((d, i) => d === i)) return make(size)
      const made = make(physical.map((i) => size[i]!))
      return c.op(
        'aten.permute.default',
        made,
        size.map((_, i) => BigInt(physical.indexOf(i))),
      )
    },
  },
  'aten.fill.Scalar': { decomp: (c) => c.op('aten.full_like.default', c.tensor('self'), c.get('value')) },
})

export const TRAITS: Traits = {
  factory: 'empty empty_strided empty_permuted zeros ones full _tensor_constant',
  unwritten: 'empty empty_strided empty_permuted',
}
