/** "What can be fused here": the patterns of the gallery and of the user that fire on the shown graph. */
import { useEffect } from 'react'
import { bytesText, count } from '../../../base/english'
import { closeOverlay, toastUndo } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { EmptyState, Notice } from '../../ui/Messages'
import { Table } from '../../ui/Table'
import { css } from '../../ui/css'
import type { TextFile } from '../../../workspace/types'
import { findFusions } from './find_fusions'
import { useFusions, type Offer } from './store'
import styles from './FusionsDialog.module.css'

export function FusionsDialog() {
  const { offers, done, total, problem } = useFusions()
  const open = useWorkspace((s) => s.workspace.files)
  useEffect(() => {
    void findFusions()
  }, [])
  const running = problem === null && (total === 0 || done < total)
  return (
    <Dialog title="What can be fused here" className={styles.dialog}>
      <p role="status" className={css.muted} data-testid="fusions-status">
        {running
          ? `Running the gallery’s patterns and yours on this graph: ${done} of ${total || '…'}`
          : resultText(offers, problem)}
      </p>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {!running && problem === null && offers.length === 0 && (
        <EmptyState>Pick nodes of the graph to make a pattern of your own.</EmptyState>
      )}
      {offers.length > 0 && (
        <Table variant="grid" aria-label="Patterns that fire">
          <tbody>
            {offers.map((o) => (
              <tr key={o.id}>
                <th scope="row">
                  {o.title} <span className={css.muted}>{o.system}</span>
                </th>
                <td>{count(o.places, 'place')}</td>
                <td>{savedText(o.bytes)}</td>
                <td>
                  {isAdded(o, open) ? (
                    <span className={css.muted}>in this workspace</span>
                  ) : (
                    <Button onClick={() => add(o)} aria-label={`Add ${o.title}`}>
                      Add
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Dialog>
  )
}

const resultText = (offers: readonly Offer[], problem: string | null): string =>
  offers.length === 0
    ? problem !== null
      ? ''
      : 'No pattern of the gallery or of yours fires on this graph.'
    : 'Ranked by number of matches; memory traffic is the bytes of the replaced nodes minus the bytes of their replacements.'

const savedText = (bytes: number | null): string =>
  bytes === null ? 'traffic unknown' : bytes > 0 ? `saves ${bytesText(bytes)}` : 'saves no traffic'

/** The workspace has the files of the offer, unchanged. */
const isAdded = ({ files }: Offer, open: readonly TextFile[]): boolean =>
  files.every((f) => open.some((o) => o.name === f.name && o.text === f.text))

function add({ title, files }: Offer): void {
  const { workspace, openFile, putFiles } = useWorkspace.getState()
  putFiles(files)
  closeOverlay()
  toastUndo(`${title} added.`, () => useWorkspace.getState().restoreFiles([...workspace.files], openFile))
}
