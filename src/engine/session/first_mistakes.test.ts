/** Mistakes of first-time authors: the report says what to write. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Report } from '../protocol'
import { failureText } from '../report/file_outcomes'
import { Session } from './session'
import { FIRST_MISTAKES, MISTAKES_GRAPH } from './testing/first_mistakes'

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

const workspaceOf = (text: string) => ({
  name: 'mistake',
  graph: { name: 'graph.py', text: MISTAKES_GRAPH },
  files: [{ name: 'patterns.py', text }],
  options: { timeLimitS: 1 },
})
const analyzed = (text: string): Report => session.analyzeWhole(workspaceOf(text)).report

/** Everything that the report says about the code. */
function texts({ python, causes = [], passes }: Report): string {
  return [
    ...(python ? [failureText(python, causes)] : []),
    ...causes.map((c) => c.sentence),
    ...passes.flatMap((p) => [
      ...(p.causes ?? []).map((c) => c.sentence),
      ...p.nearMisses.flatMap((m) => (m.causes ?? []).map((c) => c.sentence)),
      ...(p.lints ?? []).map((l) => l.sentence),
      ...(p.violations ?? []).map((v) => v.sentence),
    ]),
  ].join('\n')
}

describe('a first mistake', () => {
  it.each(FIRST_MISTAKES)('%s', (_, python, advice) => {
    expect(texts(analyzed(python))).toContain(advice)
  })
})

it.each([
  ['Change to relu', 'a misspelled operator', 'torch.ops.aten.relu(x * w)'],
  ['Change to Tensor', 'a misspelled overload', 'torch.ops.aten.mul.Tensor(x, w)'],
  ['Change to relu', 'a misspelled function', 'torch.relu(x * w)'],
  ['Add import torch', 'no import of torch', 'import torch\nfrom'],
  ['Add the colon', 'no colon', 'def search(x, w):'],
  ['Change to register_replacement', 'a misspelled import', 'fwd_only, register_replacement\n'],
])('the edit %s mends %s', (title, name, mended) => {
  const python = FIRST_MISTAKES.find(([n]) => n === name)![1]
  const { edit } = analyzed(python).python!
  expect(edit).toMatchObject({ title })
  const lines = python.split('\n')
  const { from, to, text } = edit!
  lines[from.line - 1] =
    lines[from.line - 1]!.slice(0, from.column - 1) + text + lines[to.line - 1]!.slice(to.column - 1)
  expect(lines.join('\n')).toContain(mended)
})
