/** Batching rules, by file. Made by scripts/make-tables.mjs; do not edit. */
import { BATCHING as f0 } from '../aten/batching/elementwise'
import { BATCHING as f1 } from '../aten/batching/indexing'
import { BATCHING as f2 } from '../aten/batching/products'
import { BATCHING as f3 } from '../aten/batching/shapes'
import type { Batching } from '../batched_call'

// prettier-ignore
export const BATCHING: readonly (Batching)[] = [f0, f1, f2, f3]
