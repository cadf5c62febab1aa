import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { file, fusescope, pattern, readable, ownFolder } from './testing/program'

ownFolder()

describe('fusescope explain', () => {
  const mismatched = (): string => {
    const text = readFileSync(pattern, 'utf8')
    expect(text).toContain('1e-6')
    return text.replaceAll('1e-6', '1e-5')
  }

  it('prints causes, and fixes that were tried', async () => {
    file('broken.py', mismatched())
    const { status, out, err } = await fusescope('explain', '--graph', readable, '--pattern', 'broken.py', '--json')
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const printed = JSON.parse(out) as Record<string, unknown>
    expect(Object.keys(printed)).toEqual(['headline', 'tried_changes', 'diagnoses', 'lints'])
    expect(printed.diagnoses).toMatchObject([
      {
        pass: 'patterns',
        entry: 0,
        times: 1,
        causes: [
          {
            kind: 'constant',
            source: { file: 'broken.py', line: expect.any(Number) },
            graph_node: expect.any(String),
            expected: '1e-05',
            found: '1e-06',
            message: expect.stringContaining('1e-06'),
            fixes: [{ verified: true, matches_after: 1, kind: 'python' }],
          },
        ],
      },
    ])
    const text = await fusescope('explain', '--graph', readable, '--pattern', 'broken.py')
    expect(text.out).toMatch(
      /constant: .*1e-06[^\n]*\(broken\.py:\d+\)\n {4}fix: .* fires 1 time with this change; the numbers [^\n]*\n/,
    )
  })

  it('says why replace_pattern misses by a literal, and what makes it fire', async () => {
    file(
      'graph.txt',
      'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, 0.5), kwargs = {})\n    return mul',
    )
    file(
      'rewrite.py',
      `import torch
from torch.fx.subgraph_rewriter import replace_pattern
def half(x):
    return torch.ops.aten.mul.Tensor(x, 0.25)
def run(gm):
    replace_pattern(gm, half, half)
`,
    )
    const args = ['--graph', 'graph.txt', '--pattern', 'rewrite.py', '--pass', 'run']
    const { status, out } = await fusescope('explain', ...args)
    expect(status).toBe(0)
    expect(out).toMatch(
      /half misses: constant: argument 1 of mul is 0\.5 in the graph, 0\.25 in the pattern .*\(rewrite\.py:4\)/,
    )
    expect(out).toMatch(/fix: Change 0\.25 to 0\.5 \(line 4\).*: fires 1 time with this change/)
  })

  it('says of a class for --only that its registration was skipped', async () => {
    file(
      'skipped.py',
      `${readFileSync(pattern, 'utf8')}
from vllm.platforms import current_platform
class OnCuda:
    def register(self):
        register_replacement(search, replace, [], fwd_only, patterns)
if current_platform.is_cuda():
    OnCuda().register()
`,
    )
    const rocm = ['--graph', readable, '--pattern', 'skipped.py', '--env', 'platform=rocm', '--quick']
    const { status, err } = await fusescope('explain', ...rocm, '--only', 'OnCuda')
    expect(status).toBe(0)
    expect(err).toMatch(/OnCuda is not registered: skipped\.py:\d+ did not run; the lines above say what turns it on/)
    const other = await fusescope('explain', ...rocm, '--only', 'Absent')
    expect([other.status, other.err]).toEqual([2, expect.stringContaining('no pattern is called "Absent"')])
  })

  it('prints one line per case, even for an invalid case', async () => {
    const good = { id: 'a', pattern_py: mismatched(), graph: readFileSync(readable, 'utf8') }
    const raises = { ...good, id: 'b', pattern_py: 'raise KeyError("k")' }
    const unreadable = { ...good, id: 'c', graph: 'graph():\n    %x : [' }
    file('explain.jsonl', [good, raises, unreadable].map((c) => JSON.stringify(c)).join('\n'))
    const { status, out } = await fusescope('explain', '--cases', 'explain.jsonl', '--json', '--quick')
    expect(status).toBe(2)
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(lines).toMatchObject([
      { id: 'a', diagnoses: [{ causes: [{ kind: 'constant', fixes: [] }] }] },
      { id: 'b', diagnoses: [{ pass: null, causes: [{ kind: 'not-registered', found: "KeyError: 'k'" }] }] },
      { id: 'c', error: expect.any(String), diagnoses: [] },
    ])
  })
})
