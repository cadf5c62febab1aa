import { expect, it } from 'vitest'
import { titleOf } from './fix_title'

it('names one change, or two short ones', () => {
  expect(titleOf(['Swap a and b'])).toEqual({ title: 'Swap a and b' })
  expect(titleOf(['Swap a and b', 'Leave out keepdim=True'])).toEqual({
    title: 'Swap a and b, and leave out keepdim=True',
  })
})

it('counts more changes and lists them all', () => {
  const changes = ['Swap a and b', 'Change 1e-6 to 1e-5 (line 3)', 'Use x bfloat16 as example inputs']
  expect(titleOf(changes)).toEqual({ title: 'Swap a and b, and 2 more changes', changes })
})
