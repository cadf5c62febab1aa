/** The signature that `print(exported_program)` prints below the graph: the role of each input and output. */
import type { Graph } from '../graph/graph'
import type { SignatureEntry } from '../graph/node'

/** `b_mean: BUFFER target='bn.mean' persistent=True`. */
const LINE = /^\s*(\w+): ([A-Z_]+)(?: target='([^']*)')?(?: persistent=(True|False))?\s*$/
/** `InputSpec(kind=<InputKind.PARAMETER: 2>, arg=TensorArgument(name='p_w'), target='w', persistent=None)`, before PyTorch 2.7. */
const SPEC =
  /(Input|Output)Spec\(kind=<\w+\.([A-Z_]+): \d+>, ?arg=\w+\((?:name='(\w*)')?[^)]*\), ?target=(?:'([^']*)'|None)(?:, ?persistent=(\w+))?\)/g

/** The names of InputKind and OutputKind in PyTorch 2.14. */
const KINDS = new Set(
  (
    'USER_INPUT PARAMETER BUFFER CONSTANT_TENSOR CUSTOM_OBJ TOKEN USER_OUTPUT LOSS_OUTPUT BUFFER_MUTATION ' +
    'PARAMETER_MUTATION GRADIENT_TO_PARAMETER GRADIENT_TO_USER_INPUT USER_INPUT_MUTATION'
  ).split(' '),
)

interface Entry extends SignatureEntry {
  name: string
  output: boolean
}

/** Adds the signature that follows the graph in the text to its placeholders and output, if it fits them. */
export function readGraphSignature(graph: Graph, after: string): void {
  const at = after.indexOf('Graph signature:')
  if (at < 0) return
  const text = after.slice(at).split('Range constraints:')[0]!
  const entries = text.includes('InputSpec(') ? specs(text) : lines(text)
  const inputs = entries.filter((e) => !e.output)
  const outputs = entries.filter((e) => e.output)
  const placeholders = [...graph.nodes()].filter((n) => n.op === 'placeholder')
  if (entries.some((e) => !KINDS.has(e.kind)) || inputs.length !== placeholders.length) return
  if (inputs.some((e, i) => e.name !== placeholders[i]!.name)) return
  placeholders.forEach((node, i) => (node.meta.signature = [entryOf(inputs[i]!)]))
  const output = [...graph.nodes()].at(-1)
  if (output?.op === 'output' && outputs.length > 0) output.meta.signature = outputs.map(entryOf)
}

const entryOf = ({ kind, target, persistent }: Entry): SignatureEntry => ({ kind, target, persistent })

function lines(text: string): Entry[] {
  const all = text.split('\n')
  const outputs = all.findIndex((l) => l.trim() === '# outputs')
  return all.flatMap((line, i) => {
    const [, name, kind, target, persistent] = LINE.exec(line) ?? []
    return name && kind ? [made(name, kind, target, persistent, outputs >= 0 && i > outputs)] : []
  })
}

const specs = (text: string): Entry[] =>
  [...text.replaceAll('\n', '').matchAll(SPEC)].map(([, of, kind, name, target, persistent]) =>
    made(name ?? '', kind!, target, persistent, of === 'Output'),
  )

const made = (
  name: string,
  kind: string,
  target: string | undefined,
  persistent: string | undefined,
  output: boolean,
): Entry => ({
  name,
  kind,
  target: target ?? null,
  persistent: persistent === 'True' ? true : persistent === 'False' ? false : null,
  output,
})
