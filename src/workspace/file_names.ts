/** `name`, or `name_2` and so on if the name is in use. */
export function freeName(name: string, taken: Iterable<string>): string {
  const used = new Set(taken)
  if (!used.has(name)) return name
  const dot = name.lastIndexOf('.')
  const [stem, ext] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let i = 2; ; i++) if (!used.has(`${stem}_${i}${ext}`)) return `${stem}_${i}${ext}`
}
