// @ts-check
/**
 * `npm run test:fast`: the quick check during development. Format, lint, types, import arrows and the unit tests that
 * need no Python. `npm test` is the whole check.
 */
import { spawn } from 'node:child_process'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isTest, readSources } from './arrows/sources.mjs'
import { bin, BUILD_INFO, COMPILED_TESTS, duration, ensureInstalled, requireNode20, root } from './lib.mjs'

/** Starting Python takes seconds; every test that imports this file starts it. */
const PYTHON = 'python/start/interpreter.ts'
/** Tests that start Python in a process of their own, or take a second without it. */
const SLOW = [
  'app/on_screen/find/find.test.ts',
  'cli/box/box.test.ts',
  'cli/threads/threads.test.ts',
  'compact/document.test.ts',
  'engine/capture/capture.test.ts',
  'engine/capture/damage.test.ts',
  'engine/post_grad/post_grad.test.ts',
  'fx/dumps/fuzz.test.ts',
  'fx/outline/outline.test.ts',
  'fx/readers/forms.test.ts',
  'fx/readers/hostile.test.ts',
  'fx/readers/texts.test.ts',
  'fx/sym/sym.test.ts',
  'gpu/testing/suite.test.ts',
  'workspace/link_text.test.ts',
  'workspace/workspace.test.ts',
]

/** @returns {string[]} the unit tests of src/ that do not need Python */
function fastTests() {
  const sources = new Map(readSources(join(root, 'src')).map((source) => [source.file, source]))
  /** @param {string} file @param {Set<string>} seen @returns {boolean} */
  const reachesPython = (file, seen) => {
    if (file === PYTHON) return true
    if (seen.has(file)) return false
    seen.add(file)
    return (sources.get(file)?.imports ?? []).some(({ target }) => target !== null && reachesPython(target, seen))
  }
  return [...sources.keys()].filter((file) => isTest(file) && !SLOW.includes(file) && !reachesPython(file, new Set()))
}

/**
 * Runs one check and captures its output.
 * @param {string} title
 * @param {string[]} args for Node
 * @returns {Promise<boolean>}
 */
function check(title, args) {
  const started = performance.now()
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.on('close', (status) => {
      console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${title}, ${duration(performance.now() - started)}`)
      if (status !== 0) console.error(output.trimEnd())
      resolve(status === 0)
    })
  })
}

/** Vitest never deletes its cache of files that have since changed: after a week, the cache is emptied. */
function forgetOldFiles() {
  for (const name of readdirSync(COMPILED_TESTS)) {
    const file = join(COMPILED_TESTS, name)
    if (Date.now() - statSync(file).mtimeMs > 7 * 86_400_000) rmSync(file)
  }
}

requireNode20()
if (!(await ensureInstalled())) process.exit(1)
const started = performance.now()
const tests = fastTests().map((file) => `src/${file}`)
const unit = check(`Unit tests without Python (${tests.length} files)`, [
  bin('vitest/vitest.mjs'),
  'run',
  '--reporter=dot',
  ...tests,
])
const quick = async () => [
  // Files that have not changed since the last run are not checked again.
  await check('Types (tsc)', [bin('typescript/bin/tsc'), '-p', '.', '--incremental', '--tsBuildInfoFile', BUILD_INFO]),
  await check('Lint (oxlint)', [bin('oxlint/bin/oxlint'), '--quiet']),
  await check('Import arrows', [join(root, 'scripts/check-arrows.mjs')]),
  await check('Python files (ruff)', [join(root, 'scripts/check-python.mjs')]),
  await check('Format (oxfmt)', [bin('oxfmt/bin/oxfmt'), '--check', '.']),
]
const results = (await Promise.all([unit, quick()])).flat()
forgetOldFiles()
console.log(`test:fast: ${results.every(Boolean) ? 'all good' : 'see above'}, ${duration(performance.now() - started)}`)
process.exitCode = results.every(Boolean) ? 0 : 1
