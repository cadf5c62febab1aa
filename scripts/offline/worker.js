/**
 * The service worker of the built page (dist/sw.js), with which it opens without a network. scripts/offline.mjs fills in the list of files.
 *
 * It keeps one version whole: the files that the build listed, by their SHA-256, and nothing else; what the user opens is never asked
 * here. A file that the host has in another version ends the installation. A new version waits until the page asks for it or the last
 * window has closed. Files keep the headers that the host sent, so that their policies hold as from the host.
 */
/** Path below the scope → SHA-256 in hexadecimal. @type {Record<string, string>} */
const FILES = __FILES__
/** Where a text lies in DATA_FILE: hundreds of requests take longer than their bytes. @type {Record<string, [number, number, string]>} */
const PARTS = __PARTS__
const DATA_FILE = '__DATA_FILE__'
/** Of the headers that the build asks its host for: with other ones, a file is another file. */
const HEADERS = '__HEADERS__'
const SCOPE = self.registration.scope
/** Caches belong to the origin: another Fusescope may lie in another folder of it. */
const OURS = `fusescope-page ${SCOPE} `
const NAME = `${OURS}__VERSION__`

/** @param {string} path @returns {string} the key of a file: a later version finds an equal file by it */
const keyOf = (path) => `${SCOPE}${path}?${FILES[path]}-${HEADERS}`

/** @param {string} address @returns {string | null} the path in FILES or PARTS; null for anything else */
function pathOf(address) {
  const plain = address.split(/[?#]/, 1)[0]
  if (!plain.startsWith(SCOPE)) return null
  const path = plain.slice(SCOPE.length) || 'index.html'
  return Object.hasOwn(FILES, path) || Object.hasOwn(PARTS, path) ? path : null
}

/** @param {ArrayBuffer} bytes */
async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A file of this version from the host. @param {string} path @returns {Promise<Response>} @throws {Error} if the host has another one */
async function download(path) {
  // A host may have told browsers to keep a file for a while, with the headers of that day.
  const response = await fetch(SCOPE + (path === 'index.html' ? '' : path), { cache: 'no-cache' })
  const bytes = await response.arrayBuffer()
  if (!response.ok || (await sha256(bytes)) !== FILES[path]) throw new Error(`${path} is of another version`)
  const headers = new Headers(response.headers)
  // The bytes are decoded, and answer every request.
  for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name)
  // A new response, because a redirected one answers no navigation.
  return new Response(bytes, { headers })
}

/** A file that an earlier version kept; null for one that is damaged, or that another page of the origin put there. @param {string} path */
async function keptBefore(path) {
  for (const name of await caches.keys()) {
    const kept = name.startsWith(OURS) ? await caches.match(keyOf(path), { cacheName: name }) : null
    if (kept && (await sha256(await kept.clone().arrayBuffer())) === FILES[path]) return kept
  }
  return null
}

async function install() {
  // A browser may install a version once more beside itself, and that one stays whole.
  const isNew = !(await caches.has(NAME))
  const cache = await caches.open(NAME)
  const waiting = Object.keys(FILES)
  const keepNext = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
      await cache.put(keyOf(path), (await keptBefore(path)) ?? (await download(path)))
  }
  try {
    await Promise.all(Array.from({ length: 6 }, keepNext))
  } catch (error) {
    waiting.length = 0
    if (isNew) await caches.delete(NAME)
    throw error
  }
}

/** Removes the versions of this page. @param {string} [but] the name of one that stays */
async function remove(but) {
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== but) await caches.delete(name)
}

/** A text of DATA_FILE, with its type and the other headers that the host sent. @param {Response} kept @returns {Promise<Response>} */
async function partOf(kept, /** @type {[number, number, string]} */ [start, end, type]) {
  const headers = new Headers(kept.headers)
  headers.set('content-type', type)
  return new Response((await kept.blob()).slice(start, end, type), { headers })
}

/** @param {Request} request @param {string} path */
async function answer(request, path) {
  const part = Object.hasOwn(PARTS, path) ? PARTS[path] : null
  // By the name, because `caches.open` would make the cache again after the next version has removed it.
  const kept = await caches.match(keyOf(part ? DATA_FILE : path), { cacheName: NAME })
  if (kept) return part ? partOf(kept, part) : kept
  // The browser has lost files: this version is not whole any more, and the host takes over. What the next version keeps is not ours.
  if (self.serviceWorker?.state !== 'redundant') {
    await self.registration.unregister()
    await remove()
  }
  return fetch(request)
}

/** Begins to answer in place of the version before, unless another window shows that. @param {MessagePort} port gets the number of them */
async function replaceOlder(port, /** @type {string} */ asking) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  // Embedded pages are windows of their own; box.html is a part of one.
  const others = windows.filter(
    (w) => w.id !== asking && w.url.startsWith(SCOPE) && pathOf(w.url) !== 'box.html',
  ).length
  if (others === 0) await self.skipWaiting()
  port.postMessage(others)
}

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(remove(NAME)))
self.addEventListener('message', (event) => event.waitUntil(replaceOlder(event.ports[0], event.source.id)))
self.addEventListener('fetch', (event) => {
  const path = event.request.method === 'GET' ? pathOf(event.request.url) : null
  if (path !== null) event.respondWith(answer(event.request, path))
})
