/** A snapshot as a document: src/compact codes its texts separately from the rest. */
import type { Document, Json } from '../compact'

/** The fields whose objects are files: `{ name, text }`. */
const HOLDERS: ReadonlySet<string> = new Set(['graph', 'shapes', 'graphs', 'files'])

/** Takes the texts of graphs and files out and puts their indices in their place. */
export function documentOf(snapshot: object): Document {
  const texts: string[] = []
  const json = mapTexts(snapshot as Json, (text) => (typeof text === 'string' ? texts.push(text) - 1 : text))
  return { json, texts }
}

/** The inverse of documentOf. Its result is untrusted: the schema parses it. */
export function snapshotOf({ json, texts }: Document): unknown {
  return mapTexts(json, (index) => (typeof index === 'number' ? (texts[index] ?? null) : index))
}

function mapTexts(value: Json, change: (text: Json) => Json, holder = ''): Json {
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, change, holder))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as Record<string, Json | undefined>)
  // fromEntries, unlike an assignment, cannot set a prototype.
  return Object.fromEntries(
    entries.flatMap(([key, item]) => {
      if (item === undefined) return []
      return [[key, key === 'text' && HOLDERS.has(holder) ? change(item) : mapTexts(item, change, key)]]
    }),
  ) as Json
}
