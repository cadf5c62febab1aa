/** A unified diff as code: additions and removals by sign and by colour, changed words marked. */
import { diffLines } from './why_not_diff'

export function Diff({ diff }: { diff: string }) {
  const lines = diffLines(diff)
  const files = lines.filter((l) => l.kind === 'file').length
  return (
    <pre className="fix-diff" aria-label="What changes" tabIndex={0}>
      {lines.map((line, i) => {
        if (line.kind === 'gap')
          return (
            <span key={i} className="diff-gap">
              {'⋯\n'}
            </span>
          )
        if (line.kind === 'file')
          return files > 1 ? (
            <span key={i} className="diff-file">
              {line.text + '\n'}
            </span>
          ) : null
        return (
          <span key={i} className={`diff-line ${line.kind}`}>
            <span className="diff-sign">{line.kind === 'add' ? '+ ' : line.kind === 'remove' ? '- ' : '  '}</span>
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
