/** Computes the verdict of a comparison; causes are proven by switching them off in the definition. */
import { joinedParts, message, node, operator, plainText, type Message } from '../../base/message'
import type { AttrValue, Counterfactual } from '../../ops/kernel'
import { gather } from '../device/host'
import type { Lowered } from '../lower/lower'
import { runReference } from '../device/reference'
import { compareCodes } from './compare'
import type { Cause, Comparison, OutputReport, Verdict } from '../types'

/**
 * Finds the known differences of the fused operators that explain a difference between the definitions. Runs the fused
 * reference with one, two, then all of them switched off; the smallest set that makes every output equal is proven.
 */
export function findCauses(
  unfused: Lowered,
  fused: Lowered,
  unfusedMemory: readonly Uint8Array[],
  inputs: ReadonlyMap<string, Uint8Array>,
  aborted: () => void,
): Cause[] {
  const attrs = unfused.steps.map((s) => s.call.attrs)
  const found: { step: number; what: Counterfactual }[] = fused.steps.flatMap((s, step) =>
    (s.kernel.counterfactuals?.(s.call, attrs) ?? []).map((what) => ({ step, what })),
  )
  // The same difference in many layers is one cause, switched off in all of them.
  const known = [...new Map(found.map(({ what }) => [what.id, what])).values()]
  const bySize = subsets(known.length)
  for (const set of bySize) {
    const chosen = set.map((i) => known[i]!)
    const steps = fused.steps.map((s, i) => {
      const extra: Record<string, AttrValue> = {}
      for (const c of found)
        if (c.step === i && chosen.some((w) => w.id === c.what.id)) Object.assign(extra, c.what.attrs)
      return { ...s, call: { ...s.call, attrs: { ...s.call.attrs, ...extra } } }
    })
    const memory = runReference({ ...fused, steps }, inputs, aborted)
    const equal = fused.outputs.every((o, i) => {
      const u = unfused.outputs[i]!.at
      return compareCodes(
        u.view.dtype,
        u.view.shape,
        gather(u.view, unfusedMemory[u.slot]!),
        gather(o.at.view, memory[o.at.slot]!),
        null,
      ).equal
    })
    if (equal) return chosen.map((what) => ({ id: what.id, text: what.text, proven: true }))
  }
  return known.map((what) => ({ id: what.id, text: what.text, proven: false }))
}

/** Non-empty subsets of 0…n-1, small ones first. */
function subsets(n: number): number[][] {
  const all = Array.from({ length: 2 ** n - 1 }, (_, m) =>
    Array.from({ length: n }, (_, i) => i).filter((i) => ((m + 1) >> i) & 1),
  )
  return all.sort((a, b) => a.length - b.length)
}

const percent = (share: number): string => {
  const p = share * 100
  return p >= 10
    ? `${p.toFixed(0)} %`
    : p >= 0.1
      ? `${p.toFixed(1)} %`
      : p >= 0.0001
        ? `${p.toPrecision(1)} %`
        : 'under 0.0001 %'
}

/** Two roundings to bfloat16 change a float32 scale by at most 2^-7 of its value. */
const CLOSE_FLOAT32 = 2 ** -7

/**
 * Within one code; for float32, where one code is negligible, within the error of a rounded intermediate. `maxRel` leaves out
 * elements that are zero on one side, such as those that a relu cuts; the norm includes them.
 */
export function isClose({ dtype, pair }: OutputReport): boolean {
  if (pair.nanMismatches > 0) return false
  return dtype === 'f32' ? Math.max(pair.maxRel, pair.relNorm) <= CLOSE_FLOAT32 : pair.maxSteps <= 1
}

/** True if the GPU's fused result differs from its own definition by more than rounding. */
function strays({ dtype, fusedAgainstReference: c }: OutputReport): boolean {
  if (!c || c.equal) return false
  return (
    c.nanMismatches > 0 || (dtype === 'f32' ? Math.max(c.maxRel, c.relNorm) > 1e-5 : c.maxSteps > 1 || c.share > 0.005)
  )
}

/** True if all differences are a subnormal on one side and zero on the other. */
const onlyFlushed = (c: Comparison | null): boolean => c !== null && c.differing > 0 && c.flushed === c.differing

function largest(dtype: string, pair: Comparison): string {
  if (pair.nanMismatches > 0) return `a number against NaN (${pair.nanMismatches} times)`
  if (dtype === 'f32' && pair.maxRel >= 10)
    return `a factor of ${Number((1 + pair.maxRel).toPrecision(2)).toLocaleString('en-US')}`
  if (dtype === 'f32' && pair.relNorm > pair.maxRel) return pair.maxAbs.toPrecision(2)
  if (dtype === 'f32') return pair.maxRel > 0 ? percent(pair.maxRel) : pair.maxAbs.toPrecision(2)
  return pair.maxSteps === 1 ? 'one code' : `${pair.maxSteps} codes`
}

/** The text after the size of a difference without a known cause. */
function unexplained(close: boolean, exchanged: readonly [string, string] | null): Message {
  if (exchanged)
    return message`${node(exchanged[0])} and ${node(exchanged[1])} are exchanged: the replacement returns the same values in another order.`
  return close
    ? message`Rounding at other points or in another order causes differences of this size.`
    : message`It is more than rounding, and no known difference of the operators explains it: compare what the replacement computes with the search function.`
}

/** @param own the user's kernel that ran, if any @param exchanged two outputs whose values are swapped after the replacement */
export function judge(
  outputs: readonly OutputReport[],
  causes: readonly Cause[],
  own: { op: string; file: string; defined: boolean } | null = null,
  exchanged: readonly [string, string] | null = null,
): Verdict {
  const differing = outputs.filter((o) => !o.pair.equal)
  const where = outputs[0]?.device === 'webgpu' ? 'on the GPU' : 'by definition (CPU)'
  if (outputs.length === 0) return makeVerdict('cannot run', null, ['There is no output to compare.'])
  if (differing.length === 0) {
    const which = outputs.length === 1 ? 'the output is' : outputs.length === 2 ? 'both outputs are' : null
    const tiny = outputs.some((o) => onlyFlushed(o.fusedAgainstReference))
      ? ' By definition some values are not zero but below 1.2e-38: this device flushes float32 subnormals to zero.'
      : ''
    return makeVerdict('equal', 'Equal', [
      `${which ?? `all ${outputs.length} outputs are`} the same bit for bit ${where}.${tiny}`,
    ])
  }
  const flushed = differing.every(({ device, pair }) => device === 'webgpu' && onlyFlushed(pair))
  const close = flushed || differing.every(isClose)
  const sizes = joinedParts(
    differing.map(
      ({ unfused, dtype, pair }) =>
        message`${node(unfused)} (${dtype}) differs in ${percent(pair.share)} of values, by at most ${largest(dtype, pair)}`,
    ),
    '; ',
  )
  const proven = causes.filter((c) => c.proven)
  const referenceEqual = outputs.every((o) => o.referencePair?.equal)
  const astray = own?.defined && outputs.some(strays)
  const all = (list: readonly Cause[], separator: string): string => list.map((c) => c.text).join(separator)
  const [why, named]: [Message, readonly Cause[]] = astray
    ? [message`The kernel in ${own.file} does not compute what ${operator(own.op)} is defined as.`, []]
    : own && !own.defined
      ? [message`Only ${own.file} defines ${operator(own.op)}, so the unfused operators are its reference.`, []]
      : flushed
        ? [message`What differs is below 1.2e-38: this device flushes float32 subnormals to zero.`, []]
        : proven.length > 0
          ? [message`The fused kernel ${all(proven, '; and it ')}.`, proven]
          : referenceEqual
            ? [message`The definitions agree; the difference is the GPU's own rounding of division, exp or sums.`, []]
            : causes.length > 0
              ? [
                  message`Known differences that do not fully explain it: the fused kernel ${all(causes, '; it ')}.`,
                  causes,
                ]
              : [unexplained(close, exchanged), []]
  return makeVerdict(
    close ? 'close' : 'different',
    close ? 'Close' : 'Not equal',
    message`${sizes}. ${why}`,
    astray ? [] : causes,
    named,
  )
}

/** @param named the causes named in the message */
export function makeVerdict(
  kind: Verdict['kind'],
  headline: string | null,
  parts: Message,
  causes: readonly Cause[] = [],
  named: readonly Cause[] = [],
): Verdict {
  const text = plainText(parts)
  const sentence = headline === null ? text : `${headline}: ${text}`
  return { kind, headline, parts, sentence, causes: [...causes], named: named.map((c) => c.id) }
}
