/** Exit statuses. */
export const DONE = 0
/** `--expect N` was not met, or a test failed. */
export const UNMET = 1
/** Bad input: one line on stderr says which file, where, and what was expected. Also used if output could not be written. */
export const BAD_INPUT = 2
/** User code was stopped: it ran longer than `--timeout`, crashed Python or used up the memory. */
export const STOPPED = 3
/** An error of Fusescope itself. */
export const FAILED = 4
