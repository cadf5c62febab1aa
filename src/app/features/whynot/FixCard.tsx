/** A fix: title, number of matches with it, numeric check, diff, and a button that applies it. */
import { useMemo, useState } from 'react'
import { numbersText } from '../../../engine/numbers/numbers_text'
import type { Fix, Report } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'
import { diffOf, stillFits } from './why_not_edits'
import { count } from '../../../base/english'
import { workspaceOf } from '../../on_screen/explained'
import { isEmbed } from '../../session/framed'
import { toast } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { Icon } from '../../ui/icons'
import { applyFix } from './apply'
import { Diff } from '../../report/views/Diff'
import { Button } from '../../ui/Button'
import { copyText } from '../../ui/clipboard'
import styles from './FixCard.module.css'
import { css, cx } from '../../ui/css'

/** Explains where to make a change that is outside the user's Python. */
const ELSEWHERE: Record<Exclude<Fix['kind'], 'python'>, string> = {
  pattern: 'This changes the traced pattern; it has no single location in your text.',
  graph: 'Apply this in the model that produced the graph.',
  pass: 'Apply this where the pass is configured or called.',
}

interface FixCardsProps {
  report: Report
  fixes: readonly Fix[] | undefined
  /** The workspace on which the fixes were tried. */
  madeFrom?: Workspace | null
}

export const FixCards = ({ report, fixes = [], madeFrom = workspaceOf(report) }: FixCardsProps) =>
  fixes.map((fix, i) => <FixCard key={`${i}:${fix.title}`} fix={fix} madeFrom={madeFrom} />)

function FixCard({ fix, madeFrom }: { fix: Fix; madeFrom: Workspace | null }) {
  const workspace = useWorkspace((s) => s.workspace)
  const appliable = fix.kind === 'python' && fix.edits.length > 0 && !isEmbed()
  const fresh = !appliable || stillFits(fix.edits, madeFrom, workspace)
  const diff = useMemo(() => diffOf(fix, madeFrom), [fix, madeFrom])
  return (
    <section
      className={styles.fix}
      data-numbers={fix.sent ? 'unknown' : fix.numbers}
      data-testid="fix"
      aria-label={`Fix: ${fix.title}`}
    >
      <header>
        <h3>{fix.title}</h3>
        {fix.changes && (
          <ol className={styles.changes} aria-label="Changes">
            {fix.changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ol>
        )}
        <p className={styles.proof}>
          <Icon name={fix.verified && fix.numbers === 'equal' && !fix.sent ? 'check' : 'warn'} size={12} />
          {fix.sent && 'Not tried here; the link says: '}
          {proof(fix)}; {numbersText(fix)}
        </p>
      </header>
      {diff && <Diff diff={diff} />}
      <footer>
        {appliable ? (
          <span className={cx(css.cluster, css.gap2, css.wraps)}>
            <Button
              variant="primary"
              data-testid="apply-fix"
              aria-disabled={!fresh}
              title={fix.second && KEEPS}
              onClick={() => fresh && void applyFix(fix, madeFrom)}
            >
              {!fresh ? 'The text has changed since' : fix.second ? ALSO : 'Apply'}
            </Button>
            {fresh && fix.alongside && <AlsoMatch fix={fix.alongside} madeFrom={madeFrom} />}
          </span>
        ) : (
          !isEmbed() && fix.kind !== 'python' && <p className={css.muted}>{ELSEWHERE[fix.kind]}</p>
        )}
        {diff && <Copy text={diff} />}
      </footer>
    </section>
  )
}

const ALSO = 'Also match this'
const KEEPS = 'Keeps the pattern and registers a second one with the change'

/** Applies the fix as a second registration. */
function AlsoMatch({ fix, madeFrom }: { fix: Fix; madeFrom: Workspace | null }) {
  return (
    <Button
      data-testid="also-match"
      title={`${KEEPS}. ${proof(fix)}; ${numbersText(fix)}`}
      onClick={() => void applyFix(fix, madeFrom)}
    >
      {ALSO}
    </Button>
  )
}

/** Changes that make the pattern fire but change the numbers: listed with the reason, without a button. */
export function TriedFixes({ fixes }: { fixes: readonly Fix[] }) {
  if (fixes.length === 0) return null
  return (
    <details className={styles.tried} data-testid="tried-fixes">
      <summary>{count(fixes.length, 'change')} tried and not offered</summary>
      <ol>
        {fixes.map((fix) => (
          <li key={fix.title}>
            {fix.title}: {proof(fix)[0]!.toLowerCase() + proof(fix).slice(1)}; {numbersText(fix)}
            {fix.diff && <Diff diff={fix.diff} />}
          </li>
        ))}
      </ol>
    </details>
  )
}

function proof({ matchesBefore, matchesAfter, second, code }: Fix): string {
  if (code) return `Edits ${count(matchesAfter, 'place')} with this change`
  const times = count(matchesAfter, 'time')
  if (second) return `The second pattern fires ${times}`
  return matchesBefore > 0
    ? `Fires ${times} with this change, ${matchesBefore} without`
    : `Fires ${times} with this change`
}

function Copy({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <Button
      variant="quiet"
      onClick={async () => {
        if (!(await copyText(text)))
          return toast('The browser does not let this page write to the clipboard.', { tone: 'bad' })
        setCopied(true)
        setTimeout(() => setCopied(false), 2000)
      }}
    >
      <Icon name="copy" size={12} />
      {copied ? 'Copied' : 'Copy'}
    </Button>
  )
}
