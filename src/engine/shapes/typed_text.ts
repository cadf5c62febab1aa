/** Text of a typed shape: `48, 256` and a dtype, or a whole annotation, and back. */
import { DTYPE_ABBR, dtypeAbbr, readTypedVal } from '../../fx'

/** Abbreviations of dtypes, as print_readable writes them. */
export const DTYPE_CHOICES: readonly string[] = Object.values(DTYPE_ABBR)

/** `torch.bfloat16`, `bfloat16` and `bf16` → `bf16`. */
export const shortDtype = (name: string): string => dtypeAbbr(name.replace(/^torch\./, ''))

/**
 * The annotation of a typed shape: `48, 256`, `48x256`, `[48, 256]` with `dtype`, `bf16[48, 256]` or `Sym(s72)` as they
 * are. `problem` is one sentence; an empty text gives neither.
 */
export function annotationOf(shape: string, dtype: string): { text: string } | { problem: string } | null {
  const written = shape.trim()
  if (written === '') return null
  const text = whole(written) ? written : dtype + bracketed(written)
  const read = readTypedVal(text)
  return 'wrong' in read ? { problem: `“${written}” ${read.wrong}.` } : { text }
}

/** The dtype and the rest of an annotation; a scalar has no dtype. */
export function partsOf(annotation: string): { dtype: string | null; shape: string } {
  const match = /^([a-z]\w*)(\[.*)$/.exec(annotation.trim())
  return match ? { dtype: match[1]!, shape: match[2]! } : { dtype: null, shape: annotation }
}

const whole = (text: string): boolean => /^(?:Sym\(|[a-z][\w.]*\[)/.test(text)

const bracketed = (text: string): string =>
  text.startsWith('[') ? text : `[${text.replace(/(\d)\s*[x×]\s*(?=\d)/g, '$1, ').replace(/(\w)\s+(?=\w)/g, '$1, ')}]`
