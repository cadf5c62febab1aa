/**
 * Tests fixes beyond a single edit of the pattern: of other constants, of the replacement, of the model, of the
 * environment.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { applyEdits } from '../../explain/fixes/change'
import { FIX_BUDGET } from '../../explain/fixes/search_clock'
import { nodeAssets } from '../../python/node_assets'
import { DEFAULT_ENVIRONMENT, type TextFile, type Workspace } from '../../workspace/types'
import type { Fix } from '../protocol'
import { createSession, type Session } from './session'

const HEAD = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
aten = torch.ops.aten
patterns = PatternMatcherPass(pass_name="patterns")
`

/** @param lines of forward over x: f32[4, 8] and w: f32[8]; the last one is the return value */
const graphOf = (...lines: string[]): string =>
  [
    'class GraphModule(torch.nn.Module):',
    '    def forward(self, x: "f32[4, 8]", w: "f32[8]"):',
    ...lines.map((l) => `        ${l.replace(/^(\w+) = (\w+\.\w+)\(/, '$1: "f32[4, 8]" = torch.ops.aten.$2(')}`),
  ].join('\n')

const workspaceOf = (files: TextFile[], graph: string): Workspace => ({
  name: 'w',
  graph: { name: 'g.py', text: graph },
  files,
  options: { timeLimitS: 10 },
})

describe('fixes', () => {
  let session: Session
  beforeAll(async () => {
    session = createSession(nodeAssets())
    await session.ready
  })

  const fixesOf = (workspace: Workspace): Fix[] => {
    const { report } = session.analyzeWhole(workspace, { fixes: true })
    return [
      ...new Map(
        report.passes
          .flatMap((p) => [...p.nearMisses.flatMap((m) => m.causes ?? []), ...(p.causes ?? [])])
          .flatMap((c) => c.fixes ?? [])
          .map((f) => [f.title, f]),
      ).values(),
    ]
  }
  const applied = (workspace: Workspace, { edits }: Fix): number => {
    const files = workspace.files.map((f) => ({
      ...f,
      text: applyEdits(
        f.text,
        edits.filter((e) => e.file === f.name),
      ),
    }))
    return session.analyze({ ...workspace, files }).report.passes.reduce((sum, p) => sum + p.count, 0)
  }

  it.each(['[t] * 2', '[t, t]'])('give each argument its own example where they share a tensor: %s', (examples) => {
    const python = `${HEAD}
t = torch.empty(4, 8)
register_replacement(
    lambda x, y: torch.relu(x + y), lambda x, y: torch.clamp(x + y, min=0), ${examples}, fwd_only, patterns
)
`
    const graph = graphOf('add = add.Tensor(x, w)', 'relu = relu.default(add)', 'return (relu,)')
    const workspace = workspaceOf([{ name: 'patterns.py', text: python }], graph)
    const { report } = session.analyzeWhole(workspace)
    expect(report.passes[0]!.nearMisses[0]!.causes![0]!.sentence).toMatch(
      /the example inputs of x and y are one tensor, so the trace cannot tell them apart/,
    )
    const fix = fixesOf(workspace)[0]!
    expect(fix.title).toMatch(/own example tensor/)
    expect(applied(workspace, fix)).toBe(1)
  })

  it('remove dead code if nothing else uses a value of the match, and otherwise return the value', () => {
    const search = `
def search(x, w):
    return aten.add.Tensor(aten.mul.Tensor(x, w), 2.0)
register_replacement(search, search, [torch.empty(4, 8), torch.empty(8)], fwd_only, patterns)
`
    const [first, second] = fixesOf(
      workspaceOf(
        [{ name: 'p.py', text: HEAD + search }],
        graphOf('mul = mul.Tensor(x, w)', 'relu = relu.default(mul)', 'add = add.Tensor(mul, 2.0)', 'return (add,)'),
      ),
    )
    expect(first).toMatchObject({ kind: 'graph', edits: [], matchesBefore: 0, matchesAfter: 1 })
    expect(first!.title).toMatch(/^Remove dead code before the pass/)
    expect(first!.diff).toContain('-%relu')
    expect(second).toMatchObject({ kind: 'python', matchesAfter: 1 })
  })

  it('prefer adding a named value to the registered ones over changing shared code', () => {
    const keys = `class Key:
    def __init__(self, scale):
        self.scale = scale
WIDE = Key(3.0)
NARROW = Key(2.0)
`
    const code = `
from keys import NARROW
def register(key, twice):
    def search(x, w):
        y = aten.mul.Tensor(aten.add.Tensor(x, w), key.scale)
        return aten.relu.default(y) if twice else aten.neg.default(y)
    register_replacement(search, search, [torch.empty(4, 8), torch.empty(8)], fwd_only, patterns)
for key in [NARROW]:
    for twice in [False, True]:
        register(key, twice)
`
    const workspace = workspaceOf(
      [
        { name: 'p.py', text: HEAD + code },
        { name: 'keys.py', text: keys },
      ],
      graphOf('add = add.Tensor(x, w)', 'mul = mul.Tensor(add, 3.0)', 'neg = neg.default(mul)', 'return (neg,)'),
    )
    const fixes = fixesOf(workspace)
    expect(fixes.map((f) => f.title)).toEqual([
      'Add WIDE, which has 3.0, beside NARROW (p.py:12)',
      expect.stringMatching(/^Change 2\.0 to 3\.0 \(keys\.py:5\); 1 other pattern changes too$/),
    ])
    expect(fixes[0]!.diff).toContain('+from keys import NARROW, WIDE')
    for (const fix of fixes) expect(applied(workspace, fix), fix.title).toBe(1)
  })

  it('change a constant in the replacement too if both have it', () => {
    const code = `
def search(x, w):
    return aten.mul.Tensor(aten.add.Tensor(x, w), 0.125)
def replace(x, w):
    return (x + w) * 0.125
register_replacement(search, replace, [torch.empty(4, 8), torch.empty(8)], fwd_only, patterns)
`
    const workspace = workspaceOf(
      [{ name: 'p.py', text: HEAD + code }],
      graphOf('add = add.Tensor(x, w)', 'mul = mul.Tensor(add, 0.25)', 'return (mul,)'),
    )
    const [fix] = fixesOf(workspace)
    expect(fix!.title).toBe('Change 0.125 to 0.25 (line 7), in pattern and replacement')
    expect(fix!.diff).toContain('+    return (x + w) * 0.25')
    expect(applied(workspace, fix!)).toBe(1)
  })

  it('narrow a pattern whose outputs share nothing, along with its replacement', () => {
    const code = `
lib = torch.library.Library("fixes", "FRAGMENT")
lib.define("both(Tensor x, Tensor w) -> (Tensor, Tensor)")
torch.library.register_fake("fixes::both", lambda x, w: (x, w), lib=lib)
def search(x, w):
    a = aten.neg.default(aten.relu.default(x))
    b = aten.exp.default(w)
    return a, b
def replace(x, w):
    a, b = torch.ops.fixes.both(x, w)
    return a, b
register_replacement(search, replace, [torch.empty(4, 8), torch.empty(8)], fwd_only, patterns)
`
    const workspace = workspaceOf(
      [{ name: 'p.py', text: HEAD + code }],
      graphOf('relu = relu.default(x)', 'neg = neg.default(relu)', 'exp = exp.default(w)', 'return (neg, exp)'),
    )
    const [fix] = fixesOf(workspace)
    expect(fix!.title).toMatch(/^Match a alone; .*; the replacement computes it as the pattern does/)
    expect(fix!.diff).toContain('+def replace(x):')
    expect(applied(workspace, fix!)).toBe(1)
  })

  it('turn a custom operator on or off if the code queries it', () => {
    const code = `
from vllm.config import get_current_vllm_config
lib = torch.library.Library("fixes_c", "FRAGMENT")
lib.define("silu(Tensor x) -> Tensor")
torch.library.register_fake("fixes_c::silu", lambda x: torch.empty_like(x), lib=lib)
enabled = get_current_vllm_config().compilation_config.is_custom_op_enabled("silu")
def search(x, w):
    y = aten.mul.Tensor(x, w)
    y = torch.ops.fixes_c.silu(y) if enabled else aten.relu.default(y)
    return aten.add.Tensor(y, 1.0)
register_replacement(search, search, [torch.empty(4, 8), torch.empty(8)], fwd_only, patterns)
`
    const workspace: Workspace = {
      ...workspaceOf(
        [{ name: 'p.py', text: HEAD + code }],
        graphOf('mul = mul.Tensor(x, w)', 'relu = relu.default(mul)', 'add = add.Tensor(relu, 1.0)', 'return (add,)'),
      ),
      environment: DEFAULT_ENVIRONMENT,
    }
    const [fix] = fixesOf(workspace)
    expect(fix).toMatchObject({ kind: 'pass', matchesAfter: 1 })
    expect(fix!.title).toMatch(/^Turn the custom operator silu off in the environment/)
    const environment = { ...DEFAULT_ENVIRONMENT, customOps: ['all', '-silu'] }
    expect(session.analyze({ ...workspace, environment }).report.passes[0]!.count).toBe(1)
  })

  it('report that time ran out', () => {
    const code = `
def search(x, w):
    return aten.mul.Tensor(aten.add.Tensor(x, w), 0.125)
register_replacement(search, search, [torch.empty(4, 8), torch.empty(8)], fwd_only, patterns)
`
    session.analyze(
      workspaceOf(
        [{ name: 'p.py', text: HEAD + code }],
        graphOf('add = add.Tensor(x, w)', 'mul = mul.Tensor(add, 0.25)', 'return (mul,)'),
      ),
    )
    const explained = session.explain()
    while (!explained.next().done);
    const fixes = session.fixes({ ...FIX_BUDGET, ms: 0, leastTrials: 0 })
    let step = fixes.next()
    while (!step.done) step = fixes.next()
    expect(step.value).toEqual({ cut: true })
  })
})
