// @vitest-environment happy-dom
/** What the page keeps, with stand-ins for the browser's registration and caches. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forgetProcess, takeToken } from '../live/process'
import { canBeKept, followKept, stopKeeping, useOffline } from './store'

const address = location.href
const folder = () => new URL('./', document.baseURI).href

/** A browser in which a visit has registered `workers`, and a host that answers for sw.js. */
function browser(workers: object, answer: () => Response = () => new Response('', { headers: JS })) {
  const registration = Object.assign(new EventTarget(), {
    ...{ scope: folder(), installing: null, waiting: null, active: null },
    ...workers,
    unregister: vi.fn(async () => true),
  })
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration, controller: null } })
  const names = new Set([`fusescope-page ${folder()} 1`, `fusescope-page ${folder()}other/ 1`])
  vi.stubGlobal('caches', { keys: async () => [...names], delete: async (name: string) => names.delete(name) })
  vi.stubGlobal('fetch', async () => answer())
  return { registration, names }
}

const JS = { 'content-type': 'text/javascript' }
const worker = (state: string) => Object.assign(new EventTarget(), { state })

beforeEach(() => void vi.stubEnv('PROD', true))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  forgetProcess()
  localStorage.removeItem('fusescope:offline')
  history.replaceState(null, '', address)
  useOffline.setState({ kept: 'no', update: null, others: 0 })
})

it('calls a first installation kept once it is whole', async () => {
  const installing = worker('installing')
  const { registration } = browser({ installing })
  await followKept()
  expect(useOffline.getState().kept).toBe('begun')
  Object.assign(registration, { installing: null, waiting: installing })
  installing.state = 'installed'
  installing.dispatchEvent(new Event('statechange'))
  await vi.waitFor(() => expect(useOffline.getState().kept).toBe('yes'), 60_000)
})

it('goes where the host has no worker any more, and stays without a network', async () => {
  for (const gone of [
    new Response('', { status: 404 }),
    new Response('', { headers: { 'content-type': 'text/html' } }),
  ]) {
    const { registration, names } = browser({ active: worker('activated') }, () => gone)
    await followKept()
    expect([registration.unregister.mock.calls.length, useOffline.getState().kept]).toEqual([1, 'no'])
    expect([...names]).toEqual([`fusescope-page ${folder()}other/ 1`])
  }
  const { registration } = browser({ active: worker('activated') }, () => {
    throw new TypeError('no network')
  })
  await followKept()
  expect([registration.unregister.mock.calls.length, useOffline.getState().kept]).toEqual([0, 'yes'])
  await stopKeeping()
  expect([registration.unregister.mock.calls.length, useOffline.getState().kept]).toEqual([1, 'no'])
})

it('keeps no page of a process', () => {
  browser({})
  expect(canBeKept()).toBe(true)
  history.replaceState(null, '', `?from=${encodeURIComponent(`${location.origin}/shown/token/graph.txt`)}`)
  expect(canBeKept()).toBe(false)
  history.replaceState(null, '', '#live=a-token-of-the-process-0123456789')
  expect(takeToken()).toBe(true)
  expect(canBeKept()).toBe(false)
})
