/**
 * Writes the tables of docs/peers.md: a row for each suite that run.ts printed into FILE, one for each reason of DIFFERENT, and the
 * stored suites' tests that apply no pass.
 * Rows of other suites stay. The parts of one file (`NAME.0`, `NAME.1`, …) are one row.
 *   npx tsx conformance/peers/run.ts FOLDER > FILE; npx tsx conformance/peers/table.ts FILE…
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { DIFFERENT, idleTests, type SuiteCounts, suitesIn } from './suites'

const HEAD = `| suite | tests | recorded | count and graph | every field | passes | equal |
| --- | --- | --- | --- | --- | --- | --- |
`
const DIFFERS = `| test | why |
| --- | --- |
`
const IDLE = `| suite | tests that apply no pass |
| --- | --- |
`

/** The sums of each file's parts. */
function merged(parts: readonly SuiteCounts[]): SuiteCounts[] {
  const whole = new Map<string, SuiteCounts>()
  for (const part of parts) {
    const name = part.name.replace(/\.\d+$/, '')
    const sum = whole.get(name)
    const added = Object.entries(part).map(([key, n]) => [
      key,
      sum && key !== 'name' ? sum[key as 'tests'] + (n as number) : n,
    ])
    whole.set(name, { ...(Object.fromEntries(added) as SuiteCounts), name })
  }
  return [...whole.values()]
}

function withRows(document: string, counts: readonly SuiteCounts[]): string {
  const { before, rows, after } = tableIn(document, HEAD)
  for (const c of counts) {
    const row = rowOf(c)
    const at = rows.findIndex((r) => suiteIn(r) === suiteIn(row))
    if (at < 0) rows.push(row)
    else rows[at] = row
  }
  const differ = tableIn(before + HEAD + lines(rows) + after, DIFFERS)
  const idle = tableIn(differ.before + DIFFERS + lines(differing()) + differ.after, IDLE)
  return idle.before + IDLE + lines(idling()) + idle.after
}

const lines = (rows: readonly string[]): string => rows.map((r) => `${r}\n`).join('')

function tableIn(document: string, head: string): { before: string; rows: string[]; after: string } {
  const at = document.indexOf(head)
  if (at < 0) throw new Error(`docs/peers.md has no table that begins with ${head}`)
  const start = at + head.length
  const end = document.indexOf('\n\n', start - 1) + 1
  return {
    before: document.slice(0, at),
    rows: document.slice(start, end).split('\n').filter(Boolean),
    after: document.slice(end),
  }
}

const suiteIn = (row: string): string => /`[^`]*`/.exec(row)?.[0] ?? row

function rowOf({ name, tests, recorded, equalByGraph, equal, passes, equalPasses }: SuiteCounts): string {
  const notes = [...(suitesIn().includes(name) ? [] : [1]), ...(name.startsWith('vllm-') ? [2] : [])].map(
    (n) => ` (${n})`,
  )
  return `| ${fileOf(name)}${notes.join('')} | ${[tests, recorded, equalByGraph, equal, passes, equalPasses].join(' | ')} |`
}

function fileOf(name: string): string {
  const peer = name.startsWith('vllm-') ? 'vLLM ' : name.startsWith('torchao-') ? 'torchao ' : ''
  const folders = name.slice(peer.trim().length + (peer ? 1 : 0)).split('-')
  return `${peer}\`${[...folders.slice(0, -1), `test_${folders.at(-1)}.py`].join('/')}\``
}

/** One row per reason. */
function differing(): string[] {
  const byReason = new Map<string, string[]>()
  for (const [test, why] of Object.entries(DIFFERENT)) byReason.set(why, [...(byReason.get(why) ?? []), test])
  return [...byReason].map(([why, tests]) => `| ${tests.map((t) => `\`${t}\``).join(', ')} | ${why} |`)
}

function idling(): string[] {
  const rows = suitesIn().map((name) => [name, idleTests(name)] as const)
  // vLLM's test names end in their parameters, which contain bars.
  const shown = (t: string): string => `\`${t.replace(/^[^[]*[.:](?=test)/, '').replaceAll('|', '\\|')}\``
  return rows
    .filter(([, tests]) => tests.length > 0)
    .map(([name, tests]) => `| ${fileOf(name)} | ${tests.map(shown).join(', ')} |`)
}

const file = new URL('../../docs/peers.md', import.meta.url)
const printed = process.argv.slice(2).flatMap((f) => readFileSync(f, 'utf8').split('\n'))
const counts = printed.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as SuiteCounts)
writeFileSync(file, withRows(readFileSync(file, 'utf8'), merged(counts)))
