/** The editor's completions and explanations. */
import type { ModuleNames } from '../../python/types'

export interface LanguageFacts {
  /** Schemas, the workspace's own first: `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`. */
  operators: readonly string[]
  modules: ModuleNames
  /** Shape rules in words, by packet: `aten.mm` → `[n, k] and [k, m] give [n, m]`. */
  rules: Readonly<Record<string, string>>
}
