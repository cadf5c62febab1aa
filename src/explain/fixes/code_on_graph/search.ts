/**
 * Searches for changes after which code on the graph edits it: each condition that asks for a target that no node calls is changed
 * to ask for a target that the graph calls, and the code runs again.
 */
import { count } from '../../../base/english'
import { applyChanges, type SourceFile } from '../change'
import { hasPlainNames } from '../plain_names'
import { pythonFix, same } from '../python_fix'
import type { SearchClock } from '../search_clock'
import type { FixesFound } from '../types'
import { listed, ofCode, type FiringChange, type Verified } from '../verify'
import { onlyComputing } from '../withheld'
import type { FixRun, Setting, TrialRunner } from '../trials'
import { candidatesFor, type CodeCandidate } from './candidates'
import type { Asked, FixStage } from './types'

/** A stage of a report. */
export interface StageToFix extends Pick<FixStage, 'name' | 'conditions'> {
  /** See PipelineStage.at. */
  at: number
}

/** Maximum number of conditions tried per stage. */
const MAX_CONDITIONS = 6
/** Maximum number of conditions changed together: each lets the code reach the next. */
const MAX_DEPTH = 3

/** Yields null between runs, and fixes as they are found. */
export function* codeFixes(
  trials: TrialRunner,
  files: readonly SourceFile[],
  stages: readonly StageToFix[],
  clock: SearchClock,
): Generator<FixesFound[] | null, { cut: boolean }> {
  if (!hasPlainNames(trials.graph)) return { cut: false }
  for (const { name, at, conditions } of stages) {
    let tried = 0
    for (const [cause, asked] of conditions.entries()) {
      if (!asked.instead || tried++ >= MAX_CONDITIONS) continue
      if (clock.late()) return { cut: true }
      const start = { files, setting: null, titles: [], diff: '' }
      const found = yield* tryFrom(trials, { base: files, name, clock }, start, asked, 0)
      if (!found) continue
      yield [{ pass: null, miss: null, cause, stage: at, ...listed([found]) }]
      // The other conditions of the stage come after this one, or are independent of it.
      if (found.offered) break
    }
  }
  return { cut: false }
}

interface Search {
  base: readonly SourceFile[]
  name: string
  clock: SearchClock
}

interface Tried {
  files: readonly SourceFile[]
  setting: Setting | null
  titles: readonly string[]
  /** Of the graph. */
  diff: string
}

/** The first change after which the stage edits the graph, if needed together with a change of the next condition. */
function* tryFrom(
  trials: TrialRunner,
  search: Search,
  before: Tried,
  asked: Asked,
  depth: number,
): Generator<null, Verified | null> {
  let refused: Verified | null = null
  for (const candidate of candidatesFor(asked, trials, before.files)) {
    if (search.clock.late()) break
    const tried = applied(before, candidate)
    if (!tried) continue
    const run = trials.runCode(tried.files, tried.setting)
    yield null
    const stage = run.stages.find((s) => s.name === search.name)
    if (run.failure || !stage) continue
    const ends = stage.edited > 0 || stage.error !== null
    const next = ends || depth + 1 >= MAX_DEPTH ? null : nextOf(stage, asked)
    const found = ends
      ? yield* verified(trials, search, run, stage, tried)
      : next && (yield* tryFrom(trials, search, tried, next, depth + 1))
    if (found?.offered) return found
    refused ??= found
  }
  return refused
}

/** The first condition that now asks for a target that no node calls and did not before. */
const nextOf = ({ conditions }: FixStage, { text }: Asked): Asked | null =>
  conditions.find((c) => c.instead && c.text !== text) ?? null

function applied({ files, setting, titles, diff }: Tried, { title, changes, graph }: CodeCandidate): Tried | null {
  const now = applyChanges(files, changes)
  if (!now || (!graph && same(files, now)) || (graph && setting)) return null
  return {
    files: now,
    setting: graph ? { graph: graph.edit } : setting,
    titles: [...titles, title],
    diff: graph?.diff ?? diff,
  }
}

function* verified(
  trials: TrialRunner,
  { base, clock }: Search,
  run: FixRun,
  { name, edited, error, broken }: FixStage,
  { files, setting, titles, diff }: Tried,
): Generator<null, Verified> {
  const [title, ...more] = titles as [string, ...string[]]
  const named = more.length === 0 ? title : `${title}, and ${count(more.length, 'more change')}`
  // Code may also call what its conditions name.
  const plain = onlyComputing(pythonFix(named, base, files, 0, edited), trials.graph, base, files)
  const change: FiringChange = {
    ...plain,
    code: true,
    ...(more.length > 0 && { changes: [title, ...more] }),
    ...(setting && { kind: 'graph' as const, diff }),
  }
  const result = yield* clock.check((ms) => trials.stageNumbers(run, name, ms))
  const wrong = error !== null ? `the code then raises ${error}` : broken > 0 ? 'the graph is then not valid' : null
  return ofCode(change, result, wrong)
}
