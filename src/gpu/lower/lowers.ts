/** State shared by the parts of lowering: storage, sizes, and the steps emitted so far. */
import type { Kernel, KernelCall, TensorView } from '../../ops/kernel'
import type { Located, Slot, Unwritten, Value } from './lower_values'
import type { Symbols } from './symbols'
import type { RunNode } from '../types'

export interface Lowers {
  readonly symbols: Symbols
  /** The token count that replaces the program's own; null where none does. */
  readonly tokens: number | null
  slot(view: TensorView, init: Slot['init']): number
  /** A tensor that is read. One that nothing wrote reads as zeros here: torch leaves its contents open. */
  read(v: Located | Unwritten, what: string): Located
  /** A step that copies `from` into dense storage of its own, or into `into`. */
  copied(node: RunNode, from: Located, into?: Located): Located
  /** A shape that names the program's own token count, with the one that runs. */
  withTokens(shape: readonly number[]): readonly number[]
  /** Does `work`; a kernel's refusal becomes a CannotRun that names the node. */
  refuse<T>(node: RunNode, target: string, work: () => T): T
  /** What `name` stands for from here on. */
  assign(name: string, value: Value): void
  /** A sentence for the report, told once. */
  note(text: string): void
  push(node: RunNode, target: string, kernel: Kernel, call: KernelCall, slots: Record<string, number>): void
}
