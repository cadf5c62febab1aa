/**
 * `npm run lessons [-- ID…]`: plays every lesson through the engine: the claims of each step, each exercise's start,
 * solution and typical wrong answers. Fails when a claim differs from what the engine says, or a stored file is not up
 * to date. `--write` writes the stored files (public/lessons/index.json and ID/WORKSPACE.stored.json).
 * `npm run lessons -- PATH… [--timeout S]` checks a lesson in a folder anywhere, without stored files, in the box of user code:
 * somebody else may have written it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { traceKey, workspaceOfStep, type Check, type WrongAnswer } from '../src/engine/lessons/catalog'
import { answerOf, answerText } from '../src/engine/lessons/answer'
import { brokenInvariant, evaluate, type CheckContext } from '../src/engine/lessons/checks'
import { worstVerdict } from '../src/engine/lessons/compare_values'
import { withEdits } from '../src/engine/lessons/edits'
import { isTerm } from '../src/engine/lessons/glossary'
import { messageOf } from '../src/base/error_message'
import { plainText } from '../src/base/message'
import { boxKind, lockDownProcess } from '../src/cli/box/boxed'
import { runBoxed } from '../src/cli/box/command'
import { DEFAULT_TIMEOUT_S } from '../src/cli/box/time_limit'
import { startFolder } from '../src/cli/input'
import { complain, show } from '../src/cli/output'
import { BAD_INPUT } from '../src/cli/status'
import { createSession, type Session } from '../src/engine/session/session'
import { nodeAssets } from '../src/python/node_assets'
import type { Workspace } from '../src/workspace'
import { PANEL_IDS } from '../src/workspace/types'
import { cliBundle } from './cli-bundle.mjs'
import {
  lessonFolder,
  lessonIndex,
  lessonsDir,
  lessonWorkspace,
  linksOf,
  readLessonAt,
  readLessons,
  storedReport,
  type AuthoredLesson,
} from './lessons'

const started = performance.now()
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, timeout: { type: 'string' } },
})
const { write } = values
/** A path has a slash, or names a folder; an id of a lesson of the site does not. */
const isPath = (name: string): boolean =>
  /[/\\.]/.test(name) || (!existsSync(join(lessonsDir, name)) && existsSync(resolve(startFolder(), name)))
const paths = named.filter(isPath).map(lessonFolder)
const ids = named.filter((name) => !isPath(name))
if (boxKind() !== null) await lockDownProcess()
else if (paths.length > 0) process.exit(await playBoxed())
const faults: string[] = []
const fault = (where: string, text: string): void => void faults.push(`${where}: ${text}`)
const counts = { claims: 0, exercises: 0, wrong: 0, workspaces: 0 }

function say(line: string): void {
  show(1, [line])
}

/** Plays in a process without rights, with the limits of `fusescope match`. @returns the exit status */
async function playBoxed(): Promise<number> {
  const refuse = (sentence: string): number => {
    complain(sentence)
    return BAD_INPUT
  }
  const absent = paths.find((path) => !existsSync(path))
  if (absent !== undefined)
    return refuse(`${absent}: there is no such folder; expected one with lesson.json and lesson.md.`)
  const timeoutS = Number(values.timeout ?? DEFAULT_TIMEOUT_S)
  if (!(timeoutS >= 0)) return refuse(`--timeout ${values.timeout}: expected a number of seconds.`)
  const main = await cliBundle()
  if (main === null)
    return refuse(
      'Without a bundle there is no box of user code, and it cannot be written to .cache or a temporary folder.',
    )
  return runBoxed(fileURLToPath(new URL('lessons.mjs', main)), [...ids, ...paths], timeoutS)
}

/** Writes a stored file, or compares it. */
function store(path: string, value: unknown): void {
  const text = `${JSON.stringify(value)}\n`
  const file = join(lessonsDir, path)
  const now = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (write && now !== text) {
    writeFileSync(file, text)
    say(`${path}: ${(text.length / 1024).toFixed(0)} KiB`)
  } else if (now !== text) fault(path, 'is not up to date; run `npm run lessons -- --write`')
}

/** A lesson that is not part of the site has no stored files. */
const isElsewhere = ({ dir }: AuthoredLesson): boolean => dirname(dir) !== lessonsDir

class Player {
  constructor(private readonly session: Session) {}

  /** Analyzes a workspace and gathers what the checks read. */
  async context(workspace: Workspace, checks: readonly Check[]): Promise<CheckContext> {
    const { report } = this.session.analyzeWhole(workspace)
    const matches = report.passes.flatMap((p) => p.matches.map((m) => () => this.session.program(p.name, m.index)))
    const values = checks.some((c) => c.check === 'numbers') && report.python === null
    const numbers = values ? await worstVerdict(matches, new AbortController().signal) : null
    const visits = (at: string, entry: number | null): string[] => {
      const pass = report.passes.find((p) => p.attempts.some((a) => a.node === at)) ?? report.passes[0]
      const { steps } = this.session.steps(pass?.name ?? '', entry, at)
      const visited = steps.filter((s) => s.kind === 'expression' && s.phase === 'initial' && s.graphNode !== null)
      return visited.map((s) => s.graphNode!)
    }
    return { report, workspace, numbers, visits }
  }

  async play(lesson: AuthoredLesson): Promise<void> {
    const contexts = new Map<string, CheckContext>()
    for (const name of Object.keys(lesson.file.workspaces)) {
      counts.workspaces++
      const workspace = lessonWorkspace(lesson, name)
      const checks = lesson.file.steps.flatMap((s, i) =>
        workspaceOfStep(lesson.file, i) === name ? [...(s.claims ?? [])] : [],
      )
      const context = await this.context(workspace, checks)
      contexts.set(name, context)
      const traces = this.traces(lesson, name)
      const stored = { workspace, report: storedReport(context.report), ...(traces && { traces }) }
      if (!isElsewhere(lesson)) store(`${lesson.id}/${name}.stored.json`, stored)
      this.claims(lesson, name, context)
    }
    for (const [i, step] of lesson.file.steps.entries()) {
      if (!step.exercise) continue
      await this.exercise(`${lesson.id}/${step.id}`, step.exercise, contexts.get(workspaceOfStep(lesson.file, i))!)
    }
  }

  /** The patterns of stage two that the steps of the analyzed workspace show; undefined if none does. */
  private traces(lesson: AuthoredLesson, name: string) {
    const shown = lesson.file.steps.flatMap((s, i) =>
      s.traces && workspaceOfStep(lesson.file, i) === name ? [s.traces] : [],
    )
    if (shown.length === 0) return undefined
    const attempts = this.session.lastRun().pipeline.passes.flatMap((p) => p.toExplain.attempts)
    return Object.fromEntries(
      shown.map(({ at, entry }) => {
        const two = attempts.find((a) => a.phase === 'specific' && a.node === at && a.entry === entry)
        if (!two?.pattern) fault(`${lesson.id}/${name}`, `shows the traces at ${at}, which stage two does not reach`)
        return [traceKey(at, entry), two?.pattern ?? '']
      }),
    )
  }

  /** Evaluates the claims right after the analysis of their workspace, because timelines refer to the last one. */
  private claims({ id, file, texts }: AuthoredLesson, name: string, context: CheckContext): void {
    for (const [i, step] of file.steps.entries()) {
      if (workspaceOfStep(file, i) !== name) continue
      const where = `${id}/${step.id}`
      for (const claim of step.claims ?? []) {
        counts.claims++
        const { goal, differs } = evaluate(claim, context)
        if (differs) fault(where, `claims “${plainText(goal)}”. ${plainText(differs)}`)
      }
      const { report } = context
      for (const { kind, name } of linksOf(texts[i]!)) {
        const view = kind === '#after/' ? report.after : report.graph
        const exists =
          kind === '#' || kind === '#after/'
            ? view?.nodes.some((n) => n.name === name)
            : kind === 'term:'
              ? isTerm(name)
              : kind === 'lesson:'
                ? existsSync(join(lessonsDir, name, 'lesson.json'))
                : kind === 'example:'
                  ? existsSync(join(lessonsDir, '../examples', name, 'about.json'))
                  : kind === 'panel:'
                    ? (PANEL_IDS as readonly string[]).includes(name)
                    : context.workspace.files.concat(context.workspace.graph).some((f) => f.name === name)
        if (!exists) fault(where, `links to ${kind}${name}, which is absent`)
      }
      if (step.select?.kind === 'node' && step.select.side === 'before') {
        const { name: selected } = step.select
        if (!report.graph.nodes.some((n) => n.name === selected)) fault(where, `selects ${selected}, which is absent`)
      }
      if (step.open && !context.workspace.files.concat(context.workspace.graph).some((f) => f.name === step.open!.file))
        fault(where, `opens ${step.open.file}, which is absent`)
    }
  }

  private async exercise(
    where: string,
    exercise: NonNullable<AuthoredLesson['file']['steps'][number]['exercise']>,
    start: CheckContext,
  ): Promise<void> {
    counts.exercises++
    if (this.unmet(exercise.goal, start).length === 0) fault(where, 'is solved before anything is done')
    const solved = await this.context(withEdits(start.workspace, exercise.solution), exercise.goal)
    if (solved.report.python) fault(where, `the solution raises: ${solved.report.python.message}`)
    for (const text of this.unmet(exercise.goal, solved)) fault(where, `the solution: ${text}`)
    for (const [i, wrong] of exercise.wrong.entries())
      await this.wrong(`${where}, wrong answer ${i + 1}`, wrong, exercise.goal, start)
  }

  private async wrong(where: string, wrong: WrongAnswer, goal: readonly Check[], start: CheckContext): Promise<void> {
    counts.wrong++
    const context = await this.context(withEdits(start.workspace, wrong.edits), goal)
    if (this.unmet(goal, context).length === 0) return fault(where, 'meets every goal')
    const answer = answerOf(context.report)
    const [text, said] = [answerText(answer), [answerText(answer), ...this.unmet(goal, context)].join('\n')]
    if ((answer?.kind ?? null) !== wrong.cause) fault(where, `is answered by ${answer?.kind ?? 'nothing'}: ${text}`)
    for (const part of wrong.says ?? []) if (!said.includes(part)) fault(where, `the answer lacks “${part}”: ${said}`)
  }

  private unmet(goal: readonly Check[], context: CheckContext): string[] {
    const broken = brokenInvariant(goal, context.report)
    return [...goal.map((g) => evaluate(g, context)), ...(broken ? [broken] : [])].flatMap(
      ({ goal: name, differs }) => {
        return differs ? [`${plainText(name)}: ${plainText(differs)}`] : []
      },
    )
  }
}

const lessons = [...(paths.length > 0 && ids.length === 0 ? [] : readLessons(ids.length > 0 ? ids : undefined))]
for (const path of paths)
  try {
    lessons.push(readLessonAt(path))
  } catch (e) {
    fault(path, messageOf(e))
  }
if (ids.some((id) => !lessons.some((l) => l.id === id))) fault(ids.join(', '), 'is no lesson of public/lessons')
const session = createSession(nodeAssets())
await session.ready
const player = new Player(session)
for (const lesson of lessons) {
  const began = performance.now()
  const before = faults.length
  try {
    await player.play(lesson)
  } catch (e) {
    fault(lesson.id, messageOf(e))
  }
  const exercises = lesson.file.steps.filter((s) => s.exercise).length
  const state = faults.length === before ? 'ok' : 'FAILED'
  say(
    `${state.padEnd(6)} ${lesson.id}: ${lesson.file.steps.length} steps, ${exercises} exercises, ${Math.round(performance.now() - began)} ms`,
  )
}
if (named.length === 0) store('index.json', lessonIndex(lessons))
show(
  2,
  faults.map((text) => `  ${text}`),
)
const seconds = ((performance.now() - started) / 1000).toFixed(1)
say(
  `${lessons.length} lessons, ${counts.claims} claims, ${counts.exercises} exercises with ${counts.wrong} wrong answers, ${faults.length} faults, ${seconds} s`,
)
process.exitCode = faults.length === 0 ? 0 : 1
process.exit()
