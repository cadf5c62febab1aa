/** Why a pass misses on a graph, in a few lines: the first lines of `explain`, without fixes. */
import { caseExplanation } from '../../engine/cases/cases'
import { causeGroups } from '../../engine/report/causes/cause_groups'
import { diagnosesOf } from '../../engine/report/diagnoses'
import type { GraphFile } from '../../workspace'
import { groupLines } from '../explain_text'
import { ALL_CALLS } from '../calls'
import { countedWorkspace, oneSession } from '../table/table'
import type { Folder } from '../table/table_input'

export interface WhyTask {
  folder: Folder
  graph: GraphFile
  /** Null: all of the folder. */
  pass: string | null
}

const MAX_CAUSES = 2

/** Answers tasks in one Python. */
export function whyTask({ calls }: { calls: readonly string[] }): (task: WhyTask) => Promise<string[]> {
  const session = oneSession()
  return async ({ folder, graph, pass }) => {
    const own = await session()
    own.analyze(countedWorkspace(own, folder, graph, calls.includes(ALL_CALLS)))
    const { diagnoses, ...rest } = diagnosesOf(caseExplanation(own.interpreter, own.lastRun(), { fixes: false }))
    const about = diagnoses.filter((d) => d.pass === null || pass === null || d.pass === pass)
    const raised = (rest.failed_files ?? []).map((f) => `${f.file} stopped registering patterns: ${f.message}`)
    return [...raised, ...groupLines(causeGroups(about).slice(0, MAX_CAUSES))]
  }
}
