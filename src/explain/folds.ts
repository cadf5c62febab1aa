/** Order and messages of the near misses that the alignment found. */
import { isUnshaped, withMessage, type NearMissFold } from './near_misses'

/** "2 places where 7 of 9 nodes align: …", with the first cause. */
export function withAlignedMessage(f: NearMissFold): NearMissFold {
  const places = f.count === 1 ? '1 place' : `${f.count} places`
  return withMessage(
    f,
    `${places} where ${f.score} of ${f.of} nodes align: `,
    f.causes?.[0]?.parts ?? ['no cause found'],
  )
}

/** Nearest first: most nodes aligned, then fewest causes, then most anchors. */
export function sorted(folds: readonly NearMissFold[]): NearMissFold[] {
  const share = (f: NearMissFold): number => (f.of ? (f.score ?? 0) / f.of : 0.5)
  return [...folds].sort(
    (a, b) =>
      Number(a.taken) - Number(b.taken) ||
      Number(isUnshaped(b)) - Number(isUnshaped(a)) ||
      (a.differing ?? 0) - (b.differing ?? 0) ||
      share(b) - share(a) ||
      (a.causes?.length ?? 9) - (b.causes?.length ?? 9) ||
      b.count - a.count ||
      a.entry - b.entry,
  )
}
