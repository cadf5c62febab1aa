/**
 * Selects the symbolic sizes of a re-trace's inputs that become inputs themselves: each one that is provably unequal to
 * all before it. Two independent symbols are not provably unequal, so the second is omitted, as in PyTorch.
 */
import type { Dim, TensorMeta } from '../../fx'
import { sameDim } from '../../ops/sym'
import { parseSym, provablyUnequal } from '../../fx/sym'

/** @param byProof false: before PyTorch 2.13 hints decide, and different symbols have different hints */
export function symArgsOf(tensors: readonly TensorMeta[], byProof = true): string[] {
  const found: string[] = []
  for (const t of tensors)
    for (const v of [...t.shape, ...(t.stride ?? [])])
      if (isSymbolic(v) && found.every((a) => (byProof ? neverEqual(v, a) : !sameDim(v, a)))) found.push(v)
  return found
}

const isSymbolic = (d: Dim): d is string => typeof d === 'string' && !/^-?\d+$/.test(d)

/** True if the sizes differ for all values of their symbols: backed ones (`s7`) are at least 2, unbacked ones (`u0`) may be 0. */
export function neverEqual(a: string, b: string): boolean {
  const [x, y] = [parseSym(a), parseSym(b)]
  return x !== null && y !== null && provablyUnequal(x, y)
}
