/** Attacks the frame's policy while every global is there, then the lock. */
import { KEPT_GLOBALS } from '../../src/python/box/globals'
import { lockWorker } from '../../src/python/box/lock_worker'
import { gains } from '../../src/python/box/testing/script_attacks'
import { CONNECTIONS } from './connections'

const post = self.postMessage.bind(self)

/** Longer than a refusal takes on a busy machine, in ms. */
const PATIENCE = 20_000

/**
 * @returns the names of the connections that the policy let through, and of those that get no answer, as a font's in
 * WebKit: the server's requests say what has left
 */
async function tryConnections(): Promise<{ connected: string[]; silent: string[] }> {
  const outcomes = await Promise.all(
    Object.entries(CONNECTIONS).map(async ([name, connect]) => {
      const silence = new Promise<string>((resolve) => setTimeout(resolve, PATIENCE, 'silent'))
      const answer = (async () => connect())().then(
        () => 'connected',
        () => 'refused',
      )
      return { name, outcome: await Promise.race([answer, silence]) }
    }),
  )
  const those = (outcome: string): string[] => outcomes.filter((o) => o.outcome === outcome).map((o) => o.name)
  return { connected: those('connected'), silent: those('silent') }
}

/** The state after the lock. */
async function locked(): Promise<object> {
  const connections = await tryConnections()
  lockWorker(self)
  const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !KEPT_GLOBALS.has(name))
  const inherited: string[] = []
  let at: unknown = Object.getPrototypeOf(globalThis)
  while (at && at !== Object.prototype) {
    inherited.push(...Reflect.ownKeys(at).map(String))
    at = Object.getPrototypeOf(at)
  }
  return { ...connections, globals, inherited, gained: gains() }
}

// An unlocked worker shows that the attacks work; they damage the worker.
post(self.name === 'open' ? { before: gains().length } : await locked())
