/**
 * Tells which calls of a graph Python makes: torch functions, operators and methods that compute tensors. A graph may come from a
 * stranger, and its shapes are computed before the user is asked: its text must never lead to other code.
 */
import { isKind } from '../../fx'
import { isKnownFunction } from '../../fx/code/functions'
import { itemsOf, type DispatchArg } from '../fake'
import { catalogOverloads } from '../schema'

/** Functions that Dynamo leaves in a graph besides those that compute. */
const OTHERS: ReadonlySet<string> = new Set([
  'torch._assert',
  'torch.manual_seed',
  'torch.random.manual_seed',
  'torch.amp.autocast_mode._enter_autocast',
  'torch.amp.autocast_mode._exit_autocast',
  'torch.fx._symbolic_trace._assert_is_none',
  'torch._C._log_api_usage_once',
])

/**
 * @param target `torch.rsqrt`, `operator.add`, or `.pow`, a method of the first argument
 * @param named keyword arguments: an operator among them would be called, as by max(key=…)
 */
export function isTensorCall(
  target: string,
  args: readonly DispatchArg[],
  named: ReadonlyMap<string, DispatchArg> = new Map(),
): boolean {
  const [first, second] = args
  if (holdsOperator([...args, ...named.values()])) return false
  if (target.startsWith('.')) return isMethod(target.slice(1), first)
  const name = target.replace(/^_operator\./, 'operator.')
  if (isKnownFunction(name) || OTHERS.has(name)) return true
  if (name === 'builtins.getattr') return typeof second === 'string' && isPublic(second)
  const [, module, member = ''] = /^(torch(?:\.\w+)?)\.(\w+)$/.exec(name) ?? []
  if (module === 'torch') return isOperator(member)
  if (module === 'torch.Tensor') return isMethod(member, first)
  return /^torch\.(?:linalg|special|fft)$/.test(module ?? '') && isPublic(member)
}

const holdsOperator = (values: readonly DispatchArg[]): boolean =>
  values.some((v) => isKind(v, 'op') || holdsOperator(itemsOf(v) ?? []))

const isPublic = (name: string): boolean => /^[A-Za-z]\w*$/.test(name)
const isOperator = (name: string): boolean => catalogOverloads(`aten.${name}`).length > 0

/** `pow`, `__radd__`, `_conj`. Every object has methods such as `__reduce_ex__`, which lead out of the tensor, and str has format. */
function isMethod(name: string, of: DispatchArg | undefined): boolean {
  if (typeof of === 'string' || isKind(of, 'op')) return false
  const [, special] = /^__[ri]?(\w+)__$/.exec(name) ?? []
  if (special === undefined) return isPublic(name) || isOperator(name)
  return [name.slice(2, -2), special, `${special}_`].some((n) => isKnownFunction(`operator.${n}`))
}
