import { expect, it } from 'vitest'
import { DEEPEST, nestsTooDeep } from './json_depth'

const nested = (levels: number, inner = ''): string => '['.repeat(levels) + inner + ']'.repeat(levels)

it('counts levels outside of texts', () => {
  expect(nestsTooDeep(nested(DEEPEST))).toBe(false)
  expect(nestsTooDeep(nested(DEEPEST + 1))).toBe(true)
  expect(nestsTooDeep(`[${nested(DEEPEST - 1)},${nested(DEEPEST - 1)}]`)).toBe(false)
  expect(nestsTooDeep(nested(DEEPEST, `"\\\\\\"${'['.repeat(9)}"`))).toBe(false)
  expect(nestsTooDeep('"[')).toBe(false)
})
