/** Options of a command line after splitting. */

/** Values by option; empty for a flag. */
export type Flags = ReadonlyMap<string, readonly string[]>

export const one = (flags: Flags, name: string): string | null => flags.get(name)?.[0] ?? null

/** The first of these options that is given. */
export const firstGiven = (flags: Flags, names: readonly string[]): string | undefined =>
  names.find((n) => flags.has(n))
