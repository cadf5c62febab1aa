/**
 * Checks that a selection can be written as Python: the file may contain only literals, operators and checked names from the graph.
 */
import { formatPython, Node, targetToText, type Val } from '../../fx'
import { code, identifier, literal } from '../../fx/code/code'
import { targetCode } from '../../fx/code/targets'
import { annotationCode, deviceCall, valueCode, type ValueForms } from '../../fx/code/values'
import { argumentsOf } from './selection'
import type { SelectedNodes } from './types'

/** Symbols and nodes get names in the file; text that no reader understands has none. */
const FORMS: ValueForms = {
  node: () => code`x`,
  target: targetCode,
  size: literal,
  opaque: () => null,
  device: deviceCall,
  notFinite: () => code`x`,
}

/** The reason, one sentence; null if none of the graph's text would become code. */
export function dataOnly({ nodes, inputs }: SelectedNodes): string | null {
  for (const node of nodes) {
    if (!hasKnownTarget(node))
      return `%${node.name} calls ${shown(targetToText(node.target))}, which is neither an operator nor a function of PyTorch that a pattern can name: text of a graph never becomes code.`
    if (node.op === 'call_method' && !(node.args[0] instanceof Node))
      return `%${node.name} calls the method ${shown(node.target)} of no node: a pattern calls methods of nodes only.`
    for (const { path, arg } of argumentsOf(node)) {
      const place = typeof path === 'number' ? `argument ${path}` : shown(path)
      if (typeof path === 'string' && identifier(path) === null)
        return `%${node.name} has an argument named ${shown(path)}, which is not a name in Python.`
      if (valueCode(arg, FORMS) === null)
        return `%${node.name} has ${place} = ${shown(formatPython(arg))}, which Fusescope keeps as text and cannot read as a value: text of a graph never becomes code. Leave the node out, or write a value.`
    }
  }
  const odd = [...inputs.map((i) => i.node), ...nodes].find((n) => isOdd(n.meta.val))
  return odd
    ? `The metadata of %${odd.name} is not a dtype, sizes and a device that Fusescope can read, and text of a graph never becomes code.`
    : null
}

/** A scalar that is not a size, such as a comparison of symbols, is an input without code of its own (sizeCode). */
const isOdd = (val: Val | null | undefined): boolean =>
  val?.kind === 'vals' ? val.items.some(isOdd) : val?.kind === 'tensor' && annotationCode(val) === null

/** True for an operator, a function of the table and a method with a Python name. */
export const hasKnownTarget = ({ op, target }: Node): boolean =>
  op === 'call_function' ? targetCode(target) !== null : op === 'call_method' && identifier(target) !== null

const shown = (text: string): string => {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return /^\w[\w.]*$/.test(short) ? short : JSON.stringify(short)
}
