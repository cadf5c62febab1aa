// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Fix } from '../../../engine/protocol'
import { FOREIGN } from '../../../workspace/code_origin'
import { nearMissSchema } from '../../../workspace/carried'
import type { ReportSummary } from '../../../workspace/types'
import { setEditor, type EditorSurface } from '../../commands/surfaces'
import { consentOf, consentPart } from '../../session/consent'
import { useRun } from '../../session/run_store'
import { replaceSession, startSessions } from '../../session/session'
import { reportOf } from '../../session/summary'
import { EMPTY_WORKSPACE, useWorkspace } from '../../session/workspace_store'
import * as runner from '../../session/runner'
import { applyFix } from './apply'

const start = { line: 1, column: 1 }
const fix = {
  ...{ title: 'Change 1e-6 to 1e-5', kind: 'python', diff: '-1e-6\n+1e-5', verified: true, numbers: 'equal' },
  edits: [{ file: 'a.py', from: start, to: start, text: 'evil()' }],
  numbersDetail: { kinds: 1, compared: 1, inputs: [], output: null, input: null, maxAbs: null, maxRel: null, operator: null, reason: null, ms: 1 }, // prettier-ignore
  ...{ matchesBefore: 0, matchesAfter: 1 },
}
const cause = { kind: 'constant', patternNode: 0, graphNode: 'x', argument: null, expected: null, found: null, stage: null, source: null, parts: [], fixes: [fix] } // prettier-ignore
const miss = {
  index: 0,
  entry: 0,
  phase: 'initial',
  count: 1,
  anchors: ['x'],
  aligned: ['x'],
  why: [],
  causes: [cause],
}

beforeEach(() => {
  vi.spyOn(runner, 'run').mockResolvedValue()
  startSessions([consentPart])
  setEditor({
    apply(files) {
      for (const [name, edits] of files) useWorkspace.getState().setText(name, edits[0]!.text, 'user')
      return () => undefined
    },
  } as Partial<EditorSurface> as EditorSurface)
})
afterEach(() => {
  setEditor(null)
  startSessions([])
  vi.restoreAllMocks()
})

/** Opens a link whose only file is empty, and applies a fix in it. @returns the consent then */
async function applied(of: (sent: Fix) => Fix): Promise<string> {
  const workspace = { ...EMPTY_WORKSPACE, files: [{ name: 'a.py', text: '' }] }
  replaceSession(() => {
    useWorkspace.getState().load(workspace, 'link:x', { foreign: FOREIGN })
    useRun.setState({ consent: consentOf(workspace, FOREIGN) })
  })
  const nearMisses = [nearMissSchema.parse(miss)]
  const summary = { passes: [{ name: 'p', count: 0, entries: 1, fired: [], nearMisses }] } as object as ReportSummary
  const found = reportOf(summary, workspace).passes[0]!.nearMisses[0]!
  await applyFix(of(found.causes[0]!.fixes![0]!), workspace)
  expect(useWorkspace.getState().workspace.files[0]!.text).toBe('evil()')
  return useRun.getState().consent
}

it('a fix that a link carries is code of its sender: it asks before it runs, also where the link had no code', async () => {
  expect(await applied((sent) => sent)).toBe('pending')
  // One that was found here is the user's edit.
  expect(await applied((sent) => ({ ...sent, sent: undefined }))).toBe('given')
})
