/** Values of symbolic sizes that an environment specifies among its flags: `s72=1024`. */
export type SizeHints = ReadonlyMap<string, number>

export const sizeHintsOf = (flags: Readonly<Record<string, unknown>> = {}): SizeHints =>
  new Map(Object.entries(flags).filter((f): f is [string, number] => /^[su]\d+$/.test(f[0]) && Number.isInteger(f[1])))
