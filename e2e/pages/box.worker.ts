/** Attacks the policy of the frame while every global is there, then the lock. */
import { KEPT_GLOBALS } from '../../src/python/box/globals'
import { lockWorker } from '../../src/python/box/lock_worker'
import { gains } from '../../src/python/box/testing/script_attacks'

const post = self.postMessage.bind(self)
const own = (path: string): string => new URL(path, self.location.origin).href

/** What the policy must refuse; each resolves only if it connected. */
const CONNECTIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  fetch: () => fetch(own('/index.html?leak')),
  'fetch of a data URL': () => fetch('data:,x'),
  XMLHttpRequest: () =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.onload = resolve
      request.onerror = reject
      request.open('GET', own('/index.html?leak'))
      request.send()
    }),
  WebSocket: () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(own('/leak').replace('http', 'ws'))
      socket.onopen = resolve
      socket.onerror = reject
    }),
  EventSource: () =>
    new Promise((resolve, reject) => {
      const source = new EventSource(own('/leak'))
      source.onopen = resolve
      source.onerror = reject
    }),
  FontFace: () => new FontFace('leak', `url(${own('/leak.ttf')})`).load(),
  'FontFace of data': () => new FontFace('leak', 'url(data:font/ttf;base64,AAEAAAA=)').load(),
  eval: async () => (Reflect.get(self, 'eval') as (text: string) => unknown)('1'),
  Function: async () => Function('return 1')() as unknown,
}

/** @returns the names of the connections that the policy let through */
async function connections(): Promise<string[]> {
  const through: string[] = []
  for (const [name, connect] of Object.entries(CONNECTIONS))
    try {
      await connect()
      through.push(name)
    } catch {
      continue
    }
  return through
}

/** The state after the lock. */
async function locked(): Promise<object> {
  const connected = await connections()
  lockWorker(self)
  const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !KEPT_GLOBALS.has(name))
  const inherited: string[] = []
  let at: unknown = Object.getPrototypeOf(globalThis)
  while (at && at !== Object.prototype) {
    inherited.push(...Reflect.ownKeys(at).map(String))
    at = Object.getPrototypeOf(at)
  }
  return { connected, globals, inherited, gained: gains() }
}

// An open worker shows that the attacks attack; they spoil it.
post(self.name === 'open' ? { before: gains().length } : await locked())
