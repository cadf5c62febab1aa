/** Verdicts of an older PyTorch: each rule that user code meets, as docs/versions.md tells them. */
import { beforeAll, expect, test } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { TorchVersion } from '../../base/torch_version'
import { DEFAULT_ENVIRONMENT } from '../../workspace/types'
import { createSession, type Session } from './session'
import { statusText } from '../queries/report_text'

let session: Session
beforeAll(async () => {
  session = createSession(nodeAssets())
  await session.ready
})

const GRAPH = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%x,), kwargs = {})
    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%sin, 2), kwargs = {})
    return mul`

const HEAD = `import torch
from torch._inductor.pattern_matcher import CallFunction, KeywordArg, PatternMatcherPass, fwd_only, register_graph_pattern, register_replacement
patterns = PatternMatcherPass()
def pattern(x):
    return x.sin() * 2
def replacement(x):
    return x.cos()
def add(pattern, **more):
    register_replacement(pattern, replacement, [torch.empty(4, 8)], fwd_only, patterns, **more)
`

function analyzed(torch: TorchVersion, text: string) {
  const { report } = session.analyze({
    name: 'versions',
    graph: { name: 'graph.txt', text: GRAPH },
    files: [{ name: 'p.py', text: HEAD + text }],
    options: { timeLimitS: 10 },
    environment: { ...DEFAULT_ENVIRONMENT, torch },
    inputShapes: { x: 'f32[4, 8]' },
  })
  return report
}

const raised = (torch: TorchVersion, text: string): string | null => {
  const { python, passes } = analyzed(torch, text)
  return python ? `${python.type}: ${python.message}` : (passes[0]?.applyError ?? null)
}

test('2.6 finds duplicates by the text of a pattern alone', () => {
  const both = 'add(pattern)\nadd(lambda x: x.sin() * 3)'
  expect(raised('2.6', both)).toBe('AssertionError: ')
  expect(raised('2.13', both)).toBeNull()
  expect(raised('2.14', both)).toBeNull()
})

test('2.6 lacks parameters and names', () => {
  expect(raised('2.6', 'add(pattern, skip_duplicates=True)')).toBe(
    "TypeError: register_replacement() got an unexpected keyword argument 'skip_duplicates'",
  )
  expect(raised('2.13', 'from torch._inductor.pattern_matcher import GetAttr')).toMatch(
    /^ImportError: cannot import name 'GetAttr'/,
  )
  expect(raised('2.14', 'from torch._inductor.pattern_matcher import GetAttr')).toBeNull()
})

test('a check that returns no bool raises since 2.13', () => {
  const check = `@register_graph_pattern(CallFunction(torch.ops.aten.sin.default, KeywordArg('x')), extra_check=lambda m: 1, pass_dict=patterns)
def handler(match, x):
    pass
`
  expect(raised('2.6', check)).toBeNull()
  expect(raised('2.13', check)).toBe("AssertionError: Expected bool, got <class 'int'>")
})

test('the verdict and torch.__version__ name the version', () => {
  const report = analyzed('2.6', 'add(pattern)\nprint(torch.__version__, torch.__version__ < "2.7")')
  expect(report.torch).toBe('2.6')
  expect(statusText(report)).toMatch(/in PyTorch 2\.6$/)
  expect(
    report.console
      .map((c) => c.text)
      .join('')
      .trim(),
  ).toBe('2.6.0+fusescope True')
  expect(analyzed('2.14', 'add(pattern)').torch).toBeUndefined()
})
