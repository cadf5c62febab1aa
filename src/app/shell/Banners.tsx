/**
 * Banners: a link's consent request above the workspace, and errors below it, where they do not move the edited line.
 */
import { failureText, fileFailures } from '../../engine/report/file_outcomes'
import { editorLoaded } from '../commands/surfaces'
import type { QuickFix } from '../../engine/protocol'
import { giveConsent } from '../session/consent'
import { run } from '../session/runner'
import { useRun } from '../session/run_store'
import { useView } from '../session/view_store'
import { fileOf, useWorkspace } from '../session/workspace_store'
import { useLasting } from '../ui/useLasting'
import { Icon } from '../ui/icons'
import { Button, LinkButton } from '../ui/Button'
import { cx } from '../ui/cx'
import styles from './Banners.module.css'

export function LinkBanner() {
  const consent = useRun((s) => s.consent)
  const sent = useRun((s) => s.summary !== null)
  if (consent === 'framed')
    return (
      <div className={styles.banner} role="region" aria-label="In a frame">
        <Icon name="warn" />
        <span>Another site shows this page in a frame, so no code runs here.</span>
        <a href={location.href} target="_blank" rel="noopener">
          Open it in a tab of its own
        </a>
      </div>
    )
  if (consent !== 'pending' && consent !== 'unclean') return null
  return (
    <div className={styles.banner} role="region" aria-label={consent === 'unclean' ? 'Last run' : 'From a link'}>
      <Icon name="warn" />
      <span>
        {consent === 'unclean'
          ? 'The page ended during its last run. The code runs only when you press Run.'
          : sent
            ? 'This page came from a link. Its code runs only when you press Run; until then you see what its sender saw.'
            : 'This workspace holds code from a link. It runs only when you press Run.'}
      </span>
      <Button variant="primary" data-testid="consent-button" onClick={giveConsent}>
        <Icon name="play" size={12} />
        {consent === 'unclean' ? 'Run the code' : 'Run its code'}
      </Button>
    </div>
  )
}

async function applyQuickFix(file: string, { from, to, text }: QuickFix): Promise<void> {
  const editor = await editorLoaded()
  editor.apply(new Map([[file, [{ file, from, to, text }]]]))
}

export function ProblemBanner() {
  const lastPython = useRun((s) => s.python)
  const causes = useRun((s) => (s.python === null ? undefined : (s.early?.causes ?? s.report?.causes)))
  const early = (causes ?? []).length > 0
  const lastFailure = useRun((s) => s.failure)
  const problems = useRun((s) => s.problems)
  const workspace = useWorkspace((s) => s.workspace)
  const version = useWorkspace((s) => s.version)
  const read = useRun((s) => s.graphVersion) === version
  // Errors of an older text are hidden once the next run has lasted a while; errors of the graph are known before the
  // run starts.
  const running = useLasting(
    useRun((s) => s.running && !s.silent),
    useRun((s) => s.since),
    300,
  )
  const partial = useRun((s) => (s.python ? undefined : fileFailures(s.report?.files)[0]))
  const python = running ? null : (lastPython ?? partial ?? null)
  const failure = running ? null : lastFailure
  const first = running && !read ? undefined : problems[0]
  const place = python ? python.frames.at(-1) : first
  const only =
    python !== null && python === partial ? `${/[.!?]$/.test(python.message) ? '' : '.'} The other files ran.` : ''
  const message = python ? `${failureText(python, causes)}${only}` : (failure ?? first?.message)
  if (!message) return null
  const file = place ? fileOf(workspace, place.file) : null
  return (
    <div className={cx(styles.banner, styles.below)} data-tone="bad" role="alert" data-testid="problem-banner">
      <Icon name="warn" />
      <span className={styles.text}>
        {message}
        {!python && !failure && problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''}
      </span>
      {place && file && (python || !failure) && (
        <LinkButton
          mono
          onClick={() => {
            useWorkspace.getState().open(file)
            useView.getState().select({ kind: 'line', file, line: place.line })
          }}
        >
          {file}:{place.line}
        </LinkButton>
      )}
      {python?.edit && file && (
        <Button onClick={() => void applyQuickFix(file, python.edit!)}>{python.edit.title}</Button>
      )}
      {python && early && <Button onClick={() => useView.getState().setPanel('whynot')}>Why</Button>}
      {python && <Button onClick={() => useView.getState().setPanel('console')}>Traceback</Button>}
      {failure && !python && <Button onClick={() => void run()}>Run again</Button>}
    </div>
  )
}
