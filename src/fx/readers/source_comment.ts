/** Reads the comments of print_readable: `# File: …/modeling_llama.py:64 in forward, code: x = x.to(torch.float32)`. */
import { orElse } from '../../base/or_else'
import { parseAdditional, plainValue } from '../meta_text'
import type { NodeMeta, SourceRef } from '../graph/node'
import { PythonValues } from './python_value'
import { ScanError } from './scan'

/** Metadata that a comment assigns to the nodes below it. */
export type CommentMeta = Pick<NodeMeta, 'source' | 'custom' | 'additional'>

/** The meta in a comment's text; null if the comment does not describe nodes. */
export function parseComment(comment: string): CommentMeta | null {
  const file = comment.indexOf('File: ')
  const none = comment.indexOf('No stacktrace found for following nodes')
  if (file < 0 && none < 0) return null
  const head = comment.slice(0, none >= 0 ? none : file)
  const custom = parseAnnotation(head)
  const additional = parseAdditional(head)
  const source = none >= 0 ? undefined : parseSource(comment.slice(file + 'File: '.length))
  return { ...(source && { source }), ...(custom && { custom }), ...(additional && { additional }) }
}

function parseSource(text: string): SourceRef | undefined {
  const codeAt = text.indexOf(', code: ')
  const head = codeAt < 0 ? text : text.slice(0, codeAt)
  const fnAt = head.lastIndexOf(' in ')
  const place = fnAt < 0 ? head : head.slice(0, fnAt)
  const colon = place.lastIndexOf(':')
  const line = Number(place.slice(colon + 1))
  if (colon < 0 || !Number.isInteger(line)) return undefined
  return {
    file: place.slice(0, colon),
    line,
    ...(fnAt >= 0 && { fn: head.slice(fnAt + 4) }),
    ...(codeAt >= 0 && { code: text.slice(codeAt + ', code: '.length).trimEnd() }),
  }
}

/** `Annotation: {'stream': 1}`: node.meta["custom"]. */
function parseAnnotation(text: string): Readonly<Record<string, unknown>> | undefined {
  const at = text.indexOf('Annotation: {')
  if (at < 0) return undefined
  const values = new PythonValues(text, at + 'Annotation: '.length, text.length, () => undefined)
  const value = orElse(() => values.primary(), undefined, ScanError)
  return value === undefined ? undefined : (plainValue(value) as Record<string, unknown>)
}
