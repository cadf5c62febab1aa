/** Parses the options of `fusescope baseline` and `fusescope check`. */
import type { Options } from '../flags'
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

export const baselineArgs = (options: Options, calls: () => string[]): BaselineCommand => ({
  kind: 'baseline',
  ...counted(options, calls),
})

export const checkArgs = (options: Options, calls: () => string[]): CheckCommand => ({
  kind: 'check',
  baseline: options.needOne('baseline'),
  ...counted(options, calls),
  junit: options.one('junit'),
  markdown: options.one('markdown'),
})

const counted = (options: Options, calls: () => string[]): Pick<TableCommand, 'passes' | 'graphs' | 'calls'> => ({
  passes: options.needMany('passes', 'FOLDER'),
  graphs: options.needMany('graphs'),
  calls: calls(),
})
