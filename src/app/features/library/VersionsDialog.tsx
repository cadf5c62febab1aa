/** The versions of the open workspace: look at their texts, and return to one. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Draft, VersionInfo } from '../../../workspace/library'
import { library, reasonOf, saveNow } from '../../session/saver'
import { closeOverlay } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { Button } from '../../ui/Button'
import { Dialog, DialogActions } from '../../ui/Dialog'
import { Input, Select } from '../../ui/Field'
import { EmptyState } from '../../ui/Messages'
import { RowButton } from '../../ui/Row'
import { css, cx } from '../../ui/css'
import { nameVersion, returnTo } from './actions'
import { changedPart, reasonText, versionTexts, type VersionText as VersionTextProps } from './version_text'
import { timeText } from '../../ui/KeptList'
import styles from './VersionsDialog.module.css'

export function VersionsDialog() {
  const origin = useWorkspace((s) => s.origin)
  const name = useWorkspace((s) => s.workspace.name)
  const [versions, setVersions] = useState<readonly VersionInfo[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [chosen, setChosen] = useState<VersionInfo | null>(null)
  const read = useCallback(
    () =>
      saveNow()
        .then(() => library.versions(origin))
        .then(setVersions, (e: unknown) => setProblem(reasonOf(e))),
    [origin],
  )
  useEffect(() => void read(), [read])
  return (
    <Dialog label="Versions" title={`Versions of ${name}`} width={960}>
      <p className={css.muted}>
        A version is kept when a workspace is first edited, every five minutes of edits, and before it is reset or
        replaced.
      </p>
      <NameVersion saved={() => void read()} />
      {problem && <EmptyState>{problem}</EmptyState>}
      {versions?.length === 0 && <EmptyState>There is no version yet.</EmptyState>}
      <div className={cx(css.cluster, css.gap4, css.low)}>
        <div className={styles.list} data-testid="versions">
          {versions?.map((v) => (
            <RowButton key={v.key} selected={v.key === chosen?.key} onClick={() => setChosen(v)}>
              <span className={cx(css.spring, css.breaks)}>{reasonText(v.why)}</span>
              <span className={css.muted}>{timeText(v.at)}</span>
            </RowButton>
          ))}
        </div>
        {chosen && <Version key={chosen.key} info={chosen} />}
      </div>
    </Dialog>
  )
}

function NameVersion({ saved }: { saved(): void }) {
  const [name, setName] = useState('')
  return (
    <form
      className={cx(styles.named, css.cluster)}
      onSubmit={(e) => {
        e.preventDefault()
        if (name.trim() !== '') void nameVersion(name).then(() => (setName(''), saved()))
      }}
    >
      <Input
        aria-label="Name of a new version"
        placeholder="Name of a version to keep now"
        maxLength={200}
        value={name}
        onValue={setName}
      />
      <Button type="submit" disabled={name.trim() === ''}>
        Keep this version
      </Button>
    </form>
  )
}

const CHANGES = { same: 'same as now', changed: 'changed since', 'only here': 'not there now' } as const

/** The texts of a version. */
function Version({ info }: { info: VersionInfo }) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [file, setFile] = useState<string | null>(null)
  const now = useWorkspace((s) => s.workspace)
  useEffect(() => {
    let gone = false
    const show = (text: string): void => void (gone || setProblem(text))
    library.version(info.key).then(
      (found) => {
        if (gone) return
        if (!found.ok) show(found.error.message)
        else if (!found.value) show('This version is gone.')
        else setDraft(found.value)
      },
      (e: unknown) => show(reasonOf(e)),
    )
    return () => void (gone = true)
  }, [info.key])
  if (problem) return <EmptyState>{problem}</EmptyState>
  if (!draft) return null
  const texts = versionTexts(draft.workspace, now)
  const shown = texts.find((t) => t.name === file) ?? texts[0]!
  return (
    <div className={cx(css.stack, css.spring)}>
      <Select
        aria-label="File of the version"
        value={shown.name}
        onValue={setFile}
        options={texts.map((t) => [t.name, `${t.name} (${CHANGES[t.change]})`])}
      />
      <VersionText key={shown.name} {...shown} />
      <DialogActions>
        <Button
          variant="primary"
          onClick={() => {
            closeOverlay()
            void returnTo(draft, timeText(info.at))
          }}
        >
          Return to this version
        </Button>
      </DialogActions>
    </div>
  )
}

/** A text with its changed part marked and scrolled into view. */
function VersionText({ text, now }: VersionTextProps) {
  const mark = useRef<HTMLElement>(null)
  const drawn = beginning(text)
  const [before, changed, after] = changedPart(drawn, now === undefined ? drawn : beginning(now))
  useEffect(() => {
    // Not returned: Chromium's scrolling methods return a promise, which React would call.
    mark.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <pre className={styles.text} data-testid="version-text" tabIndex={0}>
      {before}
      {changed && (
        <mark ref={mark} className={styles.changed}>
          {changed}
        </mark>
      )}
      {after}
    </pre>
  )
}

/** Maximum number of drawn characters of a text; more would stall the page. */
const SHOWN = 200_000

const beginning = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text)
