/** Sentences about PyTorch's verdict and Fusescope's. */
import type { NodeVerdict, PassReport, Report } from '../../engine/protocol'
import { count } from '../../base/english'

/** What a pass replaced in the real run: `4`, or its exception. */
export const pytorchCount = ({ pytorch }: PassReport): string =>
  pytorch === undefined ? 'not recorded' : String(pytorch.count ?? pytorch.error ?? 'unknown')

/** Both verdicts in a title and a detail; null for a workspace that comes from no capture. */
export function verdictHeadline(report: Report): { title: string; detail: string } | null {
  const { capture, passes } = report
  if (!capture) return null
  const ours = passes.reduce((n, p) => n + p.count, 0)
  const title = `PyTorch ${capture.torch} replaced ${count(capture.replaced, 'match', 'matches')}, Fusescope ${ours}.`
  const places = new Set(passes.flatMap((p) => (p.pytorch?.differences ?? []).map((d) => `${p.name} ${d.node ?? ''}`)))
    .size
  if (capture.edited && !capture.now)
    return {
      title,
      detail: `The workspace was edited, so PyTorch’s verdict is about the recorded run${capture.agrees ? '; there, both agree' : ''}.`,
    }
  const detail = capture.agrees
    ? 'Both agree at every node that was tried.'
    : places > 0
      ? `They differ at ${count(places, 'place')}.`
      : 'Not every pass could be compared.'
  return { title, detail }
}

/** PyTorch's verdicts at a node, by pass. */
export function verdictsAt(report: Report, node: string): { pass: PassReport; verdict: NodeVerdict }[] {
  return report.passes.flatMap((pass) =>
    (pass.pytorch?.nodes ?? []).filter((v) => v.node === node).map((verdict) => ({ pass, verdict })),
  )
}

/** PyTorch's verdict on one pattern at one node; null if it failed at the anchor itself or was not recorded. */
export const verdictOn = ({ pytorch }: PassReport, entry: number, node: string): NodeVerdict | null =>
  pytorch?.nodes.find((v) => v.entry === entry && v.node === node) ?? null

/** `replaced it`, `failed in stage two: …`. */
export function verdictWords({ outcome, phase, reason }: NodeVerdict): { words: string; reason: string | null } {
  if (outcome === 'replaced') return { words: 'replaced it', reason: null }
  if (outcome === 'dropped') return { words: `dropped the match: ${reason ?? 'no reason is recorded'}`, reason: null }
  return { words: `failed in stage ${phase === 'specific' ? 'two' : 'one'}`, reason }
}

/** True if Fusescope's outcome at this node differs. */
export const differsAt = ({ pytorch }: PassReport, entry: number, node: string): boolean =>
  pytorch?.differences.some((d) => d.node === node && d.entry === entry) ?? false
