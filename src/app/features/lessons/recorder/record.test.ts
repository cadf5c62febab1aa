import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import type { StoredWorkspace } from '../../../../engine/lessons/catalog'
import { evaluate } from '../../../../engine/lessons/checks'
import type { LessonDraft } from '../files/lesson_files'
import { checksNow, withWorkspace } from './record'

const stored = JSON.parse(
  readFileSync(new URL('../../../../../public/lessons/by-hand/main.stored.json', import.meta.url), 'utf8'),
) as StoredWorkspace

const DRAFT: LessonDraft = { id: 'own-x', title: 'T', summary: '', minutes: 5, workspaces: {}, steps: [] }

describe('a recorded step', () => {
  it('offers checks that hold on the result on screen, those of the selection first', () => {
    const checks = checksNow(stored.report, { kind: 'node', side: 'before', name: 'relu' })
    expect(checks).toEqual([
      { check: 'matches', count: 1 },
      { check: 'fires', at: ['relu'], only: true },
      { check: 'cause', kind: 'wrong-operator', at: 'relu_1' },
      { check: 'near-misses', count: 1 },
      { check: 'users', node: 'relu', count: 1 },
    ])
    for (const check of checks) expect(evaluate(check, stored).differs).toBeNull()
  })
  it('keeps each workspace once, and names a changed one anew', () => {
    const one = withWorkspace(DRAFT, stored.workspace)
    expect(one.workspace).toBe('main')
    expect(withWorkspace(one.draft, { ...stored.workspace, name: 'renamed' })).toEqual(one)
    const files = [{ name: 'patterns.py', text: '' }]
    const two = withWorkspace(one.draft, { ...stored.workspace, files })
    expect([two.workspace, Object.keys(two.draft.workspaces)]).toEqual(['w2', ['main', 'w2']])
  })
})
