/** The values with which factories fill their results. */

/** Position of the fill value among the arguments, for factories that take one. */
const GIVEN: Readonly<Record<string, number>> = { full: 1, full_like: 1, new_full: 2, scalar_tensor: 0 }
const FIXED: Readonly<Record<string, number>> = {
  zeros: 0,
  zeros_like: 0,
  new_zeros: 0,
  ones: 1,
  ones_like: 1,
  new_ones: 1,
}

/** The value with which an operator fills its result; null for any other operator, or for a non-numeric value. */
export function fillOf(
  target: string,
  args: readonly unknown[],
  kwargs: Readonly<Record<string, unknown>>,
): number | null {
  const [ns, name] = target.split('.')
  if (ns !== 'aten' || !name) return null
  if (Object.hasOwn(FIXED, name)) return FIXED[name]!
  if (!Object.hasOwn(GIVEN, name)) return null
  const v = args[GIVEN[name]!] ?? kwargs['fill_value'] ?? kwargs['s']
  return typeof v === 'number' || typeof v === 'boolean' ? Number(v) : null
}
