import { describe, expect, it } from 'vitest'
import type { EntryReport, PassReport, TreeNode } from '../protocol'
import { axesOf } from './axes'
import { registrationTree } from './tree'

const entry = (index: number, bindings: Record<string, string>, title = 'BlockQuant', fired = 0): EntryReport => ({
  index,
  title,
  bindings,
  fired,
  source: null,
  text: '',
  keys: [],
  pattern: { nodes: [], problems: [] },
  replacement: null,
  replacementError: null,
})

const pass = (entries: EntryReport[]): PassReport => ({
  name: 'patterns',
  count: 0,
  applyError: null,
  entries,
  attempts: [],
  matches: [],
  nearMisses: [],
  passName: null,
  applyMs: 0,
})

function loop(): EntryReport[] {
  const entries: EntryReport[] = []
  for (const key of ['k128', 'k64'])
    for (const transposed of ['False', 'True'])
      for (const e8m0 of ['True', 'False'])
        entries.push(
          entry(entries.length, { tma: 'False', is_e8m0: e8m0, quant_key: key, transposed, group_size: key.slice(1) }),
        )
  return entries
}

const labels = (t: TreeNode): unknown => (t.children.length ? { [t.label]: t.children.map(labels) } : t.label)

describe('registration tree', () => {
  it('finds the loop variables, outermost loop first, and drops redundant ones', () => {
    expect(axesOf(loop()).map((a) => a.name)).toEqual(['quant_key', 'transposed', 'is_e8m0'])
  })

  it('nests pass, class, axes and leaves, with counts summed upwards', () => {
    const entries = loop()
    entries[3]!.fired = 32
    const [tree] = registrationTree([pass([...entries, entry(8, {}, 'StaticQuant')])])
    expect(tree).toMatchObject({ kind: 'pass', leaves: 9, fired: 32 })
    expect(labels(tree!)).toEqual({
      patterns: [
        {
          BlockQuant: ['k128', 'k64'].map((k) => ({
            [`quant_key = ${k}`]: ['False', 'True'].map((t) => ({
              [`transposed = ${t}`]: ['is_e8m0 = True', 'is_e8m0 = False'],
            })),
          })),
        },
        'StaticQuant',
      ],
    })
  })

  it('keeps indistinguishable registrations as leaves of their class', () => {
    const [tree] = registrationTree([pass([entry(0, {}), entry(1, {})])])
    expect(labels(tree!)).toEqual({ patterns: [{ BlockQuant: ['BlockQuant, no. 1', 'BlockQuant, no. 2'] }] })
  })
})
