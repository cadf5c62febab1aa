/** Calls that may read or write a file where a written pattern runs: registering one calls its operators, on tensors with data. */
import { operatorOf } from '../graph/calls'
import { Node, type Arg } from '../graph/node'
import { isKind } from '../value'

/** `aten.from_file`, `image.write_file`, `aten.save`; Inductor's views, which check no bounds; assembly that runs on a GPU. */
const NAME = /(?:^|_)(?:files?|save|load|dump)(?:_|$)|^_(?:reinterpret_tensor|alloc_from_pool)$|^inline_asm/
/** Their strings are words of PyTorch: modes, equations, sentences of assertions. */
const OWN = /^(?:aten|prims)\./
const PATH = /[/\\]/

/** True for an operator with such a name, also one that a higher-order operator calls, and for one of another library that gets a path. */
export function mayTouchFiles(node: Node): boolean {
  if (node.op !== 'call_function') return false
  const operator = operatorOf(node)
  const isOwn = OWN.test(operator)
  const mayTouch = (arg: Arg): boolean => (typeof arg === 'string' ? !isOwn && PATH.test(arg) : isNamed(arg))
  return NAME.test(nameOf(operator)) || [...node.args, ...node.kwargs.values()].some((arg) => holds(arg, mayTouch))
}

const nameOf = (operator: string): string => operator.split('.')[1] ?? ''

/** `with_effects(token, image.write_file.default, "x", data)` */
const isNamed = (arg: Arg): boolean => isKind(arg, 'op') && NAME.test(nameOf(arg.name))

function holds(arg: Arg, is: (arg: Arg) => boolean): boolean {
  if (is(arg)) return true
  if (typeof arg !== 'object' || arg === null || arg instanceof Node) return false
  if (Array.isArray(arg)) return (arg as readonly Arg[]).some((item) => holds(item, is))
  if (!('kind' in arg)) return false
  if (arg.kind === 'tuple') return arg.items.some((item) => holds(item, is))
  return arg.kind === 'dict' && [...arg.entries.values()].some((item) => holds(item, is))
}
