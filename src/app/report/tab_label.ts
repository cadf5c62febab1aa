/** Label of a tab: the file name, with as many parent folders as needed to be unique. */
export function tabLabel(name: string, all: readonly string[]): string {
  const parts = name.split('/')
  for (let n = 1; n < parts.length; n++) {
    const label = parts.slice(-n).join('/')
    // Every package has an __init__.py; the name alone is ambiguous.
    if (label === '__init__.py') continue
    if (!all.some((other) => other !== name && (other === label || other.endsWith(`/${label}`)))) return label
  }
  return name
}
