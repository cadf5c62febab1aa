// @ts-check
/**
 * The response headers that a host of dist should send, defined once: the build writes them to dist/_headers, which
 * many
 * static hosts read; `npm start` and the tests' server send them; docs/hosting.md lists them;
 * `scripts/check-headers.mjs` checks them on a deployed page.
 */
import { BOX_POLICY, LOADER_POLICY, OPENER_POLICY, POLICY } from './csp.mjs'

/** @typedef {{ path: string, headers: Readonly<Record<string, string>> }} HeaderRule `path` ends in `*`: a prefix */

/** Later rules replace headers of earlier ones. @type {readonly HeaderRule[]} */
export const HEADER_RULES = [
  {
    path: '/*',
    headers: {
      // `frame-ancestors` has no effect in a <meta> tag; src/app/session/framed.ts checks the frame where a host sends no
      // headers.
      'content-security-policy': `${POLICY}; frame-ancestors 'self'`,
      // A page that opened this one in a window cannot change its address under the user's click.
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      // A browser may look up the hosts of a page's links before anybody follows one: a lesson could tell its author who reads it.
      'x-dns-prefetch-control': 'off',
      'cache-control': 'no-cache',
    },
  },
  // Any site may frame it: it runs no code (docs/security.md).
  { path: '/embed.html', headers: { 'content-security-policy': `${POLICY}; frame-ancestors *` } },
  // `sandbox`: a page that opens it directly gets no origin either.
  {
    path: '/load.html',
    headers: { 'content-security-policy': `${LOADER_POLICY}; frame-ancestors 'self'; sandbox allow-scripts` },
  },
  // It hears the page that opened it, so it keeps that tie; it holds nothing of the site.
  {
    path: '/open.html',
    headers: {
      'content-security-policy': `${OPENER_POLICY}; frame-ancestors 'none'`,
      'cross-origin-opener-policy': 'unsafe-none',
    },
  },
  // embed.html frames it below another site's page, and each ancestor counts. It holds no script and nothing to press. A
  // sandbox would have to keep its scripts and its origin, and then guards nothing.
  {
    path: '/box.html',
    headers: {
      'content-security-policy': `${BOX_POLICY}; frame-ancestors *`,
    },
  },
  // The names of these files contain a hash of their content.
  { path: '/assets/*', headers: { 'cache-control': 'public, max-age=31536000, immutable' } },
]

/** @param {string} pathname @returns {Record<string, string>} the headers of one path, names in lower case */
export function headersFor(pathname) {
  const matching = HEADER_RULES.filter(({ path }) => pathname.startsWith(path.replace(/\*$/, '')))
  return Object.assign({}, ...matching.map((rule) => rule.headers))
}

/**
 * The rules as a `_headers` file. Where rules overlap, such hosts join the values, so the later rule first removes the
 * earlier value (`! name`).
 * @returns {string}
 */
export function headersFile() {
  /** @type {Set<string>} */
  const seen = new Set()
  const lines = HEADER_RULES.flatMap(({ path, headers }) => [
    path,
    ...Object.entries(headers).flatMap(([name, value]) => {
      const again = seen.has(name)
      seen.add(name)
      return [...(again ? [`  ! ${name}`] : []), `  ${name}: ${value}`]
    }),
  ])
  return `${lines.join('\n')}\n`
}

/**
 * Writes dist/_headers.
 * @returns {import('vite').Plugin}
 */
export function headersPlugin() {
  return {
    name: 'fusescope-headers',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '_headers', source: headersFile() })
    },
  }
}
