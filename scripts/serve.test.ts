import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request, type IncomingHttpHeaders, type Server } from 'node:http'
import { connect } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createStaticServer, listen } from './serve.mjs'
import { givenFiles } from './serve/given.mjs'
import { namesOf } from './serve/hosts.mjs'
import { HEADER_RULES, headersFile, headersFor } from './vite/headers.mjs'

/** More than sockets buffer, in bytes. */
const BIG = 8 * 1024 * 1024
let folder = ''
let server: Server
let port = 0

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fusescope-serve-')))
  const dist = join(folder, 'dist')
  mkdirSync(join(dist, 'sub'), { recursive: true })
  mkdirSync(join(dist, 'assets'))
  writeFileSync(join(dist, 'assets', 'index-a1b2.js'), 'export {}')
  mkdirSync(join(folder, 'over'))
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'dist-else.txt'), 'secret')
  writeFileSync(join(dist, 'index.html'), '<!doctype html>')
  writeFileSync(join(dist, 'a.wasm'), Buffer.from([0, 0x61, 0x73, 0x6d]))
  writeFileSync(join(dist, 'a b.mjs'), 'export {}')
  writeFileSync(join(dist, 'big.bin'), Buffer.alloc(BIG, 'x'))
  for (const [ending, text] of Object.entries({ '': 'the file', '.br': 'BR', '.gz': 'GZIP' }))
    writeFileSync(join(dist, `packed.js${ending}`), text)
  writeFileSync(join(dist, 'empty.txt'), '')
  writeFileSync(join(dist, '.fusescope-build'), 'stamp')
  writeFileSync(join(dist, 'sub', 'index.html'), 'sub')
  writeFileSync(join(folder, 'over', 'test.html'), 'over')
  writeFileSync(join(folder, 'over', 'index.html'), 'never')
  symlinkSync(join(folder, 'secret.txt'), join(dist, 'link.txt'))
  server = createStaticServer([dist, join(folder, 'over')])
  port = await listen(server, 20_000 + (process.pid % 20_000))
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends the path unchanged: fetch would normalize `..`. */
function get(path: string, options: { method?: string; port?: number; headers?: Record<string, string> } = {}) {
  return new Promise<{ status: number; type: string; etag: string; body: string; headers: IncomingHttpHeaders }>(
    (resolve, reject) => {
      request({ host: '127.0.0.1', port, path, ...options }, (res) => {
        let body = ''
        res.on('data', (chunk) => (body += String(chunk)))
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            type: res.headers['content-type'] ?? '',
            etag: res.headers.etag ?? '',
            body,
            headers: res.headers,
          }),
        )
      })
        .on('error', reject)
        .end()
    },
  )
}

describe('the static server', () => {
  it('serves files with the MIME types that modules and WebAssembly require', async () => {
    expect(await get('/')).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
    expect((await get('/a.wasm')).type).toBe('application/wasm')
    expect((await get('/a%20b.mjs?v=1')).type).toBe('text/javascript; charset=utf-8')
    expect((await get('/sub/')).body).toBe('sub')
    expect((await get('/test.html')).body).toBe('over')
  })

  it('stays inside its folders', async () => {
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/sub/../../secret.txt',
      '/..%2fsecret.txt',
      '/..%5csecret.txt',
      '//etc/passwd',
      '/../dist-else.txt',
      '/link.txt',
      '/.fusescope-build',
      '/%00',
      '/%zz',
      '/missing',
      '/sub',
    ])
      expect((await get(path)).status, path).toBe(404)
    expect((await get('/', { method: 'POST' })).status).toBe(405)
  })

  it('answers a fresh copy with 304, and makes caches revalidate', async () => {
    const first = await get('/a.wasm')
    expect((await get('/a.wasm', { headers: { 'if-none-match': first.etag } })).status).toBe(304)
    expect((await get('/a.wasm', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('sends the headers that a host should send, with a 304 too', async () => {
    const page = await get('/')
    expect(page.headers).toMatchObject(headersFor('/'))
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect((await get('/assets/index-a1b2.js')).headers['cache-control']).toContain('immutable')
    const again = await get('/', { headers: { 'if-none-match': page.etag } })
    expect(again.headers).toMatchObject(headersFor('/'))
  })

  it('sends the compressed form that the client accepts, and ranges of the file itself', async () => {
    const ask = (path: string, accept: string, more = {}) =>
      get(path, { headers: { 'accept-encoding': accept, ...more } }).then(({ status, body, etag, headers }) => ({
        status,
        body,
        etag,
        sent: headers['content-encoding'],
        vary: headers.vary,
      }))
    const vary = 'accept-encoding'
    expect(await ask('/packed.js', 'gzip, deflate, br')).toMatchObject({ body: 'BR', sent: 'br', vary })
    expect(await ask('/packed.js', 'br;q=0, gzip;q=0.5')).toMatchObject({ body: 'GZIP', sent: 'gzip', vary })
    const plain = await ask('/packed.js', '')
    expect(plain).toMatchObject({ body: 'the file', sent: undefined, vary })
    expect(await ask('/packed.js', 'br', { range: 'bytes=0-2' })).toMatchObject({
      status: 206,
      body: 'the',
      sent: undefined,
    })
    expect((await ask('/packed.js', 'br', { 'if-none-match': plain.etag })).status).toBe(200)
    expect(await ask('/', 'br')).toMatchObject({ sent: undefined, vary: undefined })
  })

  it('sends parts of a file', async () => {
    const whole = (await get('/big.bin')).body
    expect(whole).toHaveLength(BIG)
    for (const [range, status, content] of [
      ['bytes=0-9', 206, `bytes 0-9/${BIG}`],
      ['bytes=10-', 206, `bytes 10-${BIG - 1}/${BIG}`],
      ['bytes=-5', 206, `bytes ${BIG - 5}-${BIG - 1}/${BIG}`],
      [`bytes=${BIG}-`, 416, `bytes */${BIG}`],
      ['bytes=-0', 416, `bytes */${BIG}`],
      ['bytes=5-2', 200, undefined],
      ['bytes=0-1,4-5', 200, undefined],
      ['lines=1-2', 200, undefined],
    ] as const) {
      const part = await get('/big.bin', { headers: { range } })
      expect([part.status, part.headers['content-range']], range).toEqual([status, content])
      if (status === 206) expect(String(part.body.length)).toBe(part.headers['content-length'])
    }
    const other = await get('/big.bin', { headers: { range: 'bytes=0-9', 'if-range': '"other"' } })
    expect(other.status).toBe(200)
    expect((await get('/empty.txt', { headers: { range: 'bytes=0-' } })).status).toBe(416)
    expect(await get('/empty.txt')).toMatchObject({ status: 200, body: '' })
  })

  /** How often big.bin is open. */
  const openFiles = (): number =>
    existsSync('/proc/self/fd')
      ? readdirSync('/proc/self/fd').filter((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`).endsWith('big.bin')
          } catch {
            return false
          }
        }).length
      : 0

  it('closes the file of an aborted download', async () => {
    for (let i = 0; i < 20; i++)
      await new Promise<void>((done) => {
        const req = request({ host: '127.0.0.1', port, path: '/big.bin' }, (res) => {
          res.once('data', () => {
            req.destroy()
            done()
          })
        })
        req.on('error', () => {}).end()
      })
    await vi.waitFor(() => expect(openFiles()).toBe(0), 60_000)
  })

  it('opens one file for a connection that sends many requests before it reads, and closes it when the client leaves', async () => {
    const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const flood = connect(port, '127.0.0.1').pause()
    flood.write(ask('/big.bin').repeat(50))
    await get('/')
    expect(openFiles()).toBeLessThan(2)
    flood.destroy()
    await vi.waitFor(() => expect(openFiles()).toBe(0), 60_000)
    let text = ''
    const client = connect(port, '127.0.0.1').on('data', (data) => (text += data.toString()))
    client.write(ask('/sub/') + ask('/nothing') + ask('/empty.txt') + ask('/sub/'))
    await vi.waitFor(() => expect(text.match(/HTTP\/1.1 \d+/g)).toHaveLength(4), 60_000)
    expect(text.match(/HTTP\/1.1 \d+/g)!.join()).toBe('HTTP/1.1 200,HTTP/1.1 404,HTTP/1.1 200,HTTP/1.1 200')
    client.destroy()
  })

  it('survives a file that vanishes or cannot be read', async () => {
    const file = join(folder, 'dist', 'soon.txt')
    for (let i = 0; i < 20; i++) {
      writeFileSync(file, 'x')
      const answer = get('/soon.txt')
      rmSync(file)
      expect([200, 404]).toContain((await answer).status)
    }
    expect((await get('/')).status).toBe(200)
  })

  it('answers to the names of this machine only, so that another site cannot read it by DNS rebinding', async () => {
    for (const host of ['localhost', `LOCALHOST:${port}`, '127.0.0.1', '[::1]:4173', 'localhost.'])
      expect((await get('/', { headers: { host } })).status, host).toBe(200)
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example:80',
      '10.0.0.1',
      'a:b:c',
      '[::2]',
      'localhost:x',
    ])
      expect((await get('/', { headers: { host } })).status, host).toBe(421)
    const told = createStaticServer([join(folder, 'dist')], '192.0.2.7')
    const at = await listen(told, port + 1)
    expect((await get('/', { port: at, headers: { host: '192.0.2.7:80' } })).status).toBe(200)
    expect((await get('/', { port: at, headers: { host: '192.0.2.8:80' } })).status).toBe(421)
    told.close()
    expect(namesOf('0.0.0.0').has(hostname().toLowerCase())).toBe(true)
  })

  it('lets its own origin frame it, and sends its policies with errors too', async () => {
    for (const path of ['/', '/missing']) {
      const { headers } = await get(path)
      expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    }
  })

  it('gives the files that it was started with as data, under an address that nobody can guess', async () => {
    const { query, fileFor } = givenFiles([join(folder, 'secret.txt')])
    const path = new URLSearchParams(query).get('file')!
    expect(path).toMatch(/^[0-9a-f]{32}\/0\/secret\.txt$/)
    const giving = createStaticServer([join(folder, 'dist')], '127.0.0.1', fileFor)
    const at = await listen(giving, port + 1)
    const ask = (what: string) => get(what, { port: at })
    expect(await ask(`/given/${path}`)).toMatchObject({ status: 200, type: 'application/octet-stream', body: 'secret' })
    for (const other of [path, `given/${'0'.repeat(32)}/0/secret.txt`, `given/${path}/../1/secret.txt`])
      expect((await ask(`/${other}`)).status).toBe(404)
    giving.close()
  })

  it('takes the next port when one is in use', async () => {
    const second = createStaticServer([join(folder, 'dist')])
    expect(await listen(second, port)).toBeGreaterThan(port)
    second.close()
  })
})

describe('the headers of a host', () => {
  it('are a `_headers` file in which a later rule replaces a value', () => {
    const lines = headersFile().split('\n')
    expect(lines[0]).toBe('/*')
    expect(lines).toContain('  x-content-type-options: nosniff')
    expect(lines.slice(lines.indexOf('/assets/*'))).toEqual([
      '/assets/*',
      '  ! cache-control',
      '  cache-control: public, max-age=31536000, immutable',
      '',
    ])
  })

  it('let any site frame box.html, which holds nothing and has the policy of the box in its text too', () => {
    const text = readFileSync(new URL('../public/box.html', import.meta.url), 'utf8')
    const policy = headersFor('/box.html')['content-security-policy']!
    expect(policy).toContain(`${/content="([^"]+)"/.exec(text)![1]}; frame-ancestors *`)
    expect(policy).toMatch(/^default-src 'none'; .*base-uri 'none'; form-action 'none'/)
    expect([...text.matchAll(/<(\w+)/g)].map((m) => m[1])).toEqual(['meta', 'title'])
  })

  it('are the table of docs/hosting.md', () => {
    const page = readFileSync(new URL('../docs/hosting.md', import.meta.url), 'utf8')
    for (const { path, headers } of HEADER_RULES)
      for (const [name, value] of Object.entries(headers))
        expect(page).toContain(
          `| \`${path}\` | \`${name}\` | ${name === 'content-security-policy' ? 'the policy of the page' : `\`${value}\``}`,
        )
  })
})
