/** Arguments of `fusescope pattern`. */
import { err, ok, type Result } from '../../base/result'
import type { PatternForm } from '../../engine/from_selection/types'
import { firstGiven, one, type Flags } from '../flags'

export type PatternCommand = OneSelection | SelectionCases

export interface OneSelection extends PatternCommandOptions {
  kind: 'pattern'
  graph: string
  readable: string | null
  /** A JSON file of shapes by node name. */
  shapes: string | null
  nodes: string[]
}

export interface SelectionCases extends PatternCommandOptions {
  kind: 'pattern-cases'
  file: string
}

/** How a selection becomes a pattern. `name`: of the replacement operator; null: after the operators. */
export interface PatternCommandOptions {
  name: string | null
  form: PatternForm | null
  /** Constants that become parameters. */
  parameters: string[]
  json: boolean
}

export function patternArgs(flags: Flags): Result<PatternCommand, string> {
  const form = { traced: 'traced', expr: 'expression', expression: 'expression' }[one(flags, 'form') ?? 'traced']
  if (!form) return err(`pattern: --form needs traced or expr, found ${JSON.stringify(one(flags, 'form'))}`)
  const options: PatternCommandOptions = {
    name: one(flags, 'name'),
    form: flags.has('form') ? (form as PatternForm) : null,
    parameters: splitNames(flags.get('parameter')),
    json: flags.has('json'),
  }
  const cases = one(flags, 'cases')
  if (cases !== null) {
    const extra = firstGiven(flags, ['graph', 'nodes', 'readable', 'shapes', 'parameter'])
    if (extra) return err(`pattern: --${extra} does not go with --cases: each line of the file is a whole case`)
    return ok({ kind: 'pattern-cases', file: cases, ...options })
  }
  const graph = one(flags, 'graph')
  const nodes = splitNames(flags.get('nodes'))
  if (graph === null) return err('pattern: --graph FILE is missing')
  if (nodes.length === 0) return err('pattern: --nodes NAME,… is missing')
  return ok({
    kind: 'pattern',
    graph,
    readable: one(flags, 'readable'),
    shapes: one(flags, 'shapes'),
    nodes,
    ...options,
  })
}

/** `a,b c` and `%a` as print(graph) writes nodes. */
const splitNames = (values: readonly string[] = []): string[] =>
  values.flatMap((v) => v.split(/[\s,]+/)).flatMap((v) => (v === '' ? [] : [v.replace(/^%/, '')]))
