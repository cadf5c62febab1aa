/** Initial workspace of the page: a link's snapshot, or the last edited example, or the first example. */
import { loadExampleList, openDraft, openExample, useExamples } from '../features/gallery/examples'
import { autosavePart, lastOrigin, loadDraftIndex } from './autosave'
import { installApi } from './api'
import { gpuClient } from '../features/run/gpu_runs'
import { FEATURES } from '../features'
import { runnerPart } from './runner'
import { startSessions } from './session'
import { pageOpened } from './load_order'
import { openSnapshotText } from '../features/share/share'
import { useRun } from './run_store'
import { useView } from './view_store'
import { textOf, useWorkspace } from './workspace_store'
import { editorLoaded } from '../commands/surfaces'

declare global {
  interface Window {
    /** For tests and benchmarks: nothing here is secret, nothing here is used by the page itself. */
    __fusescope?: {
      /** The first live run is done: a report, or for a link that was not agreed to, its graph. */
      ready: Promise<void>
      getState(): object
      /** The file in front. */
      editor: { text(): string; select(text: string): Promise<boolean> }
      /** Destroys the GPU device, as a driver's reset does. */
      loseDevice(): Promise<void>
    }
  }
}

export function boot(): void {
  loadDraftIndex()
  startSessions([runnerPart, autosavePart, ...FEATURES.flatMap((f) => f.sessionPart ?? [])])
  const ready = open().finally(pageOpened.open).then(firstRun)
  installApi(ready)
  window.__fusescope = {
    ready,
    editor: {
      text: () => textOf(useWorkspace.getState().workspace, useWorkspace.getState().openFile) ?? '',
      select: async (text) => (await editorLoaded()).select(text),
    },
    loseDevice: async () => (await gpuClient()).lose(),
    getState: () => ({ workspace: useWorkspace.getState(), run: useRun.getState(), view: useView.getState() }),
  }
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#v')) void openSnapshotText(location.hash)
    else showGallery()
  })
  showGallery()
}

/** `#gallery` opens it over whatever else the page opens with; the address does not keep it. */
function showGallery(): void {
  if (location.hash !== '#gallery') return
  useView.getState().setOverlay('gallery')
  history.replaceState(null, '', location.pathname + location.search)
}

function firstRun(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): boolean => !useRun.getState().running
    if (done()) return resolve()
    // Opening another workspace clears the run and begins its own: only what holds after both is an end.
    const stop = useRun.subscribe(() =>
      queueMicrotask(() => {
        if (!done()) return
        stop()
        resolve()
      }),
    )
  })
}

/** What is dropped or typed before it has arrived stays: only an untouched page is filled. */
async function open(): Promise<void> {
  const { version } = useWorkspace.getState()
  const examples = loadExampleList()
  if (/^#v\d+\./.test(location.hash) && (await openSnapshotText(location.hash))) {
    await examples
    return
  }
  const list = await examples
  if (useWorkspace.getState().version !== version) return
  const last = lastOrigin()
  if (last?.startsWith('own:') && openDraft(last)) return
  const first = list.find((e) => e.id === last) ?? list[0]
  if (first) await openExample(first.id, { unlessChangedSince: version })
  else if (useExamples.getState().problem) useView.getState().toast(useExamples.getState().problem!, { tone: 'bad' })
}
