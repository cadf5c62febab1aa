/** Prints the scores of reported failures: `npx tsx conformance/reported/main.ts [ID…]`. */
import { Interpreter } from '../../src/engine/run/interpreter'
import { nodeAssets } from '../../src/python/node_assets'
import { REPORTED, scoreOf, type Score } from './score'

const KEYS = ['loads', 'reproduces', 'cause', 'fix', 'firesAfter'] as const satisfies readonly (keyof Score)[]
const ids = process.argv.slice(2)
const interpreter = await Interpreter.start(nodeAssets())
const scores = REPORTED.filter(({ id }) => ids.length === 0 || ids.includes(id)).map((reported) => {
  const score = scoreOf(interpreter, reported)
  console.log(`${reported.id} (${reported.thread}): ${reported.symptom}`)
  console.log(`  ${KEYS.map((k) => `${k} ${score[k] === null ? '-' : score[k] ? 'yes' : 'NO'}`).join(', ')}`)
  console.log(`  truth: ${reported.truth}\n  says: ${score.line}`)
  for (const [k, why] of Object.entries(reported.fails ?? {})) console.log(`  ${k} fails: ${why}`)
  return score
})
for (const k of KEYS) {
  const asked = scores.filter((s) => s[k] !== null)
  console.log(`${k}: ${asked.filter((s) => s[k]).length} of ${asked.length}`)
}
