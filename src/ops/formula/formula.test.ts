/** Formulas: what they call, in which order, and that each of the tables is one. */
import { describe, expect, it } from 'vitest'
import { device } from '../../fx'
import { NEWEST_RULES } from '../../base/torch_version'
import type { DispatchArg, FakeTensor } from '../fake'
import { OpCall, type Dispatcher } from '../op_call'
import { catalogSchema } from '../schema'
import { DERIVATIVES } from '../tables/derivatives'
import { FORWARD } from '../tables/forward'
import { formula } from './formula'
import { parseFormula } from './parse'

const tensor = (id: number): FakeTensor => ({
  kind: 'fake',
  id,
  storage: id,
  meta: { kind: 'tensor', dtype: 'float32', shape: [4, 8], stride: [8, 1], device: device('cpu') },
})

/** The calls of a formula on `aten.add.Tensor(t1, t2, alpha=3)`: each result is the tensor of the next number. */
function callsOf(text: string, cpp: boolean): string[] {
  const calls: string[] = []
  let next = 3
  const shown = (a: DispatchArg): string => (typeof a === 'object' && a && 'id' in a ? `t${a.id}` : String(a))
  const dispatcher = {
    rules: NEWEST_RULES,
    call: (name: string, args: readonly DispatchArg[]) => {
      calls.push(`${name}(${args.map(shown).join(', ')})`)
      return tensor(next++)
    },
  } as unknown as Dispatcher
  const values = new Map<string, DispatchArg>([
    ['self', tensor(1)],
    ['other', tensor(2)],
    ['alpha', 3n],
  ])
  formula(text, { cpp })(new OpCall(dispatcher, catalogSchema('aten.add.Tensor')!, values))
  return calls
}

describe('formulas', () => {
  it('call the Tensor overloads for numbers as Python does, and the Scalar overloads as C++ does', () => {
    expect(callsOf('self * 2 - other', false)).toEqual(['aten.mul.Tensor(t1, 2)', 'aten.sub.Tensor(t3, t2)'])
    expect(callsOf('self * 2 - other', true)).toEqual(['aten.mul.Scalar(t1, 2)', 'aten.sub.Tensor(t3, t2)'])
    expect(callsOf('1 - self', false)).toEqual(['aten.rsub.Scalar(t1, 1)'])
    expect(callsOf('where(self > 0, self, 0)', false)).toEqual([
      'aten.gt.Scalar(t1, 0)',
      'aten.where.ScalarOther(t3, t1, 0)',
    ])
  })

  it('evaluate operands from the left as Python does, and from the right as C++ does', () => {
    expect(callsOf('exp(self) * log(other)', false)).toEqual([
      'aten.exp.default(t1)',
      'aten.log.default(t2)',
      'aten.mul.Tensor(t3, t4)',
    ])
    expect(callsOf('exp(self) * log(other)', true)).toEqual([
      'aten.log.default(t2)',
      'aten.exp.default(t1)',
      'aten.mul.Tensor(t4, t3)',
    ])
  })

  it('name values, and compute numbers as Python does', () => {
    expect(callsOf('z = abs(self)\nz ** (alpha - 1) if alpha > 2 else z', false)).toEqual([
      'aten.abs.default(t1)',
      'aten.pow.Tensor_Scalar(t3, 2)',
    ])
    expect(callsOf('sum.dim_IntList(self, [-1],\n  True)', false)).toEqual(['aten.sum.dim_IntList(t1, -1, true)'])
  })

  it('are what the texts of the tables are', () => {
    const texts = [...DERIVATIVES, ...FORWARD].flatMap((file) =>
      Object.values(file).flatMap((stated) =>
        typeof stated === 'object' && stated ? Object.values(stated) : [stated],
      ),
    )
    for (const text of texts) if (typeof text === 'string') expect(() => parseFormula(text)).not.toThrow()
    expect(() => parseFormula('self $ 2')).toThrow('formula')
    expect(() => parseFormula('exp(self')).toThrow('formula')
  })
})
