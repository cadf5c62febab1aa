/** Classifies a dropped, opened or pasted text as graph, Python, snapshot or unusable, by content, never by name. */

import { isCapture } from '../../engine/capture/read'
import { isTorchTrace, textKind } from '../../engine/dumps'
import { isClassPage } from '../../workspace/class_page'

export type Dropped =
  /** `patterns`: the Python beside the graph that registers patterns. */
  | { kind: 'graph'; text: string; patterns: string | null }
  | { kind: 'python'; text: string }
  | { kind: 'kernel'; text: string }
  | { kind: 'snapshot'; text: string }
  | { kind: 'capture'; text: string }
  | { kind: 'class'; text: string }
  | { kind: 'unusable'; message: string }

/** Maximum length of a text, in characters; a graph of 10,000 nodes is about 3 million. */
export const LARGEST = 64 * 1024 * 1024

/** WGSL with an entry point. */
const KERNEL = /^[ \t]*@compute\b/m

export function sniff(text: string, name = 'the file'): Dropped {
  if (/^#v\d+\./.test(text) || /^\s*\{\s*"v"\s*:\s*\d+\s*,\s*"workspace"/.test(text)) return { kind: 'snapshot', text }
  if (isClassPage(text)) return { kind: 'class', text }
  if (text.includes('\u0000'))
    return {
      kind: 'unusable',
      message: `${name} is a binary file. Drop the text of print(graph) or fx_graph_readable.py, or a Python file.`,
    }
  if (text.length > LARGEST)
    return {
      kind: 'unusable',
      message: `${name} has ${Math.round(text.length / 1048576)} MiB of text; at most ${LARGEST / 1048576} MiB can be read.`,
    }
  if (isCapture(text)) return { kind: 'capture', text }
  if (text.trim() === '') return { kind: 'unusable', message: `${name} is empty.` }
  if (isTorchTrace(text) || /^\s*[[{]/.test(text)) return { kind: 'graph', text, patterns: null }
  if (KERNEL.test(text)) return { kind: 'kernel', text }
  const { kind, patterns } = textKind(text)
  return kind === 'python' ? { kind, text: patterns ?? text } : { kind, text, patterns }
}
