const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter(Boolean)

/**
 * Scores a command's title and id against the query: each query word must be a prefix of one of their words; earlier
 * words score higher. 0: no match.
 */
export function fits(command: string, typed: string): number {
  const words = wordsOf(command)
  const found = wordsOf(typed).map((t) => words.findIndex((word) => word.startsWith(t)))
  return found.includes(-1) ? 0 : 1 / (1 + Math.min(...found, words.length))
}
