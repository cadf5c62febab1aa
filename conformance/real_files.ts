/**
 * Runs pass files of local checkouts and writes a table: patterns registered, expected, first error, per file.
 *   npx tsx conformance/real_files.ts [--out FILE.md] PROJECT@VERSION=FOLDER[,alone][,call-all][,PLATFORM][,FLAG] …
 * FOLDER is read as `fusescope match --pattern FOLDER` reads it; `alone`: each file is the only one of its workspace;
 * `call-all`: functions that register patterns and that no file calls are called, as by `--call all`.
 * PLATFORM is one of the environment's; default: cuda-sm90. A FLAG of the environment is turned on, `-FLAG` off. The expected counts are in
 * real_files_expected.json, by project (with a version if the counts are those of one) and file, with the functions that each file's project calls later. Nothing of the
 * checkouts is stored. A file that names no function of registration registers no pattern by reading.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { pythonFilesAt } from '../src/cli/folders'
import { withCalls } from '../src/workspace'
import { DEFAULT_ENVIRONMENT, PLATFORMS } from '../src/workspace/types'
import { start } from '../src/python/testing/start'
import type { FileOutcome, PythonFile, PythonRun } from '../src/python/types'
import { outcomeText, uncalledIn } from '../src/engine/report/file_outcomes'

interface Expected {
  /** Patterns per import of the file, by PyTorch or by reading. */
  patterns: number
  /** Called after the import, as the project does; `patterns` includes them. */
  calls?: string[]
  /** Lines that the project's user writes, run after all files; `patterns` includes what they register. */
  setup?: string[]
}
const expected = JSON.parse(readFileSync(new URL('real_files_expected.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, Expected>
>

/** Calls that register patterns, also through a helper: the name contains `register`, or the call fills a pass by hand. */
const REGISTERS = /regist|PatternEntry|PatternMatcherPass|_sfdp|patterns\b/i

/** Files that name nothing of the kind: 0 patterns by reading. */
const readAsEmpty = (files: readonly PythonFile[]): Record<string, Expected> =>
  Object.fromEntries(files.flatMap((f) => (REGISTERS.test(f.text) ? [] : [[f.name, { patterns: 0 }]])))

const args = process.argv.slice(2)
const out = args[0] === '--out' ? args.splice(0, 2)[1]! : null
const py = await start()
const rows: string[][] = []
const totals: string[] = []
for (const arg of args) {
  const [, project, version, folder, options = ''] = /^([^@]+)@([^=]+)=([^,]+),?(.*)$/.exec(arg) ?? []
  if (!project || !version || !folder) throw new Error(`${arg}: expected PROJECT@VERSION=FOLDER[,alone][,PLATFORM]`)
  table(project, version, folder, options.split(',').filter(Boolean))
}
const header = ['project', 'version', 'file', 'registered', 'expected', 'first error']
const markdown = [
  '# Pass files of real projects',
  '',
  `Made by \`conformance/real_files.ts\` at commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim()} from local checkouts. \`registered\` counts calls that`,
  'registered a pattern, in the file of the call (a base class registers for its subclasses); `expected` is what PyTorch counts, or',
  'what reading the file says (absent: not read). Optional passes are on. Files that need compiled code do not load.',
  '',
  ...totals.map((t) => `- ${t}`),
  '',
  ...[header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`),
  '',
].join('\n')
// The sections on code on the graph and on folders of passes are written by hand.
const kept = out && existsSync(out) ? /\n## Code on the graph[^]*/.exec(readFileSync(out, 'utf8'))?.[0] : undefined
if (out) writeFileSync(out, markdown + (kept ?? ''))
else console.log(markdown)
process.exit(0)

function table(project: string, version: string, folder: string, options: string[]): void {
  const platform = PLATFORMS.find((p) => options.includes(p)) ?? DEFAULT_ENVIRONMENT.platform
  const flags = options.filter((o) => !['alone', 'call-all', platform].includes(o))
  const environment = {
    ...DEFAULT_ENVIRONMENT,
    platform,
    flags: Object.fromEntries(flags.map((f) => [f.replace('-', ''), !f.startsWith('-')])),
  }
  const found = pythonFilesAt(folder)
  if (!found.ok) throw new Error(found.error.message)
  const files = found.value.map(({ path, module }) => ({ name: module ?? path, text: readFileSync(path, 'utf8') }))
  const known = { ...readAsEmpty(files), ...(expected[`${project} ${version}`] ?? expected[project]) }
  const setup = Object.values(known).flatMap((k) => k.setup ?? [])
  if (setup.length > 0) files.push({ name: 'fusescope_setup.py', text: setup.join('\n') })
  const run = (workspace: PythonFile[]): PythonRun => py.run(workspace, environment)
  const outcomes = options.includes('alone')
    ? files.flatMap((f) => run(withOwnCalls({ ...f, name: basename(f.name) }, known)).files)
    : run(options.includes('call-all') ? withCalls(files, uncalledIn(run(files).files)) : files).files
  for (const o of outcomes) rows.push([project, version, o.file, String(o.registered), wanted(known, o), error(o)])
  const loaded = outcomes.filter((o) => !o.failure && o.stoppedBy === null).length
  const patterns = outcomes.reduce((sum, o) => sum + o.registered, 0)
  const compared = outcomes.filter((o) => known[o.file])
  const equal = compared.filter((o) => known[o.file]!.patterns === o.registered).length
  const read = compared.length > 0 ? `; ${equal} of ${compared.length} expected counts are met` : ''
  totals.push(`${project} ${version}: ${loaded} of ${outcomes.length} files load, ${patterns} patterns${read}`)
}

/** The file, followed by the calls that its project makes later. */
function withOwnCalls(file: PythonFile, known: Record<string, Expected>): PythonFile[] {
  const calls = known[file.name]?.calls ?? []
  return [{ ...file, text: [file.text, ...calls.map((c) => `${c}()`)].join('\n') }]
}

function wanted(known: Record<string, Expected>, { file }: FileOutcome): string {
  const of = known[file]
  if (!of) return ''
  const later = [...(of.calls ?? []).map((c) => `${c}()`), ...(of.setup ?? []).slice(-2)]
  return `${of.patterns}${later.length > 0 ? ` (with ${later.join(', ')})` : ''}`
}

function error(o: FileOutcome): string {
  return o.failure || o.stoppedBy !== null
    ? outcomeText(o).replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 160)
    : ''
}
