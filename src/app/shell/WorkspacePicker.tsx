/** The picker of examples and of the user's own workspaces. */
import type { WorkspaceInfo } from '../../workspace/library'
import { runById } from '../commands/registry'
import { galleryOf } from '../examples/catalog'
import { openDraft, openExample, useExamples } from '../examples/examples'
import { isExampleId, lessonOf } from '../session/kept_ids'
import { useLibrary } from '../session/library_list'
import { useWorkspace } from '../session/workspace_store'
import { Select } from '../ui/Field'
import { css } from '../ui/css'
import { CommandButton } from '../commands/CommandButton'
import styles from './Header.module.css'

const NEW = '\u0001new'
const ALL = '\u0001all'
/** Number of the user's own workspaces that the picker lists; the dialog has all. */
const LISTED = 12

export function WorkspacePicker() {
  const { list } = useExamples()
  const kept = useLibrary((s) => s.list)
  const own = kept.filter((w) => w.deletedAt === undefined && !isExampleId(w.id))
  const [works, answers] = [false, true].map((l) => own.filter((w) => (lessonOf(w.id) !== null) === l).slice(0, LISTED))
  const drafts = [...works!, ...answers!]
  const origin = useWorkspace((s) => s.origin)
  const name = useWorkspace((s) => s.workspace.name)
  const example = list.find((e) => e.id === origin)
  const listed = example !== undefined || drafts.some((d) => d.id === origin)
  const choose = (value: string): void => {
    if (value === NEW) runById('new')
    else if (value === ALL) runById('workspaces')
    else if (list.some((e) => e.id === value)) void openExample(value)
    else void openDraft(value)
  }
  return (
    <>
      <label className={css.hidden} htmlFor="example-picker">
        Example or your own work
      </label>
      <Select
        id="example-picker"
        className={styles.picker}
        data-testid="example-picker"
        value={origin}
        title={example?.description ?? name}
        onValue={choose}
      >
        {!listed && (
          <option value={origin} disabled>
            {origin.startsWith('link') ? `From a link: ${name}` : name}
          </option>
        )}
        {galleryOf(list).map(({ system, examples }) => (
          <optgroup key={system} label={system}>
            {examples.map((e) => (
              <option key={e.id} value={e.id}>
                {e.title}
              </option>
            ))}
          </optgroup>
        ))}
        <Own label="Your work in this browser" workspaces={works!} />
        <Own label="Lessons with your edits" workspaces={answers!} />
        <option value={NEW}>Empty workspace</option>
        <option value={ALL}>All workspaces…</option>
      </Select>
      {example && (
        <span className={styles.roomy}>
          <CommandButton command="reset" icon="first" />
          <CommandButton command="guide" icon="book">
            <span className={styles.guideLabel}>What to look at</span>
          </CommandButton>
        </span>
      )}
    </>
  )
}

function Own({ label, workspaces }: { label: string; workspaces: readonly WorkspaceInfo[] }) {
  if (workspaces.length === 0) return null
  return (
    <optgroup label={label}>
      {workspaces.map(({ id, name, at }) => (
        <option key={id} value={id}>
          {name}, {new Date(at).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' })}
        </option>
      ))}
    </optgroup>
  )
}
