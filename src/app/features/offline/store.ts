/**
 * Stores the page in the browser for use without a network, through the service worker that the build writes
 * (scripts/offline/worker.js). Over https it begins once Python has started, because the page needs the network first. On a server
 * of this machine only the command begins it, because such servers and their versions come and go.
 */
import { create } from 'zustand'
import { messageOf } from '../../../base/error_message'
import { keepText, keptText } from '../../session/kept_text'
import { framedByOther } from '../../session/framed'
import { untilRun } from '../../session/run_store'
import { toast } from '../../session/view_store'
import { hasProcess } from '../live/process'
import { askedSource } from '../open_files/from_url'

export const useOffline = create(() => ({
  /** Whether the page opens without a network. */
  kept: 'no' as 'no' | 'begun' | 'yes',
  /** A completely stored version that waits to be used. */
  update: null as ServiceWorker | null,
  /** Number of windows that still show the current version, after the user asked for the new one. */
  others: 0,
}))

const container = (): ServiceWorkerContainer | undefined =>
  import.meta.env.PROD && !framedByOther() ? navigator.serviceWorker : undefined

/** True on a page of `fusescope show` or `live`, whose server ends with its process. */
const isOfProcess = (): boolean => hasProcess() || askedSource()?.startsWith(`${location.origin}/shown/`) === true

/** False in a frame of another site, in development, and where the browser restricts service workers to secure origins. */
export const canBeKept = (): boolean => container() !== undefined && !isOfProcess()

const folder = (): string => new URL('./', document.baseURI).href

/** Follows the state that an earlier visit stored, or begins to store the page. Called when the page starts. */
export async function followKept(): Promise<void> {
  const found = await registered()
  // A registration of a parent folder answers too.
  if (found?.scope === folder()) {
    if (await isGone()) {
      await remove(found)
      // The version on the host now.
      if (container()?.controller) location.reload()
    } else follow(found)
  } else if (canBeKept() && location.protocol === 'https:' && !savesData() && !isUnwanted())
    void untilRun(({ engine }) => engine.readyMs !== null).then(keep)
}

/** True if the host answers without the worker: the page has moved, or another program uses its address. */
async function isGone(): Promise<boolean> {
  try {
    const { ok, status, headers } = await fetch(new URL('sw.js', folder()), { cache: 'no-store' })
    return status === 404 || status === 410 || (ok && !/javascript/.test(headers.get('content-type') ?? ''))
  } catch {
    return false // no network
  }
}

/** From the next load on, the page comes from the host again. */
async function remove(registration: ServiceWorkerRegistration): Promise<void> {
  await registration.unregister()
  const ours = `fusescope-page ${folder()} `
  for (const name of await caches.keys()) if (name.startsWith(ours)) await caches.delete(name)
  useOffline.setState({ kept: 'no', update: null, others: 0 })
}

/** Stops storing the page, also in later visits, until the command stores it again. */
export async function stopKeeping(): Promise<void> {
  try {
    const found = await registered()
    if (found?.scope === folder()) await remove(found)
    remember(UNWANTED)
    toast('Fusescope is not kept in this browser any more.')
  } catch (e) {
    toast(`Fusescope is still kept: ${messageOf(e)}`, { tone: 'bad' })
  }
}

const KEY = 'fusescope:offline'
const UNWANTED = 'no'

const isUnwanted = (): boolean => keptText(KEY) === UNWANTED
const remember = (wanted: '' | typeof UNWANTED): void => keepText(KEY, wanted)

/** Browsers without storage refuse the request. */
async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return await container()?.getRegistration(folder())
  } catch {
    return undefined
  }
}

/** Stores the page, and reports the result. */
export async function keepForOffline(): Promise<void> {
  toast('Fusescope is being kept in this browser …')
  remember('')
  const problem = await keep()
  if (problem === null) toast('Fusescope opens without a network now.')
  else toast(`Fusescope was not kept: ${problem}`, { tone: 'bad' })
}

/** @returns the failure */
async function keep(): Promise<string | null> {
  useOffline.setState({ kept: 'begun' })
  try {
    // The worker's text changes with every version, so the browser checks the host for it.
    const registration = await container()!.register('sw.js', { updateViaCache: 'none' })
    const { installing } = registration
    if (installing) await installed(installing)
    follow(registration)
    return null
  } catch (e) {
    useOffline.setState({ kept: 'no' })
    return messageOf(e)
  }
}

function installed(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'redundant')
        reject(new Error('its files could not all be fetched in the same version and stored.'))
      else if (worker.state !== 'installing') resolve()
    })
  })
}

function follow(registration: ServiceWorkerRegistration): void {
  const isWhole = (): boolean => (registration.waiting ?? registration.active) !== null
  const offer = (): void => {
    useOffline.setState({ kept: isWhole() ? 'yes' : 'no' })
    if (registration.waiting && container()?.controller) useOffline.setState({ update: registration.waiting })
  }
  // A version that cannot be stored completely is not offered.
  const followInstalling = (): void => {
    if (registration.installing) void installed(registration.installing).then(offer, offer)
  }
  if (isWhole()) offer()
  else useOffline.setState({ kept: 'begun' })
  followInstalling()
  registration.addEventListener('updatefound', followInstalling)
}

/** Shows the new version in this window, unless another window shows the current version. */
export function replaceByUpdate(): void {
  const { update } = useOffline.getState()
  if (!update) return
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }: MessageEvent<number>) => useOffline.setState({ others: data })
  container()!.oncontrollerchange = () => location.reload()
  update.postMessage(null, [port2])
}

const savesData = (): boolean =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true
