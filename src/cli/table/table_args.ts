/** Parses the options of `fusescope table`. */
import type { Environment } from '../../workspace/types'
import { refuse, type Options } from '../flags'

export interface TableCommand {
  kind: 'table'
  /** Folders of passes. */
  passes: string[]
  /** Graphs, or folders of graphs. */
  graphs: string[]
  /** Registration functions to call, see OneGraph.calls. */
  calls: string[]
  /** File of an earlier table. */
  since: string | null
  /** Files of parts made by `--shard`; passes and graphs are then empty. */
  merge: string[]
  json: boolean
  /** As OneGraph.environment. */
  environment?: Environment
}

/** @param counted what is counted with the passes of the files */
export function tableArgs(options: Options, counted: () => Pick<TableCommand, 'calls' | 'environment'>): TableCommand {
  const [passes, graphs, merge] = [options.many('passes'), options.many('graphs'), options.many('merge')]
  const since = options.one('since')
  const json = options.has('json')
  if (merge.length > 0) {
    const others = ['passes', 'graphs', 'call', 'env', 'config', 'torch', 'shard', 'resume']
    options.apart(others, '--merge: the files hold what was counted')
    return { kind: 'table', passes, graphs, calls: [], since, merge, json }
  }
  if (options.has('shard') && (!json || since !== null))
    refuse('--shard goes with --json, and --since with --merge of all parts')
  options.needMany('passes', 'FOLDER')
  options.needMany('graphs')
  return { kind: 'table', passes, graphs, ...counted(), since, merge, json }
}
