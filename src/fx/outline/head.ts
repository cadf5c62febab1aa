/** The first instance of a run, which often lacks the residual that the other instances take. */
import { NONE, type RunInstance } from './columns'
import { calledBy } from './kinds'
import type { Structure } from './order'

/**
 * Removes from the first instance the inputs for which the second instance takes a value of the first, and the nodes that only
 * those inputs need.
 */
export function dropInputs(s: Structure, first: RunInstance, second: RunInstance): void {
  if (first.members.length === first.at.length) return
  const columns = new Set(first.at)
  const members = new Set(first.members)
  const inputs = new Set<number>()
  for (const [c, own] of first.at.entries()) {
    const sibling = second.at[c]!
    if (own === NONE || sibling === NONE) continue
    for (const [j, input] of s.slots.of(own).entries())
      if (members.has(input) && !columns.has(input) && members.has(s.slots.of(sibling)[j] ?? NONE))
        if (!isBranch(s, input, members, columns)) inputs.add(input)
  }
  for (const p of [...first.members].reverse())
    if (!columns.has(p) && s.users.count(p) > 0 && s.users.of(p).every((u) => inputs.has(u))) inputs.add(p)
  first.members = first.members.filter((p) => !inputs.has(p))
}

/** True if `input` is computed from a value that other nodes of the instance use too: the downsampling beside a block. */
function isBranch(s: Structure, input: number, members: ReadonlySet<number>, columns: ReadonlySet<number>): boolean {
  const open = [input]
  const seen = new Set(open)
  for (let p = open.pop(); p !== undefined; p = open.pop()) {
    for (const source of s.slots.of(p)) {
      if (seen.has(source)) continue
      seen.add(source)
      if (s.slots.count(source) > 0 && s.users.of(source).some((u) => columns.has(u))) return true
      if (members.has(source) && !columns.has(source)) open.push(source)
    }
  }
  return false
}

/**
 * Adds to the first instance the nodes that replace its missing first columns: `rms_norm` where the others add a residual and
 * normalize. Their operators share a word of their names. An operator that only writes into a buffer has no users.
 * @param lacks nodes of a typical instance without a counterpart in the first
 */
export function extendHead(
  s: Structure,
  first: { members: Int32Array },
  lacks: readonly number[],
  excluded: (position: number) => boolean,
): void {
  if (lacks.length === 0) return
  const own = new Set(first.members)
  const start = first.members[0]!
  const operators = lacks.map((p) => calledBy(s.nodes[p]!))
  const writes = (p: number): boolean =>
    s.slots.of(p).some((input) => s.users.of(input).some((u) => u > p && own.has(u)))
  for (let p = start - 1; p >= Math.max(0, start - lacks.length - 2); p--) {
    const users = s.users.of(p)
    if (excluded(p) || !(users.length > 0 ? users.every((u) => own.has(u)) : writes(p))) continue
    const operator = calledBy(s.nodes[p]!)
    const prepared = s.slots.count(p) === 0 || BUFFER.test(operator)
    if ((prepared && users.some((u) => u < start)) || operators.some((o) => o !== operator && shareWord(o, operator)))
      own.add(p)
  }
  first.members = Int32Array.from(own).sort()
}

/** Operators that create a tensor to write into. */
const BUFFER = /(?:^|[._])empty(?:_like|_strided|\.|$)/
/** Words that do not identify an operator: namespaces and overloads. */
const COMMON = /^(?:aten|prims|torch|vllm|higher_order|operator|functional|default|(?:Tensor|Scalar)\w*|correction)$/
/** `_C.fused_add_rms_norm.default` → `fused_add_rms_norm`. */
const words = (target: string): string[] => target.split(/\W+/).filter((w) => w.length > 3 && !COMMON.test(w))

const shareWord = (a: string, b: string): boolean =>
  words(a).some((x) => words(b).some((y) => x.includes(y) || y.includes(x)))
