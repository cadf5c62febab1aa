/** Codes the strings that rows refer to: by their index in the vocabulary, or as texts. */
import { CodeError } from './range_coder'
import type { Numbers } from './numbers'
import type { Texts } from './texts'
import { VOCABULARY } from './vocabulary'

const SLOT = { count: 2, listed: 3, index: 4 } as const
/** Kind of text of these strings. */
export const STRING_TEXT = 0
const MAX_STRINGS = 1 << 18

const indices = new Map(VOCABULARY.map((text, i) => [text, i]))

export function codeStrings(numbers: Numbers, texts: Texts, list: readonly string[]): string[] {
  const count = numbers.uint(SLOT.count, [], list.length)
  if (count > MAX_STRINGS) throw new CodeError(`${count} strings`)
  const result: string[] = []
  let before = 1
  for (let i = 0; i < count; i++) {
    const text = list[i] ?? ''
    const at = indices.get(text) ?? -1
    const listed = numbers.flag(SLOT.listed, [before & 1, before & 15], at >= 0)
    before = (before << 1) | (listed ? 1 : 0)
    if (!listed) result.push(texts.text(STRING_TEXT, text))
    else {
      const found = VOCABULARY[numbers.uint(SLOT.index, [], at)]
      if (found === undefined) throw new CodeError('a word that the vocabulary lacks')
      result.push(found)
    }
  }
  return result
}
