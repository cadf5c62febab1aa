import { expect, it } from 'vitest'
import { withRegistrations } from './pattern_text'

const PRINTED = `tmp_0 = CallFunction(aten.mm.default, KeywordArg('a'), KeywordArg('b'))
relu_pattern = CallFunction(aten.relu.default, tmp_0, _users=1)
`

it('registers the outermost patterns, with the imports that a print lacks', () => {
  const text = withRegistrations(PRINTED)!
  expect(text).toMatch(/^import operator\nimport torch\n/)
  expect(text).toContain('for _pattern in (relu_pattern,):')
})

it('keeps the imports of a serialized pattern', () => {
  const text = withRegistrations(`from torch._inductor.pattern_matcher import CallFunction\n${PRINTED}`)!
  expect(text.startsWith('from torch._inductor')).toBe(true)
})

it('leaves files that register patterns, and other Python', () => {
  expect(withRegistrations(`${PRINTED}register_replacement(f)`)).toBeNull()
  expect(withRegistrations('import os\nx = 1\n')).toBeNull()
})
