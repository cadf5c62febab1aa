/** Parses the options of `fusescope table`. */
import { err, ok, type Result } from '../../base/result'
import type { Environment } from '../../workspace/types'
import { firstGiven, one, type Flags } from '../flags'

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
  /** Files of parts that `--shard` made; then there are no passes and graphs. */
  merge: string[]
  json: boolean
  /** As OneGraph.environment. */
  environment?: Environment
}

export function tableArgs(
  flags: Flags,
  calls: Result<string[], string>,
  environment: Result<Pick<TableCommand, 'environment'>, string>,
): Result<TableCommand, string> {
  const [passes, graphs] = [[...(flags.get('passes') ?? [])], [...(flags.get('graphs') ?? [])]]
  const since = one(flags, 'since')
  const merge = [...(flags.get('merge') ?? [])]
  const json = flags.has('json')
  if (merge.length > 0) {
    const extra = firstGiven(flags, ['passes', 'graphs', 'call', 'env', 'config', 'torch', 'shard', 'resume'])
    if (extra) return err(`table: --${extra} does not go with --merge: the files hold what was counted`)
    return ok({ kind: 'table', passes, graphs, calls: [], since, merge, json })
  }
  if (flags.has('shard') && (!json || since !== null))
    return err('table: --shard goes with --json, and --since with --merge of all parts')
  if (passes.length === 0) return err('table: --passes FOLDER is missing')
  if (graphs.length === 0) return err('table: --graphs FILE is missing')
  if (!calls.ok) return calls
  if (!environment.ok) return environment
  return ok({ kind: 'table', passes, graphs, calls: calls.value, ...environment.value, since, merge, json })
}
