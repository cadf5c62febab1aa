/** Initial workspace of the page: a link's snapshot, or the last edited example, or the first example. */
import { FIRST_EXAMPLE } from './examples/catalog'
import { loadExampleList, openDraft, openExample, openSent, useExamples } from './examples/examples'
import { consentPart } from './session/consent'
import { autosavePart, startSaving } from './session/autosave'
import { isExampleId, lastOrigin, lessonOf } from './session/kept_ids'
import { adoptLeftWork, startList } from './session/library_list'
import { historyPart } from './session/history'
import { holdTabLock } from './session/tabs'
import { askedExample, isLink, startAddress } from './session/address'
import { installApi } from './api'
import { gpuClient } from './features/run/gpu_runs'
import { FEATURES } from './features'
import { startLive } from './features/live/watch'
import { watchQuestion } from './session/question/steady'
import { runnerPart } from './session/runner'
import { startSessions } from './session/session'
import { openClassOfAddress } from './features/lessons/class/store'
import { startFirstVisit } from './features/lessons/first_visit'
import { askedLesson, openLesson, openLessonOrigin } from './features/lessons/open_lesson'
import { openLessonOfAddress } from './features/lessons/own/open_files'
import { followKept } from './features/offline/store'
import { askedFiles, openGiven } from './features/open_files/given'
import { askedSource, isSource, openSource, sentFrom } from './features/open_files/from_url'
import { pageOpened } from './session/load_order'
import { openSnapshotText } from './features/share/share'
import { useRun } from './session/run_store'
import { toast, useView } from './session/view_store'
import { findUncleanEnd } from './session/question/unclean_end'
import { textOf, useWorkspace } from './session/workspace_store'
import { editorLoaded } from './commands/surfaces'

declare global {
  interface Window {
    /** Hooks for tests and benchmarks; the page itself does not use them. */
    __fusescope?: {
      /** True when the first live run is done: it has a report or, for a link without consent, its graph. */
      ready: Promise<void>
      getState(): object
      /** The open file. */
      editor: { text(): string; select(text: string): Promise<boolean> }
      /** Destroys the GPU device, like a driver reset. */
      loseDevice(): Promise<void>
    }
  }
}

export function boot(): void {
  holdTabLock()
  startSaving()
  watchQuestion()
  startSessions([consentPart, runnerPart, autosavePart, historyPart, ...FEATURES.flatMap((f) => f.sessionPart ?? [])])
  startFirstVisit()
  const opened = open().finally(pageOpened.open)
  const ready = opened.then(firstRun)
  void opened.then(startList)
  void opened.then(followKept)
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
  void opened.then(() => {
    startAddress({
      example: async (id) => void (await openExample(id)),
      link: (fragment) => openSnapshotText(fragment),
      stored: (origin) => (lessonOf(origin) ? openLessonOrigin(origin) : openDraft(origin)),
      isNamed: isSource,
      named: () => openAsked(),
      isExample: (origin) => useExamples.getState().list.some((e) => e.id === origin),
    })
    if (!isSource(useWorkspace.getState().origin)) void openAsked()
  })
  addEventListener('hashchange', showGallery)
  addEventListener('hashchange', () => void openLessonOfAddress())
  showGallery()
}

/** Opens the file of `?from=URL`, over the initial workspace. */
async function openAsked(): Promise<void> {
  const from = askedSource()
  if (from !== null) await openSource(from)
}

/** `#gallery` opens the gallery over the initial workspace, and is removed from the address; `#class=` opens a class page. */
function showGallery(): void {
  if (openClassOfAddress()) return
  if (location.hash !== '#gallery') return
  useView.getState().setOverlay('gallery')
  history.replaceState(history.state, '', location.pathname + location.search)
}

function firstRun(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): boolean => !useRun.getState().running
    if (done()) return resolve()
    // Opening another workspace clears the run and starts a new one: the run has ended only in a state after both.
    const stop = useRun.subscribe(() =>
      queueMicrotask(() => {
        if (!done()) return
        stop()
        resolve()
      }),
    )
  })
}

/** Opens the initial example only if the page is unchanged: earlier edits and dropped files are kept. */
async function open(): Promise<void> {
  const { version } = useWorkspace.getState()
  const examples = loadExampleList()
  await Promise.all([adoptLeftWork(), findUncleanEnd()])
  if (isLink(location.hash) && (await openSnapshotText(location.hash))) {
    await examples
    return
  }
  if (await startLive()) return
  const given = askedFiles()
  if (given.length > 0 && (await openGiven(given))) return
  const from = askedSource()
  if (from !== null && (await openSent(sentFrom(from)))) return
  if (await openLessonOfAddress()) return
  const lesson = askedLesson()
  if (lesson && (await openLesson(lesson.id, lesson.step))) return
  const list = await examples
  if (useWorkspace.getState().version !== version) return
  const asked = askedExample()
  if (asked !== null && list.some((e) => e.id === asked)) {
    await openExample(asked, { unlessChangedSince: version })
    return
  }
  if (asked !== null && list.length > 0) toast(`There is no example “${asked.slice(0, 60)}” here.`, { tone: 'bad' })
  const last = lastOrigin()
  if (last !== null && lessonOf(last) && (await openLessonOrigin(last))) return
  if (last !== null && !isExampleId(last) && (await openDraft(last))) return
  const first = [last, FIRST_EXAMPLE].flatMap((id) => list.find((e) => e.id === id) ?? [])[0] ?? list[0]
  if (first) await openExample(first.id, { unlessChangedSince: version })
  else if (useExamples.getState().problem) toast(useExamples.getState().problem!, { tone: 'bad' })
}
