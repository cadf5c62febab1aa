/** A line of `fusescope pattern --cases`: its selection, and its answer. */
import { messageOf } from '../../base/error_message'
import { PatternMaker, type SelectionCase } from '../../engine/from_selection/pattern_maker'
import type { PatternOptions } from '../../engine/from_selection/types'
import { nodeAssets } from '../../python/node_assets'
import { parseSelection, problemOf } from '../cases/parse_case'
import type { LineOutcome } from '../cases/run_lines'
import { jsonText } from '../output'

/** Answers lines with one Python, which starts at the first one. */
export function selectionTask(options: PatternOptions): (line: string) => Promise<LineOutcome> {
  let maker: PatternMaker | null = null
  return async (line) => {
    const parsed = parseSelection(line)
    if (typeof parsed === 'string') return { id: null, output: null, problem: parsed }
    const { id, readable, nodes, ...graph } = parsed
    const input: SelectionCase = {
      id,
      ...graph,
      ...(typeof readable === 'string' && { readable }),
      nodes: nodes.map((n) => n.replace(/^%/, '')),
    }
    const problem = problemOf(input)
    if (problem !== null) return { id, output: null, problem }
    if (maker === null || maker.broken) maker = await PatternMaker.create(nodeAssets())
    try {
      const made = maker.make(input, options)
      if (!made.ok) return { id, output: jsonText({ id, refused: made.error }), problem: null }
      const { python, matches, form, places, notes } = made.value
      const more = { form, places, ...(notes.length > 0 && { notes }) }
      return { id, output: jsonText({ id, python, matches, ...more }), problem: null }
    } catch (e) {
      return { id, output: null, problem: `the pattern could not be made: ${messageOf(e)}` }
    }
  }
}
