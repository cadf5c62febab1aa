/** What the program's exit status means. */
export const DONE = 0
/** `--expect N` was not met. */
export const UNMET = 1
/** Bad input; one line on stderr says which file, where, and what was expected. */
export const BAD_INPUT = 2
