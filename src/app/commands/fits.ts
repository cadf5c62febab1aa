const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter(Boolean)

/**
 * How well a command's title and id fit what was typed: each word typed has to begin one of theirs, and the sooner
 * theirs comes, the better. 0: not at all.
 */
export function fits(command: string, typed: string): number {
  const words = wordsOf(command)
  const found = wordsOf(typed).map((t) => words.findIndex((word) => word.startsWith(t)))
  return found.includes(-1) ? 0 : 1 / (1 + Math.min(...found, words.length))
}
