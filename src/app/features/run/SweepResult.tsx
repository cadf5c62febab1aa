/** A sweep over token counts: a chart, the same figures as a table, and ways to copy them. */
import { chartOf, sweepCsv, sweepMarkdown, type SweepPoint } from './run_sweep'
import { figures } from '../../../base/english'
import { time, verdictWord } from './run_text'
import type { Sweep } from './store'
import { CopyButtons } from './CopyButtons'
import { SectionTitle } from '../../ui/Section'
import { FiguresTable, ScrollX } from '../../ui/Table'
import { Notice } from '../../ui/Messages'
import styles from './SweepResult.module.css'
import { css, cx } from '../../ui/css'

const COLUMNS = [
  'Tokens',
  'Unfused',
  'Fused',
  'Speedup',
  ['GB/s', 'Bandwidth of the fused side in GB/s, and its share of a plain copy'],
  'Verdict',
] as const

export function SweepResult({ sweep }: { sweep: Sweep }) {
  const { points, title, device } = sweep
  const timed = timedText(points)
  return (
    <section aria-label="Sweep over token counts" data-testid="sweep">
      <SectionTitle as="h4">Time by tokens</SectionTitle>
      <SweepChart points={points} />
      <ScrollX>
        <FiguresTable columns={COLUMNS}>
          {points.map((p) => (
            <tr key={p.tokens} data-testid="sweep-point">
              <td>{p.tokens.toLocaleString('en-US')}</td>
              <td>{p.unfused === null ? '–' : time(p.unfused)}</td>
              <td>{p.fused === null ? '–' : time(p.fused)}</td>
              <td>
                {p.speedup !== null ? `${figures(p.speedup)}×` : p.fused === null ? '–' : 'no measurable difference'}
              </td>
              <td>
                {p.gbps === null ? '–' : figures(p.gbps.fused)}
                {p.gbps?.copy ? (
                  <span className={css.muted}> {Math.round((p.gbps.fused / p.gbps.copy) * 100)} %</span>
                ) : null}
              </td>
              <td>{verdictWord(p.verdict)}</td>
            </tr>
          ))}
        </FiguresTable>
      </ScrollX>
      {points
        .filter((p) => p.problem !== null)
        .map((p) => (
          <Notice key={p.tokens} tone="bad">
            {p.tokens.toLocaleString('en-US')} tokens: {p.problem}
          </Notice>
        ))}
      {timed !== '' && <p className={css.muted}>{timed}</p>}
      <p className={css.muted}>{device ?? 'WebGPU did not run, so nothing was timed.'}</p>
      <CopyButtons
        texts={{
          JSON: () => `${JSON.stringify(sweep, null, 2)}\n`,
          Markdown: () => sweepMarkdown(title, points),
          CSV: () => sweepCsv(points),
        }}
      />
    </section>
  )
}

/** `Timed: x bf16[1 … 4096, 512], w bf16[512].` */
function timedText(points: readonly SweepPoint[]): string {
  const [first, last] = [points[0]?.inputs ?? [], points.at(-1)?.inputs ?? []]
  if (first.length === 0 || first.length !== last.length) return ''
  const size = (a: number, b: number): string => (a === b ? `${a}` : `${a} … ${b}`)
  return `Timed: ${first.map(({ name, dtype, shape }, i) => `${name} ${dtype}[${shape.map((n, d) => size(n, last[i]!.shape[d]!)).join(', ')}]`).join(', ')}.`
}

const BOX = { left: 46, top: 8, width: 260, height: 120 }

function SweepChart({ points }: { points: readonly SweepPoint[] }) {
  const chart = chartOf(points)
  if (!chart) return null
  const x = (v: number): number => BOX.left + v * BOX.width
  const y = (v: number): number => BOX.top + (1 - v) * BOX.height
  return (
    <figure className={styles.chart}>
      <svg
        className={cx(css.block, css.wide)}
        viewBox={`0 0 ${BOX.left + BOX.width + 14} ${BOX.top + BOX.height + 22}`}
        role="img"
        aria-label="Time of both sides against the token count; the table below has the figures"
      >
        {chart.ys.map((m) => (
          <g key={m.ms} className={styles.axis}>
            <line x1={BOX.left} x2={BOX.left + BOX.width} y1={y(m.at)} y2={y(m.at)} />
            <text x={BOX.left - 5} y={y(m.at) + 3} textAnchor="end">
              {axisTime(m.ms)}
            </text>
          </g>
        ))}
        {chart.xs.map((m) => (
          <text key={m.label} className={styles.axis} x={x(m.at)} y={BOX.top + BOX.height + 15} textAnchor="middle">
            {m.label}
          </text>
        ))}
        {chart.lines.map((l) => (
          <g key={l.side} data-side={l.side}>
            <polyline points={l.at.map((p) => `${x(p.x)},${y(p.y)}`).join(' ')} />
            {l.at.map((p) =>
              l.side === 'fused' ? (
                <circle key={p.tokens} cx={x(p.x)} cy={y(p.y)} r={3} />
              ) : (
                <rect key={p.tokens} x={x(p.x) - 3} y={y(p.y) - 3} width={6} height={6} />
              ),
            )}
          </g>
        ))}
      </svg>
      <figcaption className={cx(css.muted, css.tiny)}>
        <span className={styles.key} data-side="unfused">
          ■ unfused
        </span>{' '}
        <span className={styles.key} data-side="fused">
          ● fused
        </span>
        <span> time by tokens, both axes logarithmic</span>
      </figcaption>
    </figure>
  )
}

/** A power of ten of milliseconds: `10 µs`, `1 ms`. */
const axisTime = (ms: number): string =>
  ms >= 1000
    ? `${ms / 1000} s`
    : ms >= 1
      ? `${ms} ms`
      : ms >= 1e-3
        ? `${Math.round(ms * 1e3)} µs`
        : `${Math.round(ms * 1e6)} ns`
