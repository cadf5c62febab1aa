/** Counts and lists in English, for sentences. */

/** `1,552`. toLocaleString is not used: its first call loads tables for 80 ms before the page is drawn. */
export const thousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1 match`, `1,552 matches`. */
export const count = (n: number, one: string, many = `${one}s`): string => `${thousands(n)} ${n === 1 ? one : many}`

/** `none`, `a`, `a and b`, `a, b and c`; of more than `most` names, `a, b, c and 7 more`. */
export function listed(names: readonly string[], most = 4): string {
  const shown = names.length > most ? [...names.slice(0, most - 1), `${names.length - most + 1} more`] : [...names]
  const last = shown.pop() ?? 'none'
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`
}
