/** What a tab shows: the file's own name, with as many folders before it as tell it from the others. */
export function tabLabel(name: string, all: readonly string[]): string {
  const parts = name.split('/')
  for (let n = 1; n < parts.length; n++) {
    const label = parts.slice(-n).join('/')
    // Every package has its __init__.py; that name alone says nothing.
    if (label === '__init__.py') continue
    if (!all.some((other) => other !== name && (other === label || other.endsWith(`/${label}`)))) return label
  }
  return name
}
