/**
 * Scores explanations on the projects' own folders, of the commit before each fix: the symptom, the cause in the first five lines, a fix
 * like the maintainers', and the matches after their fix; with the trials of the search for fixes.
 *   npx tsx conformance/reported/real.ts [--out conformance/reported/real.md] PROJECT=GIT_DIR … [ID…]
 * The folders are read from clones and not stored; the graphs (real/) are ours.
 */
import { readFileSync } from 'node:fs'
import { diagnosesLines } from '../../src/cli/explain_text'
import { caseExplanation, caseRun, type CaseInput } from '../../src/engine/cases/cases'
import { diagnosesOf } from '../../src/engine/report/diagnoses'
import { FixTrials } from '../../src/engine/run/fix_trials'
import { Interpreter } from '../../src/engine/run/interpreter'
import type { Run } from '../../src/engine/run/run'
import { findFixes, type ToFix } from '../../src/explain/fixes/search'
import type { Fix } from '../../src/explain/fixes/types'
import { nodeAssets } from '../../src/python/node_assets'
import { DEFAULT_ENVIRONMENT, type Environment } from '../../src/workspace/types'
import { filesAt } from './clones'
import { madeAt, share, writeScores } from './score_table'

interface Real {
  id: string
  thread: string
  /** The key of a clone. */
  repository: string
  /** The fix. */
  commit: string
  folder: string
  environment?: Partial<Environment>
  symptom: string
  truth: string
  /** Matches before and after the fix. */
  before: number
  after: number
  /** Why the graph has no match after the fix. */
  why_after?: string
  /** Text in one of the first five lines. */
  says: string
  maintainers: string
  /** The title of a fix like theirs; null if no fix is an edit of the passes. */
  fix: string | null
}

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const all = JSON.parse(read('real.json')) as readonly Real[]

const args = process.argv.slice(2)
const out = args[0] === '--out' ? args.splice(0, 2)[1]! : null
const clones = new Map(args.flatMap((a) => (a.includes('=') ? [a.split('=') as [string, string]] : [])))
const ids = args.filter((a) => !a.includes('='))
const interpreter = await Interpreter.start(nodeAssets())

const titleOf = (real: Real): string => `${real.thread} ${real.symptom}`

const inputOf = (real: Real, commit: string): CaseInput => ({
  id: real.id,
  pattern_py: '',
  files: filesAt(clones.get(real.repository)!, commit, real.folder),
  graph: read(`real/${real.id}.py`),
  ...(real.environment && { environment: { ...DEFAULT_ENVIRONMENT, ...real.environment } }),
})

const matchesOf = (run: Run): number => run.pipeline.passes.reduce((sum, p) => sum + p.count, 0)

interface Searched {
  fixes: Fix[]
  trials: number
  ms: number
  /** Time of the first fix, in ms; null if none was found. */
  first: number | null
  cut: boolean
}

function search(run: Run, toFix: ToFix): Searched {
  const trials = new FixTrials(interpreter, run)
  const started = performance.now()
  const steps = findFixes(trials, toFix)
  const fixes: Fix[] = []
  let first: number | null = null
  for (;;) {
    const step = steps.next()
    const ms = performance.now() - started
    if (step.done) return { fixes, trials: trials.tried, ms, first, cut: step.value.cut }
    fixes.push(...(step.value ?? []).flatMap((f) => f.fixes))
    if (fixes.length > 0) first ??= ms
  }
}

function scoreOf(real: Real): string[] {
  const { run } = caseRun(interpreter, inputOf(real, `${real.commit}~1`), 'report')
  const explained = caseExplanation(interpreter, run, {})
  const lines = diagnosesLines(diagnosesOf(explained))
  const passes = explained.passes.map((p, i) => ({ ...p, key: run.pipeline.passes[i]!.key }))
  const found = search(run, { files: run.files, causes: explained.causes, passes })
  const like = found.fixes.find(({ title }) => real.fix !== null && new RegExp(real.fix).test(title))
  const after = matchesOf(caseRun(interpreter, inputOf(real, real.commit), 'counts').run)
  const yes = (is: boolean): string => (is ? 'yes' : 'no')
  const shown = like ?? found.fixes[0]
  console.log(`${real.id}: ${lines[0]}`)
  for (const f of found.fixes) console.log(`  fix: ${f.title} (${f.numbers})`)
  if (shown) console.log(shown.diff.replace(/^/gm, '    '))
  return [
    titleOf(real),
    yes(matchesOf(run) === real.before),
    yes(lines.slice(0, 5).some((l) => new RegExp(real.says).test(l))),
    real.fix === null ? '-' : like ? 'yes' : found.fixes.length > 0 ? 'another' : 'no',
    `${yes(after === real.after)}${real.why_after ? ` (${after}: ${real.why_after})` : ` (${after})`}`,
    `${found.trials} in ${(found.ms / 1000).toFixed(1)} s`,
    found.first === null ? '-' : `${(found.first / 1000).toFixed(1)} s`,
    lines[0]!.slice(0, 200),
    shown?.title ?? '-',
    madeAt(),
  ]
}

const chosen = all.filter((r) => clones.has(r.repository) && (ids.length === 0 || ids.includes(r.id)))
const rows: string[][] = []
for (const real of chosen)
  try {
    rows.push(scoreOf(real))
  } catch (e) {
    rows.push([titleOf(real), `raised ${String(e).slice(0, 100)}`, ...Array<string>(7).fill('-'), madeAt()])
  }
const head = ['report', 'symptom', 'cause', 'fix', 'after', 'trials', 'first fix', 'first line', 'fix found', 'made at']
const before = (done: readonly string[][]): string =>
  [
    '# Reported failures on the projects’ own folders',
    '',
    'Made by `conformance/reported/real.ts`, each row at its commit and load. `symptom`: the number of matches before the fix; `cause`: in the',
    'first five lines; `fix`: verified, and like the maintainers’ (`another`: verified, and another one); `after`: the number of matches with',
    'the files of the fix. A trial is a run, or one pattern traced again.',
    '',
    ...[1, 2, 3, 4].map((i) => `- ${head[i]}: ${share(done, i)}`),
  ].join('\n')
console.log(rows.map((r) => r.join(' | ')).join('\n'))
if (out) writeScores(out, head, all.map(titleOf), rows, before)
