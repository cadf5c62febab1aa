/** Arguments of nodes as Python source. */
import { hiddenEscaped } from '../../base/escapes'
import { commandsEscaped } from '../../base/runner_commands'
import { formatDevice, formatPython, Node, type Arg } from '../../fx'
import { calleeCode } from '../export/graph_code'

/**
 * @param leaf source of a node or a constant; null for the default
 * @returns null if the argument holds text without a meaning in Python
 */
export function pythonArg(arg: Arg, leaf: (value: Arg) => string | null): string {
  const own = leaf(arg)
  if (own !== null) return own
  if (typeof arg === 'number' && !Number.isFinite(arg))
    return Number.isNaN(arg) ? 'float("nan")' : `float("${arg < 0 ? '-' : ''}inf")`
  if (typeof arg === 'string') return quoted(arg)
  if (typeof arg !== 'object' || arg === null) return formatPython(arg)
  if (arg instanceof Node) return arg.name
  if (Array.isArray(arg)) return `[${(arg as readonly Arg[]).map((a) => pythonArg(a, leaf)).join(', ')}]`
  if (!('kind' in arg)) return formatPython(arg)
  switch (arg.kind) {
    case 'tuple': {
      const items = arg.items.map((a) => pythonArg(a, leaf))
      return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`
    }
    case 'dict':
      return `{${[...arg.entries].map(([k, v]) => `${formatPython(k)}: ${pythonArg(v, leaf)}`).join(', ')}}`
    case 'slice':
      return `slice(${[arg.start, arg.stop, arg.step].map((a) => pythonArg(a, leaf)).join(', ')})`
    case 'device':
      return `torch.device("${formatDevice(arg)}")`
    case 'op':
      return calleeCode(arg.name)
    default:
      return formatPython(arg)
  }
}

/** A string as Python formatters write it. */
export const quoted = (text: string): string =>
  commandsEscaped(
    JSON.stringify(text).replace(
      /[\p{C}\p{Zl}\p{Zp}]/gu,
      (c) => `\\U${c.codePointAt(0)!.toString(16).padStart(8, '0')}`,
    ),
    hiddenEscaped,
  )

/** The function of a call_function, by its documented PyTorch name if graphs use another name. */
export function functionCode(target: string): string {
  const wrapped = /^higher_order\.(auto_functionalized(?:_v2)?)$/.exec(target)
  if (wrapped) return wrapped[1]!
  const native = /^torch\._C\._nn\.(\w+)$/.exec(target)
  if (native) return `torch.nn.functional.${native[1] === 'log_sigmoid' ? 'logsigmoid' : native[1]!}`
  return calleeCode(target).replace(/^torch\.functional\./, 'torch.')
}
