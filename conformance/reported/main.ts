/**
 * Prints the scores of reported failures, and with --write puts them into scores.md, where other runs leave theirs.
 *   npx tsx conformance/reported/main.ts [--write] [--part K/N] [ID…]
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Interpreter } from '../../src/engine/run/interpreter'
import { nodeAssets } from '../../src/python/node_assets'
import { REPORTED, scoreOf, type Score } from './score'
import { madeAt, share, writeScores } from './score_table'

/** The scores, with the goals in percent. */
const GOALS = [
  ['loads', 90],
  ['reproduces', 95],
  ['cause', 90],
  ['fix', 60],
  ['firesAfter', 90],
] as const satisfies readonly (readonly [keyof Score, number])[]

const { values, positionals: ids } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, part: { type: 'string', default: '1/1' } },
})
const [part, parts] = values.part.split('/').map(Number) as [number, number]
const chosen = REPORTED.filter(({ id }, i) => (ids.length > 0 ? ids.includes(id) : i % parts === part - 1))

const interpreter = await Interpreter.start(nodeAssets())
const rows = chosen.map((reported) => {
  const { id, thread, symptom, truth, fails = {} } = reported
  const score = scoreOf(interpreter, reported)
  const cells = GOALS.map(([k]) => (score[k] === null ? '-' : score[k] ? 'yes' : 'no'))
  // If no fix is an edit of the pattern, none is requested.
  const why = GOALS.flatMap(([k]) => (score[k] === false ? [`${k}: ${fails[k] ?? 'not known'}`] : [])).join('; ')
  console.log(`${id} (${thread}): ${symptom}`)
  console.log(`  ${GOALS.map(([k], i) => `${k} ${cells[i]}`).join(', ')}`)
  console.log(`  truth: ${truth}\n  says: ${score.line}`)
  if (why !== '') console.log(`  ${why}`)
  return [id, thread, ...cells, score.line.slice(0, 240), why, madeAt()]
})
const names = REPORTED.map(({ id }) => id)
const head = [
  'report',
  'thread',
  ...GOALS.map(([k]) => (k === 'firesAfter' ? 'fires after' : k)),
  'first line',
  'fails',
  'made at',
]

function before(all: readonly string[][]): string {
  const fixes = all.filter((r) => r[5] === 'yes').length
  return `# Reported failures, scored

Made by \`npx tsx conformance/reported/main.ts --write\`, of the stored reports (\`cases/\`), which are in our own words and code. \`loads\`: the
files run, or what stops them is the report; \`reproduces\`: as many matches as PyTorch; \`cause\`: in the first five lines; \`fix\`: one like the
maintainers', verified (\`-\`: no edit of the pattern is one); \`fires after\`: as often as the fix promises, with its edits applied.

${GOALS.map(([k, goal], i) => `- ${k}: ${share(all, i + 2, goal)}${k === 'fix' ? `; of all reports ${fixes} of ${all.length} (${((100 * fixes) / all.length).toFixed(0)} %)` : ''}`).join('\n')}

The projects' own folders are scored in [real.md](real.md).`
}

for (const [i, [k, goal]] of GOALS.entries()) console.log(`${k}: ${share(rows, i + 2, goal)}`)
if (values.write) writeScores(fileURLToPath(new URL('scores.md', import.meta.url)), head, names, rows, before)
