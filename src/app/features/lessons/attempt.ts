/** The state of an exercise: its goals on the newest report, and the values of its matches. */
import { useEffect, useState } from 'react'
import { messageOf } from '../../../base/error_message'
import type { Report } from '../../../engine/protocol'
import { isExplaining } from '../../../engine/queries/report_index'
import { pythonHasRun, useOfRun, useRun, useStale } from '../../session/run_store'
import { done, NONE, type Section } from '../../session/section'
import { engine } from '../../session/runner'
import { currentSession } from '../../session/session'
import { useWorkspace } from '../../session/workspace_store'
import type { Exercise } from '../../../engine/lessons/catalog'
import { brokenInvariant, evaluate, type Checked } from '../../../engine/lessons/checks'
import type { ValuesVerdict } from '../../../engine/lessons/compare_values'

export interface ExerciseState {
  goals: readonly Checked[]
  solved: boolean
  /** True if the text has changed and its result is not complete yet. */
  working: boolean
  report: Report | null
}

export function useExercise(exercise: Exercise, publishedGraph: string | null): ExerciseState {
  const result = useRun((s) => s.result)
  const report = result.value
  const running = useRun((s) => s.running?.silent === false)
  const failed = useRun((s) => s.outcome.value.python)
  const workspace = useWorkspace((s) => s.workspace)
  const needsValues = exercise.goal.some((g) => g.check === 'numbers')
  const fresh = !useStale(result) && !running
  const explained = fresh && report !== null && !isExplaining(report)
  const others = exercise.goal.filter((g) => g.check !== 'numbers')
  const shown: Report | null = failed && report ? { ...report, python: failed } : report
  const hold =
    report !== null && explained && !failed && others.every((g) => !evaluate(g, { report, workspace }).differs)
  const numbers = useValues(report, needsValues && hold)
  const goals = shown ? exercise.goal.map((g) => evaluate(g, { report: shown, workspace, numbers })) : []
  if (shown && !exercise.editGraph && publishedGraph !== null && workspace.graph.text !== publishedGraph)
    goals.push({ goal: ['The graph is unchanged'], differs: ['You changed the graph; change the pattern instead.'] })
  const broken = shown && brokenInvariant(exercise.goal, shown)
  if (broken) goals.push(broken)
  const solved = hold && goals.every((g) => !g.differs)
  return { goals, solved, working: !explained && !failed, report: shown }
}

/** The verdict on the values of a report's matches, once Python has run; null until then. */
function useValues(report: Report | null, wanted: boolean): ValuesVerdict | null {
  const version = useRun((s) => s.result.version)
  const live = useRun((s) => s.explained.value === s.result.value) && pythonHasRun()
  const [found, setFound] = useState<Section<ValuesVerdict>>(NONE)
  const verdict = useOfRun(found)
  useEffect(() => {
    if (!wanted || !report || !live || verdict) return
    const signal = currentSession().only('lesson values')
    void valuesOf(report, signal).then((values) => {
      if (!signal.aborted && values) setFound(done(values, version))
    })
  }, [report, version, wanted, live, verdict])
  return verdict
}

async function valuesOf(report: Report, signal: AbortSignal): Promise<ValuesVerdict | null> {
  try {
    const [{ worstVerdict }, client] = await Promise.all([import('../../../engine/lessons/compare_values'), engine()])
    const matches = report.passes.flatMap((p) => p.matches.map((m) => () => client.program(p.name, m.index)))
    return await worstVerdict(matches, signal)
  } catch (e) {
    return { kind: 'cannot run', sentence: messageOf(e) }
  }
}
