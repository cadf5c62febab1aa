import { expect, it } from 'vitest'
import type { SchemaFacts } from './schema_facts'
import { graph } from './testing/fixtures'
import { hasUnsupportedType } from './unsupported'

const DTYPES: Record<string, string> = { e: 'float8_e8m0fnu', c: 'complex64' }
const schemas: Record<string, SchemaFacts> = {
  'my.view.default': { mutable: false, args: [{ name: 'x', kwargOnly: false, aliased: true }] },
}

/** True if passes skip a call of `target`; names that start with e are float8_e8m0fnu, with c complex. */
function leftAlone(target: string, args: string, name = 'out'): boolean {
  const g = graph(`
    %e = placeholder[target=e]
    %c = placeholder[target=c]
    %x = placeholder[target=x]
    %${name} = call_function[target=${target}](args = (${args}), kwargs = {})
    return x`)
  for (const n of g.nodes())
    n.meta.val = { kind: 'tensor', dtype: DTYPES[n.name[0]!] ?? 'float32', shape: [4], stride: null, device: null }
  return hasUnsupportedType(g.find(name)!, (t) => schemas[t] ?? null)
}

it('M34: skips operators on complex tensors, except casts to complex', () => {
  expect(leftAlone('torch.ops.aten.mul.Tensor', '%c, 2')).toBe(true)
  expect(leftAlone('torch.ops.aten.view_as_complex.default', '%x,', 'c_1')).toBe(false)
  expect(leftAlone('torch.ops.prims.convert_element_type.default', '%x, torch.complex64', 'c_1')).toBe(false)
  expect(leftAlone('torch.ops.aten.complex.default', '%x, %x', 'c_1')).toBe(true)
})

it('M35: skips operators on float8_e8m0fnu tensors, except those that only move bytes', () => {
  expect(leftAlone('torch.ops.aten.mul.Tensor', '%e, 2')).toBe(true)
  expect(leftAlone('operator.getitem', '%x, 1', 'e_1')).toBe(true)
  expect(leftAlone('torch.ops.higher_order.auto_functionalized', 'my.p.default, %e')).toBe(true)
  expect(leftAlone('torch.ops.my.op.default', '%e,')).toBe(true)
  expect(leftAlone('torch.ops.my.view.default', '%e,')).toBe(false)
  expect(leftAlone('torch.ops.aten.view.dtype', '%e, torch.uint8')).toBe(false)
  expect(leftAlone('torch.ops.aten.cat.default', '[%e, %e],')).toBe(false)
  expect(leftAlone('torch.ops.prims.convert_element_type.default', '%e, torch.float32')).toBe(false)
  expect(leftAlone('torch.ops.prims.convert_element_type.default', '%x, torch.float8_e8m0fnu', 'e_1')).toBe(true)
})
