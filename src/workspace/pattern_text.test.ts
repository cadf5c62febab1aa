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

it('vLLM’s dump_patterns: each function is registered where it stands, because their names repeat', () => {
  const text = `# This file was produced by VllmPatternMatcherPass.dump_patterns for RMSNormQuantFusionPass.
# It does its best to produce valid-Python-looking code but please add to dump_patterns if there are any errors.

from torch._higher_order_ops.auto_functionalize import auto_functionalized as auto_functionalized
from torch._inductor.pattern_matcher import *
vllm = torch.ops.vllm


# Patterns for op: torch.ops.aten.relu.default
def pattern_0():
    return CallFunction(torch.ops.aten.relu.default, KeywordArg('x'))


# Patterns for op: torch.ops.aten.neg.default
def pattern_0():
    return CallFunction(torch.ops.aten.neg.default, KeywordArg('x'))
`
  const code = withRegistrations(text)!
  expect(code.match(/^@_printed\ndef pattern_0/gm)).toHaveLength(2)
  expect(code).toContain('RMSNormQuantFusionPass = _Pass(pass_name="RMSNormQuantFusionPass")')
  expect(code.indexOf('import torch\n')).toBeLessThan(code.indexOf('vllm = torch.ops.vllm'))
  expect(withRegistrations(code)).toBeNull()
})
