/** A unified diff as code: additions and removals by sign and by colour, changed words marked. */
import { splitPair } from '../../model/diff'
import { diffLines, type DiffLine } from '../../model/why_not_edits'

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
        const pair = pairOf(lines, i)
        return (
          <span key={i} className={`diff-line ${line.kind}`}>
            <span className="diff-sign">{line.kind === 'add' ? '+ ' : line.kind === 'remove' ? '- ' : '  '}</span>
            {pair ? (
              <>
                {pair.before}
                <mark>{pair.changed}</mark>
                {pair.after}
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

/** A removed line with the added one after it: what differs between the two. */
function pairOf(lines: readonly DiffLine[], i: number): ReturnType<typeof splitPair>['left'] | null {
  const line = lines[i]!
  const is = (k: number, kind: string): boolean => lines[k]?.kind === kind
  if (line.kind === 'remove' && is(i + 1, 'add') && !is(i + 2, 'add') && !is(i - 1, 'remove'))
    return splitPair(line.text, (lines[i + 1] as { text: string }).text).left
  if (line.kind === 'add' && is(i - 1, 'remove') && !is(i + 1, 'add') && !is(i - 2, 'remove'))
    return splitPair((lines[i - 1] as { text: string }).text, line.text).right
  return null
}
