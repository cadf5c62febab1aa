// @ts-check
/** The table of docs/browsers.md: a row for each job, a column for each browser, written by the run that did the jobs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { JOBS } from './jobs.mjs'

const DOC = new URL('../../docs/browsers.md', import.meta.url)
/** @type {readonly import('./find.mjs').Name[]} */
const ORDER = ['chromium', 'firefox', 'webkit']
const BEGIN = '<!-- scripts/browsers/table.mjs writes the table: npm run e2e -- --browser NAME --all --write -->'
const END = '<!-- The end of the table. -->'

/**
 *  @typedef {{ head: string[], cells: Map<string, string[]> }} Table columns in ORDER; cells by the title of a job
 */

/** @returns {Table} */
export function readTable() {
  const [head = [], , ...rows] = (readFileSync(DOC, 'utf8').split(BEGIN)[1]?.split(END)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.slice(2, -2).split(' | '))
  return { head: head.slice(1), cells: new Map(rows.map(([title = '', ...cells]) => [title, cells])) }
}

/** @param {Table} table */
const textOf = ({ head, cells }) =>
  [
    ['what', ...head],
    ['---', ...head.map(() => '---')],
    ...JOBS.map(({ title }) => [title, ...(cells.get(title) ?? ORDER.map(() => 'not run'))]),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

/** @param {import('./find.mjs').Name} name @param {string} version @param {ReadonlyMap<string, string>} done what the browser has, by id */
export function writeColumn(name, version, done) {
  const { head, cells } = readTable()
  const column = ORDER.indexOf(name)
  const put = (/** @type {readonly string[]} */ row, /** @type {string} */ cell) =>
    ORDER.map((_, i) => (i === column ? cell : (row[i] ?? 'not run')))
  const next = new Map(JOBS.map(({ id, title }) => [title, put(cells.get(title) ?? [], done.get(id) ?? 'not run')]))
  const [before, rest = ''] = readFileSync(DOC, 'utf8').split(BEGIN)
  const text = textOf({ head: put(head, version), cells: next })
  writeFileSync(DOC, `${before}${BEGIN}\n\n${text}\n\n${END}${rest.split(END)[1] ?? '\n'}`)
}
