import { expect, it } from 'vitest'
import type { FolderCounts } from '../../../engine/protocol'
import { tableGraphs } from './table_store'
import { notesOf } from './table_notes'

it('takes equal graphs once and numbers equal names', () => {
  const graphs = tableGraphs([
    { name: 'g.txt', text: 'a' },
    { name: 'same.txt', text: 'a' },
    { name: 'g.txt', text: 'b' },
    { name: 'empty.txt', text: ' ' },
  ])
  expect(graphs.map((g) => [g.name, g.file.text])).toEqual([
    ['g.txt', 'a'],
    ['g_2.txt', 'b'],
  ])
})

it('tells each failure once, with its graphs unless it holds for all', () => {
  const counts = (more: Partial<FolderCounts>): FolderCounts => ({
    passes: [],
    failure: null,
    notes: [],
    uncalled: [],
    ...more,
  })
  const results = [
    {
      folder: 'f',
      counts: [
        counts({ failure: 'no', notes: ['x'] }),
        counts({ failure: 'no' }),
        counts({ failure: 'no', uncalled: ['m.f'] }),
      ],
    },
  ]
  const graphs = ['a', 'b', 'c'].map((name) => ({ name }))
  const notes = notesOf([{ id: 'f', name: 'mine' }], graphs, results)
  expect(notes.map((n) => [n.text.slice(0, 22), n.where, n.failure])).toEqual([
    ['no', '', true],
    ['x', 'a', false],
    ['no file calls m.f, whi', 'c', false],
  ])
})
