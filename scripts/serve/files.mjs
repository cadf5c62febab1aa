// @ts-check
/** The files of the static server: which one a path names, and its type. */
import { realpathSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'

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
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.zip': 'application/zip',
}

/** @param {string} file @returns {string} its MIME type */
export const typeOf = (file) => TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream'

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
