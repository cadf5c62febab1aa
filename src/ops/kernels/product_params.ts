/** Parameters that the products of quantized matrices share. */
import type { Param } from '../kernel'
import type { ProductNames } from './scaled_mm'

export const BIAS: Param = { name: 'bias', kind: 'in', optional: true }

export const rows = (name: string): Param => ({ name, kind: 'in', rows: true })

export const matrix = (name: string): Param => ({ name, kind: 'in' })

export const scale = (name: string, ...aliases: string[]): Param => ({ name, kind: 'in', sample: 'scale', aliases })

export const attr = (name: string, value: Param['default'] = null): Param => ({ name, kind: 'attr', default: value })

export const RESULT: Param = { name: 'result', kind: 'out', dtype: 'bfloat16' }

export const fixed = (names: ProductNames) => (): ProductNames => names
