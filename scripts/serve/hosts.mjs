// @ts-check
/**
 * The names by which the server answers. A page of another site whose name resolves to this machine (DNS rebinding) sends
 * its own name in Host: it must not read what is served here.
 */
import { hostname, networkInterfaces } from 'node:os'

const LOCAL = ['localhost', '127.0.0.1', '::1']
const EVERY = ['0.0.0.0', '::']

/** @param {string} address that the server listens on @returns {ReadonlySet<string>} without brackets and ports */
export function namesOf(address) {
  const own = EVERY.includes(address)
    ? [hostname(), ...Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((i) => i.address))]
    : [address]
  return new Set([...LOCAL, ...own].map((name) => name.toLowerCase()))
}

/** @param {string | undefined} host the header, `[::1]:4173` @param {ReadonlySet<string>} names @returns {boolean} */
export function isNamed(host, names) {
  const found = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(host ?? '')
  const name = found?.[1] ?? found?.[2]
  return name !== undefined && names.has(name.toLowerCase().replace(/\.$/, ''))
}
