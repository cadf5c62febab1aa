import { ILLEGAL_NAMES } from './illegal_names'
import type { NodeOp } from './node'
import { operatorBehind } from '../dialect'
import { isOverload } from '../target'

const NAME = /^([a-zA-Z_][0-9a-zA-Z_]*?)(?:_(\d+))?$/

/** Candidate names of functions by target, cached because replacements create the same few repeatedly. */
const candidates = new Map<string, string>()

interface Parts {
  base: string
  digits: string | undefined
}

/** Parsed candidate names, cached because replacements create the same few repeatedly. */
const known = new Map<string, Parts | null>()
const MAX_KNOWN = 10_000

/** A name without its number; null if the text is not a name. */
function split(candidate: string): Parts | null {
  let parts = known.get(candidate)
  if (parts === undefined) {
    const match = NAME.exec(candidate)
    parts = match && { base: match[1]!, digits: match[2] }
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(candidate, parts)
  }
  return parts
}

/** Node names, made unique like torch.fx.graph._Namespace.create_name. */
export class Namespace {
  private used = new Set<string>()
  private baseCount = new Map<string, number>()
  /** True once the names in the graph's history that its text no longer shows are reserved. */
  historyTaken = false

  createName(candidate: string): string {
    let parts = split(candidate)
    if (!parts) {
      candidate = candidate.replace(/[^0-9a-zA-Z_]+/g, '_') || '_unnamed'
      if (/^\d/.test(candidate)) candidate = `_${candidate}`
      parts = split(candidate)!
    }
    const { base, digits } = parts
    let num: number
    if (digits === undefined || this.used.has(candidate)) {
      num = this.baseCount.get(base) ?? 0
      if (ILLEGAL_NAMES.has(candidate)) candidate = `${base}_${++num}`
    } else num = Number(digits)
    while (this.used.has(candidate)) candidate = `${base}_${++num}`
    this.used.add(candidate)
    this.baseCount.set(base, num)
    return candidate
  }

  /**
   * Reserves the name of an existing node and continues numbering as if it had been created here. A numbered name
   * implies that its bare form was taken, possibly by an erased node (the unused `getitem` of an auto_functionalized),
   * so the bare form is reserved too.
   */
  take(name: string): void {
    let digits = name.length
    while (digits > 0 && isDigit(name.charCodeAt(digits - 1))) digits--
    const numbered = digits < name.length && digits > 1 && name.charCodeAt(digits - 1) === 95
    const base = numbered ? name.slice(0, digits - 1) : name
    const num = numbered && !this.used.has(name) ? Number(name.slice(digits)) : (this.baseCount.get(base) ?? 0)
    this.used.add(name)
    if (numbered) this.used.add(base)
    this.baseCount.set(base, num)
  }

  /** Reserves a name from the graph's history: numbering continues from the highest number so far. */
  reserve(name: string): void {
    const base = name.replace(/_\d+$/, '')
    const before = this.baseCount.get(base) ?? 0
    this.take(name)
    if (before > this.baseCount.get(base)!) this.baseCount.set(base, before)
  }

  has(name: string): boolean {
    return this.used.has(name)
  }

  /** Becomes a copy of another namespace (for a clone of its graph). */
  copyFrom(other: Namespace): void {
    this.used = new Set(other.used)
    this.baseCount = new Map(other.baseCount)
    this.historyTaken = other.historyTaken
  }

  /**
   * The candidate that FX derives from a target without an explicit name (Graph._target_to_str and create_node): an
   * overload's `__name__` is `add.Tensor`, so `aten.add.Tensor` → `add_tensor`.
   */
  static candidateFor(op: NodeOp, target: string): string {
    if (op !== 'call_function') return Namespace.makeCandidate(op, target)
    let name = candidates.get(target)
    if (name === undefined) candidates.set(target, (name = Namespace.makeCandidate(op, target)))
    return name
  }

  private static makeCandidate(op: NodeOp, target: string): string {
    let name = target
    if (op === 'call_function') {
      const parts = target.split('.')
      const behind = operatorBehind(target)
      if (behind !== target) name = behind.replaceAll('.', '_')
      else name = isOverload(target) ? parts.slice(-2).join('.') : parts[parts.length - 1]!
    } else if (name.startsWith('__') && name.endsWith('__')) name = name.slice(2, -2)
    return name.replace(/(?<=[a-z])([A-Z])/g, '_$1').toLowerCase()
  }
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
