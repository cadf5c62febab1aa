/** The shapes at which a registration runs, one field per argument. */
import { count } from '../../../base/english'
import type { Report } from '../../../engine/protocol'
import { passNamed } from '../../../engine/queries/report_index'
import { argumentsOf, defaultShapes, parseShape } from './run_sizes'
import { subjectKey, useGpu, type Subject } from './store'
import { css, cx } from '../../ui/css'
import { Input } from '../../ui/Field'
import styles from './RunSizes.module.css'

export function RunSizes({ report, subject }: { report: Report; subject: Extract<Subject, { kind: 'variant' }> }) {
  const shapes = useGpu((s) => s.shapes)
  const pass = passNamed(report, subject.pass)
  const entry = pass?.entries[subject.entry]
  if (!pass || !entry) return null
  const args = argumentsOf(entry)
  const defaults = defaultShapes(report, pass, entry)
  const key = subjectKey(subject)
  if (args.length === 0) return <p className={css.muted}>This pattern has no tensor input with an editable shape.</p>
  return (
    <div className={cx(styles.sizes, css.grid, css.gap2)} role="group" aria-label="Shapes of the inputs">
      {args.map((a) => {
        const text = shapes[key]?.[a.name] ?? defaults[a.name]!.join(', ')
        const wrong = parseShape(text, a.shape.length) === null
        return (
          <label key={a.name}>
            <span
              className={cx(css.mono, css.ellipsis)}
              title={`${a.name}: ${a.dtype}, ${count(a.shape.length, 'dimension')}`}
            >
              {a.name} <span className={css.muted}>{a.dtype}</span>
            </span>
            <Input
              mono
              value={text}
              aria-invalid={wrong}
              title={wrong ? `${count(a.shape.length, 'size')}, separated by commas` : undefined}
              onChange={(e) =>
                useGpu.setState({ shapes: { ...shapes, [key]: { ...shapes[key], [a.name]: e.target.value } } })
              }
            />
          </label>
        )
      })}
    </div>
  )
}
