/** Commands of the gallery: the gallery itself, the guide of the open example, and one command per example. */
import { exampleNow, openExample, useExamples, useGuide } from '../../examples/examples'
import { draftNow, saveOpen } from '../../session/autosave'
import { deleteWorkspace } from '../../session/library_list'
import { keepVersion, saveNow } from '../../session/saver'
import { reopenLater } from '../../session/open_workspace'
import { useView, toastUndo } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { inGroup } from '../../commands/types'
import type { Feature } from '../types'

export const galleryFeature: Feature = {
  commands: inGroup('Examples', [
    {
      id: 'gallery',
      title: 'All examples, by system',
      keys: ['X'],
      run: () => useView.getState().setOverlay('gallery'),
    },
    {
      id: 'guide',
      title: 'What to look at in this example',
      keys: ['H'],
      enabled: () => useGuide.getState().page !== null || exampleNow() !== undefined,
      run: () => useGuide.setState((s) => ({ page: s.page === null ? (exampleNow()?.page ?? null) : null })),
    },
    {
      id: 'reset',
      title: 'Reset the example',
      enabled: () => exampleNow() !== undefined,
      run: () => void resetExample(),
    },
  ]),
  dynamicCommands: () =>
    inGroup(
      'Examples',
      useExamples.getState().list.map(({ id, title }) => ({
        id: `example-${id}`,
        title: `Open the example: ${title}`,
        run: () => void openExample(id),
      })),
    ),
}

/** The edits stay as a version, and in the list of deleted workspaces. */
export async function resetExample(): Promise<void> {
  const { origin } = useWorkspace.getState()
  const undo = reopenLater()
  await saveNow()
  await keepVersion(origin, draftNow(), { kind: 'before', what: 'the example was reset' })
  // The edits stay open where the published version cannot be loaded; openExample says why.
  if (!(await openExample(origin, { fresh: true }))) return
  await deleteWorkspace(origin).catch(() => undefined)
  toastUndo('The example is reset to its published version.', () => {
    undo()
    saveOpen()
  })
}
