/**
 * Messages as data: plain text with the graph nodes, operators, source lines and code that it names. Readers render the
 * parts (links, marks) or print them; no code reads the text.
 */

export interface SourcePlace {
  file: string
  line: number
}

/** A string is plain text. `side: 'after'` is for nodes of the rewritten graph. A note is an aside in parentheses. */
export type MessagePart =
  | string
  | { node: string; side?: 'after' }
  | { operator: string }
  | { source: SourcePlace }
  | { code: string }
  | { note: string }

export type Message = readonly MessagePart[]

type Insert = MessagePart | Message | number

const isMessage = (value: Insert): value is Message => Array.isArray(value)

/** Template tag: literals are text, inserted messages are spliced in, adjacent texts are joined. */
export function message(texts: TemplateStringsArray, ...inserts: readonly Insert[]): Message {
  const parts: MessagePart[] = []
  texts.forEach((text, i) => {
    add(parts, text)
    const insert = inserts[i]
    if (insert === undefined) return
    for (const part of isMessage(insert) ? insert : [typeof insert === 'number' ? String(insert) : insert])
      add(parts, part)
  })
  return parts
}

function add(parts: MessagePart[], part: MessagePart): void {
  const last = parts.at(-1)
  if (part === '') return
  if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
  else parts.push(part)
}

export const node = (name: string): MessagePart => ({ node: name })
export const nodeAfter = (name: string): MessagePart => ({ node: name, side: 'after' })
export const operator = (name: string): MessagePart => ({ operator: name })
export const code = (text: string): MessagePart => ({ code: text })

/** The text of a message, used by the command line and in JSON. */
export const plainText = (parts: Message): string => parts.map(partText).join('')

/** A message with its text; findings contain both. */
export const worded = (parts: Message): { parts: Message; sentence: string } => ({ parts, sentence: plainText(parts) })

export function partText(part: MessagePart): string {
  if (typeof part === 'string') return part
  if ('node' in part) return part.node
  if ('operator' in part) return part.operator
  if ('source' in part) return `${part.source.file}:${part.source.line}`
  if ('code' in part) return part.code
  return ` (${part.note})`
}

/** Joins messages: `a`, `a and b`, `a, b and c`; more than `most` end in a count. */
export function listedParts(items: readonly (MessagePart | Message)[], most = 4): Message {
  const rest = items.length > most ? items.length - most + 1 : 0
  const shown: (MessagePart | Message)[] = rest > 0 ? [...items.slice(0, most - 1), `${rest} more`] : [...items]
  return shown.reduce<Message>(
    (all, item, i) =>
      i === 0 ? message`${item}` : i === shown.length - 1 ? message`${all} and ${item}` : message`${all}, ${item}`,
    [],
  )
}

/** A message joined by a separator. */
export const joinedParts = (items: readonly Message[], separator: string): Message =>
  items.reduce<Message>((all, item, i) => (i === 0 ? item : message`${all}${separator}${item}`), [])

/** The message with a capital first letter, unless it begins with a name. */
export function capitalized(parts: Message): Message {
  const [first, ...rest] = parts
  return typeof first === 'string' && first !== '' ? [first[0]!.toUpperCase() + first.slice(1), ...rest] : parts
}

/** The message with the nodes renamed, for the same finding elsewhere in the graph. */
export const renamedNodes = (parts: Message, names: ReadonlyMap<string, string>): Message =>
  parts.map((p) => (typeof p !== 'string' && 'node' in p ? { ...p, node: names.get(p.node) ?? p.node } : p))

/** The text without the nodes' numbers: equal for findings in equal layers. */
export const layerlessText = (parts: Message): string =>
  parts.map((p) => (typeof p !== 'string' && 'node' in p ? p.node.replace(/_\d+$/, '') : partText(p))).join('')

export const withoutNotes = (parts: Message): Message => parts.filter((p) => typeof p === 'string' || !('note' in p))
