/** Derivatives of matrix products and attention. */
import { UNDEFINED_TENSOR } from '../../bind'
import type { BackwardCall, Derivatives, Formula } from '../../derivative'
import { dimArgs, isFake, itemsOf, type FakeTensor } from '../../fake'
import { stridesOf } from '../../strides'

const t = (g: BackwardCall, x: FakeTensor): FakeTensor => g.op('t.default', x)
const mm = (g: BackwardCall, a: FakeTensor, b: FakeTensor): FakeTensor => g.op('mm.default', a, b)

/** A transposed matrix gets a gradient with the same layout. */
function isColumnMajor(x: FakeTensor): boolean {
  const [rowStride, columnStride] = stridesOf(x.meta)
  return rowStride === 1 && columnStride === x.meta.shape[0]
}

const alpha = (g: BackwardCall): bigint | number => (g.c.has('alpha') ? (g.c.get('alpha') as number) : 1n)

const firstMatrix =
  (name: string, second: string): Formula =>
  (g) => {
    const b = g.tensor(second)
    const product = isColumnMajor(g.tensor(name)) ? t(g, mm(g, b, t(g, g.grad))) : mm(g, g.grad, t(g, b))
    return g.scaled(product, alpha(g))
  }
const secondMatrix =
  (name: string, first: string): Formula =>
  (g) => {
    const a = g.tensor(first)
    const product = isColumnMajor(g.tensor(name)) ? t(g, mm(g, t(g, g.grad), a)) : mm(g, t(g, a), g.grad)
    return g.scaled(product, alpha(g))
  }
export const DERIVATIVES: Derivatives = {
  'aten.mm': { self: firstMatrix('self', 'mat2'), mat2: secondMatrix('mat2', 'self') },
  'aten.addmm': {
    self: 'scaled(grad, beta)',
    mat1: firstMatrix('mat1', 'mat2'),
    mat2: secondMatrix('mat2', 'mat1'),
  },
  'aten.bmm': { self: 'bmm(grad, transpose.int(mat2, 1, 2))', mat2: 'bmm(transpose.int(self, 1, 2), grad)' },
  'aten.addbmm': {
    self: 'scaled(grad, beta)',
    batch1: `
      each = expand(unsqueeze(grad, 0), [batch1.shape.0, batch1.shape.1, batch2.shape.2])
      scaled(bmm(each, transpose.int(batch2, 1, 2)), alpha)`,
    batch2: `
      turned = transpose.int(batch1, 1, 2)
      each = expand(unsqueeze(grad, 0), [batch1.shape.0, batch1.shape.1, batch2.shape.2])
      scaled(bmm(turned, each), alpha)`,
  },
  'aten.vdot': { other: 'grad * self', self: 'grad * other' },
  'aten.baddbmm': {
    self: 'scaled(grad, beta)',
    batch1: 'scaled(bmm(grad, transpose.int(batch2, 1, 2)), alpha)',
    batch2: 'scaled(bmm(transpose.int(batch1, 1, 2), grad), alpha)',
  },
  'aten.mv': { self: 'reshape(grad, [sizes(grad)[0], 1]) * vec', vec: 'mv(t(self), grad)' },
  'aten.addmv': {
    self: 'scaled(grad, beta)',
    mat: 'scaled(reshape(grad, [sizes(grad)[0], 1]) * vec, alpha)',
    vec: 'scaled(mv(t(mat), grad), alpha)',
  },
  'aten.addr': {
    self: 'scaled(grad, beta)',
    vec1: 'scaled(mv(grad, vec2), alpha)',
    vec2: 'scaled(mv(t(grad), vec1), alpha)',
  },
  'aten.dot': { self: 'grad * tensor', tensor: 'grad * self' },
  'aten.convolution': {
    'input, weight, bias': (g) => {
      const bias = g.c.get('bias')
      const given = ['stride', 'padding', 'dilation', 'transposed', 'output_padding', 'groups'].map((n) => g.c.get(n))
      const sizes = isFake(bias) ? dimArgs(bias.meta.shape) : [0n]
      const mask = ['input', 'weight', 'bias'].map((name) => g.needs(name) && isFake(g.c.get(name)))
      const args = [g.grad, g.tensor('input'), g.tensor('weight'), sizes, ...given, mask]
      const made = itemsOf(g.c.call('aten.convolution_backward.default', args))!
      return mask.map((wanted, i) => (wanted ? (made[i] as FakeTensor) : null))
    },
  },
  'aten._scaled_dot_product_flash_attention_for_cpu': {
    // Functionalization turns an undefined mask into none.
    'query, key, value': (g) => {
      const mask = g.c.get('attn_mask') ?? (g.c.functional ? null : UNDEFINED_TENSOR)
      const [query, key, value] = ['query', 'key', 'value'].map((name) => g.tensor(name))
      const given = [g.grad, query!, key!, value!, g.result, g.resultAt(1), g.c.get('dropout_p'), g.c.get('is_causal')]
      const name = 'aten._scaled_dot_product_flash_attention_for_cpu_backward.default'
      return itemsOf(g.c.call(name, given, { attn_mask: mask, scale: g.c.get('scale') })) as FakeTensor[]
    },
  },
}
