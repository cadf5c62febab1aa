/** Finds a text in all files of the workspace; a result opens its line. */
import { useMemo, useState } from 'react'
import { closeOverlay } from '../../session/view_store'
import { tabsOf, useWorkspace } from '../../session/workspace_store'
import { count } from '../../../base/english'
import { Dialog, DialogTop } from '../../ui/Dialog'
import { Input } from '../../ui/Field'
import { PlaceList } from '../problems/PlaceList'
import { findInFiles, MAX_LINES } from './search'
import { css, cx } from '../../ui/css'
import styles from './FindInFilesDialog.module.css'

export function FindInFilesDialog() {
  const workspace = useWorkspace((s) => s.workspace)
  const [query, setQuery] = useState('')
  const [regex, setRegex] = useState(false)
  const [matchCase, setMatchCase] = useState(false)
  const found = useMemo(
    () => findInFiles(tabsOf(workspace), query, { regex, matchCase }),
    [workspace, query, regex, matchCase],
  )
  const lines = typeof found === 'string' ? [] : found.lines
  return (
    <Dialog label="Find in all files" flush width={760} className={styles.dialog}>
      <DialogTop>
        <Input
          type="search"
          mono
          aria-label="Find in all files"
          placeholder="Find in all files"
          value={query}
          onValue={setQuery}
        />
        <label>
          <input type="checkbox" checked={matchCase} onChange={(e) => setMatchCase(e.target.checked)} /> Match case
        </label>
        <label>
          <input type="checkbox" checked={regex} onChange={(e) => setRegex(e.target.checked)} /> Regular expression
        </label>
      </DialogTop>
      <p className={css.muted} role="status">
        {typeof found === 'string' ? found : query === '' ? '' : resultText(lines.length, found.more)}
      </p>
      <div className={cx(css.fill, css.scroll)}>
        <PlaceList
          label="Results"
          mono
          places={lines.map(({ file, line, from, text }) => ({ file, line, column: from, text: text.trim() }))}
          onOpen={closeOverlay}
        />
      </div>
    </Dialog>
  )
}

const resultText = (lines: number, more: boolean): string =>
  lines === 0 ? 'No line contains it.' : more ? `The first ${MAX_LINES} lines` : count(lines, 'line')
