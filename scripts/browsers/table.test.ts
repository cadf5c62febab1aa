/** docs/browsers.md has the jobs of the tests. */
import { expect, it } from 'vitest'
import { JOBS } from './jobs.mjs'
import { readTable } from './table.mjs'

it('the table has a row for each job, and a column for each browser', () => {
  const { head, cells } = readTable()
  expect(head).toEqual(
    ['Chromium', 'Firefox', 'WebKitGTK'].map((name) => expect.stringMatching(new RegExp(`${name}.* [0-9]`, 'i'))),
  )
  expect([...cells.keys()]).toEqual(JOBS.map((j) => j.title))
  for (const row of cells.values()) expect(row.filter((cell) => cell !== '')).toHaveLength(3)
})
