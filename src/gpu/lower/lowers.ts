/** State shared by the parts of lowering: storage, sizes, and the emitted steps. */
import type { Kernel, KernelCall, TensorView } from '../../ops/kernel'
import type { Located, Slot, Unwritten, Value } from './lower_values'
import type { Symbols } from './symbols'
import type { RunNode } from '../types'

export interface Lowers {
  readonly symbols: Symbols
  /** The token count that replaces the program's own, or null. */
  readonly tokens: number | null
  slot(view: TensorView, init: Slot['init']): number
  /** A tensor that is read. An unwritten one reads as zeros here; in torch its contents are undefined. */
  read(v: Located | Unwritten, what: string): Located
  /** Emits a copy of `from` into its own dense storage, or into `into`. */
  copied(node: RunNode, from: Located, into?: Located): Located
  /** A shape with the program's own token count replaced by the run's. */
  withTokens(shape: readonly number[]): readonly number[]
  /** Runs `work`; a kernel's refusal becomes a CannotRun that names the node. */
  refuse<T>(node: RunNode, target: string, work: () => T): T
  /** Size of a slot in bytes. */
  bytes(slot: number): number
  /** `node` has written `name`: from here on, it and the other names of its storage hold `value`. */
  written(node: RunNode, name: string, value: Value): void
  /** Adds a sentence to the report, once. */
  note(text: string): void
  push(node: RunNode, target: string, kernel: Kernel, call: KernelCall, slots: Record<string, number>): void
}
