// @ts-check
/**
 * `npm test`: the whole check, from a fresh clone. Prints each stage with its number and its time, stops at the first
 * failure and prints how to fix it. The last line is `N passed, N failed`: the tests of Vitest and Playwright together
 * (a stage without tests counts when it fails).
 * npm test -- lint unit     only these stages
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bin, duration, ensureBuilt, ensureInstalled, requireNode20, root, run } from './lib.mjs'

const UNIT_RESULTS = join(root, '.cache', 'vitest.json')
const E2E_RESULTS = join(root, '.cache', 'playwright.json')

/** @param {string} script a package's command @param {string[]} args */
const node = async (script, ...args) => (await run(process.execPath, [bin(script), ...args])) === 0
/** @param {string} script a script of this repository @param {string[]} args */
const own = async (script, ...args) => (await run(process.execPath, [join(root, script), ...args])) === 0
/** @param {string} script a TypeScript file of this repository @param {string[]} args */
const tsx = async (script, ...args) =>
  (await run(process.execPath, [
    '--import',
    new URL('../node_modules/tsx/dist/loader.mjs', import.meta.url).href,
    join(root, script),
    ...args,
  ])) === 0

/** @typedef {{ id: string, title: string, check: () => Promise<boolean>, fix: string, results?: string }} Stage */

/** @type {Stage[]} */
const STAGES = [
  {
    id: 'format',
    title: 'Format (Prettier)',
    check: () => node('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
    fix: 'Run `npm run format`.',
  },
  {
    id: 'lint',
    title: 'Lint (oxlint)',
    check: () => node('oxlint/bin/oxlint', '--quiet'),
    fix: 'Correct the lines above; the rules are in .oxlintrc.json.',
  },
  {
    id: 'types',
    title: 'Types (tsc)',
    check: () => node('typescript/bin/tsc', '-p', '.'),
    fix: 'Correct the lines above.',
  },
  {
    id: 'arrows',
    title: 'Structure (import arrows, cycles, sizes)',
    check: () => own('scripts/check-arrows.mjs'),
    fix: 'Imports go app, cli → engine → explain, gpu, python, workspace → matcher → trace → ops → fx → base. A new edge needs a line in scripts/arrows/allowed.mjs and in ARCHITECTURE.md.',
  },
  {
    id: 'unit',
    title: 'Unit tests (Vitest)',
    check: () =>
      node('vitest/vitest.mjs', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${UNIT_RESULTS}`),
    fix: 'Run one file again with `npx vitest run PATH`.',
    results: UNIT_RESULTS,
  },
  {
    id: 'conformance',
    title: 'Conformance (recordings of PyTorch)',
    check: () => tsx('conformance/run.ts', '--ci'),
    fix: 'Run one case with `npx tsx conformance/run.ts FILE --id=CASE`.',
  },
  {
    id: 'lessons',
    title: 'Lessons (claims, solutions, wrong answers)',
    check: () => tsx('scripts/play-lessons.ts'),
    fix: 'Play one lesson with `npm run lessons -- ID`; `npm run lessons -- --write` writes the stored files.',
  },
  {
    id: 'build',
    title: 'Build',
    check: async () => (await ensureBuilt()) && (await import('./check-dist.mjs')).checkDist(),
    fix: 'Run `npm run build` and read the message above.',
  },
  {
    id: 'e2e',
    title: 'End to end (Playwright, Chromium, WebGPU)',
    check: async () => (await import('./e2e.mjs')).runE2e(),
    fix: 'Run one spec again with `npm run e2e -- e2e/NAME.spec.ts`.',
    results: E2E_RESULTS,
  },
]

/** @param {string} title */
function heading(title) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(3, 76 - title.length))}`)
}

/**
 * Number of passed and failed tests, from the JSON of Vitest or Playwright; null if there is none.
 * @param {string} file
 * @returns {{ passed: number, failed: number } | null}
 */
function resultsOf(file) {
  try {
    const json = JSON.parse(readFileSync(file, 'utf8'))
    if (json.stats) return { passed: json.stats.expected + json.stats.flaky, failed: json.stats.unexpected }
    return { passed: json.numPassedTests, failed: json.numFailedTests }
  } catch {
    return null
  }
}

async function main() {
  requireNode20()
  const wanted = process.argv.slice(2)
  const unknown = wanted.find((id) => !STAGES.some((s) => s.id === id))
  if (unknown) {
    console.error(`There is no stage ${unknown}; there are ${STAGES.map((s) => s.id).join(', ')}.`)
    return 2
  }
  const total = { passed: 0, failed: 0 }
  const times = []
  heading('Dependencies')
  const started = performance.now()
  let good = await ensureInstalled()
  if (good) console.log('Dependencies are installed.')
  mkdirSync(join(root, '.cache'), { recursive: true })
  const stages = STAGES.filter((s) => wanted.length === 0 || wanted.includes(s.id))
  for (const [i, stage] of stages.entries()) {
    if (!good) break
    heading(`[${i + 1}/${stages.length}] ${stage.title}`)
    if (stage.results) rmSync(stage.results, { force: true })
    const stageStarted = performance.now()
    good = await stage.check()
    const took = duration(performance.now() - stageStarted)
    times.push(`${stage.id} ${took}`)
    const results = stage.results ? resultsOf(stage.results) : null
    total.passed += results?.passed ?? 0
    total.failed += results?.failed ?? 0
    if (!good && !results?.failed) total.failed += 1
    const sofar = duration(performance.now() - started)
    console.log(
      `${good ? 'ok' : 'FAILED'}  ${stage.title}, ${took} · stage ${i + 1} of ${stages.length}, ${sofar} so far`,
    )
    if (!good) {
      console.error(`\nWhat to do: ${stage.fix}`)
      break
    }
  }
  if (!good && times.length === 0) total.failed += 1
  heading('Result')
  console.log(`${times.join(' · ')}\nAll of it: ${duration(performance.now() - started)}`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  return good ? 0 : 1
}

process.exitCode = await main()
