/** Derivatives of matrix products and attention. */
import type { BackwardCall, Derivatives, Formula } from '../../derivative'
import { dimArg, dimArgs, isFake, itemsOf, type FakeTensor } from '../../fake'
import { stridesOf } from '../../strides'

const t = (g: BackwardCall, x: FakeTensor): FakeTensor => g.op('t.default', x)
const swapped = (g: BackwardCall, x: FakeTensor): FakeTensor => g.op('transpose.int', x, 1n, 2n)
const mm = (g: BackwardCall, a: FakeTensor, b: FakeTensor): FakeTensor => g.op('mm.default', a, b)

/** A transposed matrix has a gradient of the same layout. */
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
const added: Formula = (g) => g.scaled(g.grad, g.c.get('beta'))
const firstBatch =
  (second: string): Formula =>
  (g) =>
    g.scaled(g.op('bmm.default', g.grad, swapped(g, g.tensor(second))), alpha(g))
const secondBatch =
  (first: string): Formula =>
  (g) =>
    g.scaled(g.op('bmm.default', swapped(g, g.tensor(first)), g.grad), alpha(g))

const outer = (g: BackwardCall, a: FakeTensor, b: FakeTensor): FakeTensor =>
  g.mul(g.op('reshape.default', a, [dimArg(a.meta.shape[0]!), 1n]), b)

export const DERIVATIVES: Derivatives = {
  'aten.mm': { self: firstMatrix('self', 'mat2'), mat2: secondMatrix('mat2', 'self') },
  'aten.addmm': { self: added, mat1: firstMatrix('mat1', 'mat2'), mat2: secondMatrix('mat2', 'mat1') },
  'aten.bmm': { self: firstBatch('mat2'), mat2: secondBatch('self') },
  'aten.baddbmm': { self: added, batch1: firstBatch('batch2'), batch2: secondBatch('batch1') },
  'aten.mv': {
    self: (g) => outer(g, g.grad, g.tensor('vec')),
    vec: (g) => g.op('mv.default', t(g, g.self), g.grad),
  },
  'aten.addmv': {
    self: added,
    mat: (g) => g.scaled(outer(g, g.grad, g.tensor('vec')), alpha(g)),
    vec: (g) => g.scaled(g.op('mv.default', t(g, g.tensor('mat')), g.grad), alpha(g)),
  },
  'aten.addr': {
    self: added,
    vec1: (g) => g.scaled(g.op('mv.default', g.grad, g.tensor('vec2')), alpha(g)),
    vec2: (g) => g.scaled(g.op('mv.default', t(g, g.grad), g.tensor('vec1')), alpha(g)),
  },
  'aten.dot': {
    self: (g) => g.mul(g.grad, g.tensor('tensor')),
    tensor: (g) => g.mul(g.grad, g.self),
  },
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
    'query, key, value': (g) =>
      itemsOf(
        g.c.call(
          'aten._scaled_dot_product_flash_attention_for_cpu_backward.default',
          [
            g.grad,
            g.tensor('query'),
            g.tensor('key'),
            g.tensor('value'),
            g.result,
            g.resultAt(1),
            g.c.get('dropout_p'),
            g.c.get('is_causal'),
          ],
          { attn_mask: g.c.get('attn_mask'), scale: g.c.get('scale') },
        ),
      ) as readonly FakeTensor[],
  },
}
