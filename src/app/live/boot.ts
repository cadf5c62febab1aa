/** What the page opens with: a link's snapshot, or the last example worked on, or the first example. */
import { useExamples, loadExampleList, openExample } from './examples'
import { lastOrigin, draftOf, watchForAutosave } from './autosave'
import { watchEdits, run, forgetRun } from './runner'
import { openSnapshotText } from './share'
import { useRun } from '../stores/run'
import { useView } from '../stores/view'
import { useWorkspace } from '../stores/workspace'

declare global {
  interface Window {
    /** For tests and benchmarks: nothing here is secret, nothing here is used by the page itself. */
    __fusescope?: { ready: Promise<void>; getState(): object }
  }
}

export function boot(): void {
  const ready = open()
  window.__fusescope = {
    ready,
    getState: () => ({ workspace: useWorkspace.getState(), run: useRun.getState(), view: useView.getState() }),
  }
  watchEdits()
  watchForAutosave()
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#v')) void openSnapshotText(location.hash)
  })
}

async function open(): Promise<void> {
  const examples = loadExampleList()
  if (/^#v\d+\./.test(location.hash) && (await openSnapshotText(location.hash))) {
    await examples
    return
  }
  const list = await examples
  const last = lastOrigin()
  if (last === 'own') {
    const draft = draftOf('own')
    if (draft) {
      useWorkspace.getState().load(draft, 'own')
      forgetRun()
      await run()
      return
    }
  }
  const first = list.find((e) => e.id === last) ?? list[0]
  if (first) await openExample(first.id)
  else if (useExamples.getState().problem) useView.getState().toast(useExamples.getState().problem!, { tone: 'bad' })
}
