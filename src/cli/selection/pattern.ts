/** `fusescope pattern`: a pattern from selected nodes. */
import { count, listed } from '../../base/english'
import { PatternMaker } from '../../engine/from_selection/pattern_maker'
import type { MadePattern, PatternOptions } from '../../engine/from_selection/types'
import { formatProblem } from '../../fx'
import { nodeAssets } from '../../python/node_assets'
import { SELECTION_EXPECTED } from '../cases/parse_case'
import { runLines } from '../cases/run_lines'
import type { BatchOptions } from '../threads/shard'
import { readInputs } from '../inputs'
import { bad, complain, writeDocument, writeJson } from '../output'
import { DONE, UNMET } from '../status'
import type { OneSelection, PatternCommandOptions, SelectionCases } from './pattern_args'
import { selectionTask } from './selection_lines'

export const optionsOf = ({ name, form, parameters }: PatternCommandOptions): PatternOptions => ({
  ...(name !== null && { name }),
  ...(form !== null && { form }),
  parameters,
})

export async function patternCommand(command: OneSelection): Promise<number> {
  const inputs = readInputs({ ...command, patterns: [], passes: [], calls: [] })
  if (!inputs.ok) return bad(formatProblem(inputs.error))
  const { graph, shapes, inputShapes } = inputs.value
  const maker = await PatternMaker.create(nodeAssets())
  const made = maker.make(
    {
      id: graph.name,
      graph: graph.text,
      ...(shapes && { readable: shapes.text }),
      ...(inputShapes && { shapes: inputShapes }),
      nodes: command.nodes,
    },
    optionsOf(command),
  )
  if (!made.ok) {
    if (command.json) writeJson({ refused: made.error })
    complain(made.error)
    return UNMET
  }
  if (command.json) writeJson(made.value)
  else {
    writeDocument(made.value.python)
    for (const line of summaryOf(made.value)) complain(line)
  }
  return DONE
}

/** The effect of the file on the graph, one sentence per line. */
export function summaryOf(made: MadePattern): string[] {
  const { matches, constants, parameters, inputs, notes } = made
  const written = constants.filter((c) => !parameters.includes(c.name))
  return [
    `The pattern matches the selection${matches > 1 ? ` and ${count(matches - 1, 'equal place')}` : ''}.`,
    `Inputs: ${listed(
      inputs.map((i) => `${i.name} = %${i.node}`),
      12,
    )}.`,
    ...(written.length > 0
      ? [
          `Constants: ${listed(
            written.map((c) => `${c.name} = ${c.text}`),
            12,
          )}; --parameter NAME makes one a parameter.`,
        ]
      : []),
    ...notes,
  ]
}

export function patternCasesCommand(command: SelectionCases & BatchOptions): Promise<number> {
  const { file, timeoutS, shard, resume } = command
  const options = optionsOf(command)
  return runLines(
    { file, expected: SELECTION_EXPECTED, timeoutS, shard, resume },
    { name: 'selection', options, task: selectionTask(options) },
  )
}
