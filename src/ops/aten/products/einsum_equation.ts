/** The equation of einsum: its labels, and PyTorch's checks of them (aten/src/ATen/native/Linear.cpp). */
import { type FakeTensor, rankOf } from '../../fake'
import { runtimeError } from '../../torch_error'

export interface Equation {
  /** Labels of each operand; `.` stands for the ellipsis. */
  readonly inputs: readonly string[][]
  readonly output: readonly string[]
}

/** @param owner `operand 0`, or `output` */
function ellipsisAt(text: string, at: number, owner: string): void {
  if (text.startsWith('...', at)) return
  throw runtimeError(
    `einsum(): found '.' for ${owner} that is not part of any ellipsis${owner === 'output' ? ' (...)' : ''}`,
  )
}

function checkLabel(label: string, at: number): void {
  if (!/[a-zA-Z]/.test(label))
    throw runtimeError(
      `einsum(): invalid subscript given at index ${at} in the equation string, subscripts must be in [a-zA-Z]`,
    )
}

function parseInputs(text: string, operands: number): string[][] {
  const inputs: string[][] = [[]]
  for (let i = 0; i < text.length; i++) {
    const own = inputs.at(-1)!
    const label = text[i]!
    if (label === ' ') continue
    if (label === ',') {
      if (inputs.length === operands)
        throw runtimeError('einsum(): fewer operands were provided than specified in the equation')
      inputs.push([])
    } else if (label === '.') {
      const owner = `operand ${inputs.length - 1}`
      if (own.includes('.'))
        throw runtimeError(`einsum(): found '.' for ${owner} for which an ellipsis was already found`)
      ellipsisAt(text, i, owner)
      own.push('.')
      i += 2
    } else {
      checkLabel(label, i)
      own.push(label)
    }
  }
  if (inputs.length !== operands)
    throw runtimeError('einsum(): more operands were provided than specified in the equation')
  return inputs
}

/** @param offset where the output begins in the equation */
function parseOutput(text: string, offset: number, all: readonly string[]): string[] {
  const output: string[] = []
  for (let i = 0; i < text.length; i++) {
    const label = text[i]!
    if (label === ' ') continue
    if (label === '.') {
      if (output.includes('.'))
        throw runtimeError("einsum(): found '.' for output but an ellipsis (...) was already found")
      ellipsisAt(text, i, 'output')
      i += 2
    } else {
      checkLabel(label, offset + i)
      if (output.includes(label) || !all.includes(label))
        throw runtimeError(
          `einsum(): output subscript ${label} ` +
            (output.includes(label)
              ? 'appears more than once in the output'
              : 'does not appear in the equation for any input operand'),
        )
    }
    output.push(label)
  }
  return output
}

/** @throws TorchError RuntimeError for an equation that does not fit the operands */
export function parse(equation: string, operands: readonly FakeTensor[]): Equation {
  const arrow = equation.indexOf('->')
  const left = arrow < 0 ? equation : equation.slice(0, arrow)
  const inputs = parseInputs(left, operands.length)
  checkRanks(inputs, operands)
  const all = inputs.flat()
  if (arrow >= 0) return { inputs, output: parseOutput(equation.slice(arrow + 2), arrow + 2, all) }
  const once = [...new Set(all)].filter((l) => l !== '.' && all.filter((m) => m === l).length === 1).sort()
  return { inputs, output: ['.', ...once] }
}

function checkRanks(inputs: Equation['inputs'], operands: readonly FakeTensor[]): void {
  for (const [i, labels] of inputs.entries()) {
    const named = labels.filter((l) => l !== '.').length
    const rank = rankOf(operands[i]!)
    const ellipsis = labels.includes('.')
    if (ellipsis ? named > rank : named !== rank)
      throw runtimeError(
        `einsum(): the number of subscripts in the equation (${named}) ` +
          `${named < rank ? 'does not match' : 'is more than'} the number of dimensions ` +
          `(${rank}) for operand ${i}${ellipsis ? '' : ' and no ellipsis was given'}`,
      )
  }
}
