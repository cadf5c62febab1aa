/** Classifies a dropped, opened or pasted text as graph, Python, snapshot or unusable, by content, never by name. */

import { isCapture } from '../../../engine/capture/read'
import { isTorchTrace, read } from '../../../engine/dumps'
import { isClassPage } from '../../../workspace/class_page'

export type Dropped =
  | { kind: 'graph'; text: string }
  | { kind: 'python'; text: string }
  | { kind: 'kernel'; text: string }
  | { kind: 'snapshot'; text: string }
  | { kind: 'capture'; text: string }
  | { kind: 'class'; text: string }
  | { kind: 'unusable'; message: string }

/** Maximum length of a text, in characters; a graph of 10,000 nodes is about 3 million. */
export const LARGEST = 64 * 1024 * 1024

const REGISTERS =
  /\bregister_replacement\b|\bPatternMatcherPass\b|\bregister_graph_pattern\b|\bregister_lowering_pattern\b/
/** print(graph): `graph():` or a node line. */
const PRINTED =
  /^[ \t]*graph\(.*\):[ \t]*$|^[ \t]*%\w+\s*:.*=\s*(placeholder|call_function|call_method|call_module|get_attr)\[/m
/** print_readable: a forward with annotated arguments or torch.ops calls. */
const READABLE = /^[ \t]*class\s+(<lambda>|[\w<>]+)\(torch\.nn\.Module\):[ \t]*$/m
const READABLE_BODY = /^[ \t]*def forward\(\s*self|torch\.ops\.\w+\.\w+|# File: |# No stacktrace found/m
/** WGSL with an entry point. */
const KERNEL = /^[ \t]*@compute\b/m
const PYTHON = /^[ \t]*(import |from \w[\w.]* import |def |class |@\w)/m

/** FX code without its class, output code with fragments and the like: Python that reads as a graph without problems. */
function isWholeGraph(text: string): boolean {
  if (text.length > 4_000_000 || !/torch\.ops\.|\[target=|^def forward\(self|^\s*opcode\b/m.test(text)) return false
  const { problems, candidates } = read(text, '')
  return candidates.length > 0 && problems.length === 0
}

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
  if (isTorchTrace(text) || /^\s*[[{]/.test(text)) return { kind: 'graph', text }
  if (KERNEL.test(text)) return { kind: 'kernel', text }
  if (PRINTED.test(text)) return { kind: 'graph', text }
  // A dump's `# File: … code: register_replacement(…)` comments are not code.
  if (REGISTERS.test(text.replace(/#.*$/gm, ''))) return { kind: 'python', text }
  if (READABLE.test(text) && READABLE_BODY.test(text)) return { kind: 'graph', text }
  if (PYTHON.test(text)) return { kind: isWholeGraph(text) ? 'graph' : 'python', text }
  return { kind: 'graph', text }
}
