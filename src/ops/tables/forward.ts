/** Forward derivatives, by file. Made by scripts/make-tables.mjs; do not edit. */
import { FORWARD as f0 } from '../aten/derivatives/forward'
import type { Forwards } from '../forward/forward_call'

// prettier-ignore
export const FORWARD: readonly (Forwards)[] = [f0]
