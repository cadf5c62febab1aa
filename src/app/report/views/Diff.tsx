/** A unified diff: additions and removals by sign and color, with changed words marked. */
import { diffLines } from './why_not_diff'
import styles from './Diff.module.css'

export function Diff({ diff }: { diff: string }) {
  const lines = diffLines(diff)
  const files = lines.filter((l) => l.kind === 'file').length
  return (
    <pre className={styles.diff} aria-label="What changes" tabIndex={0}>
      {lines.map((line, i) => {
        if (line.kind === 'gap')
          return (
            <span key={i} className={styles.gap}>
              {'⋯\n'}
            </span>
          )
        if (line.kind === 'file')
          return files > 1 ? (
            <span key={i} className={styles.file}>
              {line.text + '\n'}
            </span>
          ) : null
        return (
          <span key={i} className={styles.line} data-kind={line.kind}>
            <span className={styles.sign}>{line.kind === 'add' ? '+ ' : line.kind === 'remove' ? '- ' : '  '}</span>
            {line.parts ? (
              <>
                {line.parts.before}
                <mark>{line.parts.changed}</mark>
                {line.parts.after}
              </>
            ) : (
              line.text
            )}
            {'\n'}
          </span>
        )
      })}
    </pre>
  )
}
