import { startTransition, useEffect, useState } from 'react'
import { downloadSnapshot } from './exports'
import { listed } from '../../../base/english'
import { messageOf } from '../../../base/error_message'
import { pythonHasRun, useRun } from '../../session/run_store'
import { EXPORTS, exportWorkspace } from './exports'
import { PICTURES, savePicture } from './pictures'
import { makeLink, type MadeLink } from './share'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { Dialog, DialogActions } from '../../ui/Dialog'
import { Icon } from '../../ui/icons'
import { Input } from '../../ui/Field'
import { Button } from '../../ui/Button'
import { copyAndSay, copyText } from '../../ui/clipboard'
import { Notice } from '../../ui/Messages'
import { css, cx } from '../../ui/css'
import styles from './ShareDialog.module.css'

/** Makes the link, copies it and shows its length. */
export function ShareDialog() {
  const [link, setLink] = useState<MadeLink | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [copied, setCopied] = useState(false)
  // The rows below the link are drawn after the first frame: they take twice as long as the dialog alone.
  const [whole, setWhole] = useState(false)
  useEffect(() => startTransition(() => setWhole(true)), [])

  useEffect(() => {
    let gone = false
    makeLink().then(
      async (made) => {
        if (gone) return
        setLink(made)
        if (!made.tooLong) setCopied(await copyText(made.url))
      },
      (e) => !gone && setProblem(messageOf(e)),
    )
    return () => {
      gone = true
    }
  }, [])

  return (
    <Dialog label="Share" title="Share this screen">
      <p className={css.muted}>
        The link contains the graph, the Python, the result and the selection. Nothing is sent to a server.
      </p>
      {problem && <p role="alert">The link could not be made: {problem}</p>}
      {!link && !problem && <p>Creating the link…</p>}
      {link && <LinkRow link={link} copied={copied} copy={async () => setCopied(await copyText(link.url))} />}
      {whole && <PictureRow />}
      {whole && <ExportRow />}
      <DialogActions>
        {link && (
          <Button data-testid="copy-markdown" onClick={() => void copyMarkdown(link.tooLong ? null : link.url)}>
            <Icon name="copy" />
            Copy as Markdown
          </Button>
        )}
        <Button onClick={() => void downloadSnapshot()}>
          <Icon name="download" />
          Save as a file
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Copies the finding on screen; without a report, only the link. */
async function copyMarkdown(url: string | null): Promise<void> {
  const report = useRun.getState().result.value
  if (!report) return
  const { findingAsMarkdown } = await import('./markdown')
  const { selection } = useView.getState()
  const { workspace } = useWorkspace.getState()
  await copyAndSay(findingAsMarkdown({ report, workspace, selection, url }), 'The finding is copied as Markdown.')
}

/** Pictures of the drawing. */
function PictureRow() {
  const selected = useView((s) => s.selection !== null)
  const drawn = useRun((s) => s.graphRead.value !== null)
  return (
    <div className={cx(css.row, css.wraps)} role="group" aria-label="Picture of the graph">
      <span className={css.muted}>Picture of the graph:</span>
      {PICTURES.map(({ part, form, label, title }) => (
        <Button
          key={`${part}-${form}`}
          title={title}
          disabled={!drawn || (part === 'selection' && !selected)}
          onClick={() => void savePicture(part, form)}
        >
          <Icon name="download" />
          {label}
        </Button>
      ))}
    </div>
  )
}

/** Downloads for a real PyTorch. */
function ExportRow() {
  return (
    <div className={cx(css.row, css.wraps)} role="group" aria-label="Export for a real PyTorch">
      <span className={css.muted}>Run on a real PyTorch:</span>
      {EXPORTS.map(({ kind, label, title }) => (
        <Button key={kind} title={title} disabled={!pythonHasRun()} onClick={() => void exportWorkspace(kind)}>
          <Icon name="download" />
          {label}
        </Button>
      ))}
    </div>
  )
}

/** The link, its length and a warning about the length. */
function LinkRow({ link, copied, copy }: { link: MadeLink; copied: boolean; copy(): Promise<void> }) {
  return (
    <>
      <div className={cx(styles.row, css.cluster)}>
        <Input
          mono
          data-testid="share-link"
          aria-label="Link"
          readOnly
          autoFocus
          value={link.tooLong ? '' : link.url}
          placeholder={link.tooLong ? 'Too long for a link' : ''}
          onFocus={(e) => {
            const input = e.target
            input.select()
            // Shows the beginning of the link, which has its host.
            requestAnimationFrame(() => (input.scrollLeft = 0))
          }}
        />
        <Button variant="primary" disabled={link.tooLong} onClick={() => void copy()}>
          <Icon name="copy" />
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p className={css.muted} role="status">
        {copied ? 'Copied. ' : ''}
        {link.size.toLocaleString('en-US')} characters ({(link.size / 1024).toFixed(1)} KiB).
      </p>
      {!link.comments && (
        <p className={css.muted}>
          The graph’s source comments are left out to keep the link short; the saved file contains them.
        </p>
      )}
      {link.cutBy.length > 0 && !link.tooLong && (
        <p className={css.muted} data-testid="cut-by">
          Longer than a message of {listed(link.cutBy)}: send the saved file there. It opens when dropped on the window.
        </p>
      )}
      {link.warning && (
        <Notice tone="warn">
          <Icon name="warn" />
          {link.warning}
        </Notice>
      )}
    </>
  )
}
