/** Arguments of `fusescope pattern`. */
import type { PatternForm } from '../../engine/from_selection/types'
import { refuse, type Options } from '../flags'

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

/** Options for the pattern. `name`: of the replacement operator; null: named after the operators. */
export interface PatternCommandOptions {
  name: string | null
  form: PatternForm | null
  /** Constants that become parameters. */
  parameters: string[]
  json: boolean
}

export function patternArgs(options: Options): PatternCommand {
  const given = options.one('form')
  const form = { traced: 'traced', expr: 'expression', expression: 'expression' }[given ?? 'traced']
  if (!form) refuse(`--form needs traced or expr, found ${JSON.stringify(given)}`)
  const made: PatternCommandOptions = {
    name: options.one('name'),
    form: given === null ? null : (form as PatternForm),
    parameters: splitNames(options.many('parameter')),
    json: options.has('json'),
  }
  const file = options.one('cases')
  if (file !== null) {
    options.apart(
      ['graph', 'nodes', 'readable', 'shapes', 'parameter'],
      '--cases: each line of the file is a whole case',
    )
    return { kind: 'pattern-cases', file, ...made }
  }
  const graph = options.needOne('graph')
  const nodes = splitNames(options.many('nodes'))
  if (nodes.length === 0) refuse('--nodes NAME,… is missing')
  return { kind: 'pattern', graph, readable: options.one('readable'), shapes: options.one('shapes'), nodes, ...made }
}

/** Splits `a,b c` and `%a`, print(graph)'s notation for nodes. */
const splitNames = (values: readonly string[]): string[] =>
  values.flatMap((v) => v.split(/[\s,]+/)).flatMap((v) => (v === '' ? [] : [v.replace(/^%/, '')]))
