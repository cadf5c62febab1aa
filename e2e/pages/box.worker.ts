/** Attacks the policy of the frame while every global is there, then the lock. */
import { KEPT_GLOBALS } from '../../src/python/box/globals'
import { lockWorker } from '../../src/python/box/lock_worker'
import { gains } from '../../src/python/box/testing/script_attacks'
import { CONNECTIONS } from './connections'

const post = self.postMessage.bind(self)

/** @returns the names of the connections that the policy let through */
async function connections(): Promise<string[]> {
  const tried = Object.entries(CONNECTIONS).map(async ([name, connect]) => {
    try {
      await connect()
      return [name]
    } catch {
      return []
    }
  })
  return (await Promise.all(tried)).flat()
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
