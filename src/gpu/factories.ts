/** Tensors of one value: what `full`, `zeros`, `ones` and their like hold. */

/** The position of the value among the arguments, for those that are given one. */
const GIVEN: Readonly<Record<string, number>> = { full: 1, full_like: 1, new_full: 2, scalar_tensor: 0 }
const FIXED: Readonly<Record<string, number>> = {
  zeros: 0,
  zeros_like: 0,
  new_zeros: 0,
  ones: 1,
  ones_like: 1,
  new_ones: 1,
}

/** The value an operator fills its result with; null when it is no such operator, or the value is no number. */
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
