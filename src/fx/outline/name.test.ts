import { expect, it } from 'vitest'
import { nameOfGroup } from './name'

it('calls what holds layers a period', () => {
  const groups = [
    { id: 0, parent: null, label: 'layer' },
    { id: 1, parent: 0, label: 'layer' },
    { id: 2, parent: 1, label: 'MLP' },
    { id: 3, parent: null, label: null },
  ]
  expect(groups.map((g) => nameOfGroup(g, groups))).toEqual(['period', 'layer', 'MLP', null])
})
