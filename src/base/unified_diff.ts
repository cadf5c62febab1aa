/** A readable difference between two texts. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'

/** A unified diff with two lines of context; empty if the texts are equal. */
export const unifiedDiff = (name: string, before: string, after: string): string =>
  before === after
    ? ''
    : createTwoFilesPatch(name, name, before, after, undefined, undefined, {
        context: 2,
        headerOptions: FILE_HEADERS_ONLY,
      })
