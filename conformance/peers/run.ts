/**
 * Prints where the engine differs from PyTorch on other people's tests, and a line of JSON for each suite (table.ts). Exit status 1
 * if a test differs that DIFFERENT does not name.
 *   npx tsx conformance/peers/run.ts [FOLDER] [--only=TEXT]
 * --only: the recordings whose name holds TEXT.
 */
import { start } from '../../src/python/testing/start'
import { countsOf, DIFFERENT, replaySuite, suitesIn } from './suites'

/** Maximum number of printed differences per application. */
const MAX_SHOWN = 3

const options = process.argv.slice(2)
const from = options.find((a) => !a.startsWith('--'))
const only = options.find((a) => a.startsWith('--only='))?.slice('--only='.length) ?? ''
const py = await start()
for (const name of suitesIn(from).filter((n) => n.includes(only))) {
  const suite = replaySuite(py, name, { from })
  for (const { test, what, differences } of suite.applied) {
    if (differences.length === 0) continue
    if (!(test in DIFFERENT)) process.exitCode = 1
    console.log([`${test}, ${what}:`, ...differences.slice(0, MAX_SHOWN)].join('\n  '))
  }
  console.log(JSON.stringify(countsOf(suite)))
}
