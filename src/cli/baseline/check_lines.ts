/** The result of a check as lines for a terminal. */
import { count } from '../../base/english'
import { isLoss, type Change, type Checked, type Loss } from './checked'

export function checkLines(checked: Checked): string[] {
  const { lost, gained, missing, newGraphs } = checked
  const more = [...gained.map((c) => `  ${placeText(c)}: ${gainText(c)}`), ...newGraphs.map((g) => `  graph ${g}: new`)]
  return [
    headline(checked),
    ...missing.map((m) => `  ${m}`),
    ...lost.flatMap((l) => [`  ${placeText(l)}: ${lossText(l)}`, ...l.why.map((w) => `      ${w}`)]),
    ...(more.length > 0 ? ['Not in the baseline; write it again to take it in:', ...more] : []),
  ]
}

export function headline(checked: Checked): string {
  const { lost, missing } = checked
  const counts = `${count(checked.compared, 'count')} of the baseline`
  if (!isLoss(checked)) return `Nothing is lost: ${counts} ${checked.compared === 1 ? 'holds' : 'hold'}.`
  const absent = missing.length > 0 ? `; ${count(missing.length, 'input is', 'inputs are')} missing` : ''
  return `Lost: ${lost.length} of ${counts}${absent}.`
}

/** The name of a pass, with its folder. */
export const passText = ({ folder, pass }: Pick<Change, 'folder' | 'pass'>): string =>
  pass === null ? folder : `${folder} ${pass}`

const placeText = (c: Change): string => `${passText(c)} on ${c.graph}`

const matches = (n: number | null | undefined): string => (n == null ? 'an error' : count(n, 'match', 'matches'))

/** `32 → 0 matches`, or what fails. */
export const lossText = ({ before, count: now, failure }: Loss): string =>
  failure === null ? `${before} → ${matches(now)}` : `${matches(before)} before; ${failure}`

/** `new, 2 matches`, `1 → 2 matches`. */
export const gainText = ({ before, count: now }: Change): string =>
  before === undefined ? `new, ${matches(now)}` : `${before ?? 'an error'} → ${matches(now)}`
