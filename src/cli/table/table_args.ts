/** Parses the options of `fusescope table`. */
import { err, ok, type Result } from '../../base/result'
import { one, type Flags } from '../flags'

export interface TableCommand {
  kind: 'table'
  /** Folders of passes. */
  passes: string[]
  /** Graphs, or folders of graphs. */
  graphs: string[]
  /** Registration functions to call, as OneGraph.calls. */
  calls: string[]
  /** File of an earlier table. */
  since: string | null
  json: boolean
}

export function tableArgs(flags: Flags, calls: Result<string[], string>): Result<TableCommand, string> {
  const [passes, graphs] = [[...(flags.get('passes') ?? [])], [...(flags.get('graphs') ?? [])]]
  if (passes.length === 0) return err('table: --passes FOLDER is missing')
  if (graphs.length === 0) return err('table: --graphs FILE is missing')
  if (!calls.ok) return calls
  const since = one(flags, 'since')
  return ok({ kind: 'table', passes, graphs, calls: calls.value, since, json: flags.has('json') })
}
