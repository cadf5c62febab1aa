/**
 * Plants one fault at a time into vLLM's whole folder of passes, or into a recorded graph of 32 layers in which one of its patterns
 * fires 32 times, and scores what `fusescope explain` prints: its lines, and the cause in the first five.
 *   npx tsx conformance/reported/planted_folder.ts GIT_DIR COMMIT [--part K/N] [--fixes] [--write] [NAME…]
 * `--write` puts the rows into planted.md.
 * The folder is read from a clone and not stored.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { diagnosesLines } from '../../src/cli/explain_text'
import { caseExplanation, caseRun } from '../../src/engine/cases/cases'
import { diagnosesOf } from '../../src/engine/report/diagnoses'
import { Interpreter } from '../../src/engine/run/interpreter'
import { nodeAssets } from '../../src/python/node_assets'
import { DEFAULT_ENVIRONMENT } from '../../src/workspace/types'
import { filesAt } from './clones'
import { FAULTS, type Fault } from './folder_faults'
import { madeAt, share, writeScores } from './score_table'

/** Maximum number of lines of a screen. */
const SCREEN = 60
const FIRST = 5

const [gitDir, commit, ...rest] = process.argv.slice(2)
const option = (name: string): string | null => {
  const i = rest.indexOf(name)
  return i < 0 ? null : rest.splice(i, 2)[1]!
}
const [part, parts] = (option('--part') ?? '1/1').split('/').map(Number) as [number, number]
const fixes = rest.includes('--fixes')
const write = rest.includes('--write')
const names = rest.filter((a) => !a.startsWith('--'))
const rows: string[][] = []

const files = filesAt(gitDir!, commit!, 'vllm/compilation')
const graph = readFileSync(new URL('../graphs/vllm_like32.readable.txt', import.meta.url), 'utf8')
const interpreter = await Interpreter.start(nodeAssets())

function replaced(text: string, [find, put]: readonly [RegExp | string, string]): string {
  const changed = text.replace(find, put)
  if (changed === text) throw new Error(`nothing to replace: ${String(find)}`)
  return changed
}

function inputOf(fault: Fault) {
  const [name, ...edits] = fault.file ?? ['']
  return {
    id: fault.name,
    pattern_py: '',
    graph: (fault.graph ?? []).reduce(replaced, graph),
    files: files.map((f) =>
      name !== '' && f.name.endsWith(name) ? { ...f, text: edits.reduce(replaced, f.text) } : f,
    ),
    environment: { ...DEFAULT_ENVIRONMENT, ...fault.environment },
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const score = { screen: 0, cause: 0, of: 0 }
for (const fault of FAULTS.filter((f, i) => (names.length > 0 ? names.includes(f.name) : i % parts === part - 1))) {
  const started = performance.now()
  const { run } = caseRun(interpreter, inputOf(fault), 'report')
  const ran = performance.now()
  const fired = run.pipeline.passes.reduce((sum, p) => sum + p.count, 0)
  const found = diagnosesOf(caseExplanation(interpreter, run, { fixes, until: performance.now() + 60_000 }))
  const lines = diagnosesLines(found)
  const at = lines.findIndex((l) => fault.says.test(l))
  const said = at >= 0 && at < FIRST
  score.of++
  if (lines.length <= SCREEN) score.screen++
  if (said) score.cause++
  console.log(
    `${said ? 'yes' : 'NO '} ${fault.name}: ${lines.length} lines, cause in line ${at + 1}, fires ${fired}, ${seconds(ran - started)} to run, ${seconds(performance.now() - ran)} to explain`,
  )
  rows.push([
    fault.name,
    said ? `yes, line ${at + 1}` : 'no',
    `${lines.length <= SCREEN ? 'yes' : 'no'}, ${lines.length}`,
    String(fired),
    lines[Math.max(at, 0)]!.trim().slice(0, 160),
    madeAt(),
  ])
  const shown = names.length > 0 ? lines : lines.slice(0, said ? 1 : FIRST)
  for (const l of shown) console.log(`    ${names.length > 0 ? l : l.slice(0, 260)}`)
  if (fixes)
    for (const f of [...found.diagnoses.flatMap((d) => d.causes), ...found.lints].flatMap((c) => c.fixes ?? []))
      console.log(`    fix: ${f.title} (${f.numbers}, fires ${f.matches_after})`)
}
console.log(
  `cause in the first ${FIRST} lines: ${score.cause} of ${score.of}; at most ${SCREEN} lines: ${score.screen} of ${score.of}`,
)
if (write)
  writeScores(
    fileURLToPath(new URL('planted.md', import.meta.url)),
    ['fault', `cause in the first ${FIRST} lines`, `at most ${SCREEN} lines`, 'fires', 'its line', 'made at'],
    FAULTS.map((f) => f.name),
    rows,
    (all) =>
      [
        '# Faults planted in vLLM’s folder of passes',
        '',
        'Made by `npx tsx conformance/reported/planted_folder.ts GIT_DIR COMMIT --write`, in parts: one fault at a time in `vllm/compilation`',
        'of a clone, or in a graph of 32 layers in which SiluMulBlockQuantPattern fires 32 times.',
        '',
        `- cause: ${share(all, 1)}`,
        `- lines: ${share(all, 2)}`,
      ].join('\n'),
  )
