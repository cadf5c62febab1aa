/** Tabs above the text area. The text area loads after the initial content of the page. */
import { lazy, Suspense } from 'react'
import { runById } from '../../commands/registry'
import { textOf, useWorkspace } from '../../session/workspace_store'
import { editorFetched, editorsTurn, editorWanted, firstDrawn, pageOpened } from '../../session/load_order'
import { FileTabs } from './FileTabs'
import { Guard } from '../../ui/Guard'
import { TabPanel, Tabs } from '../../ui/Tabs'
import { lastTop, LINE_HEIGHT, startLine } from './start'
import { IconButton } from '../../ui/Button'
import styles from './EditorPane.module.css'
import { css, cx } from '../../ui/css'

const MonacoHost = lazy(async () => {
  await pageOpened.promise
  await firstDrawn()
  await editorsTurn()
  return import('./MonacoHost').finally(editorFetched.open)
})

export function EditorPane() {
  const workspace = useWorkspace((s) => s.workspace)
  const openFile = useWorkspace((s) => s.openFile)
  const { open } = useWorkspace.getState()

  return (
    <Tabs asChild value={openFile} onValueChange={open}>
      <section
        className={styles.pane}
        data-region="editor"
        aria-label="Editor"
        data-testid="editor"
        onPointerEnter={editorWanted.open}
        onFocus={editorWanted.open}
      >
        <div className={styles.bar}>
          <FileTabs />
          <IconButton
            variant="quiet"
            icon="plus"
            label="Add a Python file"
            hint="Add a Python file"
            onClick={() => runById('new-file')}
          />
          <IconButton
            variant="quiet"
            icon="folder"
            label="Open a file"
            hint="Open a graph or a Python file (or drop it anywhere)"
            onClick={() => runById('open-file')}
          />
        </div>
        <TabPanel className={cx(css.fill, css.anchor)} value={openFile} tabIndex={-1}>
          <Guard what="The editor">
            <Suspense fallback={<PlainText text={textOf(workspace, openFile) ?? ''} />}>
              <MonacoHost />
            </Suspense>
          </Guard>
        </TabPanel>
      </section>
    </Tabs>
  )
}

/** Height of the bars above the text, in CSS pixels. */
const BARS = 74

/**
 * A plain-text placeholder that is readable while the editor's code loads. The text is cut at the first visible line
 * instead of scrolled: scrolling would force a layout of the whole page before the first paint.
 */
function PlainText({ text }: { text: string }) {
  const startAt = useWorkspace((s) => s.startAt)
  const lines = text.split('\n')
  const height = innerHeight - BARS
  const fit = Math.ceil(height / LINE_HEIGHT)
  const from = Math.min(startLine(text, startAt), lastTop(lines.length, height))
  return <pre className={styles.plainText}>{lines.slice(from, from + fit).join('\n')}</pre>
}
