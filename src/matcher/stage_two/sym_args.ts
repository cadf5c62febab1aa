/**
 * Selects the symbolic sizes of a re-trace's inputs that become inputs themselves: each one that is provably unequal to
 * all before it. Two independent symbols are not provably unequal, so the second is omitted, as in PyTorch.
 */
import type { Dim, TensorMeta } from '../../fx'
import { parseSym, provablyUnequal } from '../../fx/sym'

export function symArgsOf(tensors: readonly TensorMeta[]): string[] {
  const found: string[] = []
  for (const t of tensors)
    for (const v of [...t.shape, ...(t.stride ?? [])])
      if (isSymbolic(v) && found.every((a) => neverEqual(v, a))) found.push(v)
  return found
}

const isSymbolic = (d: Dim): d is string => typeof d === 'string' && !/^-?\d+$/.test(d)

/** True if the sizes differ for all values of their symbols: backed ones (`s7`) are at least 2, unbacked ones (`u0`) may be 0. */
export function neverEqual(a: string, b: string): boolean {
  const [x, y] = [parseSym(a), parseSym(b)]
  return x !== null && y !== null && provablyUnequal(x, y)
}
