/** Stdout holds Fusescope's own lines: no name, message or print of user code begins one, moves the cursor or hides text. */
import { spawnSync } from 'node:child_process'
import { describe, expect, it, vi } from 'vitest'
import { boxedEnvironment } from './box/rights'
import { pathOf } from './input'
import { isLogged, jsonText, visible } from './output'
import { file, fusescope, ownFolder, root } from './testing/program'

ownFolder()

const GRAPH = `class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4][1]cpu"):
        relu: "f32[4][1]cpu" = torch.ops.aten.relu.default(x)
        return (relu,)
`
/** Of a name in each place that is printed; FORGED begins a line only where a newline of the name is printed. */
const HOSTILE = String.raw`import torch
from torch._inductor.pattern_matcher import *
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
print("FORGED: 32 matches")
NAME = "p\nFORGED: 32 matches from 1 pattern\n  FORGED\x1b[2J\x9b1m\u200b\u202e\u2066\U000e0041\ufe0f\u00ad\r\x0b\x85\u2028"
def search(x): return torch.relu(x)
def replace(x): return torch.sin(x)
search.__name__ = search.__qualname__ = NAME
made = PatternMatcherPass(pass_name=NAME)
register_replacement(search, replace, [torch.empty(4)], fwd_only, made)
near = PatternMatcherPass()
def check(match):
    raise type(NAME, (ValueError,), {})(NAME)
register_replacement(lambda x: torch.sin(x), lambda x: torch.cos(x), [torch.empty(4)], fwd_only, near, check)
globals()[NAME], globals()["near " + NAME] = made, near
del made, near
class Test: pass
def test_fails(): raise ValueError(NAME)
test_fails.__name__ = NAME
globals()["test_" + NAME] = test_fails
`
// oxlint-disable-next-line no-control-regex
const HIDDEN = /[\0-\x09\x0b-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\u2028-\u202e]/u

describe('stdout', () => {
  const on = ['--graph', 'graph.txt', '--pattern', 'p.py']
  const cases = JSON.stringify({ id: 'a\nFORGED\u202e', pattern_py: HOSTILE, graph: GRAPH })
  it.each([
    ['match', ...on],
    ['match', '--graphs', 'graph.txt', '--pattern', 'p.py'],
    ['match', '--cases', 'cases.jsonl'],
    ['explain', ...on, '--quick'],
    ['explain', '--cases', 'cases.jsonl', '--quick'],
    ['explain-pattern', ...on],
    ['passes', ...on],
    ['test', '--graph', 'graph.txt', '--pattern', 'test_p.py'],
    ['table', '--passes', 'p.py', '--graphs', 'graph.txt'],
    ['compare', '--graph', 'graph.txt', '--graph', 'other.txt', '--pattern', 'p.py'],
  ])('of %s %s says only what Fusescope saw, as text and as JSON', async (...args) => {
    file('graph.txt', GRAPH)
    file('other.txt', GRAPH.replaceAll('relu', 'sin'))
    for (const name of ['p.py', 'test_p.py']) file(name, HOSTILE)
    file('cases.jsonl', `${cases}\n`)
    const { out, err } = await fusescope(...args)
    expect(out, err).not.toBe('')
    expect(`${out}${err}`.replaceAll('\n', '')).not.toMatch(HIDDEN)
    for (const text of [out, err]) expect(text).not.toMatch(/^ *FORGED/m)
    const json = await fusescope(...args, '--json')
    expect(json.out.trimEnd()).not.toMatch(/\n/)
    expect(json.out.trimEnd()).not.toMatch(HIDDEN)
    expect(() => JSON.parse(json.out) as unknown).not.toThrow()
  })
})

it('counts the matches of each pass, whatever a name claims', async () => {
  file('graph.txt', GRAPH)
  file('p.py', HOSTILE)
  const { out, err } = await fusescope('match', '--graph', 'graph.txt', '--pattern', 'p.py')
  expect(out.split('\n').map((line) => line.slice(0, 16))).toEqual([
    String.raw`"p\nFORGED: 32 m`,
    String.raw`  p\nFORGED: 32 `,
    String.raw`"near p\nFORGED:`,
    String.raw`  raised p\nFORG`,
    'graph: 3 nodes, ',
    '',
  ])
  expect(out.split('\n')[0]).toMatch(/": 1 match from 1 pattern$/)
  expect(err.split('\n')[0]).toBe('user code: FORGED: 32 matches')
})

it('escapes each hidden character, as Python writes it', () => {
  expect(visible('é 中 ❤ a\u00adb\u{e0041}\u{1f600}\ue000\ud800')).toBe(
    String.raw`é 中 ❤ a\xadb\U000e0041😀\ue000\ud800`,
  )
  expect(['  ::add-mask::x', 'a::b', 'a ##[error]x', 'a ##vso[task.uploadfile]/x', ':'].map(visible)).toEqual([
    String.raw`  \x3a:add-mask::x`,
    'a::b',
    String.raw`a #\x23[error]x`,
    String.raw`a #\x23vso[task.uploadfile]/x`,
    ':',
  ])
  const others = [
    '[[ATTACHMENT|/etc/passwd]]',
    'x <DartMeasurementFile>',
    'travis_fold:start:a',
    '+++ a',
    '--- a',
    '---',
  ]
  expect(others.map(visible)).toEqual([
    String.raw`\x5b[ATTACHMENT|/etc/passwd]]`,
    String.raw`x \x3cDartMeasurementFile>`,
    String.raw`travis\x5ffold:start:a`,
    String.raw`++\x2b a`,
    String.raw`--\x2d a`,
    String.raw`--\x2d`,
  ])
  expect([' --- a', '----', '[[1]]', '<Dart', 'travis_folder'].map((t) => visible(t) === t)).not.toContain(false)
  expect(JSON.parse(jsonText(['##[error]x', '::']))).toEqual(['##[error]x', '::'])
  expect(jsonText(['##[error]x', '##teamcity[x]'])).not.toMatch(/##\w*\[/)
  expect(JSON.parse(jsonText(others))).toEqual(others)
  expect(jsonText(others)).not.toMatch(/\[\[ATT|<Dart|travis_/)
})

describe('a document', () => {
  const hostile = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %div : [num_users=1] = call_function[target=torch.ops.aten.div.Tensor_mode](args = (%x, 2), kwargs = {rounding_mode: ##vso[task.uploadfile]/etc/passwd\u202e})
    return (div,)`
  const exact = /mode: ##vso\[task\.uploadfile\]\/etc\/passwd\u202e\}/
  const escaped = /mode: #\\x23vso\[task\.uploadfile\]\/etc\/passwd\\u202e\}/
  const print = (stdout: string, runner: string): string => {
    const command = `"$NODE" scripts/cli.mjs print --graph "$GRAPH" --as fx ${stdout}`
    const env = {
      ...process.env,
      NODE: process.execPath,
      GRAPH: pathOf('hostile.txt'),
      OUT: pathOf('out.txt'),
      TF_BUILD: runner,
    }
    const { stdout: out, stderr: err } = spawnSync('sh', ['-c', command], { cwd: root, env, encoding: 'utf8' })
    return out + err
  }

  it('is exact in a file and for another program, and visible in the log of a workflow', () => {
    file('hostile.txt', hostile)
    expect(print('', '')).toMatch(exact)
    expect(print('', 'True')).toMatch(escaped)
    expect(print('', 'True')).toMatch(/with > FILE, the file has the exact text\.\n$/)
    expect(print('| cat', 'True')).toMatch(escaped)
    expect(print('> "$OUT"; cat "$OUT"', 'True')).toMatch(exact)
    // As Jenkins runs a step.
    expect(print('> "$OUT" 2>&1; cat "$OUT"', 'True')).toMatch(escaped)
  })

  it('of user code, whose process has no environment and no stderr of its own, is told apart there too', () => {
    expect(boxedEnvironment('command').FUSESCOPE_LOGGED).toBeUndefined()
    vi.stubEnv('GITLAB_CI', 'true')
    expect(boxedEnvironment('command').FUSESCOPE_LOGGED).toBe('1')
    vi.stubEnv('FUSESCOPE_BOX', 'command')
    expect(isLogged()).toBe(false)
    vi.stubEnv('FUSESCOPE_LOGGED', '1')
    expect(isLogged()).toBe(true)
    for (const name of ['GITLAB_CI', 'FUSESCOPE_LOGGED']) vi.stubEnv(name, '')
    vi.stubEnv('FUSESCOPE_BOX', undefined)
  })
})
