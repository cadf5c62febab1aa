/** Counts, lists and sizes in English, for sentences. */

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

/** Three significant figures. */
export function figures(x: number): string {
  if (x === 0 || !Number.isFinite(x)) return `${x}`
  // Round first: 0.9999 is 1.00, not 1.000.
  const rounded = Number(x.toPrecision(3))
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(rounded))))
  return digits > 8 ? x.toExponential(2) : x.toFixed(digits)
}

/** `999 B`, `3.14 MB`: powers of ten, as bandwidths are given. */
export function bytesText(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let at = 0
  let value = n
  while (value >= 999.5 && at < units.length - 1) {
    value /= 1000
    at++
  }
  return at === 0 ? `${n} B` : `${figures(value)} ${units[at]}`
}
