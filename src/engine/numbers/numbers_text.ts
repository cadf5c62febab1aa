/** Describes the outcome of a fix's numeric check in one sentence, for the page and the terminal. */
import type { Fix } from '../protocol'

/** Completes the sentence "Fires 2 times with this change; …". */
export function numbersText({ numbers, numbersDetail: d }: Pick<Fix, 'numbers' | 'numbersDetail'>): string {
  switch (numbers) {
    case 'equal':
      return `the numbers stay equal, bit for bit, over ${inputs(d)}${but(d.reason)}`
    case 'close':
      return `the numbers are close, not equal: within the tolerance over ${inputs(d)}, ${figures(d)}${known(d.known)}${but(d.reason)}`
    case 'different':
      return `it changes the numbers: ${d.reason}`
    case 'unknown':
      return d.operator === null
        ? `the numbers were not compared: ${d.reason}`
        : `the numbers were not compared: ${d.operator} has no definition here${untraced(d)}${unsafe(d)}`
  }
}

type Detail = Fix['numbersDetail']

/** The reason why a change that keeps the numbers is not offered. */
const but = (reason: string | null): string => (reason === null ? '' : `, but ${reason}`)

const inputs = ({ inputs: { length: n }, sizesDividedBy: by }: Detail): string =>
  `${n} ${n === 1 ? 'kind' : 'kinds'} of inputs${by === undefined ? '' : ` (sizes divided by ${by})`}`

function figures({ output, input, maxAbs, maxRel }: Detail): string {
  if (output === null) return 'they differ by rounding'
  const relative = maxRel === null || maxRel === 0 ? '' : `, ${relativeText(maxRel)}`
  return `the largest difference is ${Number((maxAbs ?? 0).toPrecision(2))}${relative}, in ${output} with ${input} inputs`
}

/** A small difference from a value near zero can be millions of times the value. */
const relativeText = (relative: number): string =>
  relative < 1
    ? `${Number((100 * relative).toPrecision(2))} % of the value`
    : relative < 100
      ? `${Number(relative.toPrecision(2))} times the value`
      : 'where the value is near zero'

const known = (differences: readonly string[] | undefined): string =>
  differences?.length ? `; the fused kernel ${differences.join('; it ')}` : ''

const untraced = (d: Detail): string => (d.untraced === undefined ? '' : `, and ${d.untraced}`)

const unsafe = (d: Detail): string => (d.unsafe === undefined ? '' : `; ${d.unsafe}`)
