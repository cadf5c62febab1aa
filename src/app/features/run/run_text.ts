/** Formats the figures of a GPU run for the panel and for copying as Markdown, CSV or JSON. */
import { figures } from '../../../base/english'
import { csvCell, markdownText } from '../../../base/escapes'
import type { Comparison, OutputReport, RunReport, SideReport, Spread } from '../../../gpu/types'

/** `1.23 µs`, `45.6 ms`; three significant figures, or fewer at a coarse clock. */
export function time(ms: number): string {
  if (ms < 1e-3) return `${figures(ms * 1e6)} ns`
  if (ms < 1) return `${figures(ms * 1000)} µs`
  return ms < 1000 ? `${figures(ms)} ms` : `${figures(ms / 1000)} s`
}

/** Only equal numbers are green: close ones differ. */
export const verdictTone = (kind: string): 'good' | 'warn' | 'bad' =>
  kind === 'equal' ? 'good' : kind === 'close' ? 'warn' : 'bad'

/** A short form of a verdict, for lists. */
export const verdictWord = (kind: string): string => (kind === 'different' ? 'not equal' : kind)

export const error = (x: number): string =>
  x === 0 ? '0' : Math.abs(x) >= 1e-3 && x < 1e4 ? figures(x) : x.toExponential(2)

/** Half the interquartile range, divided by the median. */
export const spread = (s: Spread): string =>
  s.median === 0 ? '' : `±${(((s.q3 - s.q1) / 2 / s.median) * 100).toFixed(0)} %`

/** True if the middle half of one side's samples is disjoint from that of the other: otherwise their medians say nothing. */
export const isMeasurable = (a: Quartiles, b: Quartiles): boolean => a.q3 < b.q1 || b.q3 < a.q1
type Quartiles = Pick<Spread, 'q1' | 'q3'>

/** `1.8× faster fused`, and what the bytes alone allow; null if the sides were not timed. */
export function timingText({ unfused, fused, timing }: RunReport): { headline: string; bytes: string } | null {
  if (!timing || !unfused?.time || !fused?.time) return null
  const { speedup, bytesRatio } = timing
  const headline = !isMeasurable(unfused.time, fused.time)
    ? 'No measurable difference'
    : speedup >= 1
      ? `${figures(speedup)}× faster fused`
      : `${figures(1 / speedup)}× slower fused`
  return { headline, bytes: `by memory traffic alone, ${figures(bytesRatio)}× is possible` }
}

/** A distance in units in the last place; two float32 values can be a billion apart. */
export const ulps = (n: number): string => (n < 1e5 ? n.toLocaleString('en-US') : n.toExponential(1))

export const shapeOf = (o: OutputReport): string => `${o.dtype}[${o.shape.join(', ')}]`

export const share = (c: Comparison): string =>
  c.differing === 0
    ? '0'
    : `${c.differing.toLocaleString('en-US')} of ${c.elements.toLocaleString('en-US')} (${error(c.share * 100)} %)`

/**
 * The noun for differing elements: a dtype of at most one byte has codes, whose distances are steps; a wider one has
 * values.
 */
export const codesOf = (o: OutputReport): 'codes' | 'values' =>
  /^(f8|f4|e8|e2|i8|u8|i4|u4|b8)/.test(o.dtype) ? 'codes' : 'values'

const sides = (r: RunReport): [string, SideReport][] =>
  [['unfused', r.unfused] as const, ['fused', r.fused] as const].flatMap(([n, s]) =>
    s ? [[n, s] as [string, SideReport]] : [],
  )

const OUTPUT_HEAD = ['output', 'type', 'equal', 'elements that differ', 'max abs', 'max rel', 'max steps']
const outputRow = (o: OutputReport): string[] => [
  o.unfused === o.fused ? o.unfused : `${o.unfused} / ${o.fused}`,
  shapeOf(o),
  o.pair.equal ? 'yes' : 'no',
  `${o.pair.differing}`,
  `${o.pair.maxAbs}`,
  `${o.pair.maxRel}`,
  `${o.pair.maxSteps}`,
]
const TIME_HEAD = ['side', 'median ms', 'q1 ms', 'q3 ms', 'samples', 'launches', 'bytes read', 'bytes written', 'GB/s']
const timeRow = ([name, s]: [string, SideReport]): string[] => [
  name,
  s.time ? `${s.time.median}` : '',
  s.time ? `${s.time.q1}` : '',
  s.time ? `${s.time.q3}` : '',
  s.time ? `${s.time.samples}` : '',
  `${s.launches}`,
  `${s.bytesRead}`,
  `${s.bytesWritten}`,
  s.gbps === null ? '' : `${figures(s.gbps)}`,
]

export const markdownTable = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(markdownText).join(' | ')} |`).join('\n')

export const csvText = (lines: string[][]): string => `${lines.map((l) => l.map(csvCell).join(',')).join('\n')}\n`

export function asMarkdown(r: RunReport): string {
  const parts = [`**${markdownText(r.title)}**`, markdownText(r.verdict.sentence), markdownText(deviceLine(r))]
  if (r.outputs.length) parts.push(markdownTable(OUTPUT_HEAD, r.outputs.map(outputRow)))
  if (sides(r).length) parts.push(markdownTable(TIME_HEAD, sides(r).map(timeRow)))
  for (const text of [...r.problems, ...r.notes]) parts.push(`- ${markdownText(text)}`)
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

export const asCsv = (r: RunReport): string =>
  csvText([OUTPUT_HEAD, ...r.outputs.map(outputRow), [], TIME_HEAD, ...sides(r).map(timeRow)])

export const asJson = (r: RunReport): string => `${JSON.stringify(r, null, 2)}\n`

/** `SwiftShader (software) · GPU timestamps, steps of 65.5 µs`. */
export function deviceLine(r: RunReport): string {
  if (!r.device) return 'WebGPU did not run: the reference on the CPU was compared.'
  const clock = r.timing
    ? `${r.timing.method === 'timestamp-query' ? 'GPU timestamps' : 'wall clock'}, steps of ${time(r.timing.quantumNs / 1e6)}`
    : 'not timed'
  return `${r.device.name}${r.device.fallback ? ' (software)' : ''} · ${clock}`
}
