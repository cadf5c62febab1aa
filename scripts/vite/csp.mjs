// @ts-check
/**
 * The Content-Security-Policy of the built page, which loads from its own host only. The engine's worker starts from a
 * one-line blob in a frame with a stricter policy (src/engine/worker/box_frame.ts), so that both policies hold on any
 * static host; hence `blob:` in script-src. 'wasm-unsafe-eval' is for Pyodide; without 'unsafe-eval', Python cannot turn text into JavaScript. Monaco
 * and React Flow set style attributes, hence 'unsafe-inline' for styles.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval' blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/**
 * The policy of load.html, which loads the file of `?from=URL` from another host and holds nothing else (docs/security.md).
 * public/load.html has the same; a test compares them.
 */
export const LOADER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  'connect-src https: http://localhost:* http://127.0.0.1:*',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/**
 * The policy of open.html, which takes a graph from another page and asks (docs/api.md). public/open.html has the same; a test
 * compares them.
 */
export const OPENER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/**
 * The policy of box.html, which the engine's worker inherits (src/engine/worker/box_frame.ts). worker-src 'self': the import in
 * its blob counts as the script of a worker. public/box.html has the same; a test compares them.
 */
export const BOX_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval' blob:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/**
 * Puts the policy into the built page. The dev server injects inline scripts, so it has no policy.
 * @returns {import('vite').Plugin}
 */
export function contentSecurityPolicy() {
  return {
    name: 'fusescope-csp',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
        // For hosts that send no headers (headers.mjs).
        { tag: 'meta', attrs: { 'http-equiv': 'x-dns-prefetch-control', content: 'off' }, injectTo: 'head-prepend' },
      ],
    },
  }
}
