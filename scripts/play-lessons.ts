/**
 * `npm run lessons [-- ID…]`: plays every lesson through the engine: the claims of each step, each exercise's start,
 * solution and typical wrong answers. Fails when a claim differs from what the engine says, or a stored file is not up
 * to date. `--write` writes the stored files (public/lessons/index.json and ID/WORKSPACE.stored.json).
 * `npm run lessons -- PATH…` checks a lesson in a folder anywhere, without stored files.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { traceKey, workspaceOfStep, type Check, type WrongAnswer } from '../src/app/features/lessons/catalog'
import { answerOf, answerText } from '../src/app/features/lessons/answer'
import { brokenInvariant, evaluate, type CheckContext } from '../src/app/features/lessons/checks'
import { worstVerdict } from '../src/app/features/lessons/compare_values'
import { withEdits } from '../src/app/features/lessons/edits'
import { isTerm } from '../src/app/features/lessons/glossary'
import { messageOf } from '../src/base/error_message'
import { plainText } from '../src/base/message'
import { CaseRunner } from '../src/engine/cases/cases'
import { createSession, type Session } from '../src/engine/session/session'
import { nodeAssets } from '../src/python/node_assets'
import type { Workspace } from '../src/workspace'
import { PANEL_IDS } from '../src/workspace/types'
import {
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
const args = process.argv.slice(2)
const write = args.includes('--write')
const named = args.filter((a) => !a.startsWith('-'))
/** A path has a slash, or names a folder; an id of a lesson of the site does not. */
const paths = named.filter((a) => /[/\\.]/.test(a) || (!existsSync(join(lessonsDir, a)) && existsSync(a)))
const ids = named.filter((a) => !paths.includes(a))
const faults: string[] = []
const fault = (where: string, text: string): void => void faults.push(`${where}: ${text}`)
const counts = { claims: 0, exercises: 0, wrong: 0, workspaces: 0 }

/** Writes a stored file, or compares it. */
function store(path: string, value: unknown): void {
  const text = `${JSON.stringify(value)}\n`
  const file = join(lessonsDir, path)
  const now = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (write && now !== text) {
    writeFileSync(file, text)
    console.log(`${path}: ${(text.length / 1024).toFixed(0)} KiB`)
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
      const traces = await this.traces(lesson, name, workspace)
      const stored = { workspace, report: storedReport(context.report), ...(traces && { traces }) }
      if (!isElsewhere(lesson)) store(`${lesson.id}/${name}.stored.json`, stored)
      this.claims(lesson, name, context)
    }
    for (const [i, step] of lesson.file.steps.entries()) {
      if (!step.exercise) continue
      await this.exercise(`${lesson.id}/${step.id}`, step.exercise, contexts.get(workspaceOfStep(lesson.file, i))!)
    }
  }

  private runner: Promise<CaseRunner> | null = null

  /** The patterns of stage two that the steps of a workspace show; undefined if none does. */
  private async traces(lesson: AuthoredLesson, name: string, workspace: Workspace) {
    const shown = lesson.file.steps.flatMap((s, i) =>
      s.traces && workspaceOfStep(lesson.file, i) === name ? [s.traces] : [],
    )
    if (shown.length === 0) return undefined
    const runner = await (this.runner ??= CaseRunner.create(nodeAssets()))
    const { graph, files, environment } = workspace
    const { passes } = runner.run({
      id: name,
      pattern_py: '',
      files,
      graph: graph.text,
      ...(environment && { environment }),
    })
    const attempts = passes.flatMap((p) => p.attempts)
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
    fault(lesson.id, e instanceof Error ? (e.stack ?? e.message) : String(e))
  }
  const exercises = lesson.file.steps.filter((s) => s.exercise).length
  const state = faults.length === before ? 'ok' : 'FAILED'
  console.log(
    `${state.padEnd(6)} ${lesson.id}: ${lesson.file.steps.length} steps, ${exercises} exercises, ${Math.round(performance.now() - began)} ms`,
  )
}
if (named.length === 0) store('index.json', lessonIndex(lessons))
for (const text of faults) console.error(`  ${text}`)
const seconds = ((performance.now() - started) / 1000).toFixed(1)
console.log(
  `${lessons.length} lessons, ${counts.claims} claims, ${counts.exercises} exercises with ${counts.wrong} wrong answers, ${faults.length} faults, ${seconds} s`,
)
process.exitCode = faults.length === 0 ? 0 : 1
process.exit()
