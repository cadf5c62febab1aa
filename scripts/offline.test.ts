/** The service worker of the built page, run with stand-ins for what a browser gives it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { writeServiceWorker } from './offline.mjs'

const SCOPE = 'https://host.example/tools/fusescope/'
const HEADERS = { 'content-security-policy': "default-src 'none'", 'content-encoding': 'br', vary: '*' }
const folder = mkdtempSync(join(tmpdir(), 'fusescope-offline-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const FILES: Record<string, string> = {
  'index.html': 'the page',
  'index.html.br': 'compressed',
  'assets/a-1.js': 'one',
  'box.html': 'a part',
  'examples/a/graph.txt': 'ä graph',
  'lessons/a/lesson.json': '{}',
  'load.html': 'for other hosts',
  _headers: 'of a host',
  '.fusescope-build': 'stamp',
}

/** Writes a build, and starts its worker in a browser that keeps `stored`. */
function start(files: Record<string, string>, stored: Map<string, Map<string, Response>>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  writeServiceWorker(folder)
  const data = readFileSync(join(folder, 'kept.txt'), 'utf8')
  const host: Record<string, string> = { ...files, '': files['index.html']!, 'kept.txt': data }
  const asked: string[] = []
  const heard: Record<string, (event: object) => void> = {}
  const did: string[] = []
  const windows: object[] = []
  const open = (name: string) => {
    const kept = stored.get(name) ?? stored.set(name, new Map()).get(name)!
    return {
      put: async (key: string, response: Response) => void kept.set(key, response),
      match: async (key: string) => kept.get(key)?.clone(),
    }
  }
  const serviceWorker = { state: 'activated' }
  const self = {
    serviceWorker,
    registration: { scope: SCOPE, unregister: async () => did.push('unregister') },
    clients: { matchAll: async () => windows },
    skipWaiting: async () => did.push('skipWaiting'),
    addEventListener: (kind: string, handler: (event: object) => void) => (heard[kind] = handler),
  }
  const caches = {
    open: async (name: string) => open(name),
    has: async (name: string) => stored.has(name),
    match: async (key: string, { cacheName }: { cacheName?: string } = {}) =>
      [...stored].flatMap(([name, kept]) => (cacheName && cacheName !== name ? [] : (kept.get(key) ?? [])))[0]?.clone(),
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
  }
  const fetch = async (to: string | { url: string }) => {
    const path = (typeof to === 'string' ? to : to.url).slice(SCOPE.length)
    asked.push(path)
    return new Response(host[path] ?? 'none', { status: path in host ? 200 : 404, headers: HEADERS })
  }
  runInNewContext(readFileSync(join(folder, 'sw.js'), 'utf8'), { self, caches, fetch, crypto, Headers, Response, Blob })
  /** Sends an event, and waits for what the worker answers or does. */
  const send = async (kind: string, event: object = {}): Promise<Response | undefined> => {
    let done: Promise<unknown> | undefined
    const take = (promise: Promise<unknown>) => void (done = promise)
    heard[kind]!({ ...event, waitUntil: take, respondWith: take })
    return (await done) as Response | undefined
  }
  const get = (url: string, method = 'GET') => send('fetch', { request: { url, method } })
  return { host, asked, did, windows, serviceWorker, send, get }
}

/** The browser removes a file. */
function lose(path: string, stored: Map<string, Map<string, Response>>): void {
  for (const kept of stored.values()) for (const key of kept.keys()) if (key.includes(path)) kept.delete(key)
}

describe('the service worker', () => {
  it('keeps the files of the build with the headers of the host, and answers nothing else', async () => {
    const stored = new Map<string, Map<string, Response>>()
    const worker = start(FILES, stored)
    await worker.send('install')
    expect(worker.asked.sort()).toEqual(['', 'assets/a-1.js', 'box.html', 'kept.txt'])
    worker.asked.length = 0

    const page = await worker.get(`${SCOPE}?example=rms-norm-int8#v2.secret`)
    expect(await page!.text()).toBe('the page')
    expect(page!.headers.get('content-security-policy')).toBe("default-src 'none'")
    expect([page!.headers.get('content-encoding'), page!.headers.get('vary')]).toEqual([null, null])
    for (const path of ['given/0/graph.txt', 'load.html', '_headers', 'constructor', 'sw.js'])
      expect(await worker.get(SCOPE + path), path).toBeUndefined()
    expect(await worker.get('https://other.example/index.html')).toBeUndefined()
    expect(await worker.get(SCOPE, 'POST')).toBeUndefined()
    expect(worker.asked).toEqual([])
    // What was opened is in no key.
    expect([...stored.values()].flatMap((kept) => [...kept.keys()]).join()).not.toMatch(/example=|secret|given/)
  })

  it('fetches the data as one file, and answers its texts one by one', async () => {
    const worker = start(FILES, new Map())
    await worker.send('install')
    worker.asked.length = 0
    const graph = (await worker.get(`${SCOPE}examples/a/graph.txt`))!
    expect(await graph.text()).toBe('ä graph')
    expect(graph.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(graph.headers.get('content-security-policy')).toBe("default-src 'none'")
    const lesson = (await worker.get(`${SCOPE}lessons/a/lesson.json`))!
    expect([await lesson.json(), lesson.headers.get('content-type')]).toEqual([{}, 'application/json; charset=utf-8'])
    expect(await worker.get(`${SCOPE}examples/a/none.txt`)).toBeUndefined()
    expect(worker.asked).toEqual([])
  })

  it('keeps no version of which the host has a file in another one', async () => {
    const stored = new Map<string, Map<string, Response>>()
    const worker = start(FILES, stored)
    worker.host['assets/a-1.js'] = 'two'
    await expect(worker.send('install')).rejects.toThrow('assets/a-1.js is of another version')
    expect([...stored.keys()]).toEqual([])
    // Beside the same version, which has lost a file.
    await start(FILES, stored).send('install')
    lose('assets/a-1.js', stored)
    await expect(worker.send('install')).rejects.toThrow('assets/a-1.js is of another version')
    expect(stored.size).toBe(1)
  })

  it('is another version with other headers, and then asks for each file again', async () => {
    const stored = new Map<string, Map<string, Response>>()
    await start(FILES, stored).send('install')
    const newer = start({ ...FILES, _headers: 'of another day' }, stored)
    await newer.send('install')
    expect([newer.asked.sort(), stored.size]).toEqual([['', 'assets/a-1.js', 'box.html', 'kept.txt'], 2])
  })

  it('replaces a version whole when no other window shows it, and fetches only what changed', async () => {
    const stored = new Map<string, Map<string, Response>>([['of the host', new Map()]])
    await start(FILES, stored).send('install')
    const newer = start({ ...FILES, 'index.html': 'the new page' }, stored)
    await newer.send('install')
    expect(newer.asked).toEqual([''])
    expect(stored.size).toBe(3)

    const answers: unknown[] = []
    const ask = () =>
      newer.send('message', { source: { id: 'own' }, ports: [{ postMessage: (n: unknown) => answers.push(n) }] })
    const top = (id: string, url = SCOPE) => ({ id, url, frameType: 'top-level' })
    newer.windows.push(top('own'), top('docs', `${SCOPE}docs.html`), top('far', 'https://host.example/'))
    newer.windows.push({ id: 'box', url: `${SCOPE}box.html`, frameType: 'nested' })
    newer.windows.push({ id: 'embed', url: `${SCOPE}embed.html#v2.x`, frameType: 'nested' })
    await ask()
    newer.windows.pop()
    await ask()
    expect(newer.did).toEqual([])
    newer.windows.splice(1, 1)
    await ask()
    expect([answers, newer.did]).toEqual([[2, 1, 0], ['skipWaiting']])
    await newer.send('activate')
    expect(stored.size).toBe(2)
    expect(stored.has('of the host')).toBe(true)
    expect(await (await newer.get(SCOPE))!.text()).toBe('the new page')
  })

  it('takes no file of another page of the origin, and none that is damaged, from an earlier version', async () => {
    const stored = new Map<string, Map<string, Response>>()
    await start(FILES, stored).send('install')
    const [kept] = [...stored.values()]
    const [page, script] = ['index.html', 'assets/a-1.js'].map((p) => [...kept!.keys()].find((k) => k.includes(p))!)
    stored.set('other', new Map([[page!, new Response('evil')]]))
    kept!.delete(page!)
    kept!.set(script!, new Response('damaged'))
    const newer = start({ ...FILES, 'examples/a/graph.txt': 'new' }, stored)
    await newer.send('install')
    expect(newer.asked.sort()).toEqual(['', 'assets/a-1.js', 'kept.txt'])
    const texts = await Promise.all([SCOPE, `${SCOPE}assets/a-1.js`].map(async (url) => (await newer.get(url))!.text()))
    expect(texts).toEqual(['the page', 'one'])
  })

  it('leaves what the next version keeps, and makes no cache, when it answers after it was replaced', async () => {
    const stored = new Map<string, Map<string, Response>>()
    const worker = start(FILES, stored)
    await worker.send('install')
    const newer = start({ ...FILES, 'index.html': 'the new page' }, stored)
    await newer.send('install')
    worker.serviceWorker.state = 'redundant'
    await newer.send('activate')
    const [name] = stored.keys()
    expect(await (await worker.get(`${SCOPE}assets/a-1.js`))!.text()).toBe('one')
    expect([worker.did, [...stored.keys()]]).toEqual([[], [name]])
  })

  it('leaves the page to the host when the browser has lost a file', async () => {
    const stored = new Map<string, Map<string, Response>>()
    const worker = start(FILES, stored)
    await worker.send('install')
    lose('assets/a-1.js', stored)
    expect(await (await worker.get(`${SCOPE}assets/a-1.js`))!.text()).toBe('one')
    expect([worker.did, stored.size]).toEqual([['unregister'], 0])
  })
})
