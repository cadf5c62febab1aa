/** Calls that may read or write a file where a written pattern runs: registering one calls its operators, on tensors with data. */
import { operatorOf } from '../graph/calls'
import { Node, type Arg } from '../graph/node'

/** `aten.from_file`, `image.write_file`, `aten.save`. */
const NAME = /(?:^|_)(?:files?|save|load|dump)(?:_|$)/
/** Their strings are words of PyTorch: modes, equations, sentences of assertions. */
const OWN = /^(?:aten|prims)\./
const PATH = /[/\\]/

/** True for an operator with such a name, and for one of another library that gets a path. */
export function mayTouchFiles(node: Node): boolean {
  if (node.op !== 'call_function') return false
  const operator = operatorOf(node)
  return (
    NAME.test(operator.split('.')[1] ?? '') ||
    (!OWN.test(operator) && [...node.args, ...node.kwargs.values()].some(holdsPath))
  )
}

function holdsPath(arg: Arg): boolean {
  if (typeof arg === 'string') return PATH.test(arg)
  if (typeof arg !== 'object' || arg === null || arg instanceof Node) return false
  if (Array.isArray(arg)) return (arg as readonly Arg[]).some(holdsPath)
  if (!('kind' in arg)) return false
  if (arg.kind === 'tuple') return arg.items.some(holdsPath)
  return arg.kind === 'dict' && [...arg.entries.values()].some(holdsPath)
}
