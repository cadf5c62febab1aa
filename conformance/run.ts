/**
 * Replays recorded cases and compares with PyTorch.
 *   npx tsx conformance/run.ts [FILE.jsonl…] [--id=CASE] [--torch=2.6] [--ci]
 * --torch: the cases as another PyTorch recorded them; by default each is of the one that it names. Prints one line per case that differs, then a table with one row per file. Without a file: all of `cases/`, the
 * counts on the real graphs, and the tests of other projects (peers/), of which --ci replays one graph of eight. Exit status 1 if any differs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { TORCH_VERSIONS, torchVersion } from '../src/base/torch_version'
import { type CaseInput, matchCase } from '../src/engine/cases/cases'
import { Interpreter } from '../src/engine/run/interpreter'
import { KeptRegistrations } from '../src/engine/run/kept_registrations'
import { nodeAssets } from '../src/python/node_assets'
import { start } from '../src/python/testing/start'
import { comparesByKind, firstDifference, type Expected } from './compare'
import { compareCounts } from './counts'
import { countsOf, DIFFERENT, replaySuite, suitesIn } from './peers/suites'

type Recorded = CaseInput & { expected: Expected }

const here = new URL('.', import.meta.url).pathname
const files = process.argv.slice(2).filter((a) => !a.startsWith('--'))
const only = process.argv.find((a) => a.startsWith('--id='))?.slice('--id='.length)
const version = process.argv.find((a) => a.startsWith('--torch='))?.slice('--torch='.length)
const torch = version === undefined ? null : torchVersion(version)
if (version !== undefined && !torch) throw new Error(`--torch: ${version} is not one of ${TORCH_VERSIONS.join(', ')}`)
const cases = join(here, 'cases')
const paths = files.length > 0 ? files.map(locate) : readdirSync(cases).map((f) => join(cases, f))

/** A path, or the name of a file of `cases/`: `custom_op`. */
function locate(name: string): string {
  return existsSync(name) ? name : join(cases, `${name}.public.jsonl`)
}

const row = (cells: readonly (string | number)[]): void =>
  console.log(cells.map((c, i) => (i === 0 ? String(c).padEnd(34) : String(c).padStart(10))).join(''))

const rows: (string | number)[][] = []
const interpreter = await Interpreter.start(nodeAssets())
const kept = new KeptRegistrations(interpreter)
let differing = 0
for (const path of paths) {
  const started = performance.now()
  let total = 0
  let agreed = 0
  let byKind = 0
  for (const input of casesIn(path)) {
    total++
    const difference = differenceOf(torch ? { ...input, torch } : input)
    if (comparesByKind(input.expected)) byKind++
    if (difference === null) agreed++
    else console.log(`${input.id}: ${difference}`)
  }
  differing += total - agreed
  rows.push([basename(path).replace(/(\.public)?\.jsonl$/, ''), total, agreed, byKind, secondsSince(started)])
}
if (files.length === 0 && !only) {
  const started = performance.now()
  const { total, differences } = compareCounts(interpreter, here)
  for (const d of differences) console.log(d)
  differing += differences.length
  rows.push(['counts on real graphs', total, total - differences.length, 0, secondsSince(started)])
}
if (files.length === 0 && !only) {
  const python = await start()
  for (const name of suitesIn()) {
    const started = performance.now()
    const suite = replaySuite(python, name, { every: process.argv.includes('--ci') ? 8 : 1 })
    const unnamed = suite.applied.filter((a) => a.differences.length > 0 && !(a.test in DIFFERENT))
    for (const { test, what, differences } of unnamed) console.log(`${test}, ${what}: ${differences[0]}`)
    differing += unnamed.length
    const { passes, equalPasses } = countsOf(suite)
    rows.push([name, passes, equalPasses, 0, secondsSince(started)])
  }
}
// Compared by kind: a reason contains the repr of a Python object, so only the text around its address is compared.
row(['family', 'cases', 'agree', 'by kind', 'seconds'])
for (const r of rows) row(r)
process.exitCode = differing > 0 ? 1 : 0

/** Those with the same code follow each other, so that it runs once. */
function casesIn(path: string): Recorded[] {
  const inputs = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Recorded)
    .filter(({ id }) => !only || id === only)
  const byCode = new Map<string, Recorded[]>()
  for (const input of inputs) {
    const { pattern_py, files, environment, symbols, torch: recordedBy } = input
    const key = JSON.stringify([pattern_py, files, environment, symbols, recordedBy])
    byCode.set(key, [...(byCode.get(key) ?? []), input])
  }
  return [...byCode.values()].flat()
}

/** True for code that may keep what one graph did for the next one: PyTorch recorded each case with code that ran anew. */
function hasState({ pattern_py, files }: Recorded): boolean {
  const texts = [pattern_py ?? '', ...(files ?? []).map((f) => f.text)]
  return texts.some((text) =>
    /\b(?:global|nonlocal|next|append|add|update|pop|setdefault)\b|\]\s*[-+*|]?=[^=]/.test(text),
  )
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1)
}

function differenceOf(input: Recorded): string | null {
  try {
    return firstDifference(input.expected, matchCase(interpreter, input, hasState(input) ? undefined : kept))
  } catch (e) {
    return `the product failed: ${e instanceof Error ? (e.stack ?? e.message).split('\n').slice(0, 4).join(' | ') : e}`
  }
}
