/** Parses the options of `fusescope baseline` and `fusescope check`. */
import { err, ok, type Result } from '../../base/result'
import { one, type Flags } from '../flags'
import type { TableCommand } from '../table/table_args'

export interface BaselineCommand extends Pick<TableCommand, 'passes' | 'graphs' | 'calls'> {
  kind: 'baseline'
}

export interface CheckCommand extends Pick<TableCommand, 'passes' | 'graphs' | 'calls'> {
  kind: 'check'
  baseline: string
  /** Files to write. */
  junit: string | null
  markdown: string | null
}

export function baselineArgs(flags: Flags, calls: Result<string[], string>): Result<BaselineCommand, string> {
  const given = counted('baseline', flags, calls)
  return given.ok ? ok({ kind: 'baseline', ...given.value }) : given
}

export function checkArgs(flags: Flags, calls: Result<string[], string>): Result<CheckCommand, string> {
  const baseline = one(flags, 'baseline')
  if (baseline === null) return err('check: --baseline FILE is missing')
  const given = counted('check', flags, calls)
  if (!given.ok) return given
  return ok({ kind: 'check', baseline, ...given.value, junit: one(flags, 'junit'), markdown: one(flags, 'markdown') })
}

function counted(
  name: string,
  flags: Flags,
  calls: Result<string[], string>,
): Result<Pick<TableCommand, 'passes' | 'graphs' | 'calls'>, string> {
  const [passes, graphs] = [[...(flags.get('passes') ?? [])], [...(flags.get('graphs') ?? [])]]
  if (passes.length === 0) return err(`${name}: --passes FOLDER is missing`)
  if (graphs.length === 0) return err(`${name}: --graphs FILE is missing`)
  return calls.ok ? ok({ passes, graphs, calls: calls.value }) : calls
}
