/** Tabs over the text area. The text area loads after the initial content of the page. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { tabsOf, textOf, useWorkspace } from '../../session/workspace_store'
import { useProblems } from './problems'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { editorFetched, pageOpened } from '../../session/load_order'
import { runCommand } from '../../commands/types'
import { OPEN_FILE } from '../open_files/commands'
import { NEW_FILE } from './commands'
import { markersOf } from './editor_marks'
import { tabLabel } from './tab_label'
import { Guard } from '../../ui/Guard'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs'
import { Icon } from '../../ui/icons'
import { lastTop, LINE_HEIGHT, startLine } from './start'
import { IconButton } from '../../ui/Button'
import { Input } from '../../ui/Field'
import styles from './EditorPane.module.css'
import css from '../../ui/text.module.css'

const MonacoHost = lazy(() => pageOpened.promise.then(() => import('./MonacoHost').finally(editorFetched.open)))

export function EditorPane() {
  const workspace = useWorkspace((s) => s.workspace)
  const openFile = useWorkspace((s) => s.openFile)
  const python = useRun((s) => s.python)
  const problems = useProblems()
  const [renaming, setRenaming] = useState<string | null>(null)
  const tabs = tabsOf(workspace)
  const names = tabs.map((t) => t.name)
  const strip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = strip.current!
    const show = (): void => {
      element.querySelector('[data-open]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      markScrolled(element)
    }
    show()
    // The columns get their widths after the first render.
    const observer = new ResizeObserver(show)
    observer.observe(element)
    // An error mark makes the tab wider.
    const tab = element.querySelector('[data-open]')
    if (tab) observer.observe(tab)
    return () => observer.disconnect()
  }, [openFile, workspace.files.length, renaming])
  const { open } = useWorkspace.getState()

  return (
    <Tabs asChild value={openFile} onValueChange={open}>
      <section className={styles.pane} data-region="editor" aria-label="Editor" data-testid="editor">
        <div className={styles.bar}>
          <TabList
            ref={strip}
            className={styles.tabs}
            aria-label="Files"
            onScroll={(e) => markScrolled(e.currentTarget)}
            onWheel={(e) => {
              if (e.deltaX === 0) e.currentTarget.scrollLeft += e.deltaY
            }}
            onKeyDown={(e) => {
              if (e.target instanceof HTMLInputElement) return
              if (e.key === 'F2' && openFile) setRenaming(openFile)
              else if (e.key === 'Delete') remove(openFile)
              else return
              e.preventDefault()
            }}
          >
            {tabs.map((t) => {
              const isPython = workspace.files.some((f) => f.name === t.name)
              const bad = markersOf(t.name, workspace, python, problems).length > 0
              if (renaming === t.name) return <RenameField key={t.name} name={t.name} done={() => setRenaming(null)} />
              return (
                <span key={t.name} className={styles.tab} data-open={t.name === openFile || undefined}>
                  <Tab
                    value={t.name}
                    title={isPython ? `${t.name} (double-click to rename)` : `${t.name}: the graph's text`}
                    onDoubleClick={() => setRenaming(t.name)}
                  >
                    {!isPython && <Icon name="graph" />}
                    <span className={css.ellipsis}>{tabLabel(t.name, names)}</span>
                    {bad && (
                      <span className={styles.tabBad} title="Has an error">
                        <span aria-hidden="true">!</span>
                        <span className={css.hidden}>has an error</span>
                      </span>
                    )}
                  </Tab>
                  {isPython && t.name === openFile && workspace.files.length > 1 && (
                    <button
                      className={styles.tabClose}
                      aria-label={`Delete ${t.name}`}
                      title="Delete the file (can be undone)"
                      onClick={() => remove(t.name)}
                    >
                      <Icon name="close" />
                    </button>
                  )}
                </span>
              )
            })}
          </TabList>
          <IconButton
            variant="quiet"
            icon="plus"
            label="Add a Python file"
            hint="Add a Python file"
            onClick={() => runCommand(NEW_FILE)}
          />
          <IconButton
            variant="quiet"
            icon="folder"
            label="Open a file"
            hint="Open a graph or a Python file (or drop it anywhere)"
            onClick={() => runCommand(OPEN_FILE)}
          />
        </div>
        <TabPanel className={styles.body} value={openFile} tabIndex={-1}>
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

/** Fades the tab bar at an edge with tabs beyond it. */
function markScrolled(strip: HTMLElement): void {
  strip.dataset.more = [
    strip.scrollLeft > 1 ? 'left' : '',
    strip.scrollLeft + strip.clientWidth < strip.scrollWidth - 1 ? 'right' : '',
  ].join(' ')
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

function remove(name: string): void {
  const { workspace, deleteFile } = useWorkspace.getState()
  const index = workspace.files.findIndex((f) => f.name === name)
  if (index < 0 || workspace.files.length < 2) return
  const file = deleteFile(name)
  if (file)
    useView.getState().toast(`${name} deleted.`, {
      action: { label: 'Undo', run: () => useWorkspace.getState().restoreFile(file, index) },
    })
}

function RenameField({ name, done }: { name: string; done: () => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const commit = (to: string): void => {
    const wrong = useWorkspace.getState().renameFile(name, to.trim())
    if (wrong) setProblem(wrong)
    else done()
  }
  return (
    <span className={styles.tab} data-open>
      <Input
        className={styles.rename}
        mono
        aria-label={`New name of ${name}`}
        aria-invalid={problem !== null}
        title={problem ?? 'Enter to rename, Escape to cancel'}
        defaultValue={name}
        autoFocus
        size={Math.max(8, name.length)}
        onFocus={(e) => e.target.setSelectionRange(0, Math.max(0, name.lastIndexOf('.')))}
        onBlur={done}
        onKeyDown={(e) => {
          if (e.key === 'Enter') commit(e.currentTarget.value)
          else if (e.key === 'Escape') done()
          e.stopPropagation()
        }}
      />
      {problem && (
        <span className={styles.renameProblem} role="alert">
          {problem}
        </span>
      )}
    </span>
  )
}
