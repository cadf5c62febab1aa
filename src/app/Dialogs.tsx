/**
 * The open dialog. Most dialogs are not in the first bundle: their code is fetched after the first report, when the page is idle,
 * or when a dialog opens earlier. The palette and the help are in the first bundle, because keys open them at any time and no
 * character typed into the palette may be lost.
 */
import { useEffect } from 'react'
import { create } from 'zustand'
import type { DIALOGS, FetchedOverlay } from './fetched_dialogs'
import { untilRun } from './session/run_store'
import { toast, useView } from './session/view_store'
import { Help } from './shell/Help'
import { Palette } from './shell/Palette'
import { DialogGuard } from './ui/Dialog'

type Fetch = () => Promise<typeof DIALOGS>

/** The dialogs, once their code has loaded. They open in the frame after the key press; React.lazy would leave that frame empty. */
const useFetched = create<{ dialogs: typeof DIALOGS | null }>(() => ({ dialogs: null }))

const fetchDialogs: Fetch = async () => (await import('./fetched_dialogs')).DIALOGS

export function Dialogs({ fetch = fetchDialogs }: { fetch?: Fetch }) {
  const overlay = useView((s) => s.overlay)
  useEffect(() => void prefetch(fetch), [fetch])
  if (overlay === null) return null
  return (
    <DialogGuard key={overlay} onClose={() => useView.getState().setOverlay(null)}>
      {overlay === 'palette' ? (
        <Palette />
      ) : overlay === 'help' ? (
        <Help />
      ) : (
        <FetchedDialog name={overlay} fetch={fetch} />
      )}
    </DialogGuard>
  )
}

function FetchedDialog({ name, fetch }: { name: FetchedOverlay; fetch: Fetch }) {
  const { dialogs } = useFetched()
  useEffect(() => {
    if (dialogs) return
    let open = true
    fetch().then(
      (arrived) => useFetched.setState({ dialogs: arrived }),
      () => open && failed(),
    )
    return () => void (open = false)
  }, [dialogs, fetch])
  if (!dialogs) return null
  const Shown = dialogs[name]
  return <Shown />
}

/** Retry at the next opening. */
function failed(): void {
  const { setOverlay } = useView.getState()
  setOverlay(null)
  toast('The dialog could not be loaded. Check the connection, or reload the page.', { tone: 'bad' })
}

/** If the prefetch fails, the first opening fetches again. */
async function prefetch(fetch: Fetch): Promise<void> {
  await untilRun((s) => s.result.value !== null)
  await idle()
  if (!useFetched.getState().dialogs) useFetched.setState({ dialogs: await fetch().catch(() => null) })
}

/** Safari has no requestIdleCallback. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve())
    else setTimeout(resolve, 200)
  })
