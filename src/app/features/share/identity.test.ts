// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fnv1a, hashText } from '../../../base/hash'
import { codeHash, FOREIGN } from '../../../workspace/code_origin'
import type { Workspace } from '../../../workspace/types'
import { autosavePart, startSaving } from '../../session/autosave'
import { consentPart, giveConsent } from '../../session/consent'
import { setKeptIds } from '../../session/kept_ids'
import { useSteady } from '../../session/question/steady'
import * as runner from '../../session/runner'
import { useRun } from '../../session/run_store'
import { library, saveNow } from '../../session/saver'
import { startSessions } from '../../session/session'
import { useView } from '../../session/view_store'
import { EMPTY_WORKSPACE, useWorkspace } from '../../session/workspace_store'
import { openSnapshotText } from './share'

const workspace = (name: string, text: string): Workspace => ({
  ...EMPTY_WORKSPACE,
  name,
  files: [{ name: 'patterns.py', text }],
})
const COLLEAGUE = workspace('Colleague', 'print("reviewed")\n')
const ATTACKER = workspace('Attacker', 'print("attacker")\n')

/** Two snapshots of which the earlier versions’ 32-bit hash is one: the birthday of some 100,000 texts each. */
function colliding(): readonly [a: string, b: string] {
  const view = { selection: null, mode: 'before', panel: 'matches', openFile: 'patterns.py' }
  const text = (w: Workspace, pad: number): string =>
    `${JSON.stringify({ v: 1, workspace: w, view, summary: null }).slice(0, -1)},"pad":"${hashText(String(pad))}"}`
  const seen = new Map(Array.from({ length: 120_000 }, (_, i) => [fnv1a(text(COLLEAGUE, i)), i]))
  for (let i = 0; ; i++) {
    const found = seen.get(fnv1a(text(ATTACKER, i)))
    if (found !== undefined) return [text(COLLEAGUE, found), text(ATTACKER, i)]
  }
}
const [A, B] = colliding()
const EARLIER = `link:${fnv1a(A).toString(36)}`

const shown = () => [useWorkspace.getState().workspace.name, useRun.getState().consent]
const allow = (): void => {
  useSteady.setState({ steady: true })
  giveConsent()
}

beforeAll(startSaving)
beforeEach(() => {
  vi.spyOn(runner, 'run').mockResolvedValue()
  startSessions([consentPart, autosavePart])
})
afterEach(async () => {
  await saveNow()
  startSessions([])
  useView.setState({ toasts: [] })
})

describe('the identity of a link', () => {
  it('is not that of another text with the same 32-bit hash', async () => {
    expect([A === B, fnv1a(A)]).toEqual([false, fnv1a(B)])
    await openSnapshotText(B, 'file')
    allow()
    await saveNow()
    expect(shown()).toEqual(['Attacker', 'given'])
    await openSnapshotText(A, 'file')
    expect(shown()).toEqual(['Colleague', 'pending'])
    expect(useWorkspace.getState().origin).toMatch(/^link:[0-9a-f]{64}$/)
    await openSnapshotText(B, 'file')
    expect(shown()).toEqual(['Attacker', 'given'])
  })

  it('restores what an earlier version kept for exactly this source, and offers the rest', async () => {
    for (const { id } of await library.list()) await library.remove(id, 'gone:1')
    await library.purge(Date.now() + 1)
    const edited = workspace('Attacker', 'print("attacker") # edited\n')
    const foreign = { allowed: codeHash(edited) }
    await library.save({ id: EARLIER, draft: { workspace: edited, foreign }, base: null, stamp: 'old:1' })
    await library.keepVersion(EARLIER, { workspace: ATTACKER, foreign: FOREIGN }, { kind: 'opened' })
    setKeptIds([EARLIER])

    await openSnapshotText(A, 'file')
    expect(shown()).toEqual(['Colleague', 'pending'])
    expect(useView.getState().toasts.at(-1)).toMatchObject({ action: { label: 'Open them' } })

    await openSnapshotText(B, 'file')
    expect([shown(), useWorkspace.getState().workspace.files[0]!.text]).toEqual([
      ['Attacker', 'given'],
      edited.files[0]!.text,
    ])
    const { origin } = useWorkspace.getState()
    expect([origin, (await library.list()).map((w) => w.id)]).toEqual([
      expect.stringMatching(/^link:[0-9a-f]{64}$/),
      [origin],
    ])
    expect((await library.versions(origin)).map((v) => v.why.kind)).toEqual(['opened'])
  })

  it('does not restore stored edits that began from something else', async () => {
    await openSnapshotText(A, 'file')
    const { origin } = useWorkspace.getState()
    const draft = { workspace: ATTACKER, foreign: { allowed: codeHash(ATTACKER) }, source: 'another' }
    await library.save({ id: origin, draft, base: null, stamp: 'other:1' })
    setKeptIds([origin])
    await openSnapshotText(A, 'file')
    expect(shown()).toEqual(['Colleague', 'pending'])
    // An edit here takes nothing of it away: it becomes a copy.
    useWorkspace.getState().setText('patterns.py', 'print("mine")\n')
    await saveNow()
    await saveNow()
    const names = (await library.list()).filter((w) => w.deletedAt === undefined).map((w) => w.name)
    expect(names).toEqual(expect.arrayContaining(['Attacker', 'Colleague (copy)']))
  })
})
