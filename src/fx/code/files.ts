/** Calls that may reach a file, or memory of others, where a written pattern runs: registering one calls its operators, on tensors with data. */
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
  if (NAME.test(nameOf(operator)) || mayTakeAddress(node, operator)) return true
  return [...node.args, ...node.kwargs.values()].some((arg) => holds(arg, mayTouch))
}

/** What is no operator of another library. */
const KNOWN = /^(?:aten|prims|inductor|quantized_decomposed|higher_order|torch|_?operator|math|builtins)\./
const isForeign = (operator: string): boolean => !KNOWN.test(operator) && /^\w+(?:\.\w+){1,2}$/.test(operator)
const LARGEST = 2n ** 31n

/** `_C_custom_ar.dispose(0x41414141)` of vLLM: an operator of another library on numbers alone, or with one as large as an address. */
function mayTakeAddress({ args, kwargs }: Node, operator: string): boolean {
  const all = [...args, ...kwargs.values()]
  const isForeignOp = (arg: Arg): boolean => isKind(arg, 'op') && isForeign(arg.name)
  if (!isForeign(operator) && !all.some((arg) => holds(arg, isForeignOp))) return false
  const isLarge = (arg: Arg): boolean => typeof arg === 'bigint' && (arg > LARGEST || arg < -LARGEST)
  const isNumber = (arg: Arg): boolean => typeof arg === 'bigint'
  return all.some((arg) => holds(arg, isLarge)) || (all.some((arg) => holds(arg, isNumber)) && !all.some(holdsNode))
}

const holdsNode = (arg: Arg): boolean => holds(arg, (item) => item instanceof Node)

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
