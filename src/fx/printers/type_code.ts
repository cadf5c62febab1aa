/** A type annotation of a graph's text in the form of the module's code, in which a name with a dot is a global of another name. */
export function typeCode(text: string): string {
  const union = parts(text, ' | ')
  if (union.length > 1) return `typing_Union[${union.map(typeCode).join(',')}]`
  if (text === 'None') return 'NoneType'
  const [, outer, inner] = /^([\w.]+)\[(.*)\]$/.exec(text) ?? []
  if (outer === undefined || inner === undefined) return text.replace(/^typing\./, 'typing_')
  const items = parts(inner, ', ').map(typeCode)
  if (outer === 'typing.Optional') return `typing_Union[${items[0]},NoneType]`
  return `${outer.replace(/^typing\./, 'typing_')}[${items.join(',')}]`
}

/** Split outside of brackets. */
function parts(text: string, by: string): string[] {
  let depth = 0
  let start = 0
  const found: string[] = []
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '[') depth++
    if (text[i] === ']') depth--
    if (depth > 0 || !text.startsWith(by, i)) continue
    found.push(text.slice(start, i))
    start = i + by.length
  }
  return [...found, text.slice(start)]
}
