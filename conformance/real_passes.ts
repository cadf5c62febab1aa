/**
 * Runs every stage of folders of passes alone on one graph, and says which of them raise.
 *   npx tsx conformance/real_passes.ts --graph FILE [--readable FILE] [--json FILE] FOLDER…
 * The files of all folders are one workspace, as for `fusescope match --pattern FOLDER…`; files of tests are left out. `told`: the stage did
 * not run, and one sentence names what no dump gives. Nothing of the folders is stored.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { pythonFilesAt } from '../src/cli/folders'
import { caseRun, type CaseInput } from '../src/engine/cases/cases'
import { caseStages, ranStages } from '../src/engine/cases/case_output'
import { applyTo, type Run } from '../src/engine/run/run'
import { Interpreter } from '../src/engine/run/interpreter'
import { shapedGraph } from '../src/engine/shapes/shaped_graph'
import { outcomeText } from '../src/engine/report/file_outcomes'
import { printGraph } from '../src/fx'
import { nodeAssets } from '../src/python/node_assets'

const TESTS = /(^|\/)(tests?|testing)\/|(^|\/)test_[^/]*$|_test\.py$/
const options = new Map<string, string>()
const folders: string[] = []
const args = process.argv.slice(2)
while (args.length > 0) {
  const arg = args.shift()!
  if (arg.startsWith('--')) options.set(arg.slice(2), args.shift()!)
  else folders.push(arg)
}
const text = (name: string): string | undefined => {
  const file = options.get(name)
  return file === undefined ? undefined : readFileSync(file, 'utf8')
}
const files = folders
  .flatMap((folder) => {
    const found = pythonFilesAt(folder)
    if (!found.ok) throw new Error(found.error.message)
    return found.value
  })
  .filter(({ path }) => !TESTS.test(path))
  .map(({ path, module }) => ({ name: module ?? path, text: readFileSync(path, 'utf8') }))
const readable = text('readable')
const input: CaseInput = {
  id: 'graph',
  pattern_py: '',
  files,
  graph: text('graph')!,
  ...(readable !== undefined && { readable }),
  passes: [],
}
const interpreter = await Interpreter.start(nodeAssets())
const { run } = caseRun(interpreter, input, 'counts')
const failed = run.outcomes.filter((o) => o.failure || o.stoppedBy !== null)
const names = [...new Set(run.registrations.python.line.map((s) => s.variable))]
const only = options.get('only')
const stages = names
  .filter((name) => only === undefined || name === only)
  .map((name) => {
    const again = alone(run, [name])
    const stage = caseStages(ranStages(again.pipeline), [name]).find((s) => s.stage === name)
    return {
      name,
      off: stage?.off ?? null,
      note: stage?.note ?? null,
      place: run.registrations.python.line.find((s) => s.variable === name)?.place ?? null,
      error: stage?.apply_error ?? null,
      edits: again.pipeline.stages.reduce((sum, s) => sum + (s.did?.edits?.length ?? 0), 0),
      after: printGraph(again.pipeline.graph),
    }
  })
if (run.failure) console.log('failure', run.failure.type, run.failure.message, run.failure.traceback.slice(-600))
console.log(`${run.outcomes.length - failed.length} of ${run.outcomes.length} files load, ${stages.length} stages`)
for (const f of failed) console.log(`file ${f.file}: ${outcomeText(f).replaceAll('\n', ' ').slice(0, 300)}`)
for (const s of stages)
  console.log(
    `${s.error !== null ? 'raised' : s.off !== null ? 'off' : 'ran'} ${s.name} ${s.edits}: ${(s.error ?? s.note ?? '').slice(0, 400)}`,
  )
if (options.has('json'))
  writeFileSync(
    options.get('json')!,
    JSON.stringify(
      { files: run.outcomes.length, failed: failed.map((f) => [f.file, outcomeText(f)]), stages, stubs: run.stubs },
      null,
      1,
    ),
  )
process.exit(0)

/** A run of these stages alone. */
function alone(of: Run, listed: readonly string[]): Run {
  return applyTo(interpreter, of.registrations, {
    files: of.files,
    environment: of.environment,
    graph: of.graph,
    shaped: () => shapedGraph(of.graph, {}, interpreter.tracer),
    listed,
    detail: 'report',
  })
}
