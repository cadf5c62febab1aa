/** Reads a shape that the user typed: print_readable's annotation, checked strictly. */
import { DEVICE_TYPES, DTYPES, dtypeAbbr } from './dtypes'
import { parseVal } from './val_text'
import type { Dim, Val } from './value'

/** An integer, or an expression of symbols as sympy prints it: `s72`, `2*s72`, `Max(1, u0)`. */
const DIM = /^(?:\d+|[-+*/(), \w]*[A-Za-z_][-+*/(), \w]*)$/

/**
 * The val of `bf16[48, 256]`, `bf16[48, 256][256, 1]cuda:0` or `Sym(s72)`; full dtype names (`torch.bfloat16[48, 256]`) work too.
 * @returns the val, or the fault as the end of a sentence that begins with the text
 */
export function readTypedVal(text: string): { val: Val } | { wrong: string } {
  const written = text.trim()
  if (/^Sym\(.*\)$/.test(written)) {
    const inner = written.slice(4, -1).trim()
    return DIM.test(inner) ? { val: parseVal(`Sym(${inner})`)! } : { wrong: 'is not a size; expected Sym(s72)' }
  }
  const open = written.indexOf('[')
  if (open < 0) return { wrong: `is not a shape; ${EXPECTED}` }
  const name = written
    .slice(0, open)
    .trim()
    .replace(/^torch\./, '')
  if (name === '') return { wrong: `has no dtype; ${EXPECTED}` }
  const val = parseVal((DTYPES.has(name) ? dtypeAbbr(name) : name) + written.slice(open))
  if (val?.kind !== 'tensor')
    return {
      wrong: isDtype(name) ? `is not a shape; ${EXPECTED}` : `has an unknown dtype, ${name}; ${EXPECTED}`,
    }
  const dims = [...val.shape, ...(val.stride ?? [])]
  const bad = dims.find((d) => !isDim(d))
  if (bad !== undefined) return { wrong: `has the size ${bad}, which is no size; ${EXPECTED}` }
  if (val.stride && val.stride.length !== val.shape.length)
    return { wrong: `has ${val.shape.length} sizes and ${val.stride.length} strides` }
  const rest = written.slice(written.lastIndexOf(']') + 1).trim()
  if (rest !== '' && !isDevice(rest)) return { wrong: `ends in ${rest}, which is no device; ${EXPECTED}` }
  return { val }
}

const EXPECTED = 'expected bf16[48, 256], with strides and device if wanted: bf16[48, 256][256, 1]cuda:0'

const isDtype = (name: string): boolean => DTYPES.has(name) || [...DTYPES].some((d) => dtypeAbbr(d) === name)
const isDim = (d: Dim): boolean => (typeof d === 'number' ? Number.isSafeInteger(d) && d >= 0 : DIM.test(d))
const isDevice = (text: string): boolean => {
  const match = /^([a-z_]+)(?::\d+)?$/.exec(text)
  return match !== null && DEVICE_TYPES.has(match[1]!)
}
