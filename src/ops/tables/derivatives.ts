/** Derivatives, by file. Made by scripts/make-tables.mjs; do not edit. */
import { DERIVATIVES as f0 } from '../aten/derivatives/activations'
import { DERIVATIVES as f1 } from '../aten/derivatives/double_backward'
import { DERIVATIVES as f2 } from '../aten/derivatives/elementwise'
import { DERIVATIVES as f3 } from '../aten/derivatives/pools'
import { DERIVATIVES as f4 } from '../aten/derivatives/products'
import { DERIVATIVES as f5 } from '../aten/derivatives/reductions'
import { DERIVATIVES as f6 } from '../aten/derivatives/scans'
import { DERIVATIVES as f7 } from '../aten/derivatives/special'
import { DERIVATIVES as f8 } from '../aten/derivatives/unsupported'
import { DERIVATIVES as f9 } from '../aten/derivatives/views'
import type { Derivatives } from '../derivative'

// prettier-ignore
export const DERIVATIVES: readonly (Derivatives)[] = [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9]
