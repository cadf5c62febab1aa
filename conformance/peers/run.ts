/**
 * Prints where the engine differs from PyTorch on other people's tests, then a table of the suites. Exit status 1 if a test
 * differs that DIFFERENT does not name.
 *   npx tsx conformance/peers/run.ts [FOLDER]
 */
import { start } from '../../src/python/testing/start'
import { countsOf, DIFFERENT, replaySuite, suitesIn, type SuiteCounts } from './suites'

/** Differences of one application that are printed. */
const MAX_SHOWN = 3

const [from] = process.argv.slice(2)
const py = await start()
const rows: SuiteCounts[] = []
for (const name of suitesIn(from)) {
  const suite = replaySuite(py, name, { from })
  for (const { test, what, differences } of suite.applied) {
    if (differences.length === 0) continue
    if (!(test in DIFFERENT)) process.exitCode = 1
    console.log([`${test}, ${what}:`, ...differences.slice(0, MAX_SHOWN)].join('\n  '))
  }
  rows.push(countsOf(suite))
}
console.table(rows)
