/** Tabs of the graph and the files: open, rename, delete. */
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { TextFile } from '../../../workspace/types'
import { useRun } from '../../session/run_store'
import { toastUndo } from '../../session/view_store'
import { tabsOf, useWorkspace } from '../../session/workspace_store'
import { Input } from '../../ui/Field'
import { Tab, TabList } from '../../ui/Tabs'
import { Icon } from '../../ui/icons'
import { markersOf } from './editor_marks'
import { useProblems } from './problems'
import { tabLabel } from '../../report/tab_label'
import styles from './EditorPane.module.css'
import { css } from '../../ui/css'

export function FileTabs() {
  const workspace = useWorkspace((s) => s.workspace)
  const openFile = useWorkspace((s) => s.openFile)
  const [renaming, setRenaming] = useState<string | null>(null)
  const tabs = tabsOf(workspace)
  const names = tabs.map((t) => t.name)
  const strip = useOpenTabInView(openFile, workspace.files.length, renaming)
  const onKeyDown = (e: React.KeyboardEvent): void => {
    if (e.target instanceof HTMLInputElement) return
    if (e.key === 'F2' && openFile) setRenaming(openFile)
    else if (e.key === 'Delete') remove(openFile)
    else return
    e.preventDefault()
  }
  return (
    <TabList
      ref={strip}
      className={styles.tabs}
      aria-label="Files"
      onScroll={(e) => markScrolled(e.currentTarget)}
      onWheel={(e) => {
        if (e.deltaX === 0) e.currentTarget.scrollLeft += e.deltaY
      }}
      onKeyDown={onKeyDown}
    >
      {tabs.map((t) =>
        renaming === t.name ? (
          <RenameField key={t.name} name={t.name} done={() => setRenaming(null)} />
        ) : (
          <FileTab key={t.name} file={t} label={tabLabel(t.name, names)} rename={() => setRenaming(t.name)} />
        ),
      )}
    </TabList>
  )
}

/** Scrolls the strip alone: scrollIntoView would scroll the page of a lesson to the editor too. */
function scrollAlong(strip: Element, tab: Element): void {
  const [outer, inner] = [strip.getBoundingClientRect(), tab.getBoundingClientRect()]
  if (inner.left < outer.left) strip.scrollLeft -= outer.left - inner.left
  else if (inner.right > outer.right) strip.scrollLeft += Math.min(inner.right - outer.right, inner.left - outer.left)
}

/** Scrolls the open tab into view, also after the strip or the tab changes its width. */
function useOpenTabInView(openFile: string, files: number, renaming: string | null): RefObject<HTMLDivElement | null> {
  const strip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = strip.current!
    const show = (): void => {
      const open = element.querySelector('[data-open]')
      if (open) scrollAlong(element, open)
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
  }, [openFile, files, renaming])
  return strip
}

/** Fades the tab bar at an edge with tabs beyond it. */
function markScrolled(strip: HTMLElement): void {
  strip.dataset.more = [
    strip.scrollLeft > 1 ? 'left' : '',
    strip.scrollLeft + strip.clientWidth < strip.scrollWidth - 1 ? 'right' : '',
  ].join(' ')
}

function FileTab({ file: { name }, label, rename }: { file: TextFile; label: string; rename: () => void }) {
  const workspace = useWorkspace((s) => s.workspace)
  const open = useWorkspace((s) => s.openFile === name)
  const python = useRun((s) => s.outcome.value.python)
  const problems = useProblems()
  const isPython = workspace.files.some((f) => f.name === name)
  return (
    <span className={styles.tab} data-open={open || undefined}>
      <Tab
        value={name}
        title={isPython ? `${name} (double-click to rename)` : `${name}: the graph's text`}
        onDoubleClick={rename}
      >
        {!isPython && <Icon name="graph" />}
        <span className={css.ellipsis}>{label}</span>
        {markersOf(name, workspace, python, problems).length > 0 && (
          <span className={styles.tabBad} title="Has an error">
            <span aria-hidden="true">!</span>
            <span className={css.hidden}>has an error</span>
          </span>
        )}
      </Tab>
      {isPython && open && workspace.files.length > 1 && (
        <button
          className={styles.tabClose}
          // A tab list may contain only tabs, so there is no button inside; the Delete key on the tab does the same.
          aria-hidden="true"
          tabIndex={-1}
          title={`Delete ${name} (can be undone)`}
          onClick={() => remove(name)}
        >
          <Icon name="close" />
        </button>
      )}
    </span>
  )
}

function remove(name: string): void {
  const { workspace, deleteFile } = useWorkspace.getState()
  const index = workspace.files.findIndex((f) => f.name === name)
  if (index < 0 || workspace.files.length < 2) return
  const file = deleteFile(name)
  if (file) toastUndo(`${name} deleted.`, () => useWorkspace.getState().restoreFile(file, index))
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
