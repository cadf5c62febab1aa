/** Takes the tokens of a row in order: numbers, or, below 0, the ids of strings. */
import { CodeError } from './range_coder'

/** More items than this at one place mean that the code is damaged. */
const MAX_ITEMS = 1 << 16

export class RowCursor {
  private at = 0

  constructor(
    private readonly row: readonly number[],
    private readonly strings: readonly string[],
  ) {}

  /** Throws unless every token was taken. */
  end(): void {
    if (this.at !== this.row.length) throw new CodeError('a row that is too long')
  }

  next(): number {
    const token = this.row[this.at++]
    if (token === undefined) throw new CodeError('a row that is too short')
    return token
  }

  uint(): number {
    const token = this.next()
    if (token < 0) throw new CodeError('a string in place of a number')
    return token
  }

  /** A number of items. */
  count(): number {
    const n = this.uint()
    if (n > MAX_ITEMS) throw new CodeError(`${n} items`)
    return n
  }

  /** Undefined for the number 0. */
  optional(): string | undefined {
    const token = this.next()
    if (token === 0) return undefined
    const text = this.strings[-1 - token]
    if (text === undefined) throw new CodeError('a string that does not exist')
    return text
  }

  string(): string {
    const text = this.optional()
    if (text === undefined) throw new CodeError('a number in place of a string')
    return text
  }

  /** A number, or a string. */
  either(): number | string {
    const token = this.next()
    if (token >= 0) return token
    const text = this.strings[-1 - token]
    if (text === undefined) throw new CodeError('a string that does not exist')
    return text
  }
}
