import { expect, it } from 'vitest'
import { Graph } from '../../fx'
import { ExampleSizes, sizeCode } from './sym_text'

it('evaluates symbolic sizes with different even examples', () => {
  const sizes = new ExampleSizes()
  expect(sizes.of(48)).toBe(48)
  expect(sizes.of('s72')).toBe(64)
  expect(sizes.of('2*s72 + 1')).toBe(129)
  expect(sizes.of('s77*s72')).toBe(86 * 64)
  expect(sizes.of('(s72//3)')).toBe(21)
  expect(sizes.of('Max(1, s72**2)')).toBe(4096)
  expect(sizes.of('Piecewise((1, s72 > 2))')).toBeNull()
})

it('reads symbolic sizes from the shapes of the inputs', () => {
  const node = new Graph().createNode('placeholder', 'x')
  node.meta.val = { kind: 'tensor', dtype: 'float32', shape: [4, 's72'], stride: null, device: null }
  expect(sizeCode('s72', [{ node, name: 'x' }])).toBe('x.shape[1]')
  expect(sizeCode('2*s72', [{ node, name: 'x' }])).toBe('2*x.shape[1]')
  expect(sizeCode('s99', [{ node, name: 'x' }])).toBeNull()
})
