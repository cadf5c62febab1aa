// @ts-check
/**
 * A small static server for dist: GET and HEAD, files inside the given folders only, right types, ranges, compressed forms, and the headers
 * that a host should send (scripts/vite/headers.mjs). sirv 3 was weighed: it follows links out of its folder, keeps the
 * files of aborted downloads open and knows no list of hosts.
 *
 *   node scripts/serve.mjs [--port N] [--host ADDRESS] [--dir DIR]…   a later DIR serves files that the earlier ones lack
 */
import { realpathSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { root } from './lib.mjs'
import { encodingOf } from './serve/encodings.mjs'
import { fileFor, typeOf } from './serve/files.mjs'
import { GIVEN } from './serve/given.mjs'
import { isNamed, namesOf } from './serve/hosts.mjs'
import { rangeOf } from './serve/range.mjs'
import { headersFor } from './vite/headers.mjs'

/** @typedef {import('node:http').IncomingMessage} Request @typedef {import('node:http').ServerResponse} Response */

/**
 * @param {string[]} dirs
 * @param {string} [address] that the server listens on
 * @param {(pathname: string) => string | null} [given] files of other folders, as data (serve/given.mjs)
 * @returns {import('node:http').Server}
 */
export function createStaticServer(dirs, address = LOCAL, given = () => null) {
  const roots = dirs.map((d) => realpathSync(resolve(root, d)))
  const names = namesOf(address)
  return createServer((req, res) => {
    if (!isNamed(req.headers.host, names)) return refuse(req, res, 421, 'This server does not answer to that name.')
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuse(req, res, 405, 'Only GET and HEAD.')
    const pathname = (req.url ?? '/').split(/[?#]/, 1)[0] ?? '/'
    const file = given(pathname) ?? roots.map((dir) => fileFor(dir, pathname)).find((f) => f !== null)
    if (!file) return refuse(req, res, 404, 'Not found.')
    // The file may vanish, and the reader may leave, at any time.
    inTurn(req.socket, () => send(file, pathname, req, res)).catch(() =>
      res.headersSent ? res.destroy() : refuse(req, res, 404, 'Not found.'),
    )
  })
}

/** The last answer of each connection. @type {WeakMap<object, Promise<void>>} */
const answers = new WeakMap()

/**
 * Answers a connection's requests one after the other. A client may send many before it reads: each would hold a file open,
 * also after the client has left, because nothing tells an answer that waits for its turn.
 * @param {import('node:net').Socket} socket @param {() => Promise<void>} answer @returns {Promise<void>}
 */
function inTurn(socket, answer) {
  const before = answers.get(socket) ?? Promise.resolve()
  const made = before.then(() => (socket.destroyed ? undefined : answer()))
  answers.set(
    socket,
    made.catch(() => undefined),
  )
  return made
}

const LOCAL = '127.0.0.1'

/** @param {Request} req @param {Response} res @param {number} status @param {string} text */
function refuse(req, res, status, text) {
  const { 'cache-control': _, ...headers } = headersFor('/')
  res.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' })
  res.end(req.method === 'HEAD' ? undefined : `${text}\n`)
}

/** @param {string} file @param {string} pathname @param {Request} req @param {Response} res */
async function send(file, pathname, req, res) {
  // A range is one of the file itself.
  const sent = encodingOf(file, req.headers.range ? '' : String(req.headers['accept-encoding'] ?? ''))
  const handle = await open(sent.file)
  try {
    const { size, mtimeMs } = await handle.stat()
    const etag = `"${size.toString(36)}-${mtimeMs.toString(36)}"`
    const headers = { ...headersFor(pathname), ...sent.headers, etag, 'accept-ranges': 'bytes' }
    if (req.headers['if-none-match'] === etag) {
      res.writeHead(304, headers).end()
      return
    }
    const same = req.headers['if-range'] === undefined || req.headers['if-range'] === etag
    const range = same ? rangeOf(req.headers.range, size) : 'all'
    if (range === 'none') {
      res.writeHead(416, { ...headers, 'content-range': `bytes */${size}` }).end()
      return
    }
    const { start, end } = range === 'all' ? { start: 0, end: size - 1 } : range
    res.writeHead(range === 'all' ? 200 : 206, {
      ...headers,
      'content-type': GIVEN.test(pathname) ? 'application/octet-stream' : typeOf(file),
      'content-length': end - start + 1,
      ...(range !== 'all' && { 'content-range': `bytes ${start}-${end}/${size}` }),
    })
    if (req.method === 'HEAD' || size === 0) res.end()
    // Closes the file when the reader leaves.
    else await pipeline(handle.createReadStream({ start, end, autoClose: false }), res)
  } finally {
    await handle.close()
  }
}

/**
 * Listens on the first free port at or after `port`.
 * @param {import('node:http').Server} server
 * @param {number} port
 * @param {number} [tries]
 * @param {string} [address] this machine only by default
 * @returns {Promise<number>}
 */
export function listen(server, port, tries = 100, address = LOCAL) {
  return new Promise((done, fail) => {
    /** @param {number} p */
    const attempt = (p) => {
      server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
        if (error.code === 'EADDRINUSE' && p < port + tries - 1) attempt(p + 1)
        else fail(error)
      })
      server.listen(p, address, () => {
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
 * @param {string} [dir]
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serveDist(dir = 'dist') {
  const server = createStaticServer([dir])
  const port = await listen(server, 4300)
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const dirs = []
  let port = 4173
  let host = LOCAL
  let exact = false
  const args = process.argv.slice(2)
  for (let i = 0; i < args.length; i += 2) {
    if (args[i] === '--dir' && args[i + 1]) dirs.push(String(args[i + 1]))
    else if (args[i] === '--host' && args[i + 1]) host = String(args[i + 1])
    else if (args[i] === '--port' && /^\d+$/.test(args[i + 1] ?? '')) {
      port = Number(args[i + 1])
      exact = true
    } else {
      console.error(`serve: unknown argument ${args[i]}; expected --port N, --host ADDRESS or --dir DIR.`)
      process.exit(2)
    }
  }
  const server = createStaticServer(dirs.length > 0 ? dirs : ['dist'], host)
  const at = await listen(server, port, exact ? 1 : 100, host)
  console.log(`http://${host === LOCAL ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${at}/`)
}
