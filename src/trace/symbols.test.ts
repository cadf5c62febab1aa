import { expect, it } from 'vitest'
import type { Arg, Node } from '../fx'
import { SymbolTable } from './symbols'

/** The node of a size as a call, where s0 and s1 are registered. */
function built(expr: string): string {
  const shown = (a: Arg): string =>
    Array.isArray(a) ? `[${a.map(shown).join(', ')}]` : typeof a === 'bigint' ? `${a}` : (a as Node).name
  const node = (name: string): Node => ({ name, meta: {} }) as Node
  const table = new SymbolTable((target, args) => node(`${target}(${args.map(shown).join(', ')})`))
  for (const name of ['s0', 's1']) table.offer(name, () => node(name))
  return shown(table.node(expr))
}

it('makes a size of those that are registered, from its products, sums and quotients', () => {
  expect(built('4*s0*s1')).toBe('operator.mul(4, operator.mul(s0, s1))')
  expect(built('s0*s1 + 2*s0 + 1')).toBe('torch.sym_sum([operator.mul(s0, s1), operator.mul(2, s0), 1])')
  expect(built('8*((s0 + 7)//8)')).toBe('operator.mul(8, operator.floordiv(torch.sym_sum([s0, 7]), 8))')
  expect(built('s0 - 1')).toBe('torch.sym_sum([s0, -1])')
  expect(() => built('s0**2')).toThrow('no node yields the size s0**2')
})
