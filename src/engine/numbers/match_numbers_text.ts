/** The outcomes for a run's matches, as data and in words; it imports no engine code, because views use it. */
import { count, figures } from '../../base/english'
import { numbersText } from './numbers_text'
import type { NumbersResult } from './types'

/** Equal matches of one pattern, or equal graph parts that code edited, which differ only in names. */
export interface MatchNumbers {
  /** The key of the pass; for code, the name of the stage. */
  pass: string
  /** Position of the pass's application in the run; for code, the stage's `PipelineStage.at`. */
  at: number
  /** Null for edits of code. */
  entry: number | null
  /** Anchor of the first match; for code, the first node that was replaced. */
  node: string
  times: number
  /** The outcome: equal or close, not compared, or different. */
  state: 'holds' | 'not-compared' | 'differs'
  result: NumbersResult
}

/** `relu and 31 equal places: fires, and the numbers stay equal, …`. */
export function matchNumbersText({ entry, node, times, state, result: { numbers, detail } }: MatchNumbers): string {
  const fires = entry === null ? 'edited' : 'fires'
  const where = `${node}${times > 1 ? ` and ${count(times - 1, 'equal place')}` : ''}`
  const { output, input, maxAbs, reason } = detail
  if (state !== 'differs')
    return `${where}: ${fires}${state === 'holds' ? ', and' : ';'} ${numbersText({ numbers, numbersDetail: detail })}`
  const size = maxAbs === null ? '' : ` by ${figures(maxAbs)} with ${input} inputs`
  return `${where}: ${fires}, and the numbers differ${output === null ? '' : ` in ${output}`}${size}: ${reason}`
}

/** JSON form of the command line. */
export const printedNumbers = ({ pass, entry, node, times, state, result }: MatchNumbers): object => ({
  pass,
  entry,
  node,
  times,
  numbers: state,
  message: numbersText({ numbers: result.numbers, numbersDetail: result.detail }),
  output: result.detail.output,
  max_abs: finite(result.detail.maxAbs),
  max_rel: finite(result.detail.maxRel),
})

/** JSON has no infinity. */
const finite = (x: number | null): number | string | null => (x === null || Number.isFinite(x) ? x : String(x))
