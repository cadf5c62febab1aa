import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStaticServer, listen } from './serve.mjs'
import { HEADER_RULES, headersFile, headersFor } from './vite/headers.mjs'

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
function get(path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
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

  it('are the table of docs/hosting.md', () => {
    const page = readFileSync(new URL('../docs/hosting.md', import.meta.url), 'utf8')
    for (const { path, headers } of HEADER_RULES)
      for (const [name, value] of Object.entries(headers))
        expect(page).toContain(
          `| \`${path}\` | \`${name}\` | ${name === 'content-security-policy' ? 'the policy of the page' : `\`${value}\``}`,
        )
  })
})
