// @ts-check
/**
 * `npm test`: the whole check, from a fresh clone. Prints each stage with its number and its time, stops at the first
 * failure and prints how to fix it. The last line is `N passed, N failed`: the tests of Vitest and Playwright together
 * (a stage without tests counts when it fails). Most stages run beside the stage before them, because a stage alone leaves
 * part of two cores idle; their output is printed after that stage's. A long one runs on beside the group of stages after its own.
 * npm test -- lint unit     only these stages
 */
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bin, BUILD_INFO, duration, ensureBuilt, ensureInstalled, requireNode20, root, run } from './lib.mjs'

// Terminals get colors; a file or a pipe gets plain lines. Tools take CI=true for a terminal.
if (!process.stdout.isTTY) {
  process.env.NO_COLOR = '1'
  delete process.env.FORCE_COLOR
}

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

/**
 * @typedef {object} Stage
 * @property {string} id
 * @property {string} title
 * @property {() => Promise<boolean>} check
 * @property {string} fix
 * @property {string} [results] the JSON of its tests
 * @property {boolean} [beside] whether it runs beside the stage before it
 * @property {boolean} [on] whether it runs on beside the stages after its group, which do not wait for it
 */

/** @type {Stage[]} */
const STAGES = [
  {
    id: 'format',
    title: 'Format (oxfmt)',
    check: () => node('oxfmt/bin/oxfmt', '--check', '.'),
    fix: 'Run `npm run format`.',
  },
  {
    id: 'lint',
    beside: true,
    title: 'Lint (oxlint)',
    check: () => node('oxlint/bin/oxlint', '--quiet'),
    fix: 'Correct the lines above; the rules are in .oxlintrc.json.',
  },
  {
    id: 'types',
    beside: true,
    title: 'Types (tsc)',
    // As in test:fast, which is quick after this. One checker takes a fifth less processor time than four, which check some types twice.
    check: () =>
      node('typescript/bin/tsc', '-p', '.', '--checkers', '1', '--incremental', '--tsBuildInfoFile', BUILD_INFO),
    fix: 'Correct the lines above.',
  },
  {
    id: 'arrows',
    beside: true,
    title: 'Structure (import arrows, cycles, sizes)',
    check: () => own('scripts/check-arrows.mjs'),
    fix: 'Imports go app, cli → engine → explain, gpu, python, workspace → matcher → trace → ops → fx → base. A new edge needs a line in scripts/arrows/allowed.mjs and in ARCHITECTURE.md.',
  },
  {
    id: 'python',
    beside: true,
    title: 'Python files (ruff: format, lint, annotations)',
    check: () => own('scripts/check-python.mjs'),
    fix: 'Run `npm run format`; correct the other lines above.',
  },
  {
    id: 'build',
    beside: true,
    title: 'Build and package',
    check: async () =>
      (await ensureBuilt()) &&
      (await import('./check-dist.mjs')).checkDist() &&
      (await import('./check-package.mjs')).checkPackage(),
    fix: 'Run `npm test -- build` and read the message above.',
  },
  {
    id: 'conformance',
    beside: true,
    // One process, twice as long as the stages beside it.
    on: true,
    title: 'Conformance (recordings of PyTorch)',
    check: () => tsx('conformance/run.ts', '--ci'),
    fix: 'Run one case with `npx tsx conformance/run.ts FILE --id=CASE`.',
  },
  {
    id: 'unit',
    title: 'Unit tests (Vitest)',
    check: () =>
      // A line for each file: a threshold that no test reaches leaves out lines for slow tests.
      node(
        // A failed test runs once more, and is named if it then passes, as in Playwright.
        ...['vitest/vitest.mjs', 'run', '--reporter=default', '--slowTestThreshold=1e9', '--retry=1'],
        ...['--reporter=json', `--outputFile.json=${UNIT_RESULTS}`],
      ),
    fix: 'Run one file again with `npx vitest run PATH`.',
    results: UNIT_RESULTS,
  },
  {
    id: 'lessons',
    beside: true,
    title: 'Lessons (claims, solutions, wrong answers)',
    check: () => tsx('scripts/play-lessons.ts'),
    fix: 'Play one lesson with `npm run lessons -- ID`; `npm run lessons -- --write` writes the stored files.',
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

/**
 * Unit tests that failed and then passed, a line each; from the JSON of Vitest.
 * @param {string} file
 */
function secondTries(file) {
  /** @type {{ testResults?: { name: string, assertionResults: { fullName: string, status: string, failureMessages: string[] }[] }[] }} */
  let json
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
  return (json.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(
        ({ fullName, failureMessages }) =>
          `${relative(root, name)}: ${fullName}: ${failureMessages[0]?.split('\n')[0]}`,
      ),
  )
}

/** @param {Stage[]} stages in groups that run at the same time */
function grouped(stages) {
  /** @type {Stage[][]} */
  const groups = []
  for (const stage of stages)
    if (stage.beside && groups.length > 0) groups.at(-1)?.push(stage)
    else groups.push([stage])
  return groups
}

const logOf = (/** @type {Stage} */ stage) => join(root, '.cache', `stage-${stage.id}.log`)

/** Runs a stage in a process of its own, with its output in a file. @param {Stage} stage @returns {Promise<boolean>} */
function checkAside(stage) {
  const log = openSync(logOf(stage), 'w')
  const child = spawn(process.execPath, [join(root, 'scripts/test.mjs'), '--stage', stage.id], {
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const stop = () => void child.kill()
  process.once('exit', stop)
  return new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('close', (status) => {
      process.off('exit', stop)
      resolve(status === 0)
    })
  })
}

/** The results of a run so far. */
const totals = { passed: 0, failed: 0, stages: 0, times: /** @type {string[]} */ ([]) }

/** @param {Stage} stage @param {boolean} good @param {number} ms its time */
function count(stage, good, ms) {
  const took = duration(ms)
  totals.times.push(`${stage.id} ${took}`)
  const results = stage.results ? resultsOf(stage.results) : null
  totals.passed += results?.passed ?? 0
  totals.failed += results?.failed ?? 0
  if (!good && !results?.failed) totals.failed += 1
  for (const line of stage.results ? secondTries(stage.results) : []) console.log(`Passed on the second try: ${line}`)
  console.log(`${good ? 'ok' : 'FAILED'}  ${stage.title}, ${took}`)
  if (!good) console.error(`\nWhat to do: ${stage.fix}`)
}

/** @typedef {{ stage: Stage, run: Promise<{ good: boolean, ms: number }>, isAside: boolean }} Started */

/** @param {Started} started @param {number} of number of stages @returns {Promise<boolean>} whether it is good */
async function finish({ stage, run: ending, isAside }, of) {
  totals.stages++
  heading(`[${totals.stages}/${of}] ${stage.title}`)
  const { good, ms } = await ending
  if (isAside) process.stdout.write(readFileSync(logOf(stage), 'utf8'))
  count(stage, good, ms)
  return good
}

/**
 * Runs stages at the same time; prints the first one's output as it comes. Waits for those that ran on from the group before.
 * @param {Stage[]} group @param {Started[]} before @param {number} of number of stages
 * @returns {Promise<{ good: boolean, on: Started[] }>} with the stages that run on
 */
async function runGroup(group, before, of) {
  const begun = performance.now()
  const timed = async (/** @type {Promise<boolean>} */ check) => ({ good: await check, ms: performance.now() - begun })
  for (const stage of group) if (stage.results) rmSync(stage.results, { force: true })
  const started = group.map((stage, i) => {
    const isAside = i > 0 || stage.on === true
    // A stage begins after its heading.
    return { stage, run: timed(isAside ? checkAside(stage) : Promise.resolve().then(stage.check)), isAside }
  })
  let good = true
  for (const each of [...started.filter(({ stage }) => !stage.on), ...before]) good = (await finish(each, of)) && good
  return { good, on: started.filter(({ stage }) => stage.on) }
}

/** @param {string[]} wanted ids of stages; none: all */
async function main(wanted) {
  requireNode20()
  const unknown = wanted.find((id) => !STAGES.some((s) => s.id === id))
  if (unknown) {
    console.error(`There is no stage ${unknown}; there are ${STAGES.map((s) => s.id).join(', ')}.`)
    return 2
  }
  heading('Dependencies')
  const started = performance.now()
  let good = await ensureInstalled()
  if (good) console.log('Dependencies are installed.')
  else totals.failed += 1
  mkdirSync(join(root, '.cache'), { recursive: true })
  const stages = STAGES.filter((s) => wanted.length === 0 || wanted.includes(s.id))
  /** @type {Started[]} */
  let on = []
  for (const group of grouped(stages)) {
    if (!good) break
    const ended = await runGroup(group, on, stages.length)
    good = ended.good
    on = ended.on
    console.log(`${duration(performance.now() - started)} so far`)
  }
  for (const each of on) good = (await finish(each, stages.length)) && good
  heading('Result')
  console.log(`${totals.times.join(' · ')}\nAll of it: ${duration(performance.now() - started)}`)
  console.log(`${totals.passed} passed, ${totals.failed} failed`)
  return good ? 0 : 1
}

const [flag, id] = process.argv.slice(2)
const alone = flag === '--stage' ? STAGES.find((s) => s.id === id) : undefined
process.exitCode = alone ? ((await alone.check()) ? 0 : 1) : await main(process.argv.slice(2))
