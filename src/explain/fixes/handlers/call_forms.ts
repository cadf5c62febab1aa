/** A call of CallFunction(…) in the form that the graph has: another function, or a method. */
import type { Node } from '../../../fx'
import { targetCode } from '../../../fx/code/targets'
import { bareName, hasForms } from '../../reasons/operators'
import { inserted, replaced } from '../candidates/types'
import type { Change } from '../change'
import { listField, nodeField, objectOf, textField, type SyntaxFile } from '../syntax'
import { importedToo, source, targetText, type WrittenCall } from './written_calls'

/** What to write for the target, and the edits, with an import where the file lacks it; null where the form has no code. */
export function inGraphForm(call: WrittenCall, node: Node): { text: string; changes: Change[] } | null {
  const { at, target } = call
  const place = { ...at, node: target }
  if (node.op === 'call_method') {
    const [callee, module] = [nodeField(at.node, 'func')!, objectOf(at.node)]
    const also = module ? [] : importedToo(at.file, 'CallMethod')
    if (also === null || !/^[A-Za-z_]\w*$/.test(node.target)) return null
    const name = module ? `${at.file.source(module)}.CallMethod` : 'CallMethod'
    const changes = [replaced({ ...at, node: callee }, name), replaced(place, `"${node.target}"`), ...also]
    return { text: `the method ${node.target}`, changes }
  }
  const text = targetText(call, node.target) ?? targetCode(node.target)
  const also = text === null ? null : moduleImported(at.file, text.split('.')[0]!)
  return text === null || also === null ? null : { text, changes: [replaced(place, text), ...also] }
}

/** A node of the graph for each form in which it calls the function that the pattern's root calls. */
export function rootForms(call: WrittenCall, nodes: readonly Node[]): Node[] {
  const name = bareName(source(call, call.target))
  const forms = nodes.filter((n) => hasForms(n) && bareName(n.target) === name)
  return [...new Map(forms.map((n) => [`${n.op} ${n.target}`, n])).values()]
}

/** The edit that imports a module of Python, or of PyTorch; none if the file has its name. */
function moduleImported(file: SyntaxFile, module: string): Change[] | null {
  const names = [...file.of('Import'), ...file.of('ImportFrom')].flatMap((n) => listField(n, 'names'))
  if (names.some((a) => (textField(a, 'asname') ?? textField(a, 'name')) === module)) return []
  const first = [...file.of('Import'), ...file.of('ImportFrom')].sort((a, b) => a.from - b.from)[0]
  const isKnown = module === 'operator' || module === 'torch'
  // Names of the file itself (`aten`) are in its own notation.
  if (!isKnown) return []
  return first?.parent?.type === 'Module' ? [inserted(file, first.from, `import ${module}\n`)] : null
}
