/** Each template fires on its graph, without a warning. */
import { beforeAll, describe, expect, it } from 'vitest'
import { Session } from '../src/engine/session/session'
import { nodeAssets } from '../src/python/node_assets'
import { TEMPLATES, workspaceOf } from '../src/app/features/new_workspace/templates'

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

describe('a template', () => {
  it.each(TEMPLATES.filter((t) => t.id !== 'empty').map((t) => [t.title, t] as const))('%s fires', (_, template) => {
    const { report } = session.analyzeWhole(workspaceOf(template, ''))
    expect(report.python).toBeNull()
    expect(report.passes.map((p) => [p.count, p.violations ?? [], p.lints ?? []])).toEqual([[2, [], []]])
    expect(report.stubs).toEqual([])
    expect((report.tests ?? []).map((t) => [t.outcome, t.message])).toEqual(
      template.id === 'tests'
        ? [
            ['passed', null],
            ['passed', null],
          ]
        : [],
    )
  })

  it('takes the name that the user chose', () => {
    expect(TEMPLATES.map((t) => workspaceOf(t, ' Mine ').name)).toEqual(TEMPLATES.map(() => 'Mine'))
    expect(workspaceOf(TEMPLATES[1]!, '').name).toBe('Search and replacement')
  })
})
