/** Tries other settings of the environment for everything that is off in a run: each trial runs the same files on the same graph. */
import type { EnvironmentAnswer } from '../../python/types'
import { DEFAULT_ENVIRONMENT, PLATFORMS, type Environment } from '../../workspace/types'
import type { Interpreter } from '../run/interpreter'
import { makeRun, type Run } from '../run/run'
import { skippedRegistrations } from './skipped'
import type { SwitchedOff } from './types'

/** Maximum number of runs, and their total time in ms. */
const MAX_TRIALS = 20
const MAX_MS = 10_000

interface Setting {
  /** In the form that `--env` takes. */
  text: string
  change: Partial<Environment>
}

/** Finds, for each item of `found`, the first setting that turns it on; yields after each trial. */
export function* turnedOn(
  interpreter: Interpreter,
  run: Run,
  found: readonly SwitchedOff[],
): Generator<void, SwitchedOff[]> {
  const environment = { ...DEFAULT_ENVIRONMENT, ...run.environment } as Environment
  const { asked } = run.registrations.python
  let open = [...found]
  const done = new Map<SwitchedOff, SwitchedOff>()
  let tried = 0
  const ends = performance.now() + MAX_MS
  for (const { text, change } of settingsFor(environment, asked, found)) {
    if (open.length === 0 || tried === MAX_TRIALS || performance.now() > ends) break
    tried++
    const other = makeRun(interpreter, {
      files: run.files,
      environment: { ...environment, ...change },
      graph: run.graph,
      listed: run.listed,
      detail: 'counts',
    })
    for (const off of open.filter((o) => isOn(o, run, other, interpreter)))
      done.set(off, {
        ...off,
        tried,
        on: {
          setting: text,
          patterns: Math.max(0, patternsIn(other) - patternsIn(run)),
          matches: matchesIn(other),
          matchesBefore: matchesIn(run),
        },
      })
    open = open.filter((o) => !done.has(o))
    yield
  }
  return found.map((o) => done.get(o) ?? { ...o, tried })
}

const patternsIn = ({ pipeline }: Run): number => pipeline.passes.reduce((n, p) => n + p.toExplain.entries.length, 0)
const matchesIn = ({ pipeline }: Run): number => pipeline.passes.reduce((n, p) => n + p.count, 0)

/** True if another run has it on. */
function isOn({ what, name, lines, guards }: SwitchedOff, run: Run, other: Run, { host }: Interpreter): boolean {
  if (other.failure && !run.failure) return false
  if (what === 'file') {
    const outcome = other.outcomes.find((f) => f.file === name)
    // Code that registers nothing under these settings skips the line that raised here.
    const registers = patternsIn(other) > patternsIn(run)
    return registers && outcome !== undefined && outcome.failure === null && outcome.stoppedBy === null
  }
  if (what === 'stage') {
    const stage = other.pipeline.stages.find((s) => 'defined' in s.stage && isNamed(s.stage.defined, name))
    if (!stage) return false
    return stage.pass === null || other.pipeline.passes[stage.pass]!.toExplain.entries.length > 0
  }
  const { asked } = other.registrations.python
  const differs = guards.some((g) => asked.some((a) => a.question === g.question && a.answer !== g.answer))
  if (!differs || patternsIn(other) <= patternsIn(run)) return false
  const skipped = skippedRegistrations(asked, other.files, (text) => host.syntax(text)).filter((s) => s.file === name)
  const still = new Set(skipped.flatMap((s) => s.lines))
  return lines!.some((line) => !still.has(line))
}

/** A class that nothing creates is `manager.Class`; once created, it may hold its patterns in an attribute. */
const isNamed = ({ variable }: { variable: string }, name: string): boolean =>
  variable === name || variable.startsWith(`${name}.`)

/** Settings that may change an answer: first those that the deciding answers came from. */
function settingsFor(now: Environment, asked: readonly EnvironmentAnswer[], found: readonly SwitchedOff[]): Setting[] {
  const deciding = new Set(found.flatMap((o) => o.guards.map((g) => g.question)))
  const ordered = [...asked].sort((a, b) => Number(deciding.has(b.question)) - Number(deciding.has(a.question)))
  const guards = found.flatMap((o) => o.guards)
  const settings = [...guards, ...ordered].flatMap((answer) => settingsOf(now, answer))
  return settings.filter((s, i) => settings.findIndex((o) => o.text === s.text) === i)
}

/** Platforms to try first. */
const COMMON: readonly Environment['platform'][] = ['ascend-910b', 'cuda-sm90', 'cuda-sm100', 'rocm-aiter']
const TOKENS: readonly (number | null)[] = [null, 1, 32, 128, 256, 512, 1024, 4096, 16384]
const DTYPES: readonly Environment['dtype'][] = ['bfloat16', 'float16', 'float32']

function settingsOf(
  now: Environment,
  { question, answer, settings = [] }: Omit<EnvironmentAnswer, 'source'>,
): Setting[] {
  const op = /^is_custom_op_enabled\('(\w+)'\)$/.exec(question)?.[1]
  if (op !== undefined) {
    const customOps = [...now.customOps.filter((o) => o.slice(1) !== op), `${answer === 'True' ? '-' : '+'}${op}`]
    return [{ text: `customOps=${customOps.join(',')}`, change: { customOps } }]
  }
  return settings.flatMap(({ name }): Setting[] => {
    if (name === 'platform')
      return [...new Set([...COMMON, ...PLATFORMS])]
        .filter((p) => p !== now.platform)
        .map((platform) => ({
          text: `platform=${platform}`,
          change: { platform },
        }))
    if (name === 'dtype')
      return DTYPES.filter((d) => d !== now.dtype).map((dtype) => ({ text: `dtype=${dtype}`, change: { dtype } }))
    if (name === 'tokens')
      return TOKENS.filter((t) => t !== now.tokens).map((tokens) => ({
        text: `tokens=${tokens ?? 'symbolic'}`,
        change: { tokens },
      }))
    // The advice is for a shell, and the code may ask for flags with any name.
    const flag = /^flag ([A-Za-z_][\w.-]*)$/.exec(name)?.[1]
    // The other value of a flag that is not a switch is unknown.
    if (flag === undefined || !/^(?:True|False|None)$/.test(answer)) return []
    const value = answer !== 'True'
    return [{ text: `${flag}=${value}`, change: { flags: { ...now.flags, [flag]: value } } }]
  })
}
