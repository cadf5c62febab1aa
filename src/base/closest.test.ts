import { expect, it } from 'vitest'
import { closestName } from './closest'

it.each([
  ['rellu', ['relu', 'celu', 'prelu'], 'relu'],
  ['Tensr', ['Tensor', 'Scalar'], 'Tensor'],
  ['mull', ['full', 'mul'], 'mul'],
  ['mll', ['mul', 'mm'], 'mul'],
  ['rms_nrom', ['rms_norm', 'rmsnorm2'], 'rms_norm'],
  ['x', ['weight', 'eps'], null],
  ['relu', ['relu'], null],
])('%s of %j is %s', (name, candidates, closest) => {
  expect(closestName(name, candidates)).toBe(closest)
})
