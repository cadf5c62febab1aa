import { useEffect, useState } from 'react'
import { downloadSnapshot } from '../open_files/files'
import { messageOf } from '../../../base/error_message'
import { makeLink, type MadeLink } from './share'
import { useView } from '../../session/view_store'
import { Dialog } from '../../ui/Dialog'
import { Icon } from '../../ui/icons'

/** Makes the link, copies it, says how long it is. */
export function ShareDialog() {
  const [link, setLink] = useState<MadeLink | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [copied, setCopied] = useState(false)
  const close = (): void => useView.getState().setOverlay(null)

  useEffect(() => {
    let gone = false
    makeLink().then(
      async (made) => {
        if (gone) return
        setLink(made)
        if (!made.tooLong) setCopied(await copy(made.url))
      },
      (e) => !gone && setProblem(messageOf(e)),
    )
    return () => {
      gone = true
    }
  }, [])

  return (
    <Dialog label="Share" className="share" onClose={close}>
      <h2 className="dialog-title">Share this screen</h2>
      <p className="muted">
        The link holds the graph, the Python, the verdict and what is selected. Nothing is sent to a server.
      </p>
      {problem && <p role="alert">The link could not be made: {problem}</p>}
      {!link && !problem && <p>Making the link…</p>}
      {link && (
        <>
          <div className="share-row">
            <input
              className="mono"
              data-testid="share-link"
              aria-label="Link"
              readOnly
              autoFocus
              value={link.tooLong ? '' : link.url}
              placeholder={link.tooLong ? 'Too long for a link' : ''}
              onFocus={(e) => {
                const input = e.target
                input.select()
                // Its beginning, which says where it leads, and not its end.
                requestAnimationFrame(() => (input.scrollLeft = 0))
              }}
            />
            <button
              className="btn primary"
              disabled={link.tooLong}
              onClick={async () => setCopied(await copy(link.url))}
            >
              <Icon name="copy" />
              {copied ? 'Copied' : 'Copy'}
            </button>
          </div>
          <p className="muted" role="status">
            {copied ? 'Copied. ' : ''}
            {link.size.toLocaleString('en-US')} characters ({(link.size / 1024).toFixed(1)} KiB).
          </p>
          {link.warning && (
            <p className="notice warn">
              <Icon name="warn" />
              {link.warning}
            </p>
          )}
        </>
      )}
      <div className="dialog-actions">
        <button className="btn" onClick={downloadSnapshot}>
          <Icon name="download" />
          Save as a file
        </button>
        <button className="btn" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

/** False where the browser refuses: the text is selected for the person to copy. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
