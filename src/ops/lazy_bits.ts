/**
 * The conjugate and negative bits of lazy views (`aten._conj`, `aten._neg_view`): an operator that does not understand them
 * reads a copy, which traces as `aten.clone` (aten/src/ATen/ConjugateFallback.cpp, NegateFallback.cpp).
 */
import { isFake, itemsOf, type DispatchArg, type FakeTensor } from './fake'

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Views, copies and queries, which keep or drop both bits themselves. */
const BOTH = names(`
  alias as_strided detach diagonal expand expand_as movedim narrow permute select slice split split_with_sizes squeeze
  transpose t unbind unflatten unfold unsqueeze view view_as swapaxes swapdims chunk tensor_split reshape _reshape_alias
  clone copy_ empty_like full_like zeros_like ones_like rand_like randn_like new_empty new_zeros new_ones new_full
  new_empty_strided is_complex is_floating_point _conj _neg_view sym_size sym_stride sym_numel sym_storage_offset`)
/** Operators that can read a conjugated tensor directly. */
const CONJUGATED = names(`
  mm addmm addmm_ bmm baddbmm baddbmm_ dot vdot linalg_svd _linalg_svd linalg_solve_triangular _conj_physical conj_physical
  conj_physical_ resolve_conj resolve_neg repeat_interleave _trilinear linear`)

/**
 * The arguments, with a copy of every lazy tensor that the operator cannot read.
 * @param op the operator without namespace and overload
 * @returns null if nothing changes
 */
export function materialized(
  op: string,
  values: ReadonlyMap<string, DispatchArg>,
  clone: (x: FakeTensor) => DispatchArg,
): Map<string, DispatchArg> | null {
  if (BOTH.has(op)) return null
  const isLazy = (t: FakeTensor): boolean => t.neg === true || (t.conj === true && !CONJUGATED.has(op))
  let changed = false
  const copy = (v: DispatchArg): DispatchArg => {
    if (isFake(v)) {
      if (!isLazy(v)) return v
      changed = true
      return clone(v)
    }
    const items = itemsOf(v)
    return items?.some((i) => isFake(i) && isLazy(i)) ? items.map(copy) : v
  }
  const out = new Map([...values].map(([k, v]): [string, DispatchArg] => [k, copy(v)]))
  return changed ? out : null
}
