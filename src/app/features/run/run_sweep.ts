/** A run at several token counts: its points, as figures and as text to copy. */
import { markdownText } from '../../../base/escapes'
import type { RunReport } from '../../../gpu/types'
import { csvText, isMeasurable, markdownTable } from './run_text'

export interface SweepPoint {
  tokens: number
  /** Median time in milliseconds; null if not timed. */
  unfused: number | null
  fused: number | null
  /** First and third quartile of each side. */
  spread: { unfused: [number, number]; fused: [number, number] } | null
  /** The shapes that were timed. */
  inputs: { name: string; dtype: string; shape: number[] }[]
  /** Null if the spreads of the two sides overlap. */
  speedup: number | null
  bytesRatio: number | null
  gbps: { unfused: number; fused: number; copy: number | null } | null
  verdict: string
  problem: string | null
}

export const SWEEP = [1, 16, 64, 256, 1024, 4096] as const

export function pointOf(tokens: number, r: RunReport): SweepPoint {
  const [u, f] = [r.unfused, r.fused]
  const timed = u?.time && f?.time ? { u: u.time, f: f.time } : null
  return {
    tokens,
    unfused: timed?.u.median ?? null,
    fused: timed?.f.median ?? null,
    spread: timed && { unfused: [timed.u.q1, timed.u.q3], fused: [timed.f.q1, timed.f.q3] },
    inputs: r.inputs,
    speedup: timed && isMeasurable(timed.u, timed.f) ? (r.timing?.speedup ?? null) : null,
    bytesRatio: r.timing?.bytesRatio ?? null,
    gbps:
      u?.gbps != null && f?.gbps != null
        ? { unfused: u.gbps, fused: f.gbps, copy: r.timing?.copy?.gbps ?? null }
        : null,
    verdict: r.verdict.kind,
    problem: r.problems[0] ?? null,
  }
}

const HEAD = [
  'tokens',
  'unfused ms',
  'fused ms',
  'speedup',
  'bytes allow',
  'unfused GB/s',
  'fused GB/s',
  'copy GB/s',
  'verdict',
]
const row = (p: SweepPoint): string[] =>
  [
    p.tokens,
    p.unfused,
    p.fused,
    p.speedup,
    p.bytesRatio,
    p.gbps?.unfused,
    p.gbps?.fused,
    p.gbps?.copy,
    p.problem ?? p.verdict,
  ].map((v) => (v == null ? '' : typeof v === 'number' ? String(Number(v.toPrecision(6))) : v))

export const sweepCsv = (points: readonly SweepPoint[]): string => csvText([HEAD, ...points.map(row)])

export const sweepMarkdown = (title: string, points: readonly SweepPoint[]): string =>
  `**${markdownText(title)}**\n\n${markdownTable(HEAD, points.map(row))}\n`

export interface ChartLine {
  side: 'unfused' | 'fused'
  /** Points in a box of 0…1 by 0…1, y upwards. */
  at: { x: number; y: number; tokens: number; ms: number }[]
}

export interface Chart {
  lines: ChartLine[]
  /** Ticks of the axes, in the same box. */
  xs: { at: number; label: string }[]
  ys: { at: number; ms: number }[]
}

/**
 * The chart with logarithmic axes, because token counts and times span orders of magnitude. Null with fewer than two
 * timed points.
 */
export function chartOf(points: readonly SweepPoint[]): Chart | null {
  const timed = points.filter(
    (p): p is SweepPoint & { unfused: number; fused: number } => p.unfused !== null && p.fused !== null,
  )
  if (timed.length < 2) return null
  const times = timed.flatMap((p) => [p.unfused, p.fused])
  const low = Math.floor(Math.log10(Math.min(...times)) + 1e-9)
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...times)) - 1e-9))
  const first = Math.log2(timed[0]!.tokens)
  const last = Math.log2(timed.at(-1)!.tokens)
  const x = (tokens: number): number => (Math.log2(tokens) - first) / Math.max(1e-9, last - first)
  const y = (ms: number): number => (Math.log10(ms) - low) / (high - low)
  const line = (side: 'unfused' | 'fused'): ChartLine => ({
    side,
    at: timed.map((p) => ({ x: x(p.tokens), y: y(p[side]), tokens: p.tokens, ms: p[side] })),
  })
  return {
    lines: [line('unfused'), line('fused')],
    xs: timed.map((p) => ({ at: x(p.tokens), label: p.tokens.toLocaleString('en-US') })),
    ys: Array.from({ length: high - low + 1 }, (_, i) => ({ at: i / (high - low), ms: 10 ** (low + i) })),
  }
}
