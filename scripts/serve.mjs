// @ts-check
/**
 * A small static server for dist: GET and HEAD, files inside the given folders only, right types, and the headers that
 * a host should send (scripts/vite/headers.mjs).
 *
 *   node scripts/serve.mjs [--port N] [--dir DIR]…   a later DIR serves files that the earlier ones lack
 */
import { createReadStream, realpathSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib.mjs'
import { headersFor } from './vite/headers.mjs'

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.py': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.zip': 'application/zip',
}

/**
 * The file for a request path, or null. Dot files and files outside `dir`, also through links, are never served.
 * @param {string} dir a real path
 * @param {string} pathname still percent-encoded
 */
export function fileFor(dir, pathname) {
  let path
  try {
    path = decodeURIComponent(pathname)
  } catch {
    return null
  }
  if (path.includes('\0') || path.includes('\\') || path.split('/').some((part) => part.startsWith('.'))) return null
  try {
    let file = realpathSync(join(dir, path))
    if (statSync(file).isDirectory()) {
      if (!path.endsWith('/')) return null
      file = realpathSync(join(file, 'index.html'))
    }
    return file.startsWith(dir + sep) && statSync(file).isFile() ? file : null
  } catch {
    return null
  }
}

/** @param {string[]} dirs @returns {import('node:http').Server} */
export function createStaticServer(dirs) {
  const roots = dirs.map((d) => realpathSync(resolve(root, d)))
  return createServer((req, res) => {
    const fail = (/** @type {number} */ status, /** @type {string} */ text) => {
      res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
      res.end(req.method === 'HEAD' ? undefined : `${text}\n`)
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') return fail(405, 'Only GET and HEAD.')
    const pathname = (req.url ?? '/').split(/[?#]/, 1)[0] ?? '/'
    const file = roots.map((dir) => fileFor(dir, pathname)).find((f) => f !== null)
    if (!file) return fail(404, 'Not found.')
    const stat = statSync(file)
    const etag = `"${stat.size.toString(36)}-${stat.mtimeMs.toString(36)}"`
    const headers = { ...headersFor(pathname), etag }
    if (req.headers['if-none-match'] === etag) {
      res.writeHead(304, headers)
      return res.end()
    }
    res.writeHead(200, {
      ...headers,
      'content-type': TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream',
      'content-length': stat.size,
    })
    if (req.method === 'HEAD') return res.end()
    createReadStream(file)
      .on('error', () => res.destroy())
      .pipe(res)
  })
}

/**
 * Listens on the first free port at or after `port`, on this machine only.
 * @param {import('node:http').Server} server
 * @param {number} port
 * @param {number} [tries]
 * @returns {Promise<number>}
 */
export function listen(server, port, tries = 100) {
  return new Promise((done, fail) => {
    /** @param {number} p */
    const attempt = (p) => {
      server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
        if (error.code === 'EADDRINUSE' && p < port + tries - 1) attempt(p + 1)
        else fail(error)
      })
      server.listen(p, '127.0.0.1', () => {
        server.removeAllListeners('error')
        // Read from the server: this callback is registered once per tried port.
        const address = server.address()
        done(typeof address === 'object' && address ? address.port : p)
      })
    }
    attempt(port)
  })
}

/**
 * Serves dist for a benchmark or a script.
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serveDist() {
  const server = createStaticServer(['dist'])
  const port = await listen(server, 4300)
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const dirs = []
  let port = 4173
  let exact = false
  const args = process.argv.slice(2)
  for (let i = 0; i < args.length; i += 2) {
    if (args[i] === '--dir' && args[i + 1]) dirs.push(String(args[i + 1]))
    else if (args[i] === '--port' && /^\d+$/.test(args[i + 1] ?? '')) {
      port = Number(args[i + 1])
      exact = true
    } else {
      console.error(`serve: unknown argument ${args[i]}; expected --port N or --dir DIR.`)
      process.exit(2)
    }
  }
  const server = createStaticServer(dirs.length > 0 ? dirs : ['dist'])
  const at = await listen(server, port, exact ? 1 : 100)
  console.log(`http://localhost:${at}/`)
}
